import type { MaskedValue } from "../schema/generated.ts";
import type { JudgedEvent } from "../schema/judged-event.ts";
import { limits } from "../schema/limits.ts";
import type { FoundValue, Pseudonym, RecordMask } from "../schema/ports.ts";
import { digest, sha256 } from "./canonical.ts";
import { eventDigest } from "./event-digest.ts";
import { eventTexts } from "./event-json.ts";
import type { Plan, PlanPolicy } from "./plan.ts";

/** Form in which records of a plan keep events. */
export type Keep = PlanPolicy["audit"]["keep"];

/** Returns the strictest form that the policies of a plan ask for: digests alone, then masked views, then whole events. */
export function keepOf({ policies }: Plan): Keep {
  let keep: Keep = policies.length === 0 ? "digests" : "events";
  // A repository's untrusted policies cannot reduce what others record; they count only where there are no other policies.
  const others = policies.some(({ scope, untrusted }) => scope !== "builtin" && !untrusted);
  for (const { audit, untrusted } of policies) {
    if (untrusted && others) continue;
    if (audit.keep === "digests") return "digests";
    if (audit.keep === "views") keep = "views";
  }
  return keep;
}

/** How the values of a record are masked: tokens of the session, and digests under a key of the installation. */
export interface Masking {
  readonly mask: RecordMask;
  readonly pseudonym: Pseudonym;
  readonly valueDigest: Pseudonym;
}

/** An event as its record has it. */
export interface RecordedEvent {
  readonly event_digest: string;
  readonly view?: unknown;
  readonly view_masked?: true;
  readonly masked?: MaskedValue[];
}

/**
 * Digest and view of an event, masked before either is made, so that not even the digest confirms a guess at a secret.
 * An event kept whole has its unmasked digest. An event that could not be searched is withheld. Source: threats section
 * 3.2, items 1 and 10.
 */
export function recordedEvent(
  event: JudgedEvent,
  keep: Keep,
  { mask, pseudonym, valueDigest }: Masking,
): RecordedEvent {
  if (keep === "events") return { event_digest: eventDigest(event), view: event };
  // A conversation is read message by message, so its whole text is not needed.
  const texts = event.messages?.length ? undefined : eventTexts(event);
  const json = texts?.json;
  const found = mask.mask(event, json ?? "", pseudonym, texts?.bare);
  if (!found) return withheld(event);
  const clean = found.value === event;
  const shown = found.value;
  const about: { -readonly [Name in keyof RecordedEvent]: RecordedEvent[Name] } = {
    event_digest: clean && json !== undefined ? sha256(json) : eventDigest(shown as JudgedEvent),
  };
  if (found.found.length > 0) about.masked = maskedValues(found.found, valueDigest);
  if (keep === "digests") return about;
  const { value, cut } = bounded(shown);
  about.view = value;
  if (cut || !clean) about.view_masked = true;
  return about;
}

function withheld({ event, id }: JudgedEvent): RecordedEvent {
  return {
    event_digest: digest({ event, id, withheld: true }),
    view_masked: true,
    masked: [{ detector: "secrets/unscanned", count: 1 }],
  };
}

/** Lists each value once, by a digest under the installation's key; without a key, or over the bound, by detector only. */
export function maskedValues(found: readonly FoundValue[], valueDigest: Pseudonym): MaskedValue[] {
  const values = new Map<string, { detector: string; value: string; count: number }>();
  for (const { detector, value } of found) {
    const key = `${detector}\0${value}`;
    const known = values.get(key);
    if (known) known.count += 1;
    else values.set(key, { detector, value, count: 1 });
  }
  const listed = new Map<string, MaskedValue>();
  for (const { detector, value, count } of values.values()) {
    const hex = listed.size < limits.recordedMasks ? valueDigest(value) : undefined;
    const key = `${detector}\0${hex ?? ""}`;
    const known = listed.get(key);
    if (known) known.count += count;
    else listed.set(key, { detector, count, ...(hex !== undefined && { digest: `hmac-sha256:${hex}` }) });
  }
  return [...listed.values()];
}

