import { limits } from "../../schema/limits.ts";
import type { Regex, RegexEngine, RegexMatch } from "../../schema/ports.ts";
import { spend, spendText } from "../meter.ts";
import { spendMatches } from "../regex-price.ts";
import { isSecret } from "./checks.ts";
import type { Detector } from "./detector.ts";
import type { EncodedPiece } from "./encodings.ts";
import { armouredPieces, probeRuns } from "./encodings.ts";
import { escapedPieces } from "./escapes.ts";
import type { Finding } from "./finding.ts";
import { plainLetters } from "./keywords.ts";
import type { KnownForm, KnownValue } from "./known.ts";
import { knownForms, knownValueId, matchForm } from "./known.ts";
import type { Extent } from "./pattern-extent.ts";
import { extentOf } from "./pattern-extent.ts";
import { prefixedBlocks } from "./prefixed-blocks.ts";
import { RecentMatches } from "./recent-matches.ts";
import type { Selection } from "./selection.ts";
import { seenPieces, unseenPlaces } from "./unseen.ts";
import { wordIndexOf } from "./usual-index.ts";
import { Windows } from "./windows.ts";
import type { Use, WordIndex } from "./word-index.ts";

/** Encodings inside encodings are followed this deep. Source: threats section 5.3. */
const maxDepth = 3;

/**
 * Units of work for a text, a keyword in it, a keyword that may begin a window, a window that a pattern reads, each character of a
 * window, and an encoded text. Rows are built in: their windows begin with a keyword, so their measured cost counts, not the worst
 * case of a pattern of their size.
 */
const textUnits = 8;
const wordUnits = 1;
const placeUnits = 2;
const windowUnits = 40;
const readUnits = 1;
const pieceUnits = 40;

/** Spends the cost of searching a text for keywords and for encoded texts. */
function spendScan(length: number): void {
  spend(textUnits);
  spendText(length * 3);
}

/** Units that a window keeps on each side, so that anchors at its edges see the text there. */
const margin = 2;

/** Findings of one text, before they are merged. */
export interface Collected {
  readonly found: Finding[];
  readonly together: number[];
  open: number;
  /** True if the text holds no keyword and nothing encoded. */
  quiet: boolean;
  /** True if more would have to be read than `limits` allow, so that matches may be missing. */
  over: boolean;
}

/** Detectors made ready for scanning. Patterns are compiled when a window of theirs is first read. */
export class Collector {
  readonly #engine: RegexEngine;
  readonly #selection: Selection;
  readonly #extents: (Extent | undefined)[] = [];
  readonly #forms: readonly KnownForm[];
  readonly #regexes: (Regex | undefined)[] = [];
  readonly #words: WordIndex;
  readonly #recent = new RecentMatches();
  #reach = 0;
  /** UTF-16 units that patterns may still read of the current text; the next field: units that they may still match. */
  #readable = 0;
  #matchable = 0;

  constructor(engine: RegexEngine, selection: Selection, known: readonly KnownValue[]) {
    this.#engine = engine;
    this.#selection = selection;
    this.#forms = known.flatMap(({ value }) => knownForms(value));
    this.#words = wordIndexOf(selection, this.#forms);
  }

