import { spend, spendText, unitsLeft } from "../../facts/meter.ts";
import { DigestCache } from "../../facts/secrets/cache.ts";
import { findNamed } from "../../facts/secrets/edits.ts";
import type { Finding } from "../../facts/secrets/finding.ts";
import type { Scanner } from "../../facts/secrets/scan.ts";
import { createScanner, unscannedId } from "../../facts/secrets/scan.ts";
import { type Edit, editText, type FindEdits, jsonEdits, splice } from "../../facts/text/edit.ts";
import { type MapText, mapTexts } from "../../facts/text/walk.ts";
import { limits } from "../../schema/limits.ts";
import type { FoundValue, Masked, Pseudonym, RecordMask, RegexEngine } from "../../schema/ports.ts";
import { EvaluationError } from "../../schema/ports.ts";
import { field, text, texts } from "./parameters.ts";
import { maskByMessage } from "./record-messages.ts";
import { holdsNothing, type QuietParts, QuietTexts } from "./record-quiet.ts";
import { selectRedaction } from "./redact-detectors.ts";
import { withoutMedia } from "./redact-media.ts";
import { compilePatterns, type Patterns, patternEdits } from "./redact-patterns.ts";
import { tokenOf } from "./redact-tokens.ts";
import type { NamedSecrets } from "./redact-values.ts";

/** Most passes over a text: an edit may expose another secret. A text that still changes in the last pass is withheld. */
const maxPasses = 4;

/** From this length (UTF-16 units) texts are searched one by one, not within their JSON: no field name says what they are. */
const longText = 513;

/** JSON up to this length is searched as one text. */
const shortJson = 2_048;

/** Least length of removed data for which a digest is kept: a digest of shorter data might be guessed. */
const leastDigested = 1_024;

/** Extra size counted for each cached text, in UTF-16 units. */
const entryWeight = 256;

/** Detectors that mask every record. */
export const recordDetectors: readonly string[] = ["secrets/*"];

/** A single pattern of a `redact`, compiled alone, so that its finds can be named. */
interface NamedPattern {
  readonly detector: string;
  readonly patterns: Patterns;
}

/** Options of a record mask. */
export interface RecordMaskOptions {
  readonly regex: RegexEngine;
  /** Values that rules name. */
  readonly secrets: NamedSecrets;
  /** Parameters of the plan's `redact` actions; their finds are masked regardless of their conditions. */
  readonly redactions: readonly unknown[];
  /** A scanner of `recordDetectors` with the same values, used when the plan adds no detector. */
  readonly shared: Scanner | undefined;
  /** By it texts of past messages are known to hold nothing, so that each is read once. */
  readonly digestOf: (text: string) => string;
}

/**
 * Creates the mask of a plan's audit records. It masks everything that a detector of secrets or the plan's own `redact` actions
 * would find, and the values that these name. A pattern that the engine refuses is left out here: its own action closes every
 * event to which it applies. Source: threats section 3.2, item 10.
 */
export function createRecordMask({ regex, secrets, redactions, shared, digestOf }: RecordMaskOptions): RecordMask {
  const added = [...new Set(redactions.flatMap((one) => selectRedaction(texts(one, "detectors")).scanned))];
  const own = added.some((name) => !name.startsWith("secrets/"));
  const made = own || !shared ? createScanner(regex, [...recordDetectors, ...added], { known: secrets.all }) : shared;
  const patterns = namedPatterns(redactions, regex);
  if (made.kind !== "scanner") return { mask: () => undefined };
  const clean: DigestCache<number> = new DigestCache({ maxEntries: 65_536, maxWeight: limits.redactedHistory });
  const known: Known = {
    clean,
    json: new QuietTexts(rememberedJson),
    texts: new QuietTexts(rememberedText),
    values: new QuietTexts(rememberedText),
    parts: new WeakMap(),
  };
  return maskByMessage({
    mask: (value, json, pseudonym) => {
      if (known.json.has(json)) return { value, found: [] };
      return new Run(made, patterns, pseudonym, known, digestOf).masked(value, json);
    },
  });
}

