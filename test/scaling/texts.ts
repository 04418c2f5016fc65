import { detectors } from "../../facts/secrets/table.ts";
import { repeated } from "./shape.ts";

/** Text of any length, to be put where a host may have text. */
export interface TextKind {
  readonly name: string;
  text(units: number): string;
}

/** Letters and digits that look random and are the same every time: a value for the `n`th place. */
export function value(n: number, length: number): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  let state = (n * 2_654_435_761 + 12_345) >>> 0;
  let made = "";
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    made += letters[(state >>> 16) % letters.length];
  }
  return made;
}

const keywords = [...new Set(detectors.flatMap((detector) => detector.keywords))];
const keyword = (n: number): string => keywords[n % keywords.length] as string;
const kind = (name: string, piece: (n: number) => string): TextKind => ({
  name,
  text: (units) => repeated(units, piece),
});

/** What stands in text that is made to be slow to look at: each of it once per few characters. */
export const textKinds: readonly TextKind[] = [
  kind("plain words", (n) => `line ${n} of a file that says nothing\n`),
  kind(
    "words like access keys",
    (n) =>
      `AKIA${value(n, 16)
        .toUpperCase()
        .replace(/[01689]/g, "A")} `,
  ),
  kind("one access key again and again", () => "AKIAZ7QWERTYUIOPASDF "),
  kind("keywords of detectors", (n) => `${keyword(n)} `),
  kind("keywords with an assignment", (n) => `${keyword(n)} = "${value(n, 3)}"\n`),
  kind("keywords with a value", (n) => `${keyword(n)}: "${value(n, 40)}"\n`),
  kind("keywords without a blank", (n) => keyword(n)),
  kind("keywords side by side with values", (n) => `${keyword(n)}${value(n, 20)}`),
  kind("passwords", (n) => `password = "${value(n, 24)}"\n`),
  kind("short passwords", (n) => `pw=${value(n, 8)} `),
  kind("addresses with passwords", (n) => `https://user${n}:${value(n, 12)}@host/ `),
  kind("armoured keys", (n) => `-----BEGIN RSA PRIVATE KEY-----\n${value(n, 64)}\n-----END RSA PRIVATE KEY-----\n`),
  kind("heads of armoured keys", () => "-----BEGIN PRIVATE KEY-----\n"),
  kind("heads of armoured keys behind names", (n) => `k${n}: -----BEGIN PRIVATE KEY-----\n`),
  kind("heads of armoured keys in a list", (n) => `"${n}-----BEGIN PRIVATE KEY-----",${" ".repeat(n % 6)}`),
  kind(
    "armoured keys in numbered lines",
    (n) => `${n}:-----BEGIN PRIVATE KEY-----\n${n}:${value(n, 64)}\n${n}:-----END PRIVATE KEY-----\n`,
  ),
  kind(
    "armoured keys in numbered lines without an end",
    (n) => `${n}:${n % 9 ? value(n, 64) : "-----BEGIN PRIVATE KEY-----"}\n`,
  ),
  kind("base64 in numbered lines", (n) => `${n}\t${Buffer.from(`password="${value(n, 47)}" `).toString("base64")}\n`),
  kind("web tokens", (n) => `eyJ${value(n, 30)}.eyJ${value(n + 1, 40)}.${value(n + 2, 43)} `),
  kind("heads of web tokens", () => "eyJ"),
  kind("digits", (n) => `${4_000_000_000_000 + n * 7_919} `),
  kind("percent signs", () => "%"),
  kind("percent escapes", (n) => `%${(0x41 + (n % 26)).toString(16)}`),
  kind("percent escapes of an assignment", (n) => `${keyword(n)}%3D%22${value(n, 20)}%22`),
  kind("backslashes", () => "\\"),
  kind("escapes", () => "\\u0041"),
  kind("escaped line ends", () => "\\n"),
  kind("base64 of passwords", (n) => `${Buffer.from(`password="${value(n, 30)}"`).toString("base64")} `),
  kind("base64 thrice", (n) => {
    const once = (text: string): string => Buffer.from(text).toString("base64");
    return `${once(once(once(`api_key = "${value(n, 40)}" and more of it ${n}`)))}\n`;
  }),
  kind("base64 without an end", (n) => value(n, 64)),
  kind("hexadecimal", (n) => `${Buffer.from(`secret=${value(n, 24)}`).toString("hex")} `),
  kind("colours between letters", () => "\u001b[1mA\u001b[0m"),
  kind("colours in a key", (n) => `AK\u001b[1mIA${value(n, 16).toUpperCase()} `),
  kind("escapes of a terminal without an end", () => "\u001b]8;;"),
  kind("invisible characters", () => "a\u200b"),
  kind("invisible characters alone", () => "\u200b"),
  kind("characters that reorder", () => "\u202ea"),
  kind("tags", () => "\u{e0041}"),
  kind("flags", () => "\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}"),
  kind("mixed scripts", () => "p\u0430ypal "),
  kind("controls", () => "\u0007"),
  kind("carriage returns", () => "a\r"),
  kind("halves of pairs", () => "\ud800"),
  kind("emoji", () => "\u{1f600}\u200d\u{1f600}"),
  kind("other scripts", () => "\u65e5\u672c\u8a9e"),
  kind("hidden elements", (n) => `<div style="display:none">${n}</div>`),
  kind("elements without an end", () => "<div style='display:none'>"),
  kind("comments of markup", () => "<!--a-->"),
  kind("heads of comments", () => "<!--"),
  kind("angle brackets", () => "<"),
  kind("tags with attributes", (n) => `<a href="x${n}" title='y' hidden>`),
  kind("links of Markdown", (n) => `![x](https://h/${n}?d=y "t") [c]: # (z)\n`),
  kind("brackets", () => "["),
  kind("nested brackets of Markdown", () => "![["),
  kind("delimiters of hosts", () => "<system-reminder>[INST]<|im_start|>\n\nHuman:"),
  kind("forged tokens", (n) => `[REDACTED:aws-key#${value(n, 8).toLowerCase()}] `),
  kind("line breaks", () => "\n"),
  kind("lines of JSON", (n) => `{"level":"info","n":${n},"password":"${value(n, 12)}"}\n`),
  kind("lines that begin JSON", (n) => `x {"password":"${value(n, 12)}"\n`),
  kind("quotes", () => '"'),
  kind("empty strings of JSON", () => '"",'),
];

