import { type Field, homeField, withText } from "../shell/fields.ts";
import { remoteName } from "./downloaders.ts";
import { optionList } from "./grammar.ts";
import { type Call, type Program, program } from "./program.ts";
import { readSsh } from "./remote-wrappers.ts";

const curlOptions = optionList(`
    -X --request=; -d --data=; -F --form=; -T --upload-file=; -o --output=; -O --remote-name; -H
    --header=; -A --user-agent=; -b --cookie=; -c --cookie-jar=; -e --referer=; -u --user=; -x --proxy=;
    -K --config=; -E --cert=; -m --max-time=; -w --write-out=; -r --range=; -C --continue-at=; -y
    --speed-time=; -Y --speed-limit=; -z --time-cond=; -D --dump-header=; -Q --quote=; -P --ftp-port=;
    -t --telnet-option=; -U --proxy-user=; --data-raw=; --data-binary=; --data-urlencode=;
    --data-ascii=; --json=; --form-string=; --url=; --url-query=; --output-dir=; --cacert=; --capath=;
    --key=; --connect-timeout=; --retry=; --retry-delay=; --retry-max-time=; --max-redirs=; --resolve=;
    --connect-to=; --interface=; --limit-rate=; --trace=; --trace-ascii=; --stderr=; --unix-socket=;
    --socks5=; --socks5-hostname=; --preproxy=; --doh-url=; --netrc-file=; --oauth2-bearer=;
    --aws-sigv4=; --cert-type=; --ciphers=; --tls-max=; --proto=; --noproxy=; --libcurl=; --hsts=;
    --alt-svc=; --etag-save=; --etag-compare=; -G --get; -I --head; -f --fail; -s --silent; -S
    --show-error; -L --location; -k --insecure; -v --verbose; -i --include; -g --globoff; -N
    --no-buffer; -n --netrc; -p --proxytunnel; -q --disable; -a --append; -B --use-ascii; -l
    --list-only; -j --junk-session-cookies; -J --remote-header-name; -R --remote-time; -Z --parallel; -0
    --http1.0; -1 --tlsv1; -2 --sslv2; -3 --sslv3; -4 --ipv4; -6 --ipv6; -# --progress-bar; --compressed
  `);

const curlBodies = optionList(`
    --data; --data-raw; --data-binary; --data-urlencode; --data-ascii; --json; --form; --form-string;
    --upload-file
  `);

const curlOutputs = optionList(`
    --output; --dump-header; --cookie-jar; --trace; --trace-ascii; --stderr; --libcurl; --etag-save;
    --hsts; --alt-svc
  `);

/** A request to the interface of a code host is what its own client would send. */
function deletesAtHost(call: Call, url: Field): void {
  const found = /^https?:\/\/(?:api\.(github)\.com|(gitlab)\.com\/api\/v4)\/([^?#]{1,512})/.exec(url.text);
  if (found) call.to.config(`${found[1] ?? found[2]} delete ${found[3]}`, url.kind === "literal");
}

function curl(call: Call): void {
  const bodies = curlBodies.filter((name) => call.has(name));
  for (const name of bodies) for (const value of call.values(name)) bodyFile(call, name, value);
  const method = call.value("--request")?.text.toUpperCase();
  const sends = bodies.length > 0 || (method !== undefined && !["GET", "HEAD", "OPTIONS"].includes(method));
  const direction = sends ? "upload" : "download";
  if (method === "DELETE") for (const url of call.operands) deletesAtHost(call, url);
  for (const url of [...call.operands, ...call.values("--url")]) {
    if (/^file:/i.test(url.text)) call.to.read(url);
    call.to.network(url, direction);
  }
  for (const name of curlOutputs) for (const file of call.values(name)) if (file.text !== "-") call.to.write(file);
  if (call.has("--remote-name"))
    for (const url of call.operands) call.to.write(remoteName(url, call.value("--output-dir")), url.kind === "literal");
  for (const name of ["--config", "--cert", "--key", "--cacert", "--netrc-file"])
    for (const file of call.values(name)) call.to.read(file);
  for (const name of ["--proxy", "--preproxy", "--socks5", "--socks5-hostname", "--doh-url"])
    for (const proxy of call.values(name)) call.to.network(proxy, "both");
  for (const value of call.values("--url-query")) bodyFile(call, "--data-urlencode", value);
  const cookies = call.value("--cookie");
  if (cookies && !cookies.text.includes("=")) call.to.read(cookies);
  const header = call.values("--header").filter((value) => value.text.startsWith("@"));
  for (const value of header) call.to.read(withText(value, value.text.slice(1)));
  for (const socket of [...call.values("--unix-socket"), ...call.values("--abstract-unix-socket")])
    call.to.write(socket);
  if (call.has("--config")) {
    call.to.network("", "both", false);
    call.to.doubt("curl takes options from a file");
  }
}

/** Files that a body option sends: `@file`, `name=@file`, or the file to upload. */
function bodyFile(call: Call, name: string, value: Field): void {
  if (name === "--upload-file") {
    if (value.text !== "-" && value.text !== ".") call.to.read(value);
    return;
  }
  if (name === "--data-raw" || name === "--form-string") return;
  const match =
    name === "--form"
      ? /^[^=]*=[@<]"?([^;"]+)/.exec(value.text)
      : name === "--data-urlencode"
        ? /^[^=@]*@(.+)$/s.exec(value.text)
        : /^@(.+)$/s.exec(value.text);
  if (match?.[1] && match[1] !== "-") call.to.read(withText(value, match[1]));
}