/** Units of the longest JSON and of the longest text that are remembered as they are. */
const rememberedJson = 512;
const rememberedText = 256;

/** Texts known to hold no secret, in any session: without a finding no session-keyed token is made. */
interface Known {
  /** Long texts of past messages, by digest, with the units of work that each took. */
  readonly clean: DigestCache<number>;
  /** Short values as JSON, such as the texts of a decision that says nothing. */
  readonly json: QuietTexts;
  /** Short texts without a find, kept because most of an event repeats the previous one. */
  readonly texts: QuietTexts;
  /** Short values of fields in which no detector finds anything, after the name of the field: paths and ids come again. */
  readonly values: QuietTexts;
  readonly parts: QuietParts;
}

function namedPatterns(redactions: readonly unknown[], regex: RegexEngine): readonly NamedPattern[] {
  return redactions.flatMap((one) => {
    const list = field(one, "patterns");
    return (Array.isArray(list) ? list : []).flatMap((item) => {
      const patterns = compilePatterns([item], regex);
      const detector = `pattern/${text(item, "name") ?? "pattern"}`;
      return patterns instanceof EvaluationError ? [] : [{ detector, patterns }];
    });
  });
}

/** One masking of one value. */
class Run {
  readonly #scanner: Scanner;
  readonly #patterns: readonly NamedPattern[];
  readonly #pseudonym: Pseudonym;
  readonly #known: Known;
  readonly #digestOf: (text: string) => string;
  readonly #found: FoundValue[] = [];
  /** Long texts with their masked form; the same text often occurs in several places. */
  #long: Map<string, string> | undefined;
  /** False once a text could not be searched completely. */
  #whole = true;

  constructor(
    scanner: Scanner,
    patterns: readonly NamedPattern[],
    pseudonym: Pseudonym,
    known: Known,
    digestOf: (text: string) => string,
  ) {
    this.#scanner = scanner;
    this.#patterns = patterns;
    this.#pseudonym = pseudonym;
    this.#known = known;
    this.#digestOf = digestOf;
  }

