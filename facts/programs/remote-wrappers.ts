import { parseTarget } from "../network/url.ts";
import type { Input } from "../shell/draft.ts";
import { type Field, homeField, literalField, rewritten, together, withText } from "../shell/fields.ts";
import { quotedTexts } from "../text/quoted.ts";
import { type Arguments, type Grammar, optionList, readArguments, valueOf, valuesOf } from "./grammar.ts";
import { joined } from "./runners.ts";
import type { Inner, Unwrapped, Wrapper } from "./wrapper.ts";

/** Options of `ssh`, up to the host and again behind it. Source: ssh(1). */
export const sshGrammar: Grammar = {
  options: optionList(`
    -b=; -c=; -D=; -E=; -e=; -F=; -I=; -i=; -J=; -L=; -l=; -m=; -o=; -O=; -p=; -Q=; -R=; -S=; -W=; -w=; -B=; -P=; -M=
  `),
  stop: true,
};

const plainSsh: Grammar = {
  options: (sshGrammar.options ?? []).filter((line) => line !== "-M=" && line !== "-P="),
  stop: true,
};

/** Reads host and command of `ssh`: options may come on both sides of the host. */
export function readSsh(
  program: string,
  args: readonly Field[],
): { host: Field | undefined; command: readonly Field[]; options: Arguments["options"] } {
  const grammar = program === "autossh" ? sshGrammar : plainSsh;
  const first = readArguments(grammar, args);
  const [host, ...rest] = first.operands;
  const second = readArguments(grammar, rest);
  return { host, command: second.operands, options: [...first.options, ...second.options] };
}

/** Returns the port of `ssh` and similar programs, from an option or `-o Port=…`; the first one counts. */
export function portOf(options: Arguments["options"], option: string): Field | undefined {
  for (const { names, value } of options) {
    if (value && names.includes(option)) return value;
    const setting = value && names.includes("-o") ? /^\s*port\s*[=\s]\s*/i.exec(value.text) : undefined;
    if (value && setting) return withText(value, value.text.slice(setting[0].length));
  }
  return undefined;
}

/** Returns the address that `change` makes of a host, with a port if one is given and the address has none. */
export function addressAt(host: Field, port: Field | undefined, change: (host: string) => string): Field {
  if (port === undefined) return rewritten(host, change);
  const both = together(
    rewritten(host, (text) => `${text}\0`),
    port,
  );
  return rewritten(both, (text) => {
    const [name = "", told = ""] = text.split("\0");
    return change(name).replace(
      /^[a-z]+:\/\/(?:[^/]*@)?(?:\[[^\]/@]*\]|[^/:@]*)(?=\/|$)/i,
      (authority) => `${authority}:${told}`,
    );
  });
}

/** True for names and addresses of this very machine. */
export function isThisMachine(host: Field): boolean {
  if (host.kind !== "literal") return false;
  const name = host.text
    .replace(/^ssh:\/\//, "")
    .replace(/^[^@]*@/, "")
    .replace(/^\[([^\]]*)\].*$/s, "$1");
  if (/^(?:::1|::|0:0:0:0:0:0:0:1|localhost|ip6-localhost|ip6-loopback|localhost\.localdomain)\.?$/i.test(name))
    return true;
  const known = parseTarget(name, "http")?.host ?? "";
  return known === "localhost" || known.endsWith(".localhost") || known === "0.0.0.0" || /^127\./.test(known);
}

const localSettings = /^\s*(?:proxycommand|localcommand|knownhostscommand)\s*[=\s]\s*/i;
const remoteSettings = /^\s*remotecommand\s*[=\s]\s*/i;

/** Texts of `-o` settings that a shell here runs, and of those that the other side runs. */
function settingTexts(options: Arguments["options"], pattern: RegExp): Field[] {
  return options.flatMap((option) => {
    const value = option.names.includes("-o") ? option.value : undefined;
    const found = value && pattern.exec(value.text);
    if (!value || !found) return [];
    const text = value.text.slice(found[0].length);
    const isNone = text.toLowerCase() === "none" || (text === "" && value.kind !== "unknown");
    return isNone ? [] : [withText(value, text)];
  });
}

/**
 * Returns a text that runs on a host. On another machine its effects here are uncertain; a login shell of this one starts in the
 * home folder.
 */
function remoteText(text: Field, host: Field): Inner {
  return isThisMachine(host)
    ? { kind: "text", text, cwd: homeField("~", text.place) }
    : { kind: "text", text, cwd: "", certain: false };
}

