import { limits } from "../../schema/limits.ts";
import { indexOfText, replacedText } from "../find-text.ts";
import { spend, spendText } from "../meter.ts";
import type { Draft, Output } from "./draft.ts";
import { literalAtom } from "./fields.ts";
import { remainingText } from "./inputs.ts";

// Longer texts are left unknown: filters copy their input.
const decodedLength = 16_384;

type Filter = (text: string, draft: Draft) => string | undefined;

/** Makes the printer of a program that rewrites its input; `operands` is the number of its words that are not files. */
function filter(rewrite: Filter, operands: number): (draft: Draft) => Output | undefined {
  return (draft) => {
    const text = remainingText(draft.input);
    if (text === undefined || text.length > decodedLength) return undefined;
    spend(draft.args.length + (text.length >> 1));
    const words = draft.args.filter((word) => word.text === "-" || !word.text.startsWith("-"));
    if (words.length > operands || draft.args.some((word) => word.kind === "unknown")) return undefined;
    const result = rewrite(text, draft);
    return result === undefined || result.length > decodedLength ? undefined : { atom: literalAtom(result) };
  };
}

const escapes: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["v", "\v"],
  ["f", "\f"],
  ["b", "\b"],
  ["a", "\u0007"],
]);

function codes(from: number, to: number): string[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => String.fromCharCode(from + i));
}

const upper = codes(65, 90);
const lower = codes(97, 122);
const digits = codes(48, 57);
const blanks = [...codes(9, 13), " "];
const marks = [...codes(33, 47), ...codes(58, 64), ...codes(91, 96), ...codes(123, 126)];

const classes: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ["upper", upper],
  ["lower", lower],
  ["alpha", [...upper, ...lower]],
  ["digit", digits],
  ["alnum", [...digits, ...upper, ...lower]],
  ["space", blanks],
  ["blank", ["\t", " "]],
  ["punct", marks],
  ["graph", codes(33, 126)],
  ["print", codes(32, 126)],
  ["cntrl", [...codes(0, 31), "\u007f"]],
  ["xdigit", [...digits, ...codes(65, 70), ...codes(97, 102)]],
]);

/** The characters of a set of `tr`: ranges, classes, escapes, `[x*3]`; undefined for anything else. */
function setOf(text: string, fill: number): string[] | undefined {
  const set: string[] = [];
  let at = 0;
  const one = (): string => {
    const unit = text[at] as string;
    if (unit !== "\\" || at + 1 >= text.length) {
      at += 1;
      return unit;
    }
    const octal = /^[0-7]{1,3}/.exec(text.slice(at + 1, at + 4))?.[0];
    at += octal ? octal.length + 1 : 2;
    return octal
      ? String.fromCharCode(Number.parseInt(octal, 8) & 255)
      : (escapes.get(text[at - 1] as string) ?? (text[at - 1] as string));
  };
  while (at < text.length) {
    const named = /^\[:([a-z]+):\]/.exec(text.slice(at, at + 12));
    const repeated = /^\[(.)\*(\d{0,3})\]/.exec(text.slice(at, at + 8));
    if (named) {
      const found = classes.get(named[1] as string);
      if (!found) return undefined;
      set.push(...found);
      at += named[0].length;
    } else if (repeated) {
      const count = repeated[2] ? Number(repeated[2]) : Math.max(0, fill - set.length);
      for (let i = 0; i < Math.min(count, 256); i++) set.push(repeated[1] as string);
      at += repeated[0].length;
    } else {
      const first = one();
      if (text[at] !== "-" || at + 1 >= text.length) set.push(first);
      else {
        at += 1;
        set.push(...codes(first.charCodeAt(0), Math.min(one().charCodeAt(0), 255)));
      }
    }
    if (set.length > 1_024) return undefined;
  }
  return set;
}

/** `tr`: characters replaced, deleted (`-d`), complemented (`-c`), repeats squeezed (`-s`). */
const translate: Filter = (text, { args }) => {
  const flags = args.filter((word) => /^-[a-zA-Z]+$|^--/.test(word.text)).map((word) => word.text);
  const has = (letter: string, name: string): boolean =>
    flags.some((flag) => (flag.startsWith("--") ? name.startsWith(flag.slice(2)) : flag.includes(letter)));
  const [first, second] = args.filter((word) => !/^-[a-zA-Z]+$|^--[a-z]/.test(word.text)).map((word) => word.text);
  const from = setOf(first ?? "", 0);
  const to = second === undefined ? undefined : setOf(second, from?.length ?? 0);
  if (!from || (second !== undefined && !to)) return undefined;
  const members = new Set(from);
  const complement = has("c", "complement") || flags.some((flag) => /^-\w*C/.test(flag));
  const inFirst = (unit: string): boolean => members.has(unit) !== complement;
  const deletes = has("d", "delete");
  const map = new Map<string, string>();
  from.forEach((unit, i) => {
    map.set(unit, to?.[Math.min(i, to.length - 1)] ?? unit);
  });
  const last = to?.at(-1);
  const units = [...text].flatMap((unit) => {
    if (!inFirst(unit)) return [unit];
    if (deletes) return [];
    return [complement ? (last ?? unit) : (map.get(unit) ?? unit)];
  });
  if (!has("s", "squeeze-repeats")) return units.join("");
  const squeezed = to ? new Set(to) : undefined;
  return units.filter((unit, i) => unit !== units[i - 1] || !(squeezed ? squeezed.has(unit) : inFirst(unit))).join("");
};