const wgetOptions = optionList(`
    -O --output-document=; -o --output-file=; -a --append-output=; -P --directory-prefix=; -i
    --input-file=; -e --execute=; -t --tries=; -T --timeout=; -U --user-agent=; -A --accept=; -R
    --reject=; -D --domains=; -l --level=; -w --wait=; -Q --quota=; -B --base=; -I
    --include-directories=; -X --exclude-directories=; -Y --proxy=; --post-data=; --post-file=;
    --body-data=; --body-file=; --method=; --header=; --user=; --password=; --load-cookies=;
    --save-cookies=; --referer=; --limit-rate=; --ca-certificate=; --certificate=; --private-key=;
    --use-askpass=; -q --quiet; -c --continue; -r --recursive; -N --timestamping; -k --convert-links; -p
    --page-requisites; -m --mirror; -S --server-response; -b --background; -n; -x --force-directories;
    -H --span-hosts; -L --relative; -E --adjust-extension; --spider
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
  const list = call.value("--input-file");
  if (list) {
    call.to.read(list);
    call.to.network("", "both", false);
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
  const { host, command } = call.program === "mosh" ? moshed(call) : readSsh(call.program, call.words);
  if (!host) return;
  call.to.network(
    host.text.startsWith("ssh://") ? host : withText(host, remote("ssh", host.text)),
    "both",
    host.kind === "literal",
  );
  const identity = call.value("-i");
  if (identity) call.to.read(identity);
  for (const file of call.values("-E")) call.to.write(file);
  for (const jump of call.values("-J"))
    for (const one of jump.text.split(","))
      call.to.network(withText(jump, remote("ssh", one)), "both", jump.kind === "literal");
  for (const file of call.values("-F")) {
    call.to.read(file);
    call.to.doubt("ssh is given settings that may run a program");
  }
  for (const option of call.values("-o")) {
    if (!/^\s*(?:proxycommand|localcommand|knownhostscommand)\b/i.test(option.text)) continue;
    call.to.run(option.text.replace(/^[^=\s]+[=\s]+/, ""));
  }
  if (command.length > 0) call.to.run(command.map((word) => word.text).join(" "));
  else if (!call.has("-N") && call.draft.input?.atom === undefined)
    call.to.doubt("what runs on the other host is not analysed");
}

function moshed(call: Call): { host: Field | undefined; command: readonly Field[] } {
  const [host, ...command] = call.operands;
  return { host, command: command[0]?.text === "--" ? command.slice(1) : command };
}

const remotePlace = /^(?:[^/:@]+@)?(?:\[[^\]]+\]|[^/:]+):/;

const mirroring = optionList(
  "--delete; --del; --delete-before; --delete-during; --delete-after; --delete-delay; --delete-excluded",
);

/** `scp` and `rsync`: a place with a colon before any slash is on another host. */
function transfer(recursive: (call: Call) => boolean): (call: Call) => void {
  return (call) => {
    const target = call.operands.at(-1);
    const sources = call.operands.slice(0, -1);
    if (!target) return;
    const isRemote = (place: Field): boolean => remotePlace.test(place.text) || /^[a-z]+:\/\//i.test(place.text);
    const url = (place: Field): Field =>
      place.text.includes("://")
        ? place
        : withText(place, remote(call.program === "rsync" ? "rsync" : "ssh", place.text));
    for (const from of sources) {
      if (isRemote(from)) call.to.network(url(from), "download", from.kind === "literal");
      else call.to.read(from, { recursive: recursive(call) });
      if (call.has("--remove-source-files") && !isRemote(from)) call.to.delete(from, false);
    }
    if (isRemote(target)) call.to.network(url(target), "upload", target.kind === "literal");
    else {
      call.to.write(target);
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

/** A shell that is joined to a connection is run by who is at its other end. */
const shellProgram =
  /^\s*(?:exec\s+)?(?:\S*\/)?(?:ba|da|z|k|a|fi)?sh(?:\s+-[il]+)*\s*$|(?:^|\\)(?:cmd|powershell)(?:\.exe)?\s*$/i;

function netcat(call: Call): void {
  const program = call.value("-e") ?? call.value("-c");
  if (program) {
    call.to.run(program.text, true, shellProgram.test(program.text) ? "network" : undefined);
    call.to.doubt("what comes over the network may be run");
  }
  const [host, port] = call.operands;
  if (call.has("--listen"))
    call.to.config(`listen ${(port ?? call.value("--source-port") ?? host)?.text ?? ""}`.trim());
  else if (host)
    call.to.network(
      withText(host, `tcp://${host.text}${port ? `:${port.text}` : ""}`),
      "both",
      host.kind === "literal",
    );
}

