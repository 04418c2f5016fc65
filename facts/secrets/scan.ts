import { limits } from "../../schema/limits.ts";
import type { RegexEngine } from "../../schema/ports.ts";
import { spend, unmetered } from "../meter.ts";
import { splice } from "../text/edit.ts";
import { Collector } from "./collect.ts";
import type { Confidence } from "./detector.ts";
import { shortId } from "./detector.ts";
import { selectDetectors } from "./detectors.ts";
import type { Finding } from "./finding.ts";
import type { KnownValue } from "./known.ts";
import { knownValueId } from "./known.ts";
import type { Selection } from "./selection.ts";

export type { Finding };

/** Result of a scan: its findings, with more for callers that scan a text in parts. */
export interface Survey {
  readonly findings: readonly Finding[];
  /**
   * Starts and ends, alternating, of the spans that must stay in one part: matches, whether they are secrets or not. A path after
   * a name is left out if its row never takes a path for a secret (`noPath`).
   */
  readonly together: readonly number[];
  /** Offset of a possible secret that may continue past the text's end; the text's length if there is none. */
  readonly open: number;
  /** True if nothing in the text could be part of a secret, in any surroundings: no keyword, nothing encoded. */
  readonly quiet: boolean;
}

/** Looks for secrets with a fixed set of detectors. */
export interface Scanner {
  readonly kind: "scanner";
  /** Findings from left to right, not overlapping: overlapping ones are one, named by the surest, then the leftmost, then the longest. */
  find(text: string): Finding[];
  /** The text with each finding replaced by its token, for reasons and messages. */
  redact(text: string): string;
  /** Returns findings with the further data that a stream needs. */
  survey(text: string): Survey;
  /** True if a name of a field may tell that its value is a secret. */
  tells(name: string): boolean;
  /**
   * Offsets, ascending, at which there may be something to find: a part of the text without any of them, and without a
   * backslash, has no finding.
   */
  places(text: string): readonly number[];
  /** Longest match of its detectors with a bound, in UTF-16 units. */
  readonly reach: number;
}

/** Detector names that select nothing. */
export interface UnknownDetectors {
  readonly kind: "unknown_detectors";
  readonly unknown: readonly string[];
}

/** Settings of a scanner. */
export interface ScannerOptions {
  /** Values to find exactly and in their common encodings; see `knownValues`. */
  readonly known?: readonly KnownValue[];
}

/** Names of fields that a scanner remembers, and units of the longest of them. */
const rememberedNames = 4_096;
const rememberedName = 128;

/** Stands for a text that was not scanned: all of it is withheld. */
export const unscannedId = "secrets/unscanned";

/** Returns the text that replaces a secret. No detector finds it again. */
export function redactionToken(detector: string): string {
  return `[REDACTED:${shortId(detector)}]`;
}

/**
 * Creates a scanner for detectors given by id or glob (`secrets/*`). One pass over the text finds keywords; a pattern runs only
 * in windows around its keywords, and is compiled at first use. Encoded text is decoded and scanned too. A text over
 * `limits.scanLength`, or in which patterns exceed `limits.scanRead` or `limits.scanMatched`, is one finding,
 * `secrets/unscanned`. Pure except for the cache of compiled patterns. Source: threats section 5.2; libraries page, figures.
 */
export function createScanner(
  engine: RegexEngine,
  names: readonly string[],
  options: ScannerOptions = {},
): Scanner | UnknownDetectors {
  const { selected, unknown } = selectDetectors(names);
  return unknown.length > 0 ? { kind: "unknown_detectors", unknown } : scannerOf(engine, selected, options);
}

/** A scanner for selected detectors. */
export function scannerOf(engine: RegexEngine, selected: Selection, options: ScannerOptions = {}): Scanner {
  const known = options.known ?? [];
  let ranks: ReadonlyMap<string, number> | undefined;
  const rank = (id: string): number => {
    ranks ??= new Map([knownValueId, ...selected.ids].map((one, index) => [one, index]));
    return ranks.get(id) ?? 0;
  };
  let made: Collector | undefined;
  const collector = (): Collector => {
    made ??= known.length > 0 ? new Collector(engine, selected, known) : collectorOf(engine, selected);
    return made;
  };
  const survey = (text: string): Survey => {
    if (text.length > limits.scanLength) return unscanned(text);
    const { found, together, open, quiet, over } = collector().collect(text);
    if (over) return unscanned(text);
    return { findings: found.length > 1 ? merge(found, rank) : found, together, open, quiet };
  };
  const names = new Map<string, boolean>();
  const tells = (name: string): boolean => {
    // Charged whether or not the result is cached.
    spend(12 + (name.length >> 2));
    const remembered = names.get(name);
    if (remembered !== undefined) return remembered;
    const text = `"${name}": "`;
    if (name.length >= rememberedName) return !survey(text).quiet;
    const telling = unmetered(() => !collector().isQuiet(text));
    if (names.size < rememberedNames) names.set(name, telling);
    return telling;
  };
  const find = (text: string): Finding[] => [...survey(text).findings];
  return {
    kind: "scanner",
    find,
    survey,
    tells,
    places: (text) => collector().places(text),
    redact: (text) => redactFindings(text, find(text)),
    get reach() {
      return collector().reach;
    },
  };
}

/** Collectors of one engine that are kept; most plans have one set of detectors, and the facts another. */
const keptCollectors = 4;

const collectors = new WeakMap<RegexEngine, { readonly selected: Selection; readonly made: Collector }[]>();

/**
 * Returns the collector of a selection, shared by all its users: facts, redaction and the record's mask each read a text, and
 * need not each prepare and run the patterns.
 */
function collectorOf(engine: RegexEngine, selected: Selection): Collector {
  const kept = collectors.get(engine) ?? [];
  collectors.set(engine, kept);
  const known = kept.find((one) => one.selected === selected);
  if (known) return known.made;
  const made = new Collector(engine, selected, []);
  kept.push({ selected, made });
  if (kept.length > keptCollectors) kept.shift();
  return made;
}

/** A text with findings replaced by their tokens, all at once. */
export function redactFindings(text: string, findings: readonly Finding[]): string {
  return splice(
    text,
    findings.map(({ start, end, detector }) => ({ start, end, text: redactionToken(detector) })),
  );
}

function unscanned(text: string): Survey {
  const findings: Finding[] = [{ start: 0, end: text.length, detector: unscannedId, confidence: "low" }];
  return { findings, together: [0, text.length], open: 0, quiet: false };
}

const level: Readonly<Record<Confidence, number>> = { high: 0, medium: 1, low: 2 };

/** One finding for each run of overlapping ones. */
function merge(found: readonly Finding[], rank: (id: string) => number): Finding[] {
  const sorted = [...found].sort(
    (a, b) =>
      a.start - b.start ||
      level[a.confidence] - level[b.confidence] ||
      b.end - a.end ||
      rank(a.detector) - rank(b.detector),
  );
  const merged: Finding[] = [];
  for (const next of sorted) {
    const last = merged.at(-1);
    if (!last || next.start >= last.end) merged.push(next);
    else merged[merged.length - 1] = union(last, next);
  }
  return merged;
}

/** Joins two findings; the surer one gives the name, so that a key in an environment file is named by its kind. */
function union(a: Finding, b: Finding): Finding {
  const named = level[b.confidence] < level[a.confidence] ? b : a;
  return { ...named, start: a.start, end: Math.max(a.end, b.end) };
}
