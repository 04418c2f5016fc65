import { findNamed, mergeEdits } from "../../facts/secrets/edits.ts";
import type { Scanner } from "../../facts/secrets/scan.ts";
import { createScanner, redactionToken } from "../../facts/secrets/scan.ts";
import type { Edit } from "../../facts/text/edit.ts";
import { editText } from "../../facts/text/edit.ts";
import type { WalkOptions } from "../../facts/text/walk.ts";
import { mapTexts } from "../../facts/text/walk.ts";
import { limits } from "../../schema/limits.ts";
import type { ActionCode, Payload, Regex, RegexEngine, RegexMatch } from "../../schema/ports.ts";
import { EvaluationError } from "../../schema/ports.ts";
import { field, text, texts } from "./parameters.ts";

/** A pattern of the policy, compiled. */
interface Pattern {
  readonly regex: Regex;
  /** Replacement in constant parts and group numbers. */
  readonly replacement: readonly (string | number)[];
}

/** Parameters made ready once for each plan and engine. */
interface Redaction {
  readonly engine: RegexEngine;
  readonly scanner: Scanner | undefined;
  readonly patterns: readonly Pattern[];
  readonly fields: readonly string[];
  /** Texts that only this action writes; what lies inside one was redacted before. */
  readonly written: readonly string[];
}

/** Fields in which text may stand, in payload order. */
const places = [
  "args",
  "content",
  "details",
  "structured",
  "messages",
  "prompt",
  "system_prompt",
  "text",
  "command",
  "code",
] as const;

/** Names of structure, not of text: a pattern must not turn a message of one role into another's. */
const structural: ReadonlySet<string> = new Set(["role", "type"]);

/** Redacting may bring two texts together that are a find only then; it is repeated until nothing more is found. */
const maxPasses = 4;

const made = new WeakMap<object, Redaction>();

/**
 * Replaces what detectors and patterns find in all text of the payload, deep in structures and in their keys. JSON text stays JSON. Redacting twice changes nothing more. An unknown
 * detector, a refused pattern, text over `limits.scanLength` or a payload over its bounds is an error value (HW507,
 * HW504), which closes the event. Source: semantics section 2, threats section 5.3.
 */
export const redact: ActionCode = {
  name: "redact",
  kind: "transform",
  transform: (payload, parameters, context) => {
    const redaction = prepare(parameters, context.regex);
    return redaction instanceof EvaluationError ? redaction : redactPayload(payload, redaction);
  },
};

function redactPayload(payload: Payload, redaction: Redaction): Payload | EvaluationError {
  let left: number = limits.scanLength;
  const changes: Record<string, unknown> = {};
  for (const name of places) {
    const value = payload[name];
    if (value === undefined || value === null) continue;
    const mapped = mapTexts(
      value,
      (part, where, key) => {
        if (!wanted(where, redaction)) return part;
        left -= part.length;
        return left < 0 ? part : redactText(part, key, redaction);
      },
      { root: name, ...walkOf(name, redaction) },
    );
    if (mapped instanceof EvaluationError) return mapped;
    if (left < 0)
      return new EvaluationError("HW507", `text is longer than ${limits.scanLength} characters and was not scanned`);
    if (mapped.changed) changes[name] = mapped.value;
  }
  return Object.keys(changes).length === 0 ? payload : { ...payload, ...changes };
}

/**
 * How a field is walked. Keys of `args` belong to the tool. Keys of messages and content belong to the host: detectors
 * look at them, but a pattern such as `text` must not rename them. Keys of details are text as any other.
 */
function walkOf(name: (typeof places)[number], redaction: Redaction): WalkOptions {
  if (name === "args") return {};
  if (name !== "content" && name !== "messages") return { keys: true };
  return {
    keys: (key, where) => (wanted(where, redaction) ? (redaction.scanner?.redact(key) ?? key) : key),
    skip: structural,
  };
}

/** True if a place is among those that the action is limited to. */
function wanted(where: string, { fields }: Redaction): boolean {
  return fields.length === 0 || fields.some((name) => covers(name, where));
}

