import { spend } from "../meter.ts";

/**
 * Whether a shell glob matches a whole text: `*`, `?`, bracket sets, backslash escapes. `*` crosses any
 * character. Time is at most pattern length times text length. An extended glob counts as matching.
 */
export function globMatches(pattern: string, text: string): boolean {
  if (/[?*+@!]\(/.test(pattern)) return true;
  // A text without a star is looked at once, with one perhaps once for each of its characters.
  spend(1 + ((pattern.includes("*") ? pattern.length * text.length : text.length) >> 5));
  let p = 0;
  let t = 0;
  let star = -1;
  let mark = 0;
  while (t < text.length) {
    const step = p < pattern.length ? matchOne(pattern, p, text[t] as string) : -1;
    if (pattern[p] === "*") {
      star = p++;
      mark = t;
    } else if (step > 0) {
      p += step;
      t += 1;
    } else if (star >= 0) {
      p = star + 1;
      t = ++mark;
    } else {
      return false;
    }
  }
  while (pattern[p] === "*") p += 1;
  return p === pattern.length;
}

/** Units of the pattern at `p` that match the character, or -1. */
function matchOne(pattern: string, p: number, character: string): number {
  const current = pattern[p];
  if (current === "?") return 1;
  if (current === "\\" && p + 1 < pattern.length) return pattern[p + 1] === character ? 2 : -1;
  if (current !== "[") return current === character ? 1 : -1;
  const close = pattern.indexOf("]", p + 2);
  if (close < 0) return character === "[" ? 1 : -1;
  const negated = pattern[p + 1] === "!" || pattern[p + 1] === "^";
  const inside = inSet(pattern.slice(p + (negated ? 2 : 1), close), character);
  return inside !== negated ? close - p + 1 : -1;
}

function inSet(set: string, character: string): boolean {
  // A named class such as [:alpha:] is taken to match: the glob stands for more, never for less.
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
