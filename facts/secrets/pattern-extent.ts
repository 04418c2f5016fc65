/** Common properties of all matches of a pattern, for the window round a keyword. */
export interface Extent {
  /** Shortest and longest match in UTF-16 units; the longest is Infinity where nothing bounds it. */
  readonly min: number;
  readonly max: number;
  /** True if a match is made of token characters only, so that it lies within one run of them. */
  readonly solid: boolean;
}

/** True for a character of tokens. A match of such characters alone cannot reach beyond a run of them. */
export function isTokenCode(code: number): boolean {
  return code < 128 && tokenCodes[code] === 1;
}

const tokenCodes = new Uint8Array(128);
for (const c of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.+/=~%:$!|") {
  tokenCodes[c.charCodeAt(0)] = 1;
}

const empty: Extent = { min: 0, max: 0, solid: true };

/**
 * Extent of an RE2 pattern in the subset that detector rows use: literals, classes, groups, flags, alternation, counted repeats,
 * `^ $ \b`. Unknown syntax counts as unbounded. Recursion is as deep as the row's groups.
 */
export function extentOf(pattern: string): Extent {
  const reader = new Reader(pattern);
  const extent = reader.alternatives();
  return reader.done ? extent : { min: 0, max: Number.POSITIVE_INFINITY, solid: false };
}

class Reader {
  readonly #pattern: string;
  #at = 0;
  #folds = false;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  get done(): boolean {
    return this.#at >= this.#pattern.length;
  }

  alternatives(): Extent {
    let all = this.#sequence();
    while (this.#take("|")) {
      const next = this.#sequence();
      all = { min: Math.min(all.min, next.min), max: Math.max(all.max, next.max), solid: all.solid && next.solid };
    }
    return all;
  }

  #sequence(): Extent {
    let { min, max, solid } = empty;
    while (!this.done && !/[|)]/.test(this.#pattern[this.#at] as string)) {
      const next = this.#repeated(this.#atom());
      min += next.min;
      max += next.max;
      solid &&= next.solid;
    }
    return { min, max, solid };
  }

  #repeated(one: Extent): Extent {
    const found = /^(?:([?*+])|\{(\d+)(?:(,)(\d*))?\})\??/.exec(this.#pattern.slice(this.#at, this.#at + 16));
    if (!found) return one;
    this.#at += found[0].length;
    const least = found[1] === undefined ? Number(found[2]) : found[1] === "+" ? 1 : 0;
    const most = this.#most(found);
    return { min: one.min * least, max: one.max === 0 || most === 0 ? 0 : one.max * most, solid: one.solid };
  }

  #most(found: RegExpExecArray): number {
    if (found[1] !== undefined) return found[1] === "?" ? 1 : Number.POSITIVE_INFINITY;
    if (found[3] === undefined) return Number(found[2]);
    return found[4] === "" ? Number.POSITIVE_INFINITY : Number(found[4]);
  }

  #atom(): Extent {
    const c = this.#pattern[this.#at] as string;
    if (c === "(") return this.#group();
    if (c === "[") return this.#class();
    this.#at += 1;
    if (c === "^" || c === "$") return empty;
    if (c === ".") return { min: 1, max: 2, solid: false };
    return c === "\\" ? this.#escape() : this.#literal(c);
  }

  #group(): Extent {
    const open = /^\((?:\?([a-z]*)(?:(:)|\)))?/.exec(this.#pattern.slice(this.#at, this.#at + 8)) as RegExpExecArray;
    this.#at += open[0].length;
    const before = this.#folds;
    if (open[1]?.includes("i")) this.#folds = true;
    if (open[1] !== undefined && open[2] === undefined) return empty;
    const inner = this.alternatives();
    this.#take(")");
    this.#folds = before;
    return inner;
  }

  #class(): Extent {
    const text = (/^\[\^?\]?(?:[^\]\\]|\\.)*\]/.exec(this.#pattern.slice(this.#at)) ?? ["["])[0];
    this.#at += text.length;
    if (text.startsWith("[^") || /\\[SWD]/.test(text)) return { min: 1, max: 2, solid: false };
    const plain = text.slice(1, -1).replace(/\\[wd]/g, "0");
    const solid = !this.#folds && !/\\[^.\-/+]/.test(plain) && [...plain.replace(/\\/g, "")].every(isToken);
    return { min: 1, max: 1, solid };
  }

  #escape(): Extent {
    const c = this.#pattern[this.#at] as string;
    this.#at += 1;
    if (c === "b" || c === "B") return empty;
    if (/[SWD]/.test(c)) return { min: 1, max: 2, solid: false };
    if (/[wd]/.test(c)) return { min: 1, max: 1, solid: !this.#folds };
    return /[a-z]/.test(c) ? { min: 1, max: 1, solid: false } : this.#literal(c);
  }

  #literal(c: string): Extent {
    return { min: 1, max: 1, solid: !this.#folds && isToken(c) };
  }

  #take(c: string): boolean {
    if (this.#pattern[this.#at] !== c) return false;
    this.#at += 1;
    return true;
  }
}

function isToken(c: string): boolean {
  return isTokenCode(c.charCodeAt(0));
}
