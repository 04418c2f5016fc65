import { limits } from "../schema/limits.ts";
import type { RegexError } from "../schema/ports.ts";
import {
  isLongUnicodeName,
  refuse,
  refusedEscape,
  refusedFlags,
  refusedGroup,
  refusedName,
  refusedUnicodeClass,
} from "./regex-refusals.ts";

/** A pattern in the spelling that both engines read alike, or why it is refused. */
export type Prepared =
  | {
      readonly kind: "prepared";
      readonly pattern: string;
      /** Its instructions, never fewer than the engines make of it. */
      readonly size: number;
    }
  | RegexError;

const maxRepeat = 1000;

/**
 * Sizes of a pattern's parts in a compiled program, in instructions; never less than the addon makes of them. The addon refuses
 * programs over its memory and the script engine does not; the sum over a pattern keeps both below that limit.
 */
const sizes = { plain: 2, wide: 4, some: 5, script: 30, category: 300, union: 350 } as const;

/**
 * Checks a pattern against the RE2 syntax and rewrites what the two engines spell differently: `(?<n>` becomes
 * `(?P<n>`, `\Q…\E` plain escapes, and flags a leading group. One pass, no recursion. Source: RE2 syntax page.
 */
export function prepare(pattern: string, flags: string): Prepared {
  const walker = new Walker(pattern);
  const error = walker.walk();
  if (error) return error;
  const text = `${flags === "" ? "" : `(?${flags})`}${walker.out.join("")}`;
  return { kind: "prepared", pattern: text, size: walker.size };
}

/** Returns the most instructions that a pattern may have; for a refused one, the bound of all patterns. */
export function sizeOf(pattern: string): number {
  const walker = new Walker(pattern);
  return walker.walk() ? limits.patternSize : walker.size;
}

class Walker {
  readonly out: string[] = [];
  readonly #text: string;
  readonly #open: number[] = [];
  readonly #names = new Set<string>();
  #at = 0;
  /** True if a repeat operator may follow here. */
  #repeatable = false;
  /** True right behind a repeat operator. */
  #repeated = false;
  /** Sizes of each open group's content, outermost first; of the part that a repeat would multiply; and of all. */
  readonly #sizes: number[] = [0];
  #last = 0;
  #total = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Instructions of the pattern walked so far. */
  get size(): number {
    return this.#total;
  }

  walk(): RegexError | undefined {
    while (this.#at < this.#text.length) {
      const start = this.#at;
      const error = this.#step(this.#text[start] as string);
      if (error) return error;
      if (this.#total > limits.patternSize) {
        const help = "use `*` or `+` in place of a large repeat, or ASCII classes such as `[a-z]`";
        return refuse(`pattern is too large from here on; ${help}`, start, this.#at);
      }
    }
    const open = this.#open.at(-1);
    return open === undefined ? undefined : refuse("group `(` is never closed; add `)` or write `\\(`", open);
  }

  #step(c: string): RegexError | undefined {
    if (c === "\\") return this.#escape(false);
    if (c === "[") return this.#charClass();
    if (c === "(") return this.#group();
    if (c === ")") return this.#close();
    if (c === "*" || c === "+" || c === "?") return this.#repeat(1);
    if (c === "{") return this.#counted();
    this.#copy(1);
    this.#atom(c === "." ? sizes.some : c > "\u007f" ? sizes.wide : sizes.plain);
    this.#repeatable = c !== "|";
    return undefined;
  }

  #copy(length: number): void {
    this.out.push(this.#text.slice(this.#at, this.#at + length));
    this.#at += length;
  }