/** Lines without their ends, and whether the last one had one. */
function linesOf(text: string): { lines: string[]; end: string } {
  const end = text.endsWith("\n") ? "\n" : "";
  return { lines: (end ? text.slice(0, -1) : text).split("\n"), end };
}

/** The value of a short option, bundled (`-n2`), apart (`-n 2`) or long. */
function optionOf(draft: Draft, letter: string, long: string): string | undefined {
  const { args } = draft;
  for (let i = 0; i < args.length; i++) {
    const text = args[i]?.text ?? "";
    if (text === `-${letter}` || text === `--${long}`) return args[i + 1]?.text ?? "";
    if (text.startsWith(`-${letter}`)) return text.slice(2);
    if (text.startsWith(`--${long}=`)) return text.slice(long.length + 3);
  }
  return undefined;
}

/** `head` and `tail`: the first or last lines or bytes. */
function part(first: boolean): Filter {
  return (text, draft) => {
    const bytes = optionOf(draft, "c", "bytes");
    const old = draft.args.find((word) => /^[-+]\d+$/.test(word.text))?.text;
    const count = bytes ?? optionOf(draft, "n", "lines") ?? (old?.startsWith("-") ? old.slice(1) : (old ?? "10"));
    if (!/^[-+]?\d{1,9}$/.test(count)) return undefined;
    const units = bytes === undefined ? (text.match(/[^\n]*\n|[^\n]+/g) ?? []) : [...text];
    const number = Number(count.replace(/^[-+]/, ""));
    const sliced = first
      ? units.slice(0, count.startsWith("-") ? Math.max(0, units.length - number) : number)
      : count.startsWith("+")
        ? units.slice(Math.max(0, number - 1))
        : units.slice(Math.max(0, units.length - number));
    return sliced.join("");
  };
}

/** `cut`: fields or characters of each line. */
const cut: Filter = (text, draft) => {
  const fields = optionOf(draft, "f", "fields");
  const list = fields ?? optionOf(draft, "c", "characters") ?? optionOf(draft, "b", "bytes");
  const delimiter = optionOf(draft, "d", "delimiter") ?? "\t";
  if (!list || !/^[\d,-]+$/.test(list) || draft.args.some((word) => /^--(?:comp|out)/.test(word.text)))
    return undefined;
  const ranges = list.split(",").map((range) => {
    const [low = "", high] = range.split("-");
    const start = low === "" ? 1 : Number(low);
    return [start, high === undefined ? start : high === "" ? Number.POSITIVE_INFINITY : Number(high)] as const;
  });
  const places = placesIn(ranges, text.length + 1);
  const chosen = (_: string, i: number): boolean => places[i + 1] === 1;
  const only = draft.args.some((word) => /^-\w*s$|^--only/.test(word.text) && word.text !== "-d");
  const { lines, end } = linesOf(text);
  return (
    lines
      .filter((line) => !only || fields === undefined || line.includes(delimiter))
      .map((line) => {
        if (fields === undefined) return [...line].filter(chosen).join("");
        return line.includes(delimiter) ? line.split(delimiter).filter(chosen).join(delimiter) : line;
      })
      .join("\n") + end
  );
};

/** Returns for each place up to `last` whether it lies in a range; both ends are included. */
function placesIn(ranges: readonly (readonly [low: number, high: number])[], last: number): Uint8Array {
  spend(ranges.length + (last >> 3));
  const begun = new Int32Array(last + 2);
  for (const [low, high] of ranges) {
    const from = Math.max(0, low);
    if (from > last || high < from) continue;
    begun[from] = (begun[from] as number) + 1;
    const behind = Math.min(high, last) + 1;
    begun[behind] = (begun[behind] as number) - 1;
  }
  let open = 0;
  return Uint8Array.from(begun, (change) => {
    open += change;
    return open > 0 ? 1 : 0;
  });
}

