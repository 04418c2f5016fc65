import { Approximation, type Hole, type Pieces } from "../../../schema/approximation.ts";

/** Letters of the small alphabet over which values are enumerated. */
export const letters = ["a", "b", "/"] as const;

/** Every text over the alphabet up to a length. */
export function textsUpTo(length: number): readonly string[] {
  let last = [""];
  const all = [""];
  for (let i = 0; i < length; i++) {
    last = last.flatMap((text) => letters.map((letter) => text + letter));
    all.push(...last);
  }
  return all;
}

const fillings: Readonly<Record<Hole["hole"], readonly string[]>> = {
  name: textsUpTo(2).filter((text) => !text.includes("/")),
  tail: textsUpTo(2),
};

/** Texts that fit some pieces: every filling of their holes with at most two letters. */
export function valuesOf(pieces: Pieces): readonly string[] {
  return pieces.reduce<readonly string[]>(
    (heads, piece) =>
      heads.flatMap((head) =>
        typeof piece === "string" ? [head + piece] : fillings[piece.hole].map((text) => head + text),
      ),
    [""],
  );
}

/** What a text that is known in part may be, and whether all of it is meant. */
export function enumerated(text: Approximation): { readonly values: readonly string[]; readonly all: boolean } {
  return { values: text.members.flatMap(valuesOf), all: text.form === "all" };
}

/** A random text of which some is known. */
export function randomText(random: () => number): Approximation {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const known = (): string => Array.from({ length: Math.floor(random() * 3) }, () => pick(letters)).join("");
  const hole = (): Hole => ({ hole: pick(["name", "tail"] as const), of: "$X" });
  const pieces = (): Pieces =>
    pick<Pieces>([
      [known(), hole(), known()],
      [hole(), known()],
      [known(), hole()],
      [hole(), known(), hole()],
    ]);
  const form = pick(["few", "pattern", "all", "any"] as const);
  if (form === "any") return new Approximation("any", [[{ hole: "tail", of: "$X" }]]);
  if (form === "pattern") return new Approximation("pattern", [pieces()]);
  if (form === "few")
    return new Approximation(
      "few",
      [...new Set([known(), known(), `${known()}a`])].map((text) => [text]),
    );
  return new Approximation("all", [pieces(), [known()]]);
}