/** `ssh host command`, `RemoteCommand`, or commands on its input; `ProxyCommand` and similar options run on this machine. */
function ssh(program: string): Wrapper {
  return {
    names: [program],
    unwrap(args, input) {
      const { host, command, options } = readSsh(program, args);
      const here = settingTexts(options, localSettings).map((text): Inner => ({ kind: "text", text }));
      if (!host) return here.length > 0 ? { self: true, inner: here } : undefined;
      const texts = [...(command.length > 0 ? [joined(command)] : []), ...settingTexts(options, remoteSettings)];
      const silent = options.some((option) => option.names.includes("-N") || option.names.includes("-W"));
      if (texts.length === 0 && !silent) texts.push(...inputTexts(input, host.place));
      const inner = [...here, ...texts.map((text) => remoteText(text, host))];
      return inner.length > 0 ? { self: true, inner, ...doubtOf(texts) } : undefined;
    },
  };
}

function doubtOf(texts: readonly Field[]): { doubt?: string } {
  return texts.some((text) => text.kind === "unknown") ? { doubt: "another machine runs text that is not known" } : {};
}

function inputTexts(input: Input, place: Field["place"]): Field[] {
  const atom = input?.atom;
  if (!atom) return [];
  return [{ ...literalField(atom.text, place), ...atom }];
}

const moshGrammar: Grammar = {
  options: optionList("-p --port=; --ssh=; --predict=; --server=; --client=; -a; -n"),
  stop: true,
};

const mosh: Wrapper = {
  names: ["mosh"],
  unwrap(args) {
    const read = readArguments(moshGrammar, args);
    const [host, ...words] = read.operands;
    const transport = valueOf(read, "--ssh");
    const command = words[0]?.text === "--" ? words.slice(1) : words;
    const inner: Inner[] = transport ? [{ kind: "text", text: transport }] : [];
    if (host && command.length > 0) inner.push(remoteText(joined(command), host));
    return inner.length > 0 ? { self: true, inner } : undefined;
  },
};

const transportGrammar: Grammar = {
  options: optionList(
    "-e --rsh=; -S=; -o=; --rsync-path=; -f=; -T=; -B=; -M=; -F=; -i=; -J=; -P=; -l=; -c=; -D=; -b=; -R=; -s",
  ),
};

/** `rsync -e 'words'`, `scp -S program`: the program that carries the transfer runs here. */
const transports: Wrapper = {
  names: ["rsync", "scp", "sftp"],
  unwrap(args) {
    const read = readArguments(transportGrammar, args);
    const inner: Inner[] = [
      ...[...valuesOf(read, "--rsh"), ...valuesOf(read, "-S")]
        .filter((text) => !/^ssh$/.test(text.text))
        .map((text): Inner => ({ kind: "text", text })),
      ...settingTexts(read.options, localSettings).map((text): Inner => ({ kind: "text", text })),
      ...valuesOf(read, "--rsync-path").map((text): Inner => ({ kind: "text", text, cwd: "", certain: false })),
    ];
    return inner.length > 0 ? { self: true, inner } : undefined;
  },
};

/** Makes the wrapper of a tool with an option for the text that another machine runs. */
function optionText(names: string, options: string, option: string, after: readonly string[]): Wrapper {
  const grammar: Grammar = { options: optionList(options) };
  return {
    names: names.split(" "),
    unwrap(args) {
      const read = readArguments(grammar, args);
      if (after.some((word, i) => read.operands[i]?.text !== word)) return undefined;
      const texts = valuesOf(read, option).map(commandText);
      return texts.length > 0 ? elsewhere(texts) : undefined;
    },
  };
}

function elsewhere(texts: readonly Field[]): Unwrapped {
  return {
    self: true,
    inner: texts.flatMap((text): Inner[] =>
      text.text === "" && text.kind === "literal" ? [] : [{ kind: "text", text, cwd: "", certain: false }],
    ),
    ...doubtOf(texts),
  };
}

/** Commands in the forms cloud clients take: a plain text, `commands=a,b`, `commands=["a","b"]`, `{"commands":["a"]}`. */
function commandText(value: Field): Field {
  const list = /commands?"?\s*[=:]\s*(.*)$/s.exec(value.text)?.[1];
  if (list === undefined) return value;
  const quoted = quotedTexts(list).map((one) => one.replace(/\\(.)/g, "$1"));
  const text =
    quoted.length > 0
      ? quoted.join("\n")
      : list
          .replace(/^\[|\]$/g, "")
          .split(",")
          .join("\n");
  return { ...value, text, verbatim: -1, ...(value.kind === "unknown" ? { template: text } : {}) };
}

