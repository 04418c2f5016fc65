import { spend } from "../meter.ts";
import { type Component, mayMeet, type Part } from "./pattern.ts";
import { treeOf } from "./whole-trees.ts";

type Item = ReturnType<Part["items"]>[number];

/**
 * True if in some reading a known character of the path falls on the telling part of the pattern: a known character of its last
 * component that has one. With `tree` the path includes all that lies beneath it. Source: reach page, section 1.
 */
export function tells(path: readonly Component[], pattern: readonly Component[], tree: boolean): boolean {
  const at = pattern.findLastIndex((one) => one.kind === "part" && one.items().some(isLetter));
  const telling = pattern[at];
  if (telling?.kind !== "part") return false;
  const [before, after] = [pattern.slice(0, at), pattern.slice(at + 1)];
  return path.some((part, i) => {
    if (part.kind === "deep" || !spells(part, telling) || !mayMeet(path.slice(0, i), before)) return false;
    const rest = path.slice(i + 1);
    if (mayMeet(rest, after)) return true;
    return tree && (isAllBeneath(after) || mayMeet(treeOf(rest), after));
  });
}

/** True for `**`, alone or before a lone `*`: it also covers the folder itself if that is taken whole. */
function isAllBeneath(pattern: readonly Component[]): boolean {
  const [deep, name, ...more] = pattern;
  if (deep?.kind !== "deep" || more.length > 0) return false;
  return name === undefined || (name.kind === "part" && name.items().every((item) => item === "star"));
}

/** True if both name some name in which a character that one spells is one that the other spells. */
function spells(own: Part, other: Part): boolean {
  if (own.literal !== undefined && other.literal !== undefined) return own.literal === other.literal;
  const [a, b] = [own.items(), other.items()];
  spend(1 + ((a.length * b.length) >> 4));
  const columns = b.length + 1;
  // Bit 1: reached; bit 2: reached over a character that both spell.
  const reached = new Uint8Array((a.length + 1) * columns);
  reached[0] = 1;
  for (let i = 0; i <= a.length; i++)
    for (let j = 0; j <= b.length; j++) {
      const bits = reached[i * columns + j] as number;
      if (bits === 0) continue;
      for (const [to, more] of stepsFrom(a[i], b[j], i, j)) {
        const place = to[0] * columns + to[1];
        reached[place] = (reached[place] as number) | bits | more;
      }
    }
  return ((reached.at(-1) as number) & 2) !== 0;
}

type Step = readonly [to: readonly [number, number], bits: number];

/** Returns the next steps of a walk over two names: a star takes the opposite item, or ends. */
function stepsFrom(x: Item | undefined, y: Item | undefined, i: number, j: number): readonly Step[] {
  const steps: Step[] = [];
  if (x === "star") steps.push([[i + 1, j], 0]);
  if (y === "star") steps.push([[i, j + 1], 0]);
  if (x === undefined || y === undefined) return steps;
  if (x === "star" && y !== "star") steps.push([[i, j + 1], 0]);
  else if (y === "star" && x !== "star") steps.push([[i + 1, j], 0]);
  else if (x !== "star" && y !== "star" && overlap(x, y))
    steps.push([[i + 1, j + 1], isLetter(x) && isLetter(y) ? 2 : 0]);
  return steps;
}

function isLetter(item: Item): boolean {
  return item !== "star" && item.length === 1 && item[0]?.[0] === item[0]?.[1];
}

function overlap(a: Exclude<Item, "star">, b: Exclude<Item, "star">): boolean {
  return a.some((x) => b.some((y) => x[0] <= y[1] && y[0] <= x[1]));
}
