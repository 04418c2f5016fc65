import { type Field, unknownField, withText } from "../shell/fields.ts";
import { remoteName } from "./downloaders.ts";
import { optionList } from "./grammar.ts";
import { bodyOf, reportMutation, reportRefs } from "./hosting-refs.ts";
import { redirected } from "./named-hosts.ts";
import { type Call, type Program, program } from "./program.ts";
import { spelled } from "./spelled.ts";
import { globbed, nameFor } from "./url-globs.ts";

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

/** Reports a delete request to a code host's API as the host's own client would. */
function deletesAtHost(call: Call, url: Field): void {
  const found = /^https?:\/\/(?:api\.(github)\.com|(gitlab)\.com\/api\/v4)\/([^?#]{1,512})/.exec(url.text);
  if (found) call.to.config(spelled`${found[1] ?? found[2]} delete ${found[3]}`, url.kind === "literal");
}

/** Reports a request that changes a branch at a code host. */
function changesRefs(call: Call, path: Field, method: string): void {
  const names = ["--data", "--data-raw", "--data-binary", "--data-urlencode", "--data-ascii", "--json", "--form"];
  const { body, isUnseen } = bodyOf(call, names);
  const isFile = isUnseen || call.has("--upload-file");
  reportRefs(call, { method, path, body, isUnseen: isFile });
  if (/\/graphql$/.test(path.text)) for (const text of body) reportMutation(call, text.text);
}

function fetches(call: Call): void {
  const bodies = curlBodies.filter((name) => call.has(name));
  for (const name of bodies) for (const value of call.values(name)) bodyFile(call, name, value);
  const method = call.value("--request")?.text.toUpperCase();
  const sendsFile =
    call.values("--url-query").some((value) => /^[^=]*@./s.test(value.text)) ||
    call.values("--header").some((value) => value.text.startsWith("@"));
  const sends =
    bodies.length > 0 || sendsFile || (method !== undefined && !["GET", "HEAD", "OPTIONS"].includes(method));
  const direction = sends ? "upload" : "download";
  const globs = [...call.operands, ...call.values("--url")];
  const addresses = call.has("--globoff") ? globs.map((url) => ({ url, groups: [] })) : globs.flatMap(globbed);
  for (const { url } of addresses) {
    if (method === "DELETE") deletesAtHost(call, url);
    if (sends)
      changesRefs(call, url, method ?? (call.has("--get") ? "GET" : call.has("--upload-file") ? "PUT" : "POST"));
    if (/^file:/i.test(url.text)) call.to.read(url);
    call.to.network(url, direction);
  }
  for (const name of curlOutputs)
    for (const file of call.values(name)) {
      const named = name === "--output" ? addresses.map(({ groups }) => nameFor(file, groups)) : [file];
      for (const one of new Map(named.map((field) => [field.text, field])).values())
        if (one.text !== "-") call.to.write(one);
    }
  if (call.has("--remote-name"))
    for (const { url } of addresses) call.to.write(remoteName(url, call.value("--output-dir")), url.kind === "literal");
  for (const name of ["--config", "--cert", "--key", "--cacert", "--netrc-file"])
    for (const file of call.values(name)) call.to.read(file);
  for (const name of ["--proxy", "--preproxy", "--socks5", "--socks5-hostname", "--doh-url"])
    for (const proxy of call.values(name)) call.to.network(proxy, "both");
  for (const name of ["--connect-to", "--resolve"] as const)
    for (const value of call.values(name)) {
      const other = redirected(value, name);
      if (other) call.to.network(other, direction);
    }
  for (const value of call.values("--url-query")) bodyFile(call, "--data-urlencode", value);
  const cookies = call.value("--cookie");
  if (cookies && !cookies.text.includes("=")) call.to.read(cookies);
  const header = call.values("--header").filter((value) => value.text.startsWith("@"));
  for (const value of header) call.to.read(withText(value, value.text.slice(1)));
  for (const socket of [...call.values("--unix-socket"), ...call.values("--abstract-unix-socket")])
    call.to.write(socket);
  if (call.has("--config")) {
    call.to.network(unknownField(call.draft.place, true), "both", false);
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

/** The row of `curl`. Source: curl(1). */
export const curl: Program = program("curl", curlOptions, fetches);
