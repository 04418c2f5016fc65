import { type Field, homeField, mayBeAddress, rewritten, shapeOf, unknownField, withText } from "../shell/fields.ts";
import { curl } from "./curl.ts";
import { remoteName } from "./downloaders.ts";
import { type Arguments, optionList } from "./grammar.ts";
import { bodyOf, reportRefs } from "./hosting-refs.ts";
import { settingHost } from "./named-hosts.ts";
import { type Call, type Program, program } from "./program.ts";
import { addressAt, portOf, readSsh } from "./remote-wrappers.ts";
import { socketPrograms, sshSockets } from "./sockets.ts";
import { spelled } from "./spelled.ts";
import { takenWithout } from "./taken.ts";

const wgetOptions = optionList(`
    -O --output-document=; -o --output-file=; -a --append-output=; -P --directory-prefix=; -i
    --input-file=; -e --execute=; -t --tries=; -T --timeout=; -U --user-agent=; -A --accept=; -R
    --reject=; -D --domains=; -l --level=; -w --wait=; -Q --quota=; -B --base=; -I
    --include-directories=; -X --exclude-directories=; -Y --proxy=; --post-data=; --post-file=;
    --body-data=; --body-file=; --method=; --header=; --user=; --password=; --load-cookies=;
    --save-cookies=; --referer=; --limit-rate=; --ca-certificate=; --certificate=; --private-key=;
    --use-askpass=; -q --quiet; -c --continue; -r --recursive; -N --timestamping; -k --convert-links; -p
    --page-requisites; -m --mirror; -S --server-response; -b --background; -n; -x --force-directories;
    -H --span-hosts; -L --relative; -E --adjust-extension; --spider; --no-check-certificate; --no-hsts;
    --https-only; --no-proxy; --no-cookies; --no-cache; --no-parent; --no-clobber; --no-verbose;
    --no-directories; --no-host-directories; --content-disposition; --trust-server-names; -4 --inet4-only;
    -6 --inet6-only
  `);

function wget(call: Call): void {
  const files = [...call.values("--post-file"), ...call.values("--body-file")];
  for (const file of files) call.to.read(file);
  const method = call.value("--method")?.text.toUpperCase();
  const upload =
    files.length > 0 ||
    call.has("--post-data") ||
    call.has("--body-data") ||
    (method !== undefined && !["GET", "HEAD", "OPTIONS"].includes(method));
  for (const url of call.operands) call.to.network(url, upload ? "upload" : "download");
  const { body } = bodyOf(call, ["--post-data", "--body-data"]);
  if (upload)
    for (const path of call.operands)
      reportRefs(call, { method: method ?? "POST", path, body, isUnseen: files.length > 0 });
  const list = call.value("--input-file");
  if (list) {
    call.to.read(list);
    call.to.network(unknownField(call.draft.place, true), "both", false);
    call.to.doubt("wget takes addresses from a file");
  }
  for (const name of ["--output-file", "--append-output", "--save-cookies"])
    for (const file of call.values(name)) call.to.write(file);
  const output = call.value("--output-document");
  if (output && output.text !== "-") call.to.write(output);
  if (!output && !call.has("--spider"))
    for (const url of call.operands) call.to.write(remoteName(url, call.value("--directory-prefix")));
  for (const [name, run] of [
    ["--use-askpass", true],
    ["--execute", false],
  ] as const) {
    const value = call.value(name);
    if (!value) continue;
    if (run || /use_?askpass/i.test(value.text)) call.to.run(value.text);
    const proxy = run ? undefined : settingHost(value, /^\s*(?:https?|ftp)_proxy\s*=\s*/i);
    if (proxy) call.to.network(proxy, "both");
    call.to.doubt("wget is given settings that may run a program");
  }
}

const sshOptions = optionList(`
    -b=; -c=; -D=; -E=; -e=; -F=; -I=; -i=; -J=; -L=; -l=; -m=; -o=; -O=; -p=; -Q=; -R=; -S=; -W=; -w=;
    -B=
  `);