/** Cuts a text to `limits.recordedText` characters, and adds how much was left out. */
export function boundedText(text: string, most: number = limits.recordedText): string {
  if (text.length <= most) return text;
  const end = isHighSurrogate(text.charCodeAt(most - 1)) ? most - 1 : most;
  return `${text.slice(0, end)}[… ${text.length - end} of ${text.length} characters left out]`;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Returns a value within the bounds of records (`limits.recorded…`); the same object if nothing was left out. */
export function bounded(value: unknown): { readonly value: unknown; readonly cut: boolean } {
  // Most values are within the bounds, and looking at one costs less than copying it.
  if (new Measure(limits.recordedView, limits.recordedValues).fits(value, 0)) return { value, cut: false };
  const made = new Bounder();
  const shown = made.value(value, 0);
  return made.cut ? { value: shown, cut: true } : { value, cut: false };
}

/** Tells whether `Bounder` would leave a value as it is: counts the same things in the same order. */
class Measure {
  /** Units of text and values that are left. */
  text: number;
  values: number;

  constructor(text: number, values: number) {
    this.text = text;
    this.values = values;
  }

  fits(value: unknown, depth: number): boolean {
    if (typeof value === "string") return this.#takes(value);
    if (typeof value !== "object" || value === null) return true;
    if (Array.isArray(value)) {
      if (!this.#opens(value.length, depth)) return false;
      for (const item of value) if (!this.fits(item, depth + 1)) return false;
      return true;
    }
    const keys = Object.keys(value);
    if (!this.#opens(keys.length, depth)) return false;
    for (const key of keys) {
      if (key.length > limits.interpolated || !this.fits((value as Record<string, unknown>)[key], depth + 1))
        return false;
    }
    return true;
  }

  #takes(text: string): boolean {
    this.text -= text.length;
    return text.length <= limits.recordedText && this.text >= 0;
  }

  #opens(size: number, depth: number): boolean {
    this.values -= 1 + size;
    return size <= limits.recordedItems && (size === 0 || (depth < limits.recordedDepth && this.values >= 0));
  }
}

/** Depth of the messages of an event; most messages are within the bounds, even if there are too many. */
const messageDepth = 2;

/** Cuts texts, lists, objects and depth. Recursion is at most `limits.recordedDepth` deep. */
class Bounder {
  cut = false;
  #text: number = limits.recordedView;
  #values: number = limits.recordedValues;

  value(value: unknown, depth: number): unknown {
    if (typeof value === "string") return this.#bound(value);
    if (typeof value !== "object" || value === null) return value;
    if (depth === messageDepth && this.#fits(value)) return value;
    const size = Array.isArray(value) ? value.length : Object.keys(value).length;
    this.#values -= 1 + Math.min(size, limits.recordedItems);
    if (size > 0 && (depth >= limits.recordedDepth || this.#values < 0)) return this.#left(size);
    return Array.isArray(value) ? this.#list(value, depth + 1) : this.#object(value as object, depth + 1);
  }

  /** True if a value at this depth fits whole; its size is then taken from the bounds. */
  #fits(value: object): boolean {
    const measure = new Measure(this.#text, this.#values);
    if (!measure.fits(value, messageDepth)) return false;
    this.#text = measure.text;
    this.#values = measure.values;
    return true;
  }

  #bound(text: string): string {
    const most = Math.max(0, Math.min(limits.recordedText, this.#text));
    this.#text -= Math.min(text.length, most);
    if (text.length <= most) return text;
    this.cut = true;
    return boundedText(text, most);
  }

  #left(count: number): string {
    this.cut = true;
    return `[… ${count} left out]`;
  }

  #list(list: readonly unknown[], depth: number): unknown[] {
    const { recordedItems } = limits;
    if (list.length <= recordedItems) return list.map((item) => this.value(item, depth));
    const head = recordedItems / 4;
    const tail = recordedItems - head - 1;
    const part = (items: readonly unknown[]): unknown[] => items.map((item) => this.value(item, depth));
    return [...part(list.slice(0, head)), this.#left(list.length - head - tail), ...part(list.slice(-tail))];
  }

  #object(object: object, depth: number): Record<string, unknown> {
    const entries = Object.entries(object);
    const kept = entries.length <= limits.recordedItems ? entries : entries.slice(0, limits.recordedItems - 1);
    const shown = kept.map(([key, value], i) => [this.#key(key, i), this.value(value, depth)] as const);
    const rest = entries.length - kept.length;
    // `fromEntries` defines own properties, so a key `__proto__` stays one.
    return Object.fromEntries(rest === 0 ? shown : [...shown, ["…", this.#left(rest)]]);
  }

  /** Shortens a long name to its beginning and its index, so that two of them stay distinct. */
  #key(key: string, place: number): string {
    if (key.length <= limits.interpolated) return key;
    this.cut = true;
    return `${boundedText(key, limits.interpolated)} (${place})`;
  }
}