/** The same as one JSON text in a text, which is looked into. */
export const jsonTexts: readonly TextKind[] = [
  {
    name: "JSON of short strings",
    text: (units) => JSON.stringify(Array.from({ length: units / 8 }, (_, n) => `s${n}`)),
  },
  {
    name: "JSON of passwords",
    text: (units) => JSON.stringify(Array.from({ length: units / 40 }, (_, n) => ({ password: value(n, 16) }))),
  },
  {
    name: "JSON with keys that hold secrets",
    text: (units) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: units / 40 }, (_, n) => [`ghp_${value(n, 36)}`, n]))),
  },
  {
    name: "JSON of numbers",
    text: (units) => JSON.stringify(Array.from({ length: units / 14 }, (_, n) => 4e12 + n * 7919)),
  },
  {
    name: "JSON of escapes",
    text: (units) => JSON.stringify(Array.from({ length: units / 24 }, (_, n) => `a\\u0041\n"${n}"`)),
  },
  {
    name: "JSON in JSON in JSON",
    text: (units) => {
      const inner = JSON.stringify(Array.from({ length: units / 60 }, (_, n) => ({ password: value(n, 16) })));
      return JSON.stringify([JSON.stringify([inner])]);
    },
  },
  { name: "deep JSON", text: (units) => "[".repeat(units / 2) + "]".repeat(units / 2) },
];
