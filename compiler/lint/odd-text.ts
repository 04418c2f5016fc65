import type { Span } from "../../diagnostics/source.ts";
import { oddities } from "../../facts/text/facts.ts";
import type { TextOddity } from "../../schema/facts.ts";

/** One odd character of a policy text. */
export interface OddPlace {
  readonly span: Span;
  /** As `U+200B`. */
  readonly code: string;
  /** In words. */
  readonly name: string;
}

/** Odd characters of some kinds; the first 32 of each line, at most one finding for each kind and line. */
export function oddPlaces(text: string, kinds: readonly TextOddity[]): OddPlace[] {
  if (!/[^\t\n\r\x20-\x7e]/.test(text)) return [];
  const found: OddPlace[] = [];
  let start = 0;
  for (const line of text.split("\n")) {
    for (const kind of kinds) {
      const place = oddities(line).places.find((each) => each.kind === kind);
      if (!place) continue;
      const at = start + place.offset;
      found.push({ span: { start: at, end: at + 1 }, code: place.code, name: place.name });
    }
    start += line.length + 1;
  }
  return found;
}