/** The URL of `user@host:path` and the like. */
function remote(scheme: string, text: string): string {
  const bracket = /^((?:[^@/]*@)?\[[^\]]*\])(?::(.*))?$/s.exec(text);
  const [, host = text.split(":")[0] ?? text, path = text.includes(":") ? text.slice(text.indexOf(":") + 1) : ""] =
    bracket ?? [];
  return `${scheme}://${host}/${path.replace(/^\/+/, "")}`;
}

function ssh(call: Call): void {
  const { host, command, options } = call.program === "mosh" ? moshed(call) : readSsh(call.program, call.words);
  if (!host) return onTheWay(call, options);
  call.to.network(
    addressAt(host, portOf(options, "-p"), (text) => (text.startsWith("ssh://") ? text : remote("ssh", text))),
    "both",
    host.kind !== "pattern",
  );
  onTheWay(call, options);
  const identity = call.value("-i");
  if (identity) call.to.read(identity);
  for (const file of call.values("-E")) call.to.write(file);
  for (const file of call.values("-F")) {
    call.to.read(file);
    call.to.doubt("ssh is given settings that may run a program");
  }
  for (const option of call.values("-o")) {
    if (!/^\s*(?:proxycommand|localcommand|knownhostscommand)\b/i.test(option.text)) continue;
    call.to.run(option.text.replace(/^[^=\s]+[=\s]+/, ""));
  }
  sshSockets(call);
  if (command.length > 0) call.to.run(command.map((word) => word.text).join(" "));
  else if (!call.has("-N") && call.draft.input?.atom === undefined)
    call.to.doubt("what runs on the other host is not analysed");
}

/** Reports hosts that ssh passes through, or connects to instead of its own. */
function onTheWay(call: Call, options: Arguments["options"]): void {
  for (const jump of options.flatMap(({ names, value }) => (names.includes("-J") && value ? [value] : [])))
    for (const one of jump.text.split(","))
      call.to.network(
        jump.kind === "unknown" ? rewritten(jump, (text) => remote("ssh", text)) : withText(jump, remote("ssh", one)),
        "both",
        jump.kind !== "pattern",
      );
  for (const { names, value } of options) if (names.includes("-o")) reachedBy(call, value);
}

