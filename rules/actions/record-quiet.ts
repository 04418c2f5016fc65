import { spend, unitsLeft } from "../../facts/meter.ts";
import { isMedia, isMediaAddress } from "../../facts/text/media.ts";
import { withoutMedia } from "./redact-media.ts";

/** Texts of one kind that are remembered. */
const rememberedTexts = 2_048;

/**
 * Short texts that were searched and hold no secret; all are forgotten when there are too many. A lookup of a remembered
 * text costs the work of its first search, so that remembering changes no answer.
 */
export class QuietTexts {
  readonly #texts = new Map<string, number>();
  readonly #longest: number;

  /** `longest` in UTF-16 units. */
  constructor(longest: number) {
    this.#longest = longest;
  }

  has(text: string): boolean {
    if (text.length > this.#longest) return false;
    const units = this.#texts.get(text);
    if (units === undefined) return false;
    spend(units);
    return true;
  }

  /** `units` is the work that it took to look at the text. */
  add(text: string, units: number): void {
    // Nothing is no text: who has none to give may hold anything.
    if (text === "" || text.length > this.#longest) return;
    if (this.#texts.size >= rememberedTexts) this.#texts.clear();
    this.#texts.set(text, units);
  }
}

/** Most levels and values of data that are searched here; larger data is masked in full. */
const mostLevels = 24;
const mostValues = 2_048;

/** True for field names that mark data that is no text. It needs no table, because every field is tested. */
function isTelling(key: string): boolean {
  switch (key) {
    case "type":
    case "mimeType":
    case "media_type":
    case "mime_type":
    case "data":
    case "blob":
    case "image_url":
    case "url":
      return true;
    default:
      return false;
  }
}

/**
 * True if every text of plain data is quiet and none of it is media, so that masking would not change it. A short cut for the
 * usual event, in which nothing is masked; false means unknown.
 */
export function holdsNothing(
  value: unknown,
  isQuiet: (text: string) => boolean,
  parts: QuietParts = new WeakMap(),
): boolean {
  return new Look(isQuiet, parts).holdsNothing(value, 0);
}

/** Constant mappings that hold no secret, such as the surroundings that an event shares with the next. */
export type QuietParts = WeakMap<object, number>;

class Look {
  readonly #isQuiet: (text: string) => boolean;
  readonly #parts: QuietParts;
  #left = mostValues;

  constructor(isQuiet: (text: string) => boolean, parts: QuietParts) {
    this.#isQuiet = isQuiet;
    this.#parts = parts;
  }

  holdsNothing(value: unknown, depth: number): boolean {
    this.#left -= 1;
    spend(1);
    if (this.#left < 0 || depth > mostLevels) return false;
    if (typeof value === "string") return this.#isQuiet(value);
    if (typeof value !== "object" || value === null) return true;
    if (!Array.isArray(value)) return this.#object(value as Readonly<Record<string, unknown>>, depth);
    for (const item of value) if (!this.holdsNothing(item, depth + 1)) return false;
    return true;
  }

  #object(object: Readonly<Record<string, unknown>>, depth: number): boolean {
    const known = this.#parts.get(object);
    if (known !== undefined) {
      spend(known);
      return true;
    }
    const units = unitsLeft();
    const before = this.#left;
    if (!this.#holdsNothing(object, depth)) return false;
    if (before - this.#left < mostOfPart && isConstant(object)) this.#parts.set(object, units - unitsLeft());
    return true;
  }

  #holdsNothing(object: Readonly<Record<string, unknown>>, depth: number): boolean {
    for (const key of Object.keys(object)) {
      const value = object[key];
      if (isTelling(key) && (isMediaAddress(value) || isMedia(object) || withoutMedia(object) !== object)) return false;
      if (!this.holdsNothing(value, depth + 1)) return false;
    }
    return true;
  }
}

/** Values of a mapping that is remembered. */
const mostOfPart = 256;

/** Mappings that are known to be constant: they stay so. */
const constants = new WeakSet<object>();

/** True for an immutable mapping of scalars and of mappings of scalars. */
export function isConstant(object: object): boolean {
  if (constants.has(object)) return true;
  if (!staysSame(object, 2)) return false;
  constants.add(object);
  return true;
}

function staysSame(object: object, levels: number): boolean {
  if (levels === 0 || Array.isArray(object) || !Object.isFrozen(object)) return false;
  for (const value of Object.values(object))
    if (typeof value === "object" && value !== null && !staysSame(value as object, levels - 1)) return false;
  return true;
}