  get #rows(): readonly Detector[] {
    return this.#selection.rows;
  }

  /** Longest match with a bound. */
  get reach(): number {
    if (this.#reach === 0) {
      const bounded = this.#rows.map((_, row) => this.#extent(row).max).filter(Number.isFinite);
      this.#reach = Math.max(64, ...bounded, ...this.#forms.map(({ text }) => text.length + 4));
    }
    return this.#reach;
  }

  /** Collects matches in a text and in the texts that it encodes. `depth` is how deeply the text itself is encoded. */
  collect(text: string, depth = 0): Collected {
    this.#readable = limits.scanRead + limits.scanReadPerUnit * text.length;
    this.#matchable = limits.scanMatched + text.length / 2;
    const collected = this.#collect(text, depth, false);
    collected.over = this.#over;
    return collected;
  }

  /** Returns what `collect` would report as `quiet` for a short text, without collecting matches. */
  isQuiet(text: string): boolean {
    spendScan(text.length);
    const collected = nothingIn(text);
    const probes: number[] = [];
    this.#look(text, false, collected, probes);
    return (
      collected.quiet &&
      seenPieces(text).length === 0 &&
      escapedPieces(text).length === 0 &&
      armouredPieces(text, probes).length === 0
    );
  }

  get #over(): boolean {
    return this.#readable < 0 || this.#matchable < 0;
  }

  /**
   * Returns ascending offsets: ends of keywords that a match may surround, percent signs, invisible characters, and places in
   * runs that may encode a text.
   */
  places(text: string): readonly number[] {
    spendScan(text.length);
    const found: number[] = [];
    const plain = plainLetters(text);
    const windows = new Windows(plain);
    const holds = (one: Use, end: number): boolean =>
      stands(text, one, end) && (one.row < 0 || this.#placed(windows, one.row, end - one.length, end));
    this.#words.automaton.scan(
      plain,
      (word, end) => {
        if (this.#words.uses(word).some((one) => holds(one, end))) found.push(end - 1);
      },
      (bytes, length, from) => probeRuns(bytes, length, from, found),
    );
    for (let at = text.indexOf("%"); at >= 0; at = text.indexOf("%", at + 1)) found.push(at);
    unseenPlaces(text, found);
    return found.sort((a, b) => a - b);
  }

  /** `deep` leaves the rows out that only guess from names. */
  #collect(text: string, depth: number, deep: boolean): Collected {
    const collected = nothingIn(text);
    spendScan(text.length);
    this.#readable -= text.length;
    if (this.#over) return collected;
    const probes: number[] = [];
    const windows = this.#look(text, deep, collected, probes);
    for (const row of windows?.pathRows ?? []) windows?.reachPaths(row, this.#extent(row));
    if (windows) this.#readable -= windows.size;
    if (this.#over) return collected;
    if (windows) this.#run(text, windows, collected);
    if (depth < maxDepth) {
      for (const piece of prefixedBlocks(text, windows?.heads ?? [])) this.#decode(text, piece, depth, deep, collected);
      for (const piece of seenPieces(text)) this.#decode(text, piece, depth, deep, collected);
      for (const piece of escapedPieces(text)) this.#decode(text, piece, depth, deep, collected);
      for (const piece of armouredPieces(text, probes)) this.#decode(text, piece, depth, true, collected);
    }
    return collected;
  }

  #look(text: string, deep: boolean, collected: Collected, probes: number[]): Windows | undefined {
    let windows: Windows | undefined;
    const plain = plainLetters(text);
    this.#words.automaton.scan(
      plain,
      (word, end) => {
        spend(wordUnits * this.#words.count(word));
        if (this.#words.isName(word)) {
          collected.quiet = false;
          windows ??= new Windows(plain);
          if (!windows.isAssigned(end)) return;
        }
        const uses = this.#words.uses(word);
        for (let i = 0; i < uses.length; i++) {
          const one = uses[i] as Use;
          if (!stands(text, one, end)) continue;
          collected.quiet = false;
          const { row, form } = one;
          const start = end - one.length;
          if (form) addKnown(text, form, start, collected);
          else if (!deep || (this.#rows[row] as Detector).confidence !== "low") {
            windows ??= new Windows(plain);
            this.#placed(windows, row, start, end);
          }
        }
      },
      (bytes, length, from) => probeRuns(bytes, length, from, probes),
    );
    return windows;
  }

  #run(text: string, windows: Windows, collected: Collected): void {
    for (const row of windows.rows) {
      const bounds = windows.of(row);
      for (let i = 0; i < bounds.length && !this.#over; i += 2) {
        this.#runWindow(text, row, bounds[i] as number, bounds[i + 1] as number, collected);
      }
    }
  }

  #runWindow(text: string, row: number, start: number, end: number, collected: Collected): void {
    const detector = this.#rows[row] as Detector;
    const from = Math.max(0, start - margin);
    const part = text.slice(from, end + margin);
    // Spent whether or not the matches are cached.
    spend(windowUnits + part.length * readUnits);
    const matches = this.#matches(row, part);
    spendMatches(matches.length);
    for (const match of matches) {
      const at = from + match.start;
      collected.together.push(at, from + match.end);
      this.#matchable -= match.end - match.start;
      addFinding(detector, match, at, collected.found);
    }
    const unbounded = this.#extent(row).max === Number.POSITIVE_INFINITY;
    if (unbounded && end >= text.length) collected.open = Math.min(collected.open, start);
  }

  /** Returns the matches of a row in the text of a window. With known secret values to search for, nothing is cached. */
  #matches(row: number, part: string): readonly RegexMatch[] {
    if (this.#forms.length > 0) return this.#regex(row).matches(part);
    return this.#recent.of(row, part, (own) => this.#regex(row).matches(own));
  }

  /** Adds a window for a keyword of a row if a match may surround it. The extent is computed on demand: most rows never need it. */
  #placed(windows: Windows, row: number, start: number, end: number): boolean {
    spend(placeUnits);
    const detector = this.#rows[row] as Detector;
    if (!windows.isFollowed(start, end, detector)) return false;
    if (detector.noPath !== true || !windows.isPathAssigned(end))
      return windows.add(row, detector, this.#extent(row), start, end);
    windows.addPath(row, start, end);
    return false;
  }

  #extent(row: number): Extent {
    this.#extents[row] ??= extentOf((this.#rows[row] as Detector).pattern);
    return this.#extents[row];
  }

  #regex(row: number): Regex {
    const known = this.#regexes[row];
    if (known) return known;
    const { pattern } = this.#rows[row] as Detector;
    const compiled = this.#engine.compile(pattern);
    // A row of ours that the engine refuses is a fault of the table, found by its test; it must not scan less in silence.
    const usable = "kind" in compiled ? everything(pattern) : compiled;
    this.#regexes[row] = usable;
    return usable;
  }

  #decode(text: string, piece: EncodedPiece, depth: number, deep: boolean, collected: Collected): void {
    collected.quiet = false;
    spend(pieceUnits);
    const inner = this.#collect(piece.text, depth + 1, deep);
    const cut = (start: number, end: number): boolean =>
      (start === 0 && piece.cutStart) || (end === piece.text.length && piece.cutEnd);
    for (const finding of inner.found) {
      if (cut(finding.start, finding.end)) continue;
      const [start, end] = piece.span(finding.start, finding.end);
      collected.found.push({ ...finding, start, end });
    }
    for (let i = 0; i < inner.together.length; i += 2) {
      collected.together.push(...piece.span(inner.together[i] as number, inner.together[i + 1] as number));
    }
    if (inner.open < piece.text.length && piece.end === text.length) {
      collected.open = Math.min(collected.open, piece.span(inner.open, inner.open + 1)[0]);
    }
  }
}

