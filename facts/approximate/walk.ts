import type { Pieces } from "../../schema/approximation.ts";
import { spend } from "../meter.ts";

/**
 * One place of a text test: a known character, `one` character but `/`, one of a `set` (unknown, without `/`), a run of
 * characters but `/` (`name`), or a run of any characters (`tail`).
 */
export type Place = { readonly char: string } | "one" | "set" | "name" | "tail";

/** The places of a known text. */
export function placesOf(text: string): Place[] {
  return Array.from(text, (char) => ({ char }));
}

/** How a partly known text meets a test: `telling` where a known part of the text falls on a known part of the test. */
export type Meeting = "no" | "open" | "telling";

/** Larger products are not walked: the answer is then open. */
const largest = 1_000_000;

/** Tells whether some text that fits the pieces passes the test. */
export function meeting(pieces: Pieces, test: readonly Place[]): Meeting {
  const own = spelled(pieces);
  const [rows, columns] = [own.length + 1, test.length + 1];
  if (rows * columns > largest) return "open";
  spend(1 + ((rows * columns) >> 5));
  // Bit 1: reached; bit 2: reached over a known character that the test names.
  const reached = new Uint8Array(rows * columns);
  const reach = (i: number, j: number, bits: number): void => {
    reached[i * columns + j] = (reached[i * columns + j] as number) | bits;
  };
  reach(0, 0, 1);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      const bits = reached[i * columns + j] as number;
      if (bits === 0) continue;
      const [a, b] = [own[i], test[j]];
      if (isRun(a)) reach(i + 1, j, bits);
      if (isRun(b)) reach(i, j + 1, bits);
      if (a === undefined || b === undefined || !share(a, b)) continue;
      // A run on a run goes on as either alone does.
      if (isRun(a) && isRun(b)) continue;
      reach(isRun(a) ? i : i + 1, isRun(b) ? j : j + 1, bits | (isNamed(a, b) ? 2 : 0));
    }
  }
  const bits = reached[rows * columns - 1] as number;
  return bits === 0 ? "no" : (bits & 2) === 0 ? "open" : "telling";
}

/** True if every text that fits the pieces surely passes the test. */
export function covered(pieces: Pieces, test: readonly Place[]): boolean {
  const own = spelled(pieces);
  const [rows, columns] = [own.length + 1, test.length + 1];
  if (rows * columns > largest) return false;
  spend(1 + ((rows * columns) >> 5));
  const reached = new Uint8Array(rows * columns);
  reached[0] = 1;
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      if (reached[i * columns + j] !== 1) continue;
      const [a, b] = [own[i], test[j]];
      if (isRun(b)) reached[i * columns + j + 1] = 1;
      if (a === undefined || b === undefined || !takes(b, a)) continue;
      reached[(i + 1) * columns + (isRun(b) ? j : j + 1)] = 1;
    }
  }
  return reached[rows * columns - 1] === 1;
}

function spelled(pieces: Pieces): Place[] {
  return pieces.flatMap((piece): Place[] => (typeof piece === "string" ? placesOf(piece) : [piece.hole]));
}

function isRun(place: Place | undefined): place is "name" | "tail" {
  return place === "name" || place === "tail";
}

/** True if some character fits both places. */
function share(a: Place, b: Place): boolean {
  if (typeof a === "object" && typeof b === "object") return a.char === b.char;
  if (typeof a === "object") return a.char !== "/" || b === "tail";
  return typeof b !== "object" || b.char !== "/" || a === "tail";
}

/** True for a known character on the same one. Separators of names tell nothing. */
function isNamed(a: Place, b: Place): boolean {
  return typeof a === "object" && typeof b === "object" && a.char !== "/" && a.char !== ".";
}

/** True if a place of a test matches anything that may be at a place of the text. */
function takes(test: Place, own: Place): boolean {
  if (test === "tail") return true;
  if (test === "name") return own === "name" || (typeof own === "object" && own.char !== "/");
  if (typeof own !== "object") return false;
  return typeof test === "object" ? test.char === own.char : test === "one" && own.char !== "/";
}