/** Hosts that a setting of ssh names instead of its own host, or on the way to it. */
function reachedBy(call: Call, setting: Field | undefined): void {
  const hosts = setting && settingHost(setting, /^\s*(?:proxyjump|hostname)\s*[=\s]\s*/i);
  if (!hosts) return;
  const each = hosts.kind === "unknown" ? [hosts] : hosts.text.split(",").map((text) => ({ ...hosts, text }));
  for (const host of each)
    call.to.network(
      rewritten(host, (text) => remote("ssh", text.replace(/^ssh:\/\//, ""))),
      "both",
      host.kind !== "pattern",
    );
}

/** Options of `mosh` name no port of the address: it asks the other side for one. */
function moshed(call: Call): ReturnType<typeof readSsh> {
  const [host, ...command] = call.operands;
  return { host, command: command[0]?.text === "--" ? command.slice(1) : command, options: [] };
}

const remotePlace = /^(?:[^/:@]+@)?(?:\[[^\]]+\]|[^/:]+):/;

const mirroring = optionList(
  "--delete; --del; --delete-before; --delete-during; --delete-after; --delete-delay; --delete-excluded",
);

/** Reports folders copied to a place of this machine: the content of one that ends in a slash, otherwise the folder itself. */
function carried(call: Call, sources: readonly Field[], target: Field): void {
  if (call.program === "rsync" ? call.has("--dry-run") : !call.has("-r")) return;
  for (const from of sources) {
    const path = from.text.replace(remotePlace, "");
    const named = call.has("-R") || call.has("--relative") ? path.replace(/^\.?\/+/, "") : path.replace(/^.*\//s, "");
    if (/^\.{0,2}$/.test(named)) call.to.tree(target, "replaced");
    else {
      const isFolder = sources.length > 1 || /(?:^|\/)\.{0,2}$/.test(target.text);
      const inside = withText(target, `${target.text.replace(/\/$/, "")}/${named}`);
      call.to.writeInside(target, from.kind === "unknown" ? { ...inside, kind: "unknown" } : inside, isFolder, true);
    }
  }
}

/** `scp` and `rsync`: a place with a colon before any slash is on another host. */
function transfer(recursive: (call: Call) => boolean): (call: Call) => void {
  return (call) => {
    const target = call.operands.at(-1);
    const sources = call.operands.slice(0, -1);
    if (!target) return;
    const isRemote = (place: Field): boolean => {
      const shape = shapeOf(place);
      return remotePlace.test(shape) || /^[a-z]+:\/\//i.test(shape);
    };
    const port = call.program === "rsync" ? undefined : portOf(call.args.options, "-P");
    const url = (place: Field): Field =>
      addressAt(place, port, (text) =>
        text.includes("://") ? text : remote(call.program === "rsync" ? "rsync" : "ssh", text),
      );
    const takes = takenWithout(call);
    for (const option of call.program === "rsync" ? [] : call.values("-o")) reachedBy(call, option);
    for (const from of sources) {
      if (isRemote(from)) call.to.network(url(from), "download", from.kind !== "pattern");
      else {
        if (mayBeAddress(from)) call.to.network(from, "download");
        call.to.read(from, { recursive: recursive(call), takes });
      }
      if (call.has("--remove-source-files") && !isRemote(from)) call.to.delete(from, false);
    }
    if (isRemote(target)) call.to.network(url(target), "upload", target.kind !== "pattern");
    else {
      if (mayBeAddress(target)) call.to.network(target, "upload");
      call.to.write(target);
      carried(call, sources, target);
      if (mirroring.some((name) => call.has(name))) call.to.delete(target, true);
    }
    for (const name of ["--files-from", "--exclude-from", "--include-from", "--password-file", "-i", "-F"])
      for (const file of call.program === "rsync" && name.length === 2 ? [] : call.values(name))
        if (file.text !== "-") call.to.read(file);
    for (const name of ["--backup-dir", "--log-file"]) for (const file of call.values(name)) call.to.write(file);
    for (const name of ["-e", "-S", "--rsync-path"]) {
      const value = call.value(name);
      if (!value || /^ssh\b/.test(value.text)) continue;
      call.to.run(value.text);
      call.to.doubt(`${call.program} runs a program that it is given`);
    }
  };
}

/** Looks up or reaches a host by its name: the name itself is sent out. */
function reaches(names: string, scheme: string, options: readonly string[]): Program {
  return program(names, options, (call) => {
    for (const host of call.operands) {
      if (host.text.startsWith("@")) {
        call.to.network(
          rewritten(host, (text) => `${scheme}://${text.slice(1)}`),
          "both",
          host.kind !== "pattern",
        );
        continue;
      }
      if (host.text.startsWith("+") || /^(?:A|AAAA|ANY|TXT|MX|NS|CNAME|SOA|PTR|SRV)$/i.test(host.text)) continue;
      call.to.network(
        host.text.includes("://") ? host : rewritten(host, (text) => `${scheme}://${text}`),
        "both",
        host.kind !== "pattern",
      );
    }
  });
}

function openssl(call: Call): void {
  const at = (name: string): Field | undefined => call.value(name);
  for (const name of ["-in", "-key", "-inkey", "-CAfile", "-config"]) {
    const file = at(name);
    if (file) call.to.read(file);
  }
  const output = at("-out") ?? at("-keyout");
  if (output) call.to.write(output);
  const host = at("-connect");
  if (host)
    call.to.network(
      rewritten(host, (text) => `tls://${text}`),
      "both",
    );
}

const transferOptions = sshOptions.filter((line) => !/^-(?:b|e|m|w|I|O|Q|R|L|E|W|B)=/.test(line));

/** Programs that reach other hosts. */
export const networkPrograms: readonly Program[] = [
  curl,
  program("wget wget2", wgetOptions, wget),
  { names: ["ssh", "autossh", "mosh"], grammar: { options: sshOptions, stop: true }, effects: ssh },
  program(
    "scp",
    [...transferOptions, "-r", "-p", "-P=", "-q", "-C"],
    transfer((call) => call.has("-r")),
  ),
  program(
    "sftp",
    [...transferOptions, "-b=", "-B=", "-R=", "-s=", "-r", "-p", "-P=", "-q", "-C", "-a", "-f"],
    (call) => {
      const [host, local] = call.operands;
      for (const option of call.values("-o")) reachedBy(call, option);
      // Some take it for `scp`.
      if (remotePlace.test(call.operands.slice(1).at(-1)?.text ?? "")) return transfer(() => call.has("-r"))(call);
      if (host)
        call.to.network(
          addressAt(host, portOf(call.args.options, "-P"), (text) => remote("ssh", text)),
          "both",
          host.kind !== "pattern",
        );
      const batch = call.value("-b");
      if (batch && batch.text !== "-") call.to.read(batch);
      if (local) call.to.write(local);
    },
  ),
  program(
    "rsync",
    optionList(`
    -a --archive; -v --verbose; -r --recursive; -z --compress; -n --dry-run; -e --rsh=; -f --filter=; -T
    --temp-dir=; -B --block-size=; -M --remote-option=; --exclude=; --exclude-from=; --include=;
    --include-from=; --files-from=; --delete; --del; --delete-before; --delete-during; --delete-after;
    --delete-delay; --delete-excluded; --remove-source-files; --rsync-path=; --bwlimit=; --port=;
    --password-file=; --backup-dir=; --log-file=; --out-format=; --partial-dir=; --rsync-opts=; --skip-compress=; --compare-dest=; --link-dest=; --max-size=; --min-size=;
    --timeout=; --chmod=; --chown=; --progress; --partial; --stats; -P; -h --human-readable; -u
    --update; -l --links; -p --perms; -t --times; -g --group; -o --owner; -D
  `),
    transfer(() => true),
  ),
  ...socketPrograms,
  program(
    "ab wrk wrk2 hey siege autocannon bombardier lighthouse pa11y wait-on k6",
    optionList("-n=; -c=; -t=; -d=; -C=; -H=; -T=; --output=; --output-path=; --timeout=; -p=; -l; -k; -q; -R=; -s="),
    (call) => {
      for (const word of call.operands)
        if (/^[a-z][a-z0-9+.-]*:/i.test(word.text)) call.to.network(word, "download", word.kind !== "pattern");
      for (const name of ["-p", "-s"]) for (const file of call.values(name)) call.to.read(file, { certain: false });
      const output = call.value("--output-path");
      if (output) call.to.write(output);
    },
  ),
  reaches("dig nslookup host drill kdig doggo dog resolvectl", "dns", ["-t=", "-p=", "-b=", "-k=", "-c=", "-x"]),
  reaches(
    "ping ping6 traceroute tracepath mtr whois",
    "icmp",
    optionList(`
    -c=; -i=; -w=; -W=; -s=; -I=; -m=; -p=; -h=; -t=
  `),
  ),
  {
    names: ["openssl"],
    grammar: {
      single: true,
      options: optionList(`
    -in=; -out=; -key=; -inkey=; -keyout=; -connect=; -CAfile=; -config=; -pass=; -passin=; -passout=;
    -k=; -K=; -iv=; -days=; -subj=; -newkey=
  `),
    },
    effects: openssl,
  },
  program(
    "gpg gpg2",
    optionList(`
    -o --output=; -r --recipient=; -u --local-user=; --homedir=; --keyserver=; --passphrase=;
    --passphrase-file=; --batch; --yes; -d --decrypt; -e --encrypt; -s --sign; -c --symmetric; -a
    --armor; -b --detach-sign; --delete-keys; --delete-secret-keys; --recv-keys; --send-keys; --import;
    --export; --export-secret-keys; --verify
  `),
    (call) => {
      for (const file of call.operands)
        if (!call.has("--recv-keys") && !call.has("--send-keys") && !call.has("--export"))
          call.to.read(file, { certain: false });
      const output = call.value("--output");
      if (output) call.to.write(output);
      if (call.has("--export-secret-keys")) call.to.read(homeField("~/.gnupg/secring.gpg", call.draft.place));
      const shows =
        call.has("--decrypt") && !output && !call.draft.redirects.some((one) => one.operator.startsWith(">"));
      if (shows) for (const file of call.operands) call.to.config(spelled`gpg reveal ${file}`, file.kind === "literal");
      const server = call.value("--keyserver");
      if (call.has("--recv-keys") || call.has("--send-keys"))
        call.to.network(
          server ?? "hkps://keys.openpgp.org",
          call.has("--send-keys") ? "upload" : "download",
          server !== undefined,
        );
    },
  ),
];