  masked(value: unknown, json: string): Masked | undefined {
    if (json.length > limits.scanLength) return undefined;
    const left = unitsLeft();
    const scanned = this.#scanned(value, json);
    const masked = this.#whole ? this.#withPatterns(scanned) : undefined;
    if (!this.#whole) return undefined;
    if (masked === value && this.#found.length === 0) this.#known.json.add(json, left - unitsLeft());
    return { value: masked, found: this.#found };
  }

  /** Masks long texts one by one, then short texts within their JSON, where field names tell what values are. */
  #scanned(value: unknown, json: string): unknown {
    if (json.length <= shortJson) return this.#short(value, json);
    const mapped = this.#map(value, (part, where) => (part.length < longText ? part : this.#longText(part, where)));
    spendText(json.length * 4);
    const skeleton = this.#map(value, (part) => (part.length < longText ? part : ""));
    const before = this.#found.length;
    const short = JSON.stringify(skeleton);
    if (this.#short(skeleton, short) === skeleton) return mapped;
    // Rare: a short text has a find, so the whole is searched again.
    this.#found.length = before;
    return this.#short(mapped, JSON.stringify(mapped));
  }

  #map(value: unknown, map: MapText): unknown {
    const mapped = mapTexts(value, map, { keys: false, part: (part) => this.#withoutMedia(part) });
    if (!(mapped instanceof EvaluationError)) return mapped.value;
    this.#whole = false;
    return value;
  }

  /** Removes media data, which is not searched and so not kept; data too long to guess is replaced by its digest. */
  #withoutMedia(part: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const bare = withoutMedia(part);
    if (bare === part) return part;
    const whole = JSON.stringify(part);
    spendText(whole.length * 4);
    return whole.length < leastDigested ? bare : { ...bare, digest: this.#digestOf(whole) };
  }

  #short(value: unknown, json: string): unknown {
    const masked = this.#settled(json, (current, find, places) => splice(current, jsonEdits(current, find, places)));
    return masked === json ? value : JSON.parse(masked);
  }

  #longText(original: string, where: string): string {
    spendText(original.length);
    const known = this.#long?.get(original);
    if (known !== undefined) return known;
    const digest = where.startsWith("messages") ? this.#digestOf(original) : undefined;
    const clean = digest === undefined ? undefined : this.#known.clean.find(digest);
    if (clean) {
      spend(clean.value);
      return original;
    }
    const left = unitsLeft();
    const masked = this.#settled(original, (current, find, places) => editText(current, find, undefined, places));
    if (digest !== undefined && masked === original) this.#known.clean.keep(digest, left - unitsLeft(), entryWeight);
    this.#long ??= new Map();
    this.#long.set(original, masked);
    return masked;
  }

  /** Masks a text in repeated passes until nothing more is found. */
  #settled(
    original: string,
    edited: (current: string, find: FindEdits, places: (part: string) => readonly number[]) => string,
  ): string {
    let current = original;
    for (let pass = 0; pass < maxPasses; pass++) {
      const { find, places } = this.#finder();
      const next = edited(current, find, places);
      if (next === current || !this.#whole) return next;
      current = next;
    }
    this.#whole = false;
    return current;
  }

  #finder(): { readonly find: FindEdits; readonly places: (part: string) => readonly number[] } {
    // Made at first use, because it is rarely needed.
    let quiet: Set<string> | undefined;
    let seen: Set<string> | undefined;
    const take = (part: string, { start, end, detector }: Finding, across: boolean): Edit => {
      if (detector === unscannedId) this.#whole = false;
      const value = part.slice(start, end);
      // A value found in a string is found again in the text around it.
      if (!across || !seen?.has(value)) this.#found.push({ detector, value });
      seen ??= new Set();
      seen.add(value);
      return { start, end, text: tokenOf(detector, value, this.#pseudonym) };
    };
    return {
      find: (part, key, across) => {
        if (across && quiet?.has(part)) return [];
        const findings = across ? this.#scanner.find(part) : this.#named(part, key);
        return findings.map((finding) => take(part, finding, across));
      },
      places: (part) => {
        const at = this.#scanner.places(part);
        // Of a text without a backslash nothing more is asked then.
        if (at.length === 0 && part.includes("\\")) {
          quiet ??= new Set();
          quiet.add(part);
        }
        return at;
      },
    };
  }

  /** Returns what detectors find in a field's value; it depends only on the value and the name of the field. */
  #named(part: string, key: string | undefined): readonly Finding[] {
    const { values } = this.#known;
    // The length says where the name ends, so that no two pairs are one text.
    const pair = key === undefined ? `:${part}` : `${key.length}:${key}${part}`;
    if (values.has(pair)) return [];
    const left = unitsLeft();
    const findings = findNamed(this.#scanner, part, key);
    if (findings.length === 0) values.add(pair, left - unitsLeft());
    return findings;
  }

  /** Patterns look at every text, but not at the names of fields. */
  #withPatterns(value: unknown): unknown {
    if (this.#patterns.length === 0 || holdsNothing(value, (part) => this.#isQuiet(part), this.#known.parts))
      return value;
    return this.#map(value, (original) =>
      this.#patterns.reduce((part, pattern) => this.#replaced(part, pattern), original),
    );
  }

  /** True if no pattern finds anything in a text, and none of it is left out. */
  #isQuiet(part: string): boolean {
    const { texts } = this.#known;
    // No pattern replaces nothing.
    if (part === "" || texts.has(part)) return true;
    const left = unitsLeft();
    for (const { patterns } of this.#patterns) if (patternEdits(part, [], patterns).length > 0) return false;
    texts.add(part, left - unitsLeft());
    return true;
  }

  #replaced(part: string, { detector, patterns }: NamedPattern): string {
    const edits = patternEdits(part, [], patterns).filter(
      ({ start, end, text: made }) => made !== part.slice(start, end),
    );
    this.#found.push(...edits.map(({ start, end }) => ({ detector, value: part.slice(start, end) })));
    return splice(part, edits);
  }
}
