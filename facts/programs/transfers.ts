import { type Field, rewritten, shapeOf, withText } from "../shell/fields.ts";
import { beginsOpen } from "./addresses.ts";
import { optionList } from "./grammar.ts";
import { reportRefs } from "./hosting-refs.ts";
import { operate } from "./operations.ts";
import { type Call, type Program, program } from "./program.ts";
import { rcloneProgram } from "./rclone.ts";

/** `ftp host`, `lftp -e 'put f' host`: the program's own commands send or fetch files. */
function ftp(call: Call): void {
  const [host] = call.operands;
  if (host)
    call.to.network(
      host.text.includes("://")
        ? host
        : rewritten(host, (text) => `${call.program === "tftp" ? "tftp" : "ftp"}://${text}`),
      "both",
      host.kind !== "pattern",
    );
  // Its commands may name the host.
  for (const name of ["-c", "-e"])
    for (const text of call.values(name))
      for (const found of text.text.slice(0, 8192).matchAll(/\b[a-z]{2,8}:\/\/[^\s;'"]+/gi))
        call.to.network(withText(text, found[0]), "both", text.kind !== "pattern");
  call.to.doubt(`what ${call.program} is told to do is not analysed`);
}

const backsUp = /^(?:backup|create|copy|init)$/;
const dropsBackups = /^(?:forget|prune|delete|recreate)$/;

/** `restic -r rest:https://host/ backup src`, `borg create ssh://host/repo::name src`: the backed-up files go to the repository. */
function backup(call: Call): void {
  const at = call.operands.findIndex((word) => backsUp.test(word.text) || dropsBackups.test(word.text));
  const verb = call.operands[at]?.text ?? "";
  const behind = call.operands.slice(at < 0 ? 1 : at + 1);
  const repository = call.value("--repo") ?? (call.program === "borg" ? behind.shift() : undefined);
  if (repository) {
    const url = rewritten(repository, (text) =>
      text
        .replace(/^(?:rest|rclone|s3):(?=https?:\/\/)/, "")
        .replace(/^sftp:(?!\/\/)/, "ssh://")
        .replace(/::.*$/s, ""),
    );
    const isAddress = /^[a-z][a-z0-9+]*:/i.test(shapeOf(url));
    if (isAddress || beginsOpen(url))
      call.to.network(url, at < 0 ? "download" : "upload", repository.kind !== "pattern");
    if (!isAddress && at >= 0) call.to.write(repository);
  }
  if (dropsBackups.test(verb)) operate(call, call.program, "delete", "backup", behind);
  for (const file of backsUp.test(verb) ? behind : []) call.to.read(file, { recursive: true });
}

/** `grpcurl -d data host:port service/method`, `mosquitto_pub -h host -m text`: a message to a service. */
function message(call: Call): void {
  const named = call.value("--host");
  const host = named ?? (call.program === "grpcurl" ? call.operands[0] : undefined);
  if (!host) return;
  const sends = call.program === "mosquitto_pub" || call.has("-d");
  const scheme = call.program === "grpcurl" ? "https" : "mqtt";
  const url = host.text.includes("://") ? host : rewritten(host, (text) => `${scheme}://${text}`);
  call.to.network(url, sends ? "upload" : "download", host.kind !== "pattern");
  for (const file of call.values("-f")) call.to.read(file);
}

/** Programs that hand files to anyone who has the code, over a relay of theirs. */
const relays: ReadonlyMap<string, string> = new Map([
  ["croc", "croc.schollz.com"],
  ["wormhole", "relay.magic-wormhole.io"],
  ["wormhole-william", "relay.magic-wormhole.io"],
  ["ffsend", "send.vis.ee"],
  ["transfer", "transfer.sh"],
  ["portal", "portal.spatiumportae.com"],
]);

function relay(call: Call): void {
  const [verb, ...files] = call.operands;
  const url = `https://${relays.get(call.program) ?? call.program}/`;
  const name = verb?.text ?? "";
  if (/^(?:send|upload|tx|up)$/.test(name)) {
    for (const file of files) call.to.read(file, { recursive: true });
    call.to.network(url, "upload");
  } else if (/^(?:receive|recv|rx|download|get)$/.test(name)) {
    call.to.network(url, "download");
    call.to.doubt("which files come is not known");
  } else if (name !== "" && !/^(?:version|help|relay|exists|history)$/.test(name)) {
    // Without a verb the word is a file to send, or the code of a file to fetch.
    if (call.program === "transfer") call.to.read(verb as Field);
    call.to.network(url, "both");
    call.to.doubt("which files go or come is not known");
  }
}

/** `http POST host field=value file@path`: a method, an address, and what is sent. */
function httpie(call: Call): void {
  const words = [...call.operands];
  const method = /^[A-Za-z]+$/.test(words[0]?.text ?? "") && words.length > 1 ? words.shift()?.text.toUpperCase() : "";
  const [address, ...items] = words;
  if (!address) return;
  const url = address.text.includes("://")
    ? address
    : rewritten(
        address,
        (text) => `${call.program.endsWith("s") ? "https" : "http"}://${text.replace(/^:/, "localhost:")}`,
      );
  // `name==value` is part of the query, `Name:value` a header.
  const sent = items.filter((item) => /^[^=:@]+(?::?=(?!=)|@)/.test(item.text));
  for (const item of sent) {
    const file = /^[^=:@]+(?::?=)?@(.+)$/s.exec(item.text)?.[1];
    if (file !== undefined) call.to.read(withText(item, file));
  }
  const sends = sent.length > 0 || call.has("--raw") || (method !== "" && !/^(?:GET|HEAD|OPTIONS)$/.test(method ?? ""));
  call.to.network(url, sends ? "upload" : "download", url.kind !== "pattern");
  const isFile = ({ text }: Field): boolean => /^[^=:@]+:?=?@/.test(text);
  const body = sent.filter((item) => !isFile(item));
  if (sends) reportRefs(call, { method: method || "POST", path: url, body, isUnseen: sent.some(isFile) });
  const output = call.value("--output");
  if (output) call.to.write(output);
}

/** Programs that carry files between machines. Source: threats page, class 14; their manuals. */
export const transferPrograms: readonly Program[] = [
  program("ftp lftp tftp ncftp", optionList("-e=; -f=; -c=; -u=; -p=; -P=; -n; -i; -v; -g; -d"), ftp),
  rcloneProgram,
  program(
    [...relays.keys()].join(" "),
    optionList(
      "--code=; --relay=; --pass=; --ip=; --text=; --yes; -c --code-length=; -H --host=; --password=; -o --output=",
    ),
    relay,
  ),
  program(
    "restic borg",
    optionList(`
    -r --repo=; -p --password-file=; --tag=; --exclude=; --exclude-file=; -v; -q; -o=; -n --dry-run; --prune; -H --host=; --path=;
    -l --keep-last=; --keep-hourly=; --keep-daily=; --keep-weekly=; --keep-monthly=; --keep-yearly=; --keep-within=; --keep-tag=;
    -g --group-by=; -P --prefix=; -a --glob-archives=; --stats; --list; --force; -C --compression=; --cache-dir=; --lock-wait=;
    --limit-upload=; --limit-download=; --files-from=; --comment=; --first=; --last=; --max-unused=; --password-command=
  `),
    backup,
  ),
  program(
    "mosquitto_pub mosquitto_sub",
    optionList(
      "-h --host=; -p=; -t=; -m=; -f=; -s; -l; -n; -q=; -u=; -P=; -L=; -i=; -r; -d; --cafile=; --cert=; --key=",
    ),
    message,
  ),
  program(
    "grpcurl",
    optionList(
      "-d=; -H=; -plaintext; -insecure; -proto=; -import-path=; -cert=; -key=; -cacert=; -authority=; -v; -max-time=",
    ),
    message,
  ),
  program(
    "http https xh xhs",
    optionList(
      "-a --auth=; -A --auth-type=; -o --output=; -d --download; -f --form; -j --json; --raw=; -h --headers; -b --body; -v --verbose; --proxy=; --timeout=; --cert=; --cert-key=; -s --style=; -p --print=; --session=; -F --follow; --verify=; -q --quiet; --offline; --pretty=",
    ),
    httpie,
  ),
];
