import { spend, spendText } from "../meter.ts";
import type { Draft, FoldedRedirect, Output } from "./draft.ts";
import { type Atom, type Origin, unknownAtom } from "./fields.ts";
import { familyOf } from "./names.ts";

const clients: ReadonlySet<string> = new Set(
  "curl wget wget2 fetch http https xh aria2c axel lynx w3m links elinks nc ncat netcat socat telnet ftp tftp lftp ssh rsh scp sftp rsync dig host nslookup drill gsutil lwp-request lwp-download GET ipfs hget curlie s_client".split(
    " ",
  ),
);
/** Programs with many uses, whose named subcommands or words print what another host sent. */
const fetching: ReadonlyMap<string, RegExp> = new Map([
  ["aws", /^(?:s3|s3api|ssm|secretsmanager)$/],
  ["gcloud", /^(?:storage|secrets)$/],
  ["gh", /^(?:api|gist|release)$/],
  ["openssl", /^s_client$/],
  ["busybox", /^(?:wget|nc|telnet)$/],
]);
const decoders: ReadonlySet<string> = new Set(
  "gunzip zcat gzcat bunzip2 bzcat unxz xzcat unlzma lzcat unzstd zstdcat lz4cat uncompress uudecode rev base58 basenc funzip brotli gpg gpg2 age ascii85 rot13 atob qprint iconv strings exiftool pbpaste wl-paste".split(
    " ",
  ),
);
/** Programs that decode with certain options. */
const decoding: ReadonlyMap<string, (draft: Draft) => boolean> = new Map([
  ...["base64", "gbase64", "base32", "base58"].map((name) => [name, told(/^(?:-[^\WdD]*[dD]\w*|--d\w*)$/)] as const),
  ...["gzip", "bzip2", "xz", "lzma", "zstd", "lz4"].map((name) => [name, told(/^(?:-[^\Wd]*d\w*|--d\w*)$/)] as const),
  ["xxd", told(/^-[^\Wr]*r\w*$/)],
  ["openssl", told(/^(?:-d|-decrypt|-decode)$/)],
  ["unzip", told(/^-[^\Wpc]*[pc]\w*$/)],
  ...["tar", "gtar", "bsdtar"].map((name) => [name, told(/^(?:-?[A-NP-Za-z]*O[A-Za-z]*|--to-stdout)$/)] as const),
  ...["7z", "7za", "7zz"].map((name) => [name, told(/^-so$/)] as const),
  ...["xclip", "xsel"].map((name) => [name, told(/^(?:-o|-out|--output|-bo|-ob|-po)$/)] as const),
  ["tr", (draft) => draft.args.filter((word) => !word.text.startsWith("-")).length > 1],
  ...["jq", "yq", "gojq", "jaq"].map((name) => [name, coded(/@base(?:64|32)d/)] as const),
  ...["python", "perl", "ruby", "php", "node"].map(
    (name) =>
      [
        name,
        coded(
          /b(?:16|32|64|85)decode|decode_?(?:base)?64|\batob\b|unhexlify|fromhex|hex2bin|Buffer\.from|\bunpack\b|\bpack\b|rot_?13/,
        ),
      ] as const,
  ),
]);

/** Code that a program is given in its words. */
function coded(word: RegExp): (draft: Draft) => boolean {
  return (draft) =>
    draft.args.some((one) => {
      spendText(one.text.length);
      return one.text.length <= 65_536 && word.test(one.text);
    });
}

/** Interpreters whose code fetches what it prints. */
const fetchingCode = coded(
  /urlopen|urlretrieve|requests\.|httpx\.|\bfetch\(|https?\.get|open-uri|LWP|Net::HTTP|file_get_contents\(["']https?:/,
);

function told(option: RegExp): (draft: Draft) => boolean {
  return (draft) => draft.args.some((word) => word.text.length <= 64 && option.test(word.text));
}

const socket = /^\/dev\/(?:tcp|udp)\//;

/** True when the redirection reads from a connection. */
export function readsSocket(redirect: FoldedRedirect): boolean {
  return /^<[>&]?$/.test(redirect.operator) && socket.test(redirect.target?.text ?? "");
}

/** True if the redirection is connected to a socket, in either direction. */
export function touchesSocket(redirect: FoldedRedirect): boolean {
  return socket.test(redirect.target?.text ?? "");
}

const connections: ReadonlySet<string> = new Set("nc ncat netcat socat telnet openssl".split(" "));

/** True for a program that joins its input and output to a connection. */
export function isConnection(draft: Draft | undefined): boolean {
  return draft !== undefined && connections.has(draft.program);
}

/** True for a program that prints what another host sent. */
function isClient(draft: Draft): boolean {
  const name = familyOf(draft.program);
  if (clients.has(name)) return true;
  if (/^(?:python|perl|ruby|php|node)$/.test(name) && fetchingCode(draft)) return true;
  return fetching.get(name)?.test(draft.args.find((word) => !word.text.startsWith("-"))?.text ?? "") === true;
}

/** Programs that print text of their own, independent of the content that they read. */
const silent: ReadonlySet<string> = new Set(
  "sha256sum sha1sum sha512sum md5sum shasum cksum wc cmp diff true false : test [ exit sleep mktemp date pwd".split(
    " ",
  ),
);

/** Returns the origin of the text that a command prints: the network, a decoder, or that of its input. */
export function originOf(draft: Draft): Origin | undefined {
  spend(1 + 2 * draft.args.length + draft.redirects.length);
  if (isClient(draft) || draft.redirects.some(readsSocket)) return "network";
  if (silent.has(draft.program)) return undefined;
  const given = givenOrigin(draft);
  if (given === "network") return given;
  return decoders.has(draft.program) || decoding.get(familyOf(draft.program))?.(draft) === true ? "decoded" : given;
}

/** Returns the origin of the command's input and words; the network takes precedence. */
function givenOrigin(draft: Draft): Origin | undefined {
  let found = draft.input?.atom?.origin;
  for (const word of draft.args) if (word.origin !== undefined && found !== "network") found = word.origin;
  for (const { data } of draft.redirects) if (data?.origin !== undefined && found !== "network") found = data.origin;
  return found;
}

/** Adds the origin to a command's output. */
export function originated(draft: Draft, output: Output | undefined): Output | undefined {
  const origin = originOf(draft);
  if (origin === undefined) return output;
  const atom: Atom = { ...(output?.atom ?? unknownAtom), origin };
  return output?.words ? { ...output, atom } : { atom };
}
