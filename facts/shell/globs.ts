import { spend } from "../meter.ts";

/**
 * True if a shell glob matches a whole text: `*`, `?`, bracket sets, backslash escapes. `*` crosses any character. Time is at
 * most pattern length times text length. An extended glob counts as matching.
 */
export function globMatches(pattern: string, text: string): boolean {
  if (/[?*+@!]\(/.test(pattern)) return true;
  // A text without a star is looked at once, with one perhaps once for each of its characters.
  spend(1 + ((pattern.includes("*") ? pattern.length * text.length : text.length) >> 5));
  const items = itemsOf(pattern);
  let p = 0;
  let t = 0;
  let star = -1;
  let mark = 0;
  while (t < text.length) {
    const item = items[p];
    if (item === "star") {
      star = p++;
      mark = t;
    } else if (item !== undefined && holds(item, text[t] as string)) {
      p += 1;
      t += 1;
    } else if (star >= 0) {
      p = star + 1;
      t = ++mark;
    } else {
      return false;
    }
  }
  while (items[p] === "star") p += 1;
  return p === items.length;
}

/** One item of a glob: any run, any character, one character, or one of a set. */
type Item = "star" | "any" | { readonly one: string } | { readonly set: string; readonly negated: boolean };

/** Parses a glob once, so that the end of a set is not searched at each character of a text. */
function itemsOf(pattern: string): readonly Item[] {
  spend(pattern.length >> 5);
  const items: Item[] = [];
  let mayClose = true;
  for (let p = 0; p < pattern.length; ) {
    const current = pattern[p] as string;
    const close = current === "[" && mayClose ? pattern.indexOf("]", p + 2) : -1;
    if (current === "[" && close < 0) mayClose = false;
    if (current === "[" && close > 0) {
      const negated = pattern[p + 1] === "!" || pattern[p + 1] === "^";
      items.push({ set: pattern.slice(p + (negated ? 2 : 1), close), negated });
      p = close + 1;
    } else if (current === "\\" && p + 1 < pattern.length) {
      items.push({ one: pattern[p + 1] as string });
      p += 2;
    } else {
      items.push(current === "*" ? "star" : current === "?" ? "any" : { one: current });
      p += 1;
    }
  }
  return items;
}

function holds(item: Exclude<Item, "star">, character: string): boolean {
  if (item === "any") return true;
  return "one" in item ? item.one === character : inSet(item.set, character) !== item.negated;
}

function inSet(set: string, character: string): boolean {
  // A named class such as [:alpha:] is taken to match: the glob then matches more, never less.
  if (set.startsWith("[:")) return true;
  for (let i = 0; i < set.length; i++) {
    const last = set[i + 2];
    if (set[i + 1] === "-" && last !== undefined) {
      if (character >= (set[i] as string) && character <= last) return true;
      i += 2;
    } else if (set[i] === character) {
      return true;
    }
  }
  return false;
}