  #atom(size: number = sizes.some): void {
    this.#repeatable = true;
    this.#repeated = false;
    this.#grow(size);
    this.#last = size;
  }

  #grow(size: number): void {
    this.#sizes[this.#sizes.length - 1] = (this.#sizes.at(-1) ?? 0) + size;
    this.#total += size;
  }

  #group(): RegexError | undefined {
    const start = this.#at;
    this.#open.push(start);
    this.#sizes.push(sizes.plain);
    this.#total += sizes.plain;
    if (!/[?*]/.test(this.#text[start + 1] ?? "")) {
      this.#copy(1);
      this.#repeatable = false;
      this.#repeated = false;
      return undefined;
    }
    const refused = refusedGroup(this.#text, start);
    if (refused) return refused;
    if (this.#text[start + 1] === "*")
      return refuse("nothing to repeat before `*`; write `\\*` for the character", start + 1);
    const rest = this.#text.slice(start + 2, start + 80);
    const named = /^P?<([^>]*)>/.exec(rest);
    if (named) return this.#named(named[1] as string, start, named[0].length);
    if (rest.startsWith("<") || rest.startsWith("P<"))
      return refuse("group name is never closed by `>`; write `(?P<name>…)`", start, start + 2 + rest.length);
    return this.#flags(start, rest);
  }

  #named(name: string, start: number, length: number): RegexError | undefined {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return refusedName(name, start, length + 2);
    if (this.#names.has(name))
      return refuse(`group name \`${name}\` is used twice; rename one: \`(?P<${name}2>\``, start, start + length + 2);
    this.#names.add(name);
    this.out.push(`(?P<${name}>`);
    this.#at = start + 2 + length;
    this.#repeatable = false;
    this.#repeated = false;
    return undefined;
  }

  #flags(start: number, rest: string): RegexError | undefined {
    const match = /^([imsU]*)(-[imsU]+)?([:)])/.exec(rest);
    if (!match || match[0] === ")") return refusedFlags(this.#text, start);
    if (match[3] === ")") this.#leave();
    this.#copy(2 + match[0].length);
    this.#repeatable = false;
    this.#repeated = false;
    return undefined;
  }

  #close(): RegexError | undefined {
    if (this.#open.length === 0) return refuse("`)` without `(`; remove it or write `\\)`", this.#at);
    this.#copy(1);
    this.#atom(this.#leave());
    return undefined;
  }

  /** Leaves a group; its size is that of one part. */
  #leave(): number {
    this.#open.pop();
    const size = this.#sizes.pop() ?? 0;
    this.#total -= size;
    return size;
  }

  #repeat(length: number): RegexError | undefined {
    const operator = this.#text.slice(this.#at, this.#at + length);
    if (this.#repeated) {
      if (operator === "+")
        return refuse("possessive repeat is not in RE2 and not needed; remove the second `+`", this.#at);
      const help = `write the first as \`(?:…)\`, and \`${operator}\` behind it`;
      return refuse(`repeat \`${operator}\` follows a repeat; ${help}`, this.#at, this.#at + length);
    }
    if (!this.#repeatable)
      return refuse(
        `nothing to repeat before \`${operator}\`; write \`\\${operator}\` for the character`,
        this.#at,
        this.#at + length,
      );
    this.#copy(length);
    if (this.#text[this.#at] === "?") this.#copy(1);
    this.#repeated = true;
    return undefined;
  }

  #counted(): RegexError | undefined {
    const match = /^\{(\d{1,9})(?:(,)(\d{0,9}))?\}/.exec(this.#text.slice(this.#at, this.#at + 24));
    if (!match) {
      // RE2 reads a brace that is no repeat as itself; escaped so that no engine can differ.
      this.out.push("\\{");
      this.#at += 1;
      this.#atom();
      return undefined;
    }
    const low = Number(match[1]);
    const high = match[2] === undefined ? low : match[3] === "" ? low : Number(match[3]);
    const end = this.#at + match[0].length;
    if (low > maxRepeat || high > maxRepeat) {
      const open = low === 0 ? "*" : `{${Math.min(low, maxRepeat)},}`;
      const help = `write \`${open}\`, and test \`size\` where the number matters`;
      return refuse(`repeat \`${match[0]}\` is over ${maxRepeat}; ${help}`, this.#at, end);
    }
    if (high < low) return refuse(`repeat \`${match[0]}\` counts down; write \`{${high},${low}}\``, this.#at, end);
    const refused = this.#repeat(match[0].length);
    if (!refused) this.#grow(this.#last * Math.max(0, high - 1));
    return refused;
  }

  #escape(inClass: boolean): RegexError | undefined {
    const start = this.#at;
    const c = this.#text[start + 1];
    if (c === undefined) return refuse("trailing backslash; write `\\\\`", start);
    const refused = refusedEscape(this.#text, start, inClass);
    if (refused) return refused;
    if (c === "Q") return this.#quoted();
    if (c === "p" || c === "P") return this.#property(start);
    if (c === "x") return this.#hex(start);
    if (c === "E") {
      this.#at += 2;
      return undefined;
    }
    if (/[A-Za-z]/.test(c) && !"aftnrvdDsSwWbBAz".includes(c))
      return refuse(`unknown escape \`\\${c}\`; write \`${c}\` without the backslash`, start, start + 2);
    return this.#plainEscape(c);
  }

  #plainEscape(c: string): undefined {
    const codePoint = this.#text.codePointAt(this.#at + 1) as number;
    // RE2 refuses an escaped letter outside ASCII and `\_`; both mean the character itself.
    if (c === "_" || codePoint > 0x7f) {
      this.#at += 1;
      this.#copy(codePoint > 0xffff ? 2 : 1);
    } else {
      this.#copy(2);
      if (c >= "0" && c <= "7") for (let n = 0; n < 2 && /[0-7]/.test(this.#text[this.#at] ?? ""); n++) this.#copy(1);
    }
    this.#atom();
    return undefined;
  }

  #hex(start: number): RegexError | undefined {
    const match = /^\\x(?:[0-9A-Fa-f]{2}|\{([0-9A-Fa-f]{1,8})\})/.exec(this.#text.slice(start, start + 14));
    if (!match) return refuse("invalid `\\x`; write two hexadecimal digits or `\\x{…}`", start, start + 2);
    const code = Number.parseInt(match[1] ?? "0", 16);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
      return refuse(
        `\`${match[0]}\` is no Unicode character; write one from \`\\x{0}\` to \`\\x{10ffff}\``,
        start,
        start + match[0].length,
      );
    this.#copy(match[0].length);
    this.#atom();
    return undefined;
  }

  #property(start: number): RegexError | undefined {
    const match = /^\\[pP](?:([A-Z])|\{(\^?)([^}]{1,40})\})/.exec(this.#text.slice(start, start + 50));
    if (!match) return refuse("invalid Unicode class; write `\\pL`, `\\p{Lu}` or `\\p{Greek}`", start, start + 2);
    const name = match[3] ?? (match[1] as string);
    if (
      !/^(?:Any|[CLMNPSZ]|(?:C[cfo]|L[lmotu]|M[cen]|N[dlo]|P[cdefios]|S[ckmo]|Z[lps])|[A-Z][a-z]{2,}(?:_[A-Z][a-z]+)*)$/.test(
        name,
      ) ||
      isLongUnicodeName(name)
    ) {
      return refusedUnicodeClass(match[0], name, start);
    }
    this.#copy(match[0].length);
    this.#atom(/^.{0,2}$/.test(name) ? sizes.category : sizes.script);
    return undefined;
  }

  #quoted(): undefined {
    const start = this.#at + 2;
    const end = this.#text.indexOf("\\E", start);
    const literal = this.#text.slice(start, end < 0 ? undefined : end);
    for (const c of literal) this.out.push(/^[!-/:-@[-^`{-~]$/.test(c) ? `\\${c}` : c);
    this.#at = end < 0 ? this.#text.length : end + 2;
    if (literal === "") return undefined;
    this.#grow(literal.length * sizes.wide);
    this.#atom(sizes.wide);
    return undefined;
  }

  #charClass(): RegexError | undefined {
    const start = this.#at;
    const before = this.#total;
    this.#copy(this.#text[start + 1] === "^" ? 2 : 1);
    for (let first = true; ; first = false) {
      const c = this.#text[this.#at];
      if (c === undefined) return refuse("class `[` is never closed; add `]` or write `\\[`", start);
      if (c === "]" && !first) break;
      const error = this.#classMember(c);
      if (error) return error;
    }
    this.#copy(1);
    // Parts of a class become one part, whose ranges are joined.
    const size = Math.min(sizes.union, this.#total - before + sizes.some);
    this.#grow(before - this.#total);
    this.#atom(size);
    return undefined;
  }

  #classMember(c: string): RegexError | undefined {
    if (c === "\\") return this.#escape(true);
    if (c === "[") {
      const posix = /^\[:(\^?)([a-z]+):\]/.exec(this.#text.slice(this.#at, this.#at + 16));
      if (posix) {
        const name = posix[2] as string;
        if (!posixClasses.has(name))
          return refuse(`unknown class \`${posix[0]}\`; ${nearClass(name)}`, this.#at, this.#at + posix[0].length);
        this.#copy(posix[0].length);
        return undefined;
      }
      this.out.push("\\[");
      this.#at += 1;
      return undefined;
    }
    if (c === "<" || c === "(" || c === "]") {
      // The addon would read `(?<` inside a class as a group.
      this.out.push(`\\${c}`);
      this.#at += 1;
      return undefined;
    }
    this.#copy(1);
    return undefined;
  }
}

const posixClasses: ReadonlySet<string> = new Set([
  "alnum",
  "alpha",
  "ascii",
  "blank",
  "cntrl",
  "digit",
  "graph",
  "lower",
  "print",
  "punct",
  "space",
  "upper",
  "word",
  "xdigit",
]);

/** Returns the class with the same beginning as a mistyped one, otherwise some existing classes. */
function nearClass(name: string): string {
  const near = [...posixClasses].find((known) => known.startsWith(name.slice(0, 3)));
  return near === undefined
    ? "RE2 knows `[:alpha:]`, `[:digit:]`, `[:alnum:]`, `[:space:]`, …"
    : `write \`[:${near}:]\``;
}
