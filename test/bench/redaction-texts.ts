import { detectors } from "../../facts/secrets/table.ts";

/** A text to scan, made anew from the same seed in every run. */
export interface BenchText {
  readonly name: string;
  /** `clean` texts are the measure for `hostile` ones and `json`; a full loop of the patterns is that for `keywords`. */
  readonly kind: "clean" | "hostile" | "secrets" | "json" | "keywords";
  readonly size: number;
  make(): string;
}

const kb = 1_000;
const mb = 1_000_000;

/** A generator of numbers from 0 to 2^32 - 1 (xorshift), the same for the same seed. */
function numbers(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
}

/** A flat string of so many one-byte characters, so that no later reader pays for joining it. */
function filled(size: number, next: () => string): string {
  const bytes = Buffer.allocUnsafe(size);
  for (let at = 0; at < size; ) at += bytes.write(next(), at, "latin1") || size;
  return bytes.toString("latin1");
}

/** A word over and over, so many bytes of it. */
export function repeated(word: string, size: number): string {
  return Buffer.alloc(size, word).toString("latin1");
}

const methods = ["GET", "POST", "PUT", "DELETE"];
const levels = ["INFO", "DEBUG", "WARN", "ERROR"];
const parts = ["orders", "users", "static", "search", "health", "images", "v2", "cart", "session", "report"];
const words =
  "the request was served from cache after retry because upstream closed its connection while reading headers".split(
    " ",
  );

/** Lines as servers and build tools write them: no secret, some numbers, paths, hashes and prose. */
function logLine(random: () => number): string {
  const pick = (list: readonly string[]): string => list[random() % list.length] as string;
  const two = (below: number): string => String(random() % below).padStart(2, "0");
  const head = `2026-0${1 + (random() % 9)}-${two(28)}T${two(24)}:${two(60)}:${two(60)}.${100 + (random() % 900)}Z ${pick(levels)}`;
  switch (random() % 4) {
    case 0:
      return `${head} ${pick(methods)} /${pick(parts)}/${random() % 9_999}/${pick(parts)} status=${200 + (random() % 300)} time=${random() % 900}ms\n`;
    case 1:
      return `${head} [worker-${random() % 16}] ${Array.from({ length: 12 }, () => pick(words)).join(" ")}\n`;
    case 2:
      return `${head} built dist/${pick(parts)}/${pick(words)}.js ${random() % 90}.${random() % 9} kB in ${random() % 900} ms (${random().toString(16)})\n`;
    default:
      return `    at ${pick(words)}.${pick(parts)} (src/${pick(parts)}/${pick(words)}.ts:${random() % 400}:${random() % 80})\n`;
  }
}

function log(size: number, seed: number, between: (random: () => number) => string = () => ""): string {
  const random = numbers(seed);
  return filled(size, () => between(random) + logLine(random));
}

function token(random: () => number, length: number): string {
  const letters = "kQ7ZbT2mXw9LrC4VnH6sJd1PfG8yKu3E";
  return Array.from({ length }, () => letters[random() % letters.length]).join("");
}

/** Every text of the section `redaction`. The plainest come first; hostile ones are compared with the clean one of their size. */
export const benchTexts: readonly BenchText[] = [
  { name: "log, 1 KB", kind: "clean", size: kb, make: () => log(kb, 1) },
  { name: "log, 1 MB", kind: "clean", size: mb, make: () => log(mb, 2) },
  { name: "log, 10 MB", kind: "clean", size: 10 * mb, make: () => log(10 * mb, 3) },
  {
    name: "log, a key in every 100 KB, 10 MB",
    kind: "secrets",
    size: 10 * mb,
    make: () =>
      log(10 * mb, 4, (random) => (random() % 1_000 === 0 ? `token ${`gh${"p_"}`}${token(random, 36)}\n` : "")),
  },
  { name: "one line, 10 MB", kind: "hostile", size: 10 * mb, make: () => log(10 * mb, 5).replaceAll("\n", " ") },
  { name: "`=` only, 10 MB", kind: "hostile", size: 10 * mb, make: () => filled(10 * mb, () => "=".repeat(1_000)) },
  {
    name: "base64, 10 MB",
    kind: "hostile",
    size: 10 * mb,
    make: () => {
      const random = numbers(6);
      return filled(10 * mb, () => Buffer.from(Uint32Array.from({ length: 192 }, random).buffer).toString("base64"));
    },
  },
  { name: "one keyword, 10 MB", kind: "hostile", size: 10 * mb, make: () => filled(10 * mb, () => "password") },
  {
    name: "one keyword and `=`, 10 MB",
    kind: "hostile",
    size: 10 * mb,
    make: () => filled(10 * mb, () => "password="),
  },
  { name: "percent escapes, 10 MB", kind: "hostile", size: 10 * mb, make: () => filled(10 * mb, () => "%41") },
  { name: "JSON, 10 MB", kind: "json", size: 10 * mb, make: () => json(10 * mb) },
  { name: "all keywords, 100 KB", kind: "keywords", size: 100 * kb, make: () => allKeywords(100 * kb) },
  { name: "all keywords, 1 MB", kind: "keywords", size: mb, make: () => allKeywords(mb) },
  { name: "all keywords, 10 MB", kind: "keywords", size: 10 * mb, make: () => allKeywords(10 * mb) },
];

/** Records with addresses and names of fields, some of which are keywords: no secret. */
function json(size: number): string {
  const random = numbers(8);
  const one = (): string =>
    `${JSON.stringify({ id: random(), name: `order ${random() % 99}`, path: `src/${parts[random() % parts.length]}/a.ts`, url: `https://example.org/${random() % 99}`, keys: 3, note: words.join(" ") })},`;
  const records: string[] = [];
  for (let length = 0; length < size; length += (records.at(-1) as string).length) records.push(one());
  const text = `[${records.join("")}0]`;
  return Buffer.from(text, "latin1").toString("latin1");
}

function allKeywords(size: number): string {
  const random = numbers(7);
  const all = [...new Set(detectors.flatMap(({ keywords }) => keywords))].sort();
  return filled(size, () => `${all[random() % all.length]}${" =:\n"[random() % 4]}`);
}
