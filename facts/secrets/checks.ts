import type { Detector } from "./detector.ts";

/** Shannon entropy in bits per character, over code points. */
export function entropy(text: string): number {
  const counts = new Map<string, number>();
  let total = 0;
  for (const c of text) {
    counts.set(c, (counts.get(c) ?? 0) + 1);
    total += 1;
  }
  let bits = 0;
  for (const n of counts.values()) bits -= (n / total) * Math.log2(n / total);
  return bits;
}

/** Parts of placeholder values in examples: a key that holds one is no secret, even if it is well-formed. */
const examples = /example|redacted|(?:^|[_-])(?:x{8,}|\*{3,}|\.{3,})$|(?:^|_)-{8}$|-{9}$|x{12,}/i;

/** Words in the values of templates, manuals and type declarations. */
const placeholderWords: readonly string[] = [
  "my",
  "your",
  "the",
  "some",
  "any",
  "api",
  "auth",
  "access",
  "secret",
  "private",
  "client",
  "db",
  "database",
  "user",
  "username",
  "root",
  "admin",
  "super",
  "test",
  "fake",
  "dummy",
  "mock",
  "foo",
  "bar",
  "baz",
  "pass",
  "passwd",
  "password",
  "passphrase",
  "pwd",
  "key",
  "token",
  "word",
  "value",
  "string",
  "number",
  "boolean",
  "null",
  "none",
  "undefined",
  "true",
  "false",
  "nil",
  "empty",
  "default",
  "required",
  "optional",
  "hidden",
  "masked",
  "removed",
  "credential",
  "credentials",
  "here",
].sort((x, y) => y.length - x.length);

/** Parts of values that are placeholders to fill in. */
const placeholders =
  /change[_-]?me|place[_-]?holder|your[_-]|[_-]here$|insert[_-]|replace[_-]?(?:me|with)|x{4}|\*{3}|^(?:<|%(?:[a-z]$|\w+%|[({])|#(?:\{|[\w-]+$)|@[\w./-]+$|!(?:[a-z]+$|\[))|\.{3}|\u2026|todo|dummy|^(?:test|fake|mock|sample|demo)[_-]/i;

/**
 * True for a value made of placeholder words, separators and at most four digits at its end. Words are taken greedily
 * and never given back, so the time is linear.
 */
function isPlaceholder(value: string): boolean {
  if (placeholders.test(value)) return true;
  const text = value.toLowerCase().replace(/\d{1,4}$/, "");
  if (/^\d*$/.test(text)) return /^123456?7?8?9?0?$/.test(value);
  for (let at = 0; at < text.length; ) {
    const word = placeholderWords.find((candidate) => text.startsWith(candidate, at));
    if (word === undefined && !/[_.:-]/.test(text[at] as string)) return false;
    at += word?.length ?? 1;
  }
  return true;
}

/** Code rather than a value: member access, calls, paths of names, types. */
const code =
  /^(?:[A-Za-z_]\w*[?!]?(?:\.|::|->))+[A-Za-z_]\w*[!?]*$|^(?:process|os|env|self|this|config|settings|secrets|vars|var|data|local|module|ctx|context)[.:]|^[/.~]{0,2}\/|^[A-Za-z]:\\|^[\w.-]+(?:\/[\w.-]+)*\.(?:[cm]?[jt]sx?|json|ya?ml|toml|env|txt|md|pem|key|crt|py|go|rs|rb|sh)$|^https?:|^\w+\+?:\/\//;

/** Marks that a value without quotes does not hold. */
const marks = /[,;<>[\](){}$|&]/;

/** Templates, tags, entities, calls, list indexes, lists, queries and patterns, all of which may be in quotes. */
const markedCode =
  /\$\{|\{\{|\$\(|<%|%[({]|^\$[A-Za-z_]\w*$|\{[\w.:-]*\}|^<[^<>]*>|<\/\w|&(?:[a-z]{2,8}|#\d{1,5});|^[A-Za-z_][\w.]*\([\w.,$]*\)?[;,]?$|\[[\w.-]*\]|^\([\w.]+\)$|^[a-z0-9_.-]+(?:[,;|&]+[a-z0-9_.-]+)+[,;]?$|^\??[\w.-]+=[^&]*&[\w.-]+=|\[\^?[a-z0-9]-[a-z0-9]|\(\?[:=!<P]|\.[*+?]|[)\]][*+?{]|^\^.*\$$|[;,({[]$/;

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const version = /^[~^v]?\d+(?:\.\d+)+(?:[-+][\w.]+)?$/;
const integrity = /^sha(?:1|256|384|512)-/i;
const date = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z?)?$/;

/** Longest value that the fixed patterns test; a longer one is no placeholder. */
const looked = 512;

/** True if the value of a match passes its row's checks for a secret. `call` is true if `(` follows the value. */
export function isSecret(detector: Detector, value: string, call: boolean): boolean {
  if (value.length <= looked && examples.test(value)) return false;
  if (detector.allow?.includes(value.slice(0, looked).toLowerCase())) return false;
  if (detector.checks !== undefined && !passes(detector.checks, value, call)) return false;
  return detector.entropy === undefined || entropy(value.slice(0, looked)) >= detector.entropy;
}

function passes(check: NonNullable<Detector["checks"]>, value: string, call: boolean): boolean {
  if (check === "card") return isCard(value);
  if (check === "iban") return isIban(value);
  if (check === "random") return hasBoth(value) && !(value.length <= looked && placeholders.test(value));
  // `name(` calls something; `value$(` is followed by another command's output.
  if ((call && !value.endsWith("$")) || !looksLikeValue(value)) return false;
  if (check === "quoted") return hasBoth(value) && marks.test(value) && !markedCode.test(value.slice(0, looked));
  return check !== "mixed" || hasBoth(value);
}

function hasBoth(value: string): boolean {
  return /\d/.test(value) && /[A-Za-z]/.test(value);
}

/** Luhn's checksum over 13 to 19 digits that are not all alike. */
function isCard(value: string): boolean {
  const digits = value.replace(/[ -]/g, "");
  if (!/^\d{13,19}$/.test(digits) || new Set(digits).size < 2) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** The checksum of ISO 13616: the first four characters moved to the end, letters as 10 to 35, modulo 97 is 1. */
function isIban(value: string): boolean {
  const text = value.replace(/ /g, "");
  if (text.length < 15 || text.length > 34) return false;
  let rest = 0;
  for (const c of text.slice(4) + text.slice(0, 4)) {
    const code = Number.parseInt(c, 36);
    rest = (rest * (code > 9 ? 100 : 10) + code) % 97;
  }
  return rest === 1;
}

function looksLikeValue(value: string): boolean {
  if (value.length > looked) return true;
  return !(
    isPlaceholder(value) ||
    code.test(value) ||
    uuid.test(value) ||
    version.test(value) ||
    integrity.test(value) ||
    date.test(value)
  );
}
