import { atomAt, type PatternToken, repeatAt } from "./pattern-tokens.ts";

/** A part of a regular expression: an atom, or a group with its alternatives. */
export type PatternPart = PatternToken | PatternGroup;

/** Group with its minimum number of repeats. */
export interface PatternGroup {
  readonly kind: "group";
  readonly ways: readonly (readonly PatternPart[])[];
  readonly least: number;
}

/** A whole regular expression. */
export interface PatternTree {
  readonly ways: readonly (readonly PatternPart[])[];
  /** True where letters of both cases match. */
  readonly folds: boolean;
}

const mostNested = 20;

/**
 * Parses a regular expression into alternatives of parts. Undefined if a flag changes `^` and `$` or applies to a part, if
 * groups nest too deeply, or if the syntax is unknown here: lints do not judge those. Constant work for each character.
 */
export function patternTree(pattern: string): PatternTree | undefined {
  const flags = /^\(\?([a-zA-Z]+)\)/.exec(pattern)?.[1] ?? "";
  if (/[^is]/.test(flags)) return undefined;
  const reader = { pattern, at: flags === "" ? 0 : flags.length + 3 };
  const ways = waysAt(reader, 0);
  return ways && reader.at === pattern.length ? { ways, folds: flags.includes("i") } : undefined;
}

interface Reader {
  readonly pattern: string;
  at: number;
}

function waysAt(reader: Reader, depth: number): PatternPart[][] | undefined {
  if (depth > mostNested) return undefined;
  const ways: PatternPart[][] = [[]];
  for (;;) {
    const c = reader.pattern[reader.at];
    if (c === undefined || c === ")") return ways;
    if (c === "|") {
      ways.push([]);
      reader.at++;
      continue;
    }
    const part = c === "(" ? groupAt(reader, depth) : tokenAt(reader);
    if (!part) return undefined;
    ways.at(-1)?.push(part);
  }
}

function groupAt(reader: Reader, depth: number): PatternGroup | undefined {
  const open = /^\((?:\?:|\?P?<\w{1,60}>|(?!\?))/.exec(reader.pattern.slice(reader.at, reader.at + 70));
  if (!open) return undefined;
  reader.at += open[0].length;
  const ways = waysAt(reader, depth + 1);
  if (!ways || reader.pattern[reader.at] !== ")") return undefined;
  reader.at++;
  return { kind: "group", ways, least: leastAt(reader) };
}

function tokenAt(reader: Reader): PatternToken | undefined {
  const atom = atomAt(reader.pattern, reader.at);
  if (!atom) return undefined;
  reader.at += atom.length;
  return { kind: atom.kind, text: atom.text, least: leastAt(reader) };
}

function leastAt(reader: Reader): number {
  const { length, least } = repeatAt(reader.pattern, reader.at);
  reader.at += length;
  return least;
}
