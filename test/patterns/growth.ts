import { type Pump, pumpsOf } from "./automaton.ts";
import { stepsOf } from "./steps.ts";
import { type Read, readPattern } from "./syntax.ts";

/** Lengths that are compared, and how many times the steps may grow where the text doubles. */
const [once, twice] = [120, 240];
const growth = 3;
const most = 100_000;
/** A search with fewer comparisons for each character does not backtrack. */
const usual = 24;
/** Maximum number of repeated parts tried for one pattern. */
const tried = 20;

/** Ends of the text that prevent a match. */
const tails = [
  "",
  "\u0001",
  "\n\u0001",
  "!",
  "\n",
  " a",
  "/",
  '"',
  "'",
  ")",
  "]",
  "}",
  "=",
  ":",
  "-",
  "a",
  "0",
  "\u2028a",
  "a\u2028a",
];
/** Separators of the repeats, for patterns with word or line boundaries; within a repeat, for texts that end with their line. */
const around: readonly ((again: string) => string)[] = [
  (again) => again,
  (again) => `${again} `,
  (again) => `${again};`,
  (again) => `\n${again}`,
  (again) => `${again.slice(0, -1)}\n${again.slice(-1)}`,
];

/**
 * Returns a text over which the platform's search for a pattern takes steps in the square of its length, or more; undefined if
 * none was found. Counts steps, asks no clock.
 */
export function slowText(source: string, flags: string): string | undefined {
  const read = readPattern(source, flags);
  for (const pump of pumpsOf(read).slice(0, tried)) {
    const text = slowBy(read, pump);
    if (text !== undefined) return text;
  }
  return undefined;
}

function slowBy(read: Read, { head, again }: Pump): string | undefined {
  for (const part of around.map((made) => made(again)))
    for (const tail of tails) {
      const text = (length: number): string => head + part.repeat(Math.ceil(length / part.length)) + tail;
      const long = stepsOf(read, text(twice), most);
      if (long < usual * twice) continue;
      if (long > growth * stepsOf(read, text(once), most) || long >= most) return `${head}(${part})*${tail}`;
    }
  return undefined;
}
