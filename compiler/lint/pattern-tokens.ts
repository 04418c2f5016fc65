/** One atom of a regular expression with its least number of repetitions. */
export interface PatternToken {
  /** A literal character, `^`, `$`, or anything else that takes one character (a class, a dot, an escape). */
  readonly kind: "literal" | "start" | "end" | "one" | "zero";
  readonly text: string;
  readonly least: number;
}

/**
 * Returns the atoms of a regular expression that is one sequence, without groups, alternatives and flags. Undefined for any
 * other, which lints do not judge. Fixed work for each character.
 */
export function patternTokens(pattern: string): readonly PatternToken[] | undefined {
  const tokens: PatternToken[] = [];
  for (let at = 0; at < pattern.length; ) {
    const atom = atomAt(pattern, at);
    if (!atom) return undefined;
    at += atom.length;
    const { length, least } = repeatAt(pattern, at);
    at += length;
    tokens.push({ kind: atom.kind, text: atom.text, least });
  }
  return tokens;
}

/** Returns the length of the repetition at a place, 0 where there is none, and how often it repeats at least. */
export function repeatAt(pattern: string, at: number): { readonly length: number; readonly least: number } {
  const repeat = /^(?:[*?]|\+|\{(\d+)(?:,\d*)?\})\??/.exec(pattern.slice(at, at + 24));
  const sign = repeat?.[0][0];
  const least = sign === undefined || sign === "+" ? 1 : sign === "{" ? Number(repeat?.[1]) : 0;
  return { length: repeat?.[0].length ?? 0, least };
}

type Atom = Pick<PatternToken, "kind" | "text"> & { readonly length: number };

/** Returns the atom at a place; undefined for a group, and for what lints do not know. */
export function atomAt(pattern: string, at: number): Atom | undefined {
  const c = pattern[at] as string;
  if ("()|*+?{".includes(c)) return undefined;
  if (c === "^") return { kind: "start", text: c, length: 1 };
  if (c === "$") return { kind: "end", text: c, length: 1 };
  if (c === ".") return { kind: "one", text: c, length: 1 };
  if (c === "[") return classAt(pattern, at);
  if (c !== "\\") return { kind: "literal", text: c, length: 1 };
  const next = pattern[at + 1] ?? "";
  if (/[bBAz]/.test(next)) return { kind: "zero", text: `\\${next}`, length: 2 };
  if (/[dDsSwW]/.test(next)) return { kind: "one", text: `\\${next}`, length: 2 };
  return /[^A-Za-z0-9]/.test(next) ? { kind: "literal", text: next, length: 2 } : undefined;
}

/** A class without a class in it. */
function classAt(pattern: string, at: number): Atom | undefined {
  const found = /^\[\^?\]?(?:\\.|[^\]\\[])*\]/.exec(pattern.slice(at, at + 200));
  return found ? { kind: "one", text: found[0], length: found[0].length } : undefined;
}
