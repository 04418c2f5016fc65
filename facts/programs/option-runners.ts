import { type Field, literalField, patternField, withText } from "../shell/fields.ts";
import { aria2Hooks } from "./downloaders.ts";
import { planFd } from "./fd.ts";
import { finder } from "./finders.ts";
import { type Grammar, optionList, readArguments, valuesOf } from "./grammar.ts";
import { isShell } from "./run-variables.ts";
import { ranTexts } from "./sed.ts";
import { assignedTexts } from "./variable-code.ts";
import type { Inner, Wrapper } from "./wrapper.ts";

/** Makes a wrapper for a program with options that hold a shell text; it stays a command of its own. */
function runsOptions(
  names: string,
  options: string,
  texts: readonly string[],
  of = (text: Field): Field[] => [text],
): Wrapper {
  const grammar: Grammar = { options: optionList(options) };
  return {
    names: names.split(" "),
    unwrap(args) {
      const read = readArguments(grammar, args);
      const inner = texts
        .flatMap((name) => valuesOf(read, name))
        .flatMap(of)
        .filter((text) => text.text !== "" || text.kind === "unknown")
        .map((text): Inner => ({ kind: "text", text }));
      return inner.length > 0 ? { self: true, inner } : undefined;
    },
  };
}

/** `--checkpoint-action=exec=text`; other actions run nothing. */
function tarText(value: Field): Field[] {
  const action = /^(exec=)|^(?:bell|dot|echo|totals|ttyout|sleep|wait)/.exec(value.text);
  if (!action) return [value];
  return action[1] === undefined ? [] : [withText(value, value.text.slice(action[1].length))];
}

/** `sed '1e text'`: the text behind the command `e` is run. */
const sed: Wrapper = {
  names: ["sed", "gsed"],
  unwrap(args) {
    const read = readArguments(sedGrammar, args);
    const scripts = valuesOf(read, "--expression");
    const [first] = read.operands;
    if (scripts.length === 0 && first && valuesOf(read, "--file").length === 0) scripts.push(first);
    const inner = scripts.flatMap((script) =>
      ranTexts(script.text).map((text): Inner => ({ kind: "text", text: withText(script, text) })),
    );
    return inner.length > 0 ? { self: true, inner } : undefined;
  },
};

const sedGrammar: Grammar = { options: optionList("-e --expression=; -f --file=; -l --line-length=; -i --in-place=?") };

/** `socat … EXEC:text`: runs the program that it connects to. */
const socat: Wrapper = {
  names: ["socat"],
  unwrap(args) {
    const inner = args.flatMap((word): Inner[] => {
      const text = /^(?:exec|system|shell):(.*)$/is.exec(word.text)?.[1];
      return text === undefined
        ? []
        : [{ kind: "text", text: withText(word, text.replace(/,[a-z0-9-]+(?:=[^,]*)?$/i, "")) }];
    });
    return inner.length > 0 ? { self: true, inner } : undefined;
  },
};

/** `fd pattern -x words`: the words run on each path found, which may be any path below the folder. */
const fd: Wrapper = {
  names: ["fd", "fdfind"],
  unwrap(args) {
    const { inner } = planFd(args);
    return inner.length > 0 ? { self: true, inner } : undefined;
  },
};

const rgOptions =
  "--pre=; --pre-glob=; --hostname-bin=; -g=; -t=; -T=; -e=; -f=; -A=; -B=; -C=; -m=; -j=; -r=; --type=; --glob=";
const rgRunner = runsOptions("rg ripgrep", rgOptions, ["--hostname-bin"]);
const rgGrammar: Grammar = { options: optionList(rgOptions) };

/** `rg --pre program`: it is run for each file that is searched. */
const rg: Wrapper = {
  names: rgRunner.names,
  unwrap(args, input) {
    const found = rgRunner.unwrap(args, input);
    const read = readArguments(rgGrammar, args);
    const isNamed = read.options.some(({ names }) => names.includes("-e") || names.includes("-f"));
    const paths = read.operands.slice(isNamed ? 0 : 1);
    const program = valuesOf(read, "--pre").at(-1);
    if (!program || (program.text === "" && program.kind !== "unknown")) return found;
    // One that is no single word is no program by its name.
    const isWord = program.kind === "literal" && !/\s/.test(program.text);
    const ran: Inner = isWord ? filesTo(program, paths) : { kind: "text", text: program };
    return { self: true, inner: [...(found?.inner ?? []), ran] };
  },
};

