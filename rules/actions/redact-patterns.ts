import { spendText } from "../../facts/meter.ts";
import { matchPayer, spendSearch } from "../../facts/regex-price.ts";
import { entropy } from "../../facts/secrets/checks.ts";
import { mergeEdits } from "../../facts/secrets/edits.ts";
import type { Edit } from "../../facts/text/splice.ts";
import type { Regex, RegexEngine, RegexMatch } from "../../schema/ports.ts";
import { EvaluationError } from "../../schema/ports.ts";
import { field, text, texts } from "./parameters.ts";
import { tokenSpans } from "./redact-tokens.ts";

/** A pattern of the policy, compiled. */
export interface Pattern {
  readonly regex: Regex;
  /** Replacement in constant parts and group numbers. */
  readonly replacement: readonly (string | number)[];
  /** Group that is the secret. */
  readonly secret: number;
  /** Least entropy of the secret. */
  readonly minEntropy: number;
  /** Patterns that exclude a find: if one matches in it, it is no secret. */
  readonly except: readonly Regex[];
}

/** Patterns of the policy, and the constant texts that they write. */
export interface Patterns {
  readonly list: readonly Pattern[];
  readonly written: readonly string[];
}

/** The `patterns` of a `redact`, compiled; a refused one is an error value (HW507). */
export function compilePatterns(list: unknown, engine: RegexEngine): Patterns | EvaluationError {
  const patterns: Pattern[] = [];
  for (const item of Array.isArray(list) ? list : []) {
    const name = text(item, "name") ?? "pattern";
    const compiled = compileAll([text(item, "regex") ?? "", ...texts(item, "except")], engine);
    if (typeof compiled === "string")
      return new EvaluationError("HW507", `pattern \`${name}\` cannot be used: ${compiled}`);
    const [regex, ...except] = compiled;
    const replacement = replacementParts(text(item, "replacement") ?? `[REDACTED:${name}]`);
    const [secret, minEntropy] = [count(item, "secret"), count(item, "min_entropy")];
    patterns.push({ regex: regex as Regex, replacement, secret, minEntropy, except });
  }
  const constants = patterns.flatMap(({ replacement: [only, ...rest] }) =>
    typeof only === "string" && only !== "" && rest.length === 0 ? [only] : [],
  );
  return { list: patterns, written: [...new Set(constants)] };
}

/** Compiled patterns, or why one of them is refused. */
function compileAll(list: readonly string[], engine: RegexEngine): Regex[] | string {
  const compiled: Regex[] = [];
  for (const pattern of list) {
    const regex = engine.compile(pattern);
    if ("kind" in regex) return regex.message;
    compiled.push(regex);
  }
  return compiled;
}

function count(item: unknown, name: string): number {
  const value = field(item, name);
  return typeof value === "number" ? value : 0;
}

/** True for a match whose secret is too plain, or that an exception of the pattern lets through. */
function isLeftAlone({ secret, minEntropy, except }: Pattern, { groups }: RegexMatch): boolean {
  const found = groups[secret] || (groups[0] as string);
  spendText(found.length * 4);
  return (minEntropy > 0 && entropy(found) < minEntropy) || except.some((regex) => holds(regex, found));
}

function holds(regex: Regex, text: string): boolean {
  spendSearch(regex.pattern, text.length);
  return regex.test(text);
}

/** A replacement as constant texts and the numbers of the groups in `{match[n]}`. */
export function replacementParts(replacement: string): (string | number)[] {
  const parts = replacement.split(/\{match\[(\d{1,3})\]\}/);
  return parts
    .map((part, index) => (index % 2 === 1 ? Number(part) : part))
    .filter((part) => part !== "" || parts.length === 1);
}

/**
 * Returns the edits of patterns, joined with those that detectors found. A match inside a text that this action writes was
 * redacted before and stays, and so does a match inside its own replacement.
 */
export function patternEdits(part: string, found: readonly Edit[], patterns: Patterns): Edit[] {
  const edits = [...found];
  const before = writtenSpans(part, patterns.written, true);
  const same: Edit[] = [];
  for (const pattern of patterns.list) {
    for (const match of matchesIn(part, pattern)) {
      if (match.end === match.start || isLeftAlone(pattern, match)) continue;
      const replaced = fill(pattern.replacement, match);
      const done = inside(before, match) || isReplaced(part, match, replaced);
      if (done) same.push({ start: match.start, end: match.end, text: match.groups[0] as string });
      else edits.push({ start: match.start, end: match.end, text: replaced });
    }
  }
  const merged = mergeEdits(edits);
  return mergeEdits([...merged, ...same.filter((edit) => !overlapsAny(merged, edit))]);
}

/** Returns the matches of a pattern and charges for them. */
function matchesIn(part: string, { regex }: Pattern): readonly RegexMatch[] {
  spendSearch(regex.pattern, part.length);
  return regex.matches(part, matchPayer(regex.pattern, part.length));
}

/** Returns the sorted places of texts that this action has written: the constants of its patterns and, if `tokens`, its tokens. */
export function writtenSpans(part: string, written: readonly string[], tokens: boolean): Edit[] {
  const spans = tokens ? tokenSpans(part) : [];
  for (const token of written) {
    spendText(part.length);
    for (let at = part.indexOf(token); at >= 0; at = part.indexOf(token, at + token.length))
      spans.push({ start: at, end: at + token.length, text: token });
  }
  return mergeEdits(spans);
}

/** True if a match is already inside its own replacement, as after an earlier redaction. */
function isReplaced(part: string, match: RegexMatch, replaced: string): boolean {
  const whole = match.groups[0] as string;
  spendText(replaced.length * 4);
  for (let at = replaced.indexOf(whole); at >= 0; at = replaced.indexOf(whole, at + 1)) {
    spendText(replaced.length);
    if (match.start >= at && part.startsWith(replaced, match.start - at)) return true;
  }
  return false;
}

function overlapsAny(sorted: readonly Edit[], edit: Edit): boolean {
  const at = firstEndingAfter(sorted, edit.start);
  return at < sorted.length && (sorted[at] as Edit).start < edit.end;
}

/** Index of the first of sorted edits that ends after an offset. */
function firstEndingAfter(sorted: readonly Edit[], offset: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as Edit).end <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** True if a stretch lies within one of sorted spans. */
export function inside(
  spans: readonly Edit[],
  { start, end }: { readonly start: number; readonly end: number },
): boolean {
  const span = spans[firstEndingAfter(spans, start)];
  return span !== undefined && span.start <= start && end <= span.end;
}

function fill(replacement: readonly (string | number)[], match: RegexMatch): string {
  return replacement.map((part) => (typeof part === "number" ? (match.groups[part] ?? "") : part)).join("");
}
