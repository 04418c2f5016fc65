import { type PatternPart, patternTree } from "./pattern-tree.ts";

/** Places where a way matches the empty text, as a sum: 0 anywhere, 1 at the start, 2 at the end, 3 in an empty text alone. */
const start = 1;
const end = 2;
const both = start | end;

type Ways = readonly (readonly PatternPart[])[];

/**
 * Returns why a search for the pattern succeeds in every text: some way through it matches the empty text at the start or at the
 * end alone. Undefined for any other pattern, and for one that lints do not judge.
 */
export function fitsEveryText(pattern: string): "empty alternative" | "optional" | undefined {
  const tree = patternTree(pattern);
  if (!tree) return undefined;
  if (tree.ways.length > 1 && tree.ways.some((way) => way.length === 0)) return "empty alternative";
  return [...placesOf(tree.ways)].some((place) => place !== both) ? "optional" : undefined;
}

/** Lists where some way can match the empty text; empty where none can. */
function placesOf(ways: Ways): ReadonlySet<number> {
  return new Set(ways.flatMap((way) => [...placesOfWay(way)]));
}

function placesOfWay(parts: readonly PatternPart[]): ReadonlySet<number> {
  let places: ReadonlySet<number> = new Set([0]);
  for (const part of parts) {
    const own = placesOfPart(part);
    places = new Set([...places].flatMap((place) => [...own].map((other) => place | other)));
  }
  return places;
}

function placesOfPart(part: PatternPart): ReadonlySet<number> {
  if (part.least === 0) return new Set([0]);
  if (part.kind === "group") return placesOf(part.ways);
  if (part.kind === "start" || part.text === "\\A") return new Set([start]);
  return part.kind === "end" || part.text === "\\z" ? new Set([end]) : new Set();
}