/** Returns the words of a program and the files that it runs on; if none is named, all files below the folder. */
export function filesTo(program: Field, paths: readonly Field[]): Inner {
  const files = paths.length > 0 ? paths : [patternField("**", program.place)];
  return { kind: "words", fields: [program, ...files], external: true, certain: false };
}

/** Returns the text of a setting between braces, `{ "text"; }`. */
function withoutBraces(text: string): string {
  const opened = text.replace(/^\{\s*"?/, "");
  return opened.endsWith("}") ? opened.slice(0, -1).trimEnd().replace(/"?;?$/, "") : opened;
}

/** `apt -o DPkg::Pre-Invoke::=text`: settings whose value a shell runs. */
const apt = runsOptions(
  "apt apt-get aptitude",
  "-o --option=; -t --target-release=; -c --config-file=; -q; -y; -a=",
  ["--option"],
  (setting) => {
    const found = /^[\w:-]*::(?:Pre|Post)-(?:Invoke(?:-Success|-Stats)?|Install-Pkgs)(?:::)?=/i.exec(setting.text);
    if (found) return [withText(setting, withoutBraces(setting.text.slice(found[0].length)))];
    return setting.kind === "unknown" && !setting.text.includes("=") ? [setting] : [];
  },
);

const zipRunner = runsOptions("zip", "--unzip-command=; -x=; -i=; -P=; -b=; -t=", ["--unzip-command"]);

/** `zip -T -TT text`: the option's short name has two letters. */
const zip: Wrapper = {
  names: zipRunner.names,
  unwrap: (args, input) =>
    zipRunner.unwrap(
      args.map((word) => (word.text === "-TT" ? { ...word, text: "--unzip-command" } : word)),
      input,
    ),
};

const chokidarRunner = runsOptions(
  "chokidar chokidar-cli",
  "-c --command=; -d --debounce=; -t --throttle=; -i --ignore=; --initial; --silent; -p --polling",
  ["--command"],
);

/** `chokidar 'src/**' -c text`: only the text does something. */
const chokidar: Wrapper = {
  names: chokidarRunner.names,
  unwrap(args, input) {
    const found = chokidarRunner.unwrap(args, input);
    return found && { self: false, inner: found.inner };
  },
};

const makeRunner = runsOptions(
  "make gmake",
  "-E --eval=; -f --file --makefile=; -C --directory=; -j --jobs=?; -o=; -W=; -I --include-dir=; -l --load-average=?",
  ["--eval"],
  (text) => [withText(text, text.text.replaceAll("$(shell ", "$(").replaceAll("$$", "$"))],
);

const makeGrammar: Grammar = { options: optionList("-f --file --makefile=; -C --directory=; -j --jobs=?; -E --eval=") };

/** `make -f -`, `make -f <(…)`: recipes on the input are shell texts, a line each. */
const make: Wrapper = {
  names: makeRunner.names,
  unwrap(args, input) {
    const found = makeRunner.unwrap(args, input);
    const file = valuesOf(readArguments(makeGrammar, args), "--file").at(-1);
    const given = file && /^(?:-|\/dev\/stdin)$/.test(file.text) ? input?.atom : undefined;
    // `-f <(…)` is a makefile that another command prints.
    const printed = file?.text.startsWith("/dev/fd/") ? (file.content ?? "") : "";
    const lines = (given?.kind === "literal" ? given.text : printed)
      .split("\n")
      .filter((line) => line.startsWith("\t"));
    const inner = lines.slice(0, recipeLines).map((line): Inner => {
      const text = line.replace(/^[\t ]*[@+-]*/, "").replaceAll("$$", "$");
      return { kind: "text", text: literalField(text, args[0]?.place ?? { start: 0, end: 0 }) };
    });
    for (const shell of makeShells(args)) inner.push({ kind: "text", text: shell, certain: false });
    for (const text of assignedTexts(args)) inner.push({ kind: "text", text, certain: false });
    return inner.length === 0 ? found : { self: true, inner: [...(found?.inner ?? []), ...inner] };
  },
};

/** `make SHELL=text`: returns the shell that runs each recipe. */
function makeShells(args: readonly Field[]): readonly Field[] {
  return args.flatMap((word) => {
    const found = /^SHELL\s*[:?]?=/.exec(word.text);
    const shell = found && withText(word, word.text.slice(found[0].length));
    return shell && (shell.kind === "unknown" || !isShell(shell.text)) ? [shell] : [];
  });
}

// Most lines of a makefile on the input that are read.
const recipeLines = 256;

/** Programs that run the text of one of their options. Source: threats page, class 8 (allowed program, dangerous argument). */
export const optionRunners: readonly Wrapper[] = [
  runsOptions(
    "tar gtar bsdtar",
    "--to-command=; -I --use-compress-program=; --checkpoint-action=; --checkpoint=?; --rsh-command=; -F --info-script --new-volume-script=; -f --file=; -C --directory=; -T --files-from=; -X --exclude-from=; --exclude=",
    ["--to-command", "--use-compress-program", "--checkpoint-action", "--rsh-command", "--info-script"],
    tarText,
  ),
  runsOptions("split", "--filter=; -b --bytes=; -l --lines=; -n --number=; -a=; -C=; -t=", ["--filter"]),
  runsOptions("sort gsort", "--compress-program=; -o --output=; -k --key=; -t=; -S=; -T=", ["--compress-program"]),
  zip,
  rg,
  finder,
  apt,
  runsOptions("dpkg", "--pre-invoke=; --post-invoke=; --status-logger=; --root=; --admindir=; -D=", [
    "--pre-invoke",
    "--post-invoke",
    "--status-logger",
  ]),
  runsOptions(
    `aria2c aria2`,
    `${aria2Hooks.map((name) => `${name}=`).join("; ")}; -o=; -d=; -i=; -x=; -s=; -j=; -k=`,
    aria2Hooks,
  ),
  runsOptions("ack ag bat batcat delta pt", "--pager=; -A=; -B=; -C=; -m=; -g=; -G=; -l=; -r=", ["--pager"]),
  runsOptions("sdiff diff3", "--diff-program=; -o --output=; -w=; -L=; -x=; -I=", ["--diff-program"]),
  runsOptions("cpio bsdcpio", "--rsh-command=; -F --file=; -H=; -D=; -E=; -I=; -O=; -M=; -R=; -C=", ["--rsh-command"]),
  runsOptions(
    "gpg gpg2",
    "--photo-viewer=; --pinentry-program=; --agent-program=; --dirmngr-program=; -o=; -u=; -r=; --homedir=",
    ["--photo-viewer", "--pinentry-program", "--agent-program", "--dirmngr-program"],
  ),
  runsOptions("helm", "--post-renderer=; -f=; --set=; -n --namespace=; --version=; --kube-context=", [
    "--post-renderer",
  ]),
  runsOptions("watchman-make", "-p=; --run=; -t=; --root=; --make=; -s=", ["--run", "--make"]),
  runsOptions("fc", "-e=; -l; -n; -r; -s", ["-e"]),
  runsOptions("man", "-P --pager=; -H --html=?; -M=; -C=; -S=; -p --preprocessor=", ["--pager", "--html"]),
  runsOptions("nc ncat netcat", "-e --exec=; -c --sh-exec=; -p=; -w=; -s=; -x=; -X=; -q=; -i=", [
    "--exec",
    "--sh-exec",
  ]),
  runsOptions("yt-dlp youtube-dl", "--exec=; -o=; -P=; -f=; -a=; -u=; -p=; -r=", ["--exec"]),
  runsOptions("wget wget2", "--use-askpass=; -O=; -o=; -i=; -P=; -U=", ["--use-askpass"]),
  chokidar,
  make,
  sed,
  socat,
  fd,
];
