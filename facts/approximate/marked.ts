import type { Hole, Pieces } from "../../schema/approximation.ts";

/** Pieces as one text in which each hole is a word of letters and digits, and the way back from parts of that text. */
export interface Marked {
  readonly text: string;
  /** Returns the pieces of a part of that text, in any letter case. */
  pieces(part: string): Pieces;
  /** True for a part that holds a hole. */
  has(part: string): boolean;
}

/**
 * Marks the holes of some pieces, so that parsers of plain texts can take them apart: they find a word in place of each unknown
 * part. The caller must consider what else a hole may hold.
 */
export function marked(pieces: Pieces): Marked {
  const known = pieces
    .filter((piece) => typeof piece === "string")
    .join("")
    .toLowerCase();
  let salt = 0;
  while (known.includes(`q${salt}hole`)) salt++;
  const holes = pieces.filter((piece) => typeof piece === "object");
  const mark = new RegExp(`q${salt}hole(\\d+)x`, "i");
  let at = 0;
  return {
    text: pieces.map((piece) => (typeof piece === "string" ? piece : `q${salt}hole${at++}x`)).join(""),
    pieces: (part) => part.split(mark).map((text, i) => (i % 2 === 0 ? text : (holes[Number(text)] as Hole))),
    has: (part) => mark.test(part),
  };
}
