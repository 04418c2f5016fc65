import { createHash } from "node:crypto";

/** Base64 that is made up, always the same for a name. */
export function madeUp(name: string, length: number): string {
  let text = "";
  for (let i = 0; text.length < length; i++) {
    text += createHash("sha512").update(`${name} ${i}`).digest("base64").slice(0, 84);
  }
  return text.slice(0, length);
}

const dashes = "-".repeat(5);

/** A key of several lines that is made up. */
export interface MadeKey {
  readonly name: string;
  readonly lines: readonly string[];
  /** Those that hold the secret. */
  readonly body: readonly string[];
}

function madeKey(name: string, head: readonly string[], widths: readonly number[], tail: readonly string[]): MadeKey {
  const body = widths.map((width, i) => madeUp(`${name} ${i}`, width));
  return { name, lines: [...head, ...body, ...tail], body };
}

function armoured(
  kind: string,
  widths: readonly number[],
  headers: readonly string[] = [],
  check: readonly string[] = [],
) {
  const tail = [...check, `${dashes}END ${kind}${dashes}`];
  return madeKey(`${kind} of ${widths.length} lines`, [`${dashes}BEGIN ${kind}${dashes}`, ...headers], widths, tail);
}

const many = (count: number, width: number, last: number): number[] => [...Array<number>(count).fill(width), last];

/** Keys of each form. */
export const madeKeys: readonly MadeKey[] = [
  armoured("PRIVATE KEY", [64]),
  armoured("RSA PRIVATE KEY", many(24, 64, 24)),
  armoured("OPENSSH PRIVATE KEY", many(5, 70, 14)),
  armoured("EC PRIVATE KEY", many(2, 64, 44)),
  armoured("RSA PRIVATE KEY", many(12, 64, 20), [
    "Proc-Type: 4,ENCRYPTED",
    "DEK-Info: AES-256-CBC,0123456789ABCDEF0123456789ABCDEF",
    "",
  ]),
  armoured("PGP PRIVATE KEY BLOCK", many(20, 64, 8), ["Version: GnuPG v2", "Comment: a b", ""], ["=Ab1c"]),
  madeKey("PuTTY", ["Private-Lines: 14"], many(13, 64, 32), ["Private-MAC: 0"]),
];

/** A key that is longer than the stretch of text that is read behind every first line. */
export const longKey: MadeKey = armoured("RSA PRIVATE KEY", many(50, 64, 24));

/** How a program shows a line of a file: its number from 1 on, and its text. */
export type Listing = (line: number, text: string) => string;

const column = (line: number, width = 6): string => String(line).padStart(width);
const authors = ["Jane Roe", "J. R. O'Neil-Smith", "Jürgen (bot) Müller", "x"];
const hash = (line: number): string => createHash("sha1").update(String(line)).digest("hex").slice(0, 8);

/** Ways to show a file that were looked at. */
export const listings: Readonly<Record<string, Listing>> = {
  "cat -n": (line, text) => `${column(line)}\t${text}`,
  "a reading tool": (line, text) => `${column(line)}→${text}`,
  "number and colon": (line, text) => `${line}:${text}`,
  "number, colon, blank": (line, text) => `${line}: ${text}`,
  "number and bar": (line, text) => `${line} | ${text}`,
  "number and point": (line, text) => `${line}. ${text}`,
  "grep -n": (line, text) => `src/keys/a1.pem:${line}:${text}`,
  "grep -H": (_, text) => `src/keys/a1.pem:${text}`,
  "grep -n -A": (line, text) => `${line}${line === 1 ? ":" : "-"}${text}`,
  "grep -H -A": (line, text) => `a.pem${line === 1 ? ":" : "-"}${text}`,
  "grep -H -n -A": (line, text) => `a.pem${line === 1 ? ":" : "-"}${line}${line === 1 ? ":" : "-"}${text}`,
  "grep -n --color": (line, text) => `\u001b[32m${line}\u001b[m\u001b[36m:\u001b[m${text}`,
  "git blame": (line, text) => `1a2b3c4d (Jane Roe 2024-01-02 03:04:05 +0100 ${column(line, 2)}) ${text}`,
  "git blame of many commits": (line, text) =>
    `${line % 3 === 0 ? "^" : ""}${hash(line)} (${authors[line % authors.length]} 2024-0${1 + (line % 9)}-02 03:0${line % 10}:05 +0100 ${column(line, 2)}) ${text}`,
  nl: (line, text) => (text === "" ? "       " : `${column(line)}\t${text}`),
  "less -N": (line, text) => `${column(line, 7)} ${text}`,
  bat: (line, text) => `${column(line, 4)}   │ ${text}`,
  "sed =": (line, text) => `${line}\n${text}`,
  "lines removed": (_, text) => `-${text}`,
  "lines added": (_, text) => `+${text}`,
  "lines that stay": (_, text) => ` ${text}`,
  "a quoted mail": (_, text) => `> ${text}`,
  "a diff with numbers": (line, text) => `${column(line, 4)} ${column(line, 4)} +${text}`,
  "a comment": (_, text) => `// ${text}`,
  "a comment in a block": (_, text) => ` * ${text}`,
  "a log of containers": (_, text) => `app-1  | ${text}`,
  "a log with times": (line, text) => `2024-01-02T03:04:${String(line % 60).padStart(2, "0")}.${line * 37}Z ${text}`,
  "a frame": (_, text) => `│ ${text.padEnd(70)} │`,
  "code, numbered": (line, text) => `${line}→  "${text}\\n" +`,
  "YAML, numbered": (line, text) => `${line}→    ${text}`,
  "numbered twice": (line, text) => `${column(line)}→${column(line)}\t${text}`,
  "with carriage returns": (line, text) => `${column(line)}\t${text}\r`,
};

/** A file that is shown, between other lines. */
export function shown(lines: readonly string[], listing: Listing, from = 1): string {
  return lines.map((text, i) => listing(from + i, text)).join("\n");
}

/** Lines that a text still shows in part. */
export function told(text: string, body: readonly string[]): string[] {
  return body.filter((line) => pieces(line).some((piece) => text.includes(piece)));
}

/** Pieces of a line, too long to stand elsewhere by chance. */
function pieces(line: string): string[] {
  const length = Math.min(line.length, 8);
  return Array.from({ length: Math.floor(line.length / length) }, (_, i) => line.slice(i * length, (i + 1) * length));
}
