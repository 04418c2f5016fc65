import { spend } from "./meter.ts";
import { sizeOf } from "./regex-syntax.ts";

/** Texts that are read for the price of a call, where the pattern is no large one. */
const shortText = 256;
/** Patterns that are surely no large ones: nothing in them is multiplied. */
const shortPattern = 120;

/** Fixed units of one call of an engine: its input is copied, and its matches are handed back. */
const perCall = 4;
/** Units of one match that is handed back with its groups. */
const perMatch = 60;

/**
 * Instructions up to which an engine caches its state for a text in its memory. It then reads a character in two to sixty
 * nanoseconds, the more the larger the program; beyond, each instruction is followed at each character, in three to five.
 * Measured with texts that are new at each place; nothing interrupts a native call, so the worst is paid before it.
 */
const remembered = 512;

/** Cost of searching with a pattern. */
interface Price {
  /** Instructions. */
  readonly size: number;
  /** Units for 64 characters, at worst. */
  readonly per64: number;
  /** True if finding one match may read all of the text behind it. */
  readonly readsOn: boolean;
}

function priceOf(pattern: string): Price {
  const known = prices.get(pattern);
  if (known) return known;
  const size = sizeOf(pattern);
  const per64 = size <= remembered ? 3 + Math.ceil(size / 6) : size * 5;
  const price = { size, per64, readsOn: readsOn(pattern) };
  if (prices.size >= keptPrices) prices.clear();
  prices.set(pattern, price);
  return price;
}

const prices = new Map<string, Price>();
const keptPrices = 2_048;

/** Spends the most that one search of a text by a pattern may cost. To be called before it, whether or not its answer is remembered. */
export function spendSearch(pattern: string, length: number): void {
  if (length <= shortText && pattern.length <= shortPattern && !pattern.includes("{")) spend(perCall);
  else spend(perCall + Math.ceil((length * priceOf(pattern).per64) / 64));
}

/** Spends the cost of `count` matches of a detector, found one behind the other. */
export function spendMatches(count: number): void {
  spend(count * perMatch);
}

/**
 * Returns a function that charges for each match of a pattern before the next search. To find the end of a match an engine may
 * read beyond it, and the next search reads that text again. If an unbounded repeat is not at the pattern's end, it may read the
 * rest of the text, otherwise at most the pattern's size.
 */
export function matchPayer(pattern: string, length: number): (match: { readonly end: number }) => void {
  return ({ end }) => {
    // Only here, because most texts have no match, and a pattern is read for its price.
    const { per64, readsOn: isOpen, size } = priceOf(pattern);
    const furthest = isOpen ? length : size;
    spend(perMatch + Math.ceil((Math.min(length - end, furthest) * per64) / 64));
  };
}

/** False if every unbounded repeat is at the end of the pattern, or of an alternative outside groups. */
function readsOn(pattern: string): boolean {
  const plain = pattern.replace(/\\./gs, "a").replace(/\[\^?\]?[^\]]*\]?/g, "a");
  for (const { index, 0: repeat } of plain.matchAll(/[*+]|\{\d+,\}/g)) {
    const rest = plain.slice(index + repeat.length);
    if (!/^\??\)*\$?(?:$|\|)/.test(rest) || (rest.includes("|") && /\(/.test(plain))) return true;
  }
  return false;
}

/** Spends the cost of compiling a pattern whose text comes from an event. */
export function spendCompiling(pattern: string): void {
  spend(200 + priceOf(pattern).size * 8);
}