/** `sed s/a/b/g` with constants on both sides; `y/abc/xyz/`. */
const substitute: Filter = (text, { args }) => {
  const scripts = args.filter((word) => !/^-[eEru]+$|^--(?:expression|regexp-extended)$/.test(word.text));
  const [script] = scripts;
  if (!script || scripts.length > 1 || script.text.startsWith("-")) return undefined;
  const delimiter = script.text[1] ?? "";
  const [command, from = "", to = "", flags = "", ...rest] = script.text.split(delimiter);
  if (delimiter === "" || /[\w\\\s]/.test(delimiter) || rest.length > 0) return undefined;
  const { lines, end } = linesOf(text);
  if (command === "y") {
    const map = new Map([...from].map((unit, i) => [unit, to[i] ?? unit] as const));
    return /\\/.test(from + to) ? undefined : [...text].map((unit) => map.get(unit) ?? unit).join("");
  }
  if (command !== "s" || !/^[g]?$/.test(flags) || /[\\&\n]/.test(to)) return undefined;
  // Anchors are simple; any other mark of a regular expression is not looked into.
  const [head, tail] = [from.startsWith("^"), from.endsWith("$")];
  const plain = from.slice(head ? 1 : 0, tail ? -1 : undefined);
  if (/[\\.*[\]^$+?(){}|]/.test(plain)) return undefined;
  const made: string[] = [];
  for (const line of lines) {
    const one = replaced(line, plain, to, head, tail, flags === "g");
    if (one === undefined) return undefined;
    made.push(one);
  }
  return made.join("\n") + end;
};

/** Replaces in one line; undefined if the result would be longer than a command may be. */
function replaced(
  line: string,
  from: string,
  to: string,
  head: boolean,
  tail: boolean,
  all: boolean,
): string | undefined {
  spendText(line.length + from.length + to.length);
  if (head && tail) return line === from ? to : line;
  if (head) return line.startsWith(from) ? to + line.slice(from.length) : line;
  if (tail) return line.endsWith(from) ? line.slice(0, line.length - from.length) + to : line;
  if (from === "") return line;
  if (all) return replacedText(line, from, to, limits.shellLength);
  const at = indexOfText(line, from);
  return at < 0 ? line : line.slice(0, at) + to + line.slice(at + from.length);
}

/** Digits of base64. */
export const alphabet64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const alphabet32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Decodes digits of an alphabet of 32 or 64, as UTF-8 if possible; other characters are skipped. */
export function decodeDigits(text: string, alphabet: string): string {
  const width = alphabet.length === 64 ? 6 : 5;
  let bits = 0;
  let held = 0;
  let out = "";
  for (const character of text) {
    const value = alphabet.indexOf(character);
    if (value < 0) continue;
    bits = (bits << width) | value;
    held += width;
    if (held < 8) continue;
    held -= 8;
    out += String.fromCharCode((bits >> held) & 255);
    bits &= (1 << held) - 1;
  }
  return out;
}

const decodes = (draft: Draft, long: string): boolean =>
  draft.args.some(
    (word) => /^-[A-Za-z]*[dD]/.test(word.text) || (word.text.length > 3 && `--${long}`.startsWith(word.text)),
  );

const base32: Filter = (text, draft) =>
  decodes(draft, "decode") ? decodeDigits(text.toUpperCase(), alphabet32) : undefined;

/** `openssl base64 -d` and `openssl enc -d -base64`. */
const openssl: Filter = (text, draft) => {
  const words = draft.args.map((word) => word.text);
  const plain = words.every((word) => /^(?:base64|enc|-d|-base64|-a|-A)$/.test(word));
  const base64 = words[0] === "base64" || words.includes("-base64") || words.includes("-a");
  return plain && base64 && words.includes("-d") ? decodeDigits(text, alphabet64) : undefined;
};

/** `python -m base64 -d`. */
const python: Filter = (text, draft) =>
  /^-m (?:base64 )?(?:base64 )?-[du](?: -)?$/.test(draft.args.map((word) => word.text).join(" "))
    ? decodeDigits(text, alphabet64)
    : undefined;

const reverse: Filter = (text) => {
  const { lines, end } = linesOf(text);
  return lines.reverse().join("\n") + end;
};

/** Printers of programs that rewrite a constant input: translators, decoders, and those that keep a part of it. */
export const filters: ReadonlyMap<string, (draft: Draft) => Output | undefined> = new Map([
  ["tr", filter(translate, 2)],
  ["cut", filter(cut, 2)],
  ["sed", filter(substitute, 1)],
  ["head", filter(part(true), 1)],
  ["tail", filter(part(false), 1)],
  ["tac", filter(reverse, 0)],
  ["openssl", filter(openssl, 2)],
  ["base32", filter(base32, 0)],
  ...["python", "python3", "python2"].map((name) => [name, filter(python, 2)] as const),
]);
