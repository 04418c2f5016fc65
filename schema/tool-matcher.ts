/** One character of a glob, or any number of them. */
type Token =
  | "?"
  | "*"
  | { readonly char: string }
  | { readonly set: ReadonlySet<string>; readonly ranges: Ranges; readonly negated: boolean };

type Ranges = readonly (readonly [first: string, last: string])[];

/** More alternatives than a matcher of an author ever has. */
const maxAlternatives = 256;

/**
 * The tool matcher of a rule: canonical names, or globs in the dialect of policies: `*` and `**` match any run of characters (a
 * name has no folders), `?` matches one, `[a-z]` and `[!a-z]` one of a set, `{a,b}` either; a backslash makes the next character
 * literal. A text that is not a valid glob (`globFault`) is compared literally. An empty list matches every event, with or
 * without a tool. Bounded by the product of both lengths; case-sensitive.
 */
export function toolMatcher(patterns: readonly string[]): (tool: string | undefined) => boolean {
  if (patterns.length === 0) return () => true;
  if (patterns.includes("*")) return (tool) => tool !== undefined;
  const exact = new Set(patterns.filter((pattern) => !isToolGlob(pattern)));
  const globs = patterns.filter(isToolGlob).flatMap((glob) => alternatives(glob).map(tokensOf));
  const [only] = exact;
  // Most rules name one tool, and they are asked of every event.
  if (exact.size === 1 && globs.length === 0) return (tool) => tool === only;
  return (tool) => tool !== undefined && (exact.has(tool) || globs.some((tokens) => matches(tokens, tool)));
}

/** True for a tool matcher that is a glob and no name. */
export function isToolGlob(pattern: string): boolean {
  return /[*?[{\\]/.test(pattern) && globFault(pattern) === undefined;
}

/** Expands a glob that has no signs but braces to its names; undefined for any other text. */
export function namesInBraces(pattern: string): readonly string[] | undefined {
  if (!pattern.includes("{") || /[*?[\]\\]/.test(pattern) || globFault(pattern) !== undefined) return undefined;
  return alternatives(pattern);
}

/**
 * Returns what is wrong with a text as a glob, or undefined: an unclosed set or brace, an empty set, a range whose end comes
 * before its beginning. The same for paths, texts and tools.
 */
export function globFault(glob: string): string | undefined {
  let depth = 0;
  for (let at = 0; at < glob.length; at++) {
    const char = glob[at];
    if (char === "\\") at++;
    else if (char === "{") depth++;
    else if (char === "}" && --depth < 0) return "`}` closes nothing";
    else if (char === "[") {
      const end = closing(glob, at);
      if (end < 0) return "`[` is never closed";
      const turned = backwards(glob.slice(at, end));
      if (turned !== undefined) return `the range \`${turned}\` ends before it begins`;
      at = end - 1;
    }
  }
  return depth > 0 ? "`{` is never closed" : undefined;
}

/**
 * Returns the offset after the `]` that closes the `[` at an offset; -1 if there is none. A `]` directly after the start belongs
 * to the set.
 */
function closing(glob: string, open: number): number {
  const from = open + (/[!^]/.test(glob[open + 1] ?? "") ? 2 : 1);
  return glob.indexOf("]", from + 1) + 1 || -1;
}

/** Returns a range of a set with its ends in the wrong order; undefined if there is none. */
function backwards(set: string): string | undefined {
  return rangesOf(set)
    .find(([first, last]) => first > last)
    ?.join("-");
}

/** The ranges of a set, a single character as one from itself to itself. */
function rangesOf(set: string): Ranges {
  const inner = [...set.slice(/^\[[!^]/.test(set) ? 2 : 1, -1)];
  const ranges: [string, string][] = [];
  for (let at = 0; at < inner.length; at++) {
    const first = inner[at] as string;
    const last = inner[at + 1] === "-" ? inner[at + 2] : undefined;
    ranges.push([first, last ?? first]);
    if (last !== undefined) at += 2;
  }
  return ranges;
}

/** Expands the braces of a glob; over the bound, returns the glob unchanged. */
function alternatives(glob: string): readonly string[] {
  const done: string[] = [];
  const open = [glob];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const braces = firstBraces(next);
    if (!braces) done.push(next);
    else
      for (const part of braces.parts.toReversed())
        open.push(next.slice(0, braces.start) + part + next.slice(braces.end));
    if (done.length + open.length > maxAlternatives) return [glob];
  }
  return done;
}

function firstBraces(
  glob: string,
): { readonly start: number; readonly end: number; readonly parts: readonly string[] } | undefined {
  let start = -1;
  let depth = 0;
  const cuts: number[] = [];
  for (let at = 0; at < glob.length; at++) {
    const char = glob[at];
    if (char === "\\") at++;
    else if (char === "[" && closing(glob, at) > 0) at = closing(glob, at) - 1;
    else if (char === "{") {
      if (depth++ === 0) start = at;
    } else if (char === "," && depth === 1) cuts.push(at);
    else if (char === "}" && --depth === 0) {
      const ends = [...cuts, at];
      return { start, end: at + 1, parts: ends.map((end, i) => glob.slice((ends[i - 1] ?? start) + 1, end)) };
    }
  }
  return undefined;
}

/** A glob without braces as tokens. */
function tokensOf(glob: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < glob.length; at++) {
    const char = glob[at] as string;
    if (char === "*") {
      if (tokens.at(-1) !== "*") tokens.push("*");
    } else if (char === "?") tokens.push("?");
    else if (char === "[" && closing(glob, at) > 0) {
      const end = closing(glob, at);
      const ranges = rangesOf(glob.slice(at, end));
      const singles = new Set(ranges.flatMap(([first, last]) => (first === last ? [first] : [])));
      tokens.push({
        set: singles,
        ranges: ranges.filter(([a, b]) => a !== b),
        negated: /[!^]/.test(glob[at + 1] ?? ""),
      });
      at = end - 1;
    } else tokens.push({ char: char === "\\" && at + 1 < glob.length ? (glob[++at] as string) : char });
  }
  return tokens;
}

function takes(token: Token | undefined, char: string): boolean {
  if (token === undefined || token === "*") return false;
  if (token === "?") return true;
  if ("char" in token) return token.char === char;
  const among = token.set.has(char) || token.ranges.some(([first, last]) => first <= char && char <= last);
  return among !== token.negated;
}

/** Greedy match with a single backtracking point. */
function matches(tokens: readonly Token[], name: string): boolean {
  let t = 0;
  let n = 0;
  let star = -1;
  let mark = 0;
  while (n < name.length) {
    if (takes(tokens[t], name[n] as string)) {
      t++;
      n++;
    } else if (tokens[t] === "*") {
      star = t++;
      mark = n;
    } else if (star >= 0) {
      t = star + 1;
      n = ++mark;
    } else return false;
  }
  while (tokens[t] === "*") t++;
  return t === tokens.length;
}