/** `socat`: two addresses; hosts, files, or programs. */
function socat(call: Call): void {
  for (const address of call.operands) {
    const [, type = "", rest = ""] = /^([A-Za-z0-9-]+):?(.*)$/s.exec(address.text) ?? [];
    const place = rest.replace(/,.*$/s, "");
    if (/^(?:tcp|udp|sctp|openssl|ssl|proxy|socks)/i.test(type) && !/listen|-l$/i.test(type))
      call.to.network(withText(address, `tcp://${place}`), "both", address.kind === "literal");
    else if (/^(?:file|open|gopen|create|pipe)$/i.test(type)) {
      call.to.read({ ...address, text: place, verbatim: -1 });
      call.to.write({ ...address, text: place, verbatim: -1 });
    } else if (/^(?:exec|system|shell)$/i.test(type)) {
      call.to.run(place, true, shellProgram.test(place) ? "network" : undefined);
      call.to.doubt("what comes over the network may be run");
    } else if (/listen|-l$/i.test(type)) call.to.config(`listen ${place}`);
  }
}

/** Looks up or reaches a host by its name: the name itself is sent out. */
function reaches(names: string, scheme: string, options: readonly string[]): Program {
  return program(names, options, (call) => {
    for (const host of call.operands) {
      if (
        host.text.startsWith("+") ||
        host.text.startsWith("@") ||
        /^(?:A|AAAA|ANY|TXT|MX|NS|CNAME|SOA|PTR|SRV)$/i.test(host.text)
      )
        continue;
      call.to.network(
        host.text.includes("://") ? host : withText(host, `${scheme}://${host.text}`),
        "both",
        host.kind === "literal",
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
  if (host) call.to.network(withText(host, `tls://${host.text}`), "both");
}

const transferOptions = sshOptions.filter((line) => !/^-(?:b|e|m|w|I|O|Q|R|L|E|W|B)=/.test(line));

/** Programs that reach other hosts. */
export const networkPrograms: readonly Program[] = [
  program("curl", curlOptions, curl),
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
      // Some take it for `scp`.
      if (remotePlace.test(call.operands.slice(1).at(-1)?.text ?? "")) return transfer(() => call.has("-r"))(call);
      if (host) call.to.network(withText(host, remote("ssh", host.text)), "both", host.kind === "literal");
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
  program(
    "nc ncat netcat telnet",
    optionList(`
    -e --exec=; -c --sh-exec=; -l --listen; -p --source-port=; -w --wait=; -x=; -X=; -s --source=; -q=;
    -i=; -u --udp; -z; -v; -n; -k
  `),
    netcat,
  ),
  program("socat", optionList("-d; -v; -x; -u; -U; -s; -t=; -T=; -b=; -lf=; -L=; -h; -V"), socat),
  program(
    "ab wrk wrk2 hey siege autocannon bombardier lighthouse pa11y wait-on k6",
    optionList("-n=; -c=; -t=; -d=; -C=; -H=; -T=; --output=; --output-path=; --timeout=; -p=; -l; -k; -q; -R=; -s="),
    (call) => {
      for (const word of call.operands)
        if (/^[a-z][a-z0-9+.-]*:/i.test(word.text)) call.to.network(word, "download", word.kind !== "unknown");
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
      if (shows) for (const file of call.operands) call.to.config(`gpg reveal ${file.text}`, file.kind === "literal");
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