/** True if a dotted place lies at or beneath a field of the policy; `result.` and `input.` before it are optional. */
function covers(given: string, where: string): boolean {
  const name = given.replace(/^(?:result\.|input\.(?=text))/, "");
  return where === name || (where.startsWith(name) && /^[.[]/.test(where.slice(name.length)));
}

function redactText(original: string, key: string | undefined, redaction: Redaction): string {
  let current = original;
  for (let pass = 0; pass < maxPasses; pass++) {
    const next = editText(current, (part, name) => findEdits(part, name, redaction), key);
    if (next === current) break;
    current = next;
  }
  return current;
}

function findEdits(part: string, key: string | undefined, redaction: Redaction): Edit[] {
  const edits: Edit[] = [];
  if (redaction.scanner) {
    for (const { start, end, detector } of findNamed(redaction.scanner, part, key))
      edits.push({ start, end, text: redactionToken(detector) });
  }
  if (redaction.patterns.length === 0) return mergeEdits(edits);
  const before = writtenSpans(part, redaction.written);
  const same: Edit[] = [];
  for (const pattern of redaction.patterns) {
    for (const match of pattern.regex.matches(part)) {
      if (match.end === match.start) continue;
      const replaced = fill(pattern.replacement, match);
      const done = inside(before, match) || isReplaced(part, match, replaced);
      if (done) same.push({ start: match.start, end: match.end, text: match.groups[0] as string });
      else edits.push({ start: match.start, end: match.end, text: replaced });
    }
  }
  const merged = mergeEdits(edits);
  return mergeEdits([...merged, ...same.filter((edit) => !overlapsAny(merged, edit))]);
}

/** True if a match already stands inside its own replacement, as after an earlier redaction. */
function isReplaced(part: string, match: RegexMatch, replaced: string): boolean {
  const whole = match.groups[0] as string;
  for (let at = replaced.indexOf(whole); at >= 0; at = replaced.indexOf(whole, at + 1)) {
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

/** Where texts stand that this action has written, sorted. */
function writtenSpans(part: string, written: readonly string[]): Edit[] {
  const spans: Edit[] = [];
  for (const token of written) {
    for (let at = part.indexOf(token); at >= 0; at = part.indexOf(token, at + token.length))
      spans.push({ start: at, end: at + token.length, text: token });
  }
  return mergeEdits(spans);
}

function inside(spans: readonly Edit[], match: RegexMatch): boolean {
  const span = spans[firstEndingAfter(spans, match.start)];
  return span !== undefined && span.start <= match.start && match.end <= span.end;
}

function fill(replacement: readonly (string | number)[], match: RegexMatch): string {
  return replacement.map((part) => (typeof part === "number" ? (match.groups[part] ?? "") : part)).join("");
}

function prepare(parameters: unknown, engine: RegexEngine): Redaction | EvaluationError {
  const holder = typeof parameters === "object" && parameters !== null ? parameters : undefined;
  const known = holder && made.get(holder);
  if (known && known.engine === engine) return known;
  const names = texts(parameters, "detectors");
  const scanner = names.length > 0 ? createScanner(engine, names) : undefined;
  if (scanner?.kind === "unknown_detectors")
    return new EvaluationError("HW507", `unknown detector \`${scanner.unknown[0]}\``);
  const patterns = compilePatterns(field(parameters, "patterns"), engine);
  if (patterns instanceof EvaluationError) return patterns;
  const constants = patterns
    .filter((p) => p.replacement.length === 1 && typeof p.replacement[0] === "string")
    .map((p) => p.replacement[0] as string);
  const redaction: Redaction = {
    engine,
    scanner,
    patterns,
    fields: texts(parameters, "fields"),
    written: [...new Set([...constants, ...(scanner?.tokens ?? [])])].filter((token) => token !== ""),
  };
  if (holder) made.set(holder, redaction);
  return redaction;
}

function compilePatterns(list: unknown, engine: RegexEngine): Pattern[] | EvaluationError {
  const patterns: Pattern[] = [];
  for (const item of Array.isArray(list) ? list : []) {
    const name = text(item, "name") ?? "pattern";
    const regex = engine.compile(text(item, "regex") ?? "");
    if ("kind" in regex) return new EvaluationError("HW507", `pattern \`${name}\` cannot be used: ${regex.message}`);
    patterns.push({ regex, replacement: replacementParts(text(item, "replacement") ?? `[REDACTED:${name}]`) });
  }
  return patterns;
}

/** A replacement as constant texts and the numbers of the groups in `{match[n]}`. */
export function replacementParts(replacement: string): (string | number)[] {
  const parts = replacement.split(/\{match\[(\d{1,3})\]\}/);
  return parts
    .map((part, index) => (index % 2 === 1 ? Number(part) : part))
    .filter((part) => part !== "" || parts.length === 1);
}