const commonOptions =
  "-n --name=; -g --resource-group=; --zone=; --project=; --region=; --profile=; --instance-ids=; --document-name=; --targets=; --command-id=; --output=; -o=; --query=; --instance=; --cluster=; --task=; --container=; --interactive; -r=; -s --select; --tunnel-through-iap; --quiet; -i --inventory=; -m --module-name=; -u --user=; -l=; -b --become; -c=; -f=";

/** Clients of hosts, clouds and fleets that run a command elsewhere. */
const fleets: readonly Wrapper[] = [
  optionText("vagrant", "-c --command=; -p --plain; -t", "--command", ["ssh"]),
  optionText("fly flyctl", `-C --command=; ${commonOptions.replace("-c=; ", "")}`, "--command", ["ssh", "console"]),
  optionText("gcloud", `--command=; ${commonOptions}`, "--command", ["compute", "ssh"]),
  optionText("az", `--scripts=; --parameters=; ${commonOptions}`, "--scripts", ["vm", "run-command", "invoke"]),
  optionText("gh", "-c=; -R --repo=", "-c", ["codespace", "ssh"]),
];

const awsGrammar: Grammar = { options: optionList(`--parameters=; --command=; ${commonOptions}`) };

/** `aws ssm send-command --parameters commands=…` and `aws ecs execute-command --command text`. */
const aws: Wrapper = {
  names: ["aws"],
  unwrap(args) {
    const read = readArguments(awsGrammar, args);
    const verb = read.operands
      .slice(0, 2)
      .map((word) => word.text)
      .join(" ");
    const option = verb === "ssm send-command" ? "--parameters" : verb === "ecs execute-command" ? "--command" : "";
    const texts = option === "" ? [] : valuesOf(read, option).map(commandText);
    return texts.length > 0 ? elsewhere(texts) : undefined;
  },
};

/** `heroku run`, `railway ssh`, `pdsh -w hosts words`, `adb shell words`: the words are one text elsewhere. */
function wordsElsewhere(names: string, options: string, after: readonly string[], skip = 0): Wrapper {
  const grammar: Grammar = { options: optionList(options), stop: true };
  return {
    names: names.split(" "),
    unwrap(args) {
      let read = readArguments(grammar, args);
      if (after.length > 0) {
        if (!after.includes(read.operands[0]?.text ?? "")) return undefined;
        read = readArguments(grammar, read.operands.slice(1));
      }
      const words = read.operands.slice(skip);
      const command = words[0]?.text === "--" ? words.slice(1) : words;
      return command.length > 0 ? elsewhere([joined(command)]) : undefined;
    },
  };
}

const ansibleGrammar: Grammar = {
  options: optionList(`-a --args=; ${commonOptions.replace("-c=", "-c --connection=")}`),
};

/** `ansible hosts -m shell -a text`: `-c local` runs it here. */
const ansible: Wrapper = {
  names: ["ansible"],
  unwrap(args) {
    const read = readArguments(ansibleGrammar, args);
    const module = valueOf(read, "--module-name")?.text.split(".").at(-1) ?? "command";
    const text = valueOf(read, "--args");
    if (!text || !["command", "shell", "raw", "script"].includes(module)) return undefined;
    const local = valueOf(read, "--connection")?.text === "local" || read.operands.some(isThisMachine);
    return { self: true, inner: [local ? { kind: "text", text } : { kind: "text", text, cwd: "", certain: false }] };
  },
};

/** Wrappers whose command runs on another machine. Source: threats page, class 3. */
export const remoteWrappers: readonly Wrapper[] = [
  ssh("ssh"),
  ssh("autossh"),
  mosh,
  transports,
  ...fleets,
  aws,
  ansible,
  wordsElsewhere("heroku", "-a --app=; -r --remote=; -s --size=; -e --env=; --type=; --exit-code; --no-tty; -x", [
    "run",
    "run:detached",
  ]),
  wordsElsewhere("adb", "-s=; -d; -e; -t=; -H=; -P=; -n; -x; -T", ["shell"]),
  wordsElsewhere(
    "pdsh clush parallel-ssh pssh rgang",
    "-w=; -x=; -l=; -f=; -g=; -H --host=; -h --hosts=; -t=; -i --inline; -p=; -R=; -S; -b; -a; -O --option=; -A; -P",
    [],
  ),
  wordsElsewhere("lxc-attach", "-n --name=; -P --lxcpath=; -e; --clear-env; -u --uid=; -g --gid=", []),
];