/** Returns the result for a text in which nothing was found yet. */
function nothingIn(text: string): Collected {
  return { found: [], together: [], open: text.length, quiet: true, over: false };
}

/** True if a keyword that ends at an offset is written as it must be. */
function stands(text: string, { exact, length }: Use, end: number): boolean {
  return exact === undefined || hasAt(text, exact, end - length);
}

/** True if a short text is at an offset. */
function hasAt(text: string, word: string, start: number): boolean {
  for (let i = word.length - 1; i >= 0; i--) {
    if (text.charCodeAt(start + i) !== word.charCodeAt(i)) return false;
  }
  return true;
}

/** Stands in for a pattern that cannot be used: all of the text is taken for the secret. */
function everything(pattern: string): Regex {
  const whole = (text: string): RegexMatch => ({ start: 0, end: text.length, groups: [text, text] });
  return { pattern, test: () => true, exec: whole, matches: (text) => [whole(text)] };
}

function addFinding(detector: Detector, match: RegexMatch, at: number, found: Finding[]): void {
  const whole = match.groups[0] as string;
  const secret = match.groups[1] ?? whole;
  if (secret === "" || !isSecret(detector, secret, (match.groups[2] ?? "") !== "")) return;
  // The secret is at the end of its match, before a delimiter at most, so its last occurrence is the group.
  const start = at + whole.lastIndexOf(secret);
  found.push({ start, end: start + secret.length, detector: detector.id, confidence: detector.confidence });
}

function addKnown(text: string, form: KnownForm, at: number, collected: Collected): void {
  const span = matchForm(text, form, at);
  if (!span) return;
  collected.together.push(span[0], span[1]);
  collected.found.push({ start: span[0], end: span[1], detector: knownValueId, confidence: "high" });
}
