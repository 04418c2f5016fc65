import type { Regex, RegexEngine, RegexMatch } from "../../schema/ports.ts";
import { splice } from "../text/edit.ts";
import { isSecret } from "./checks.ts";
import type { Confidence, Detector } from "./detector.ts";
import { shortId } from "./detector.ts";
import { selectDetectors } from "./detectors.ts";
import { KeywordFinder } from "./keywords.ts";

/** One secret in a text: UTF-16 offsets of the secret itself, and what found it. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  readonly detector: string;
  readonly confidence: Confidence;
}

/** Looks for secrets with a fixed set of detectors. */
export interface Scanner {
  readonly kind: "scanner";
  /** The redaction token of each of its detectors. */
  readonly tokens: readonly string[];
  /** Findings from left to right, not overlapping: overlapping ones are one, named by the leftmost, then the longest. */
  find(text: string): Finding[];
  /** The text with each finding replaced by its token, for reasons and messages. */
  redact(text: string): string;
}

/** Detector names that select nothing. */
export interface UnknownDetectors {
  readonly kind: "unknown_detectors";
  readonly unknown: readonly string[];
}

/** What stands in place of a secret. No detector finds it again. */
export function redactionToken(detector: string): string {
  return `[REDACTED:${shortId(detector)}]`;
}

/**
 * A scanner for detectors given by id or glob (`secrets/*`). One pass over the text finds which keywords occur; only
 * patterns with a keyword there run, over the full text, and are compiled when first needed. Pure but for that memory.
 * Source: threats section 5.2; libraries page, figures.
 */
export function createScanner(engine: RegexEngine, names: readonly string[]): Scanner | UnknownDetectors {
  const { selected, unknown } = selectDetectors(names);
  if (unknown.length > 0) return { kind: "unknown_detectors", unknown };
  const patterns = new Map<Detector, Regex>();
  let finder: KeywordFinder | undefined;
  const find = (text: string): Finding[] => {
    finder ??= new KeywordFinder(selected.map((detector) => detector.keywords));
    const found: Finding[] = [];
    for (const index of finder.find(text)) {
      const detector = selected[index] as Detector;
      for (const match of compiled(engine, detector, patterns).matches(text)) addFinding(detector, match, found);
    }
    return merge(found, selected);
  };
  return {
    kind: "scanner",
    tokens: selected.map((detector) => redactionToken(detector.id)),
    find,
    redact: (text) =>
      splice(
        text,
        find(text).map(({ start, end, detector }) => ({ start, end, text: redactionToken(detector) })),
      ),
  };
}

function compiled(engine: RegexEngine, detector: Detector, patterns: Map<Detector, Regex>): Regex {
  const known = patterns.get(detector);
  if (known) return known;
  const pattern = engine.compile(detector.pattern);
  // A row of ours that the engine refuses is a fault of the table, found by its test; it must not scan less in silence.
  const usable = "kind" in pattern ? everything(detector.pattern) : pattern;
  patterns.set(detector, usable);
  return usable;
}

/** Stands in for a pattern that cannot be used: all of the text is taken for the secret. */
function everything(pattern: string): Regex {
  const whole = (text: string): RegexMatch => ({ start: 0, end: text.length, groups: [text, text] });
  return { pattern, test: () => true, exec: whole, matches: (text) => [whole(text)] };
}

function addFinding(detector: Detector, match: RegexMatch, found: Finding[]): void {
  const whole = match.groups[0] as string;
  const secret = match.groups[1] ?? whole;
  if (secret === "" || !isSecret(detector, secret, (match.groups[2] ?? "") !== "")) return;
  // The secret stands at the end of its match but for a delimiter, so its last occurrence is the group.
  const start = match.start + whole.lastIndexOf(secret);
  found.push({ start, end: start + secret.length, detector: detector.id, confidence: detector.confidence });
}

/** One finding for each run of overlapping ones. */
function merge(found: readonly Finding[], order: readonly Detector[]): Finding[] {
  const rank = new Map(order.map((detector, index) => [detector.id, index]));
  const level = { high: 0, medium: 1, low: 2 };
  const sorted = [...found].sort(
    (a, b) =>
      a.start - b.start ||
      level[a.confidence] - level[b.confidence] ||
      b.end - a.end ||
      (rank.get(a.detector) as number) - (rank.get(b.detector) as number),
  );
  const merged: Finding[] = [];
  for (const next of sorted) {
    const last = merged.at(-1);
    if (!last || next.start >= last.end) merged.push(next);
    else merged[merged.length - 1] = union(last, next, level);
  }
  return merged;
}

/** Both as one; the surer one gives the name, so that a key in an environment file is named by its kind. */
function union(a: Finding, b: Finding, level: Readonly<Record<Confidence, number>>): Finding {
  const named = level[b.confidence] < level[a.confidence] ? b : a;
  return { ...named, start: a.start, end: Math.max(a.end, b.end) };
}
