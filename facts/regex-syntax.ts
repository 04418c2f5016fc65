import type { RegexError } from "../schema/ports.ts";

/** A pattern in the spelling that both engines read alike, or why it is refused. */
export type Prepared = { readonly kind: "prepared"; readonly pattern: string } | RegexError;

const maxRepeat = 1000;

/** Constructs that RE2 lacks by the characters after `(?`, with what to write instead. */
const refusedGroups: readonly (readonly [start: string, message: string])[] = [
  ["<=", "look-behind `(?<=` is not in RE2; match the text before and use a group for the part you need"],
  ["<!", "negative look-behind `(?<!` is not in RE2; match the character before with a class, or add an `unless`"],
  ["=", "look-ahead `(?=` is not in RE2; match the text itself, or join two `matches` tests by AND"],
  ["!", "negative look-ahead `(?!` is not in RE2; add an `unless` or `not` with its own pattern"],
  [">", "atomic group `(?>` is not in RE2 and not needed; write `(?:`"],
  ["#", "comment `(?#` is not in RE2; remove it"],
  ["|", "branch reset `(?|` is not in RE2; write `(?:`"],
  ["(", "conditional `(?(` is not in RE2; write the alternatives out"],
  ["R", "recursion `(?R)` is not in RE2; a regular expression cannot count nesting"],
  ["P=", "back-reference `(?P=` is not in RE2; compare the groups in a condition"],
  ["P>", "recursion `(?P>` is not in RE2; a regular expression cannot count nesting"],
  ["'", "group `(?'name'` is not in RE2; write `(?P<name>`"],
];

/** Escapes that RE2 lacks or that engines read differently, with what to write instead. */
const refusedEscapes: ReadonlyMap<string, string> = new Map([
  ["u", "escape `\\u` is not in RE2; write `\\x{…}`"],
  ["c", "escape `\\c` is not in RE2; write `\\x{…}`"],
  ["e", "escape `\\e` is not in RE2; write `\\x1b`"],
  ["C", "`\\C` (one byte) is refused; write `(?s:.)`"],
  ["Z", "`\\Z` is not in RE2; write `\\z` or `\\n?\\z`"],
  ["G", "`\\G` is not in RE2; write `\\A` or remove it"],
  ["K", "`\\K` is not in RE2; use a group for the part you need"],
  ["R", "`\\R` is not in RE2; write `(?:\\r\\n|\\n|\\r)`"],
  ["X", "`\\X` is not in RE2; write `(?s:.)`"],
  ["h", "`\\h` is not in RE2; write `[ \\t]`"],
  ["H", "`\\H` is not in RE2; write `[^ \\t]`"],
  ["N", "`\\N` is not in RE2; write `[^\\n]`"],
  ["V", "`\\V` is not in RE2; write `[^\\n\\v\\f\\r]`"],
  ["k", "back-reference `\\k` is not in RE2; compare the groups in a condition"],
  ["g", "back-reference `\\g` is not in RE2; compare the groups in a condition"],
]);

/**
 * Checks a pattern against the RE2 syntax and rewrites what the two engines spell differently: `(?<n>` becomes
 * `(?P<n>`, `\Q…\E` plain escapes, and flags a leading group. One pass, no recursion. Source: RE2 syntax page.
 */
export function prepare(pattern: string, flags: string): Prepared {
  const walker = new Walker(pattern);
  const error = walker.walk();
  if (error) return error;
  return { kind: "prepared", pattern: `${flags === "" ? "" : `(?${flags})`}${walker.out.join("")}` };
}

/** An error at an offset of the pattern. */
function refuse(message: string, offset: number): RegexError {
  return { kind: "regex_error", message, offset };
}

class Walker {
  readonly out: string[] = [];
  readonly #text: string;
  readonly #open: number[] = [];
  readonly #names = new Set<string>();
  #at = 0;
  /** Something stands here that a repeat operator may follow. */
  #repeatable = false;
  /** A repeat operator stands just before. */
  #repeated = false;

  constructor(text: string) {
    this.#text = text;
  }

  walk(): RegexError | undefined {
    while (this.#at < this.#text.length) {
      const error = this.#step(this.#text[this.#at] as string);
      if (error) return error;
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
    this.#repeatable = c !== "|";
    this.#repeated = false;
    return undefined;
  }

  #copy(length: number): void {
    this.out.push(this.#text.slice(this.#at, this.#at + length));
    this.#at += length;
  }

  #atom(): void {
    this.#repeatable = true;
    this.#repeated = false;
  }

  #group(): RegexError | undefined {
    const start = this.#at;
    this.#open.push(start);
    if (this.#text[start + 1] !== "?") {
      this.#copy(1);
      this.#repeatable = false;
      this.#repeated = false;
      return undefined;
    }
    const rest = this.#text.slice(start + 2, start + 80);
    for (const [head, message] of refusedGroups) if (rest.startsWith(head)) return refuse(message, start);
    const named = /^P?<([^>]*)>/.exec(rest);
    if (named) return this.#named(named[1] as string, start, named[0].length);
    if (rest.startsWith("<") || rest.startsWith("P<")) return refuse("group name is never closed by `>`", start);
    return this.#flags(start, rest);
  }

  #named(name: string, start: number, length: number): RegexError | undefined {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      return refuse(`invalid group name \`${name}\`; use letters, digits and \`_\``, start);
    if (this.#names.has(name)) return refuse(`group name \`${name}\` is used twice; rename one`, start);
    this.#names.add(name);
    this.out.push(`(?P<${name}>`);
    this.#at = start + 2 + length;
    this.#repeatable = false;
    this.#repeated = false;
    return undefined;
  }

  #flags(start: number, rest: string): RegexError | undefined {
    const match = /^([imsU]*)(-[imsU]+)?([:)])/.exec(rest);
    if (!match || match[0] === ")") {
      const free = /^[a-zA-Z-]*x/.test(rest);
      return refuse(
        free
          ? "free-spacing flag `x` is not in RE2; remove the spaces and comments"
          : "unknown group after `(?`; RE2 knows `(?:`, `(?P<name>` and the flags `imsU`",
        start,
      );
    }
    if (match[3] === ")") this.#open.pop();
    this.#copy(2 + match[0].length);
    this.#repeatable = false;
    this.#repeated = false;
    return undefined;
  }

  #close(): RegexError | undefined {
    if (this.#open.pop() === undefined) return refuse("`)` without `(`; remove it or write `\\)`", this.#at);
    this.#copy(1);
    this.#atom();
    return undefined;
  }

  #repeat(length: number): RegexError | undefined {
    const operator = this.#text.slice(this.#at, this.#at + length);
    if (this.#repeated) {
      if (operator === "+")
        return refuse("possessive repeat is not in RE2 and not needed; remove the second `+`", this.#at);
      return refuse(`repeat \`${operator}\` follows a repeat; put the first in \`(?:…)\``, this.#at);
    }
    if (!this.#repeatable)
      return refuse(`nothing to repeat before \`${operator}\`; write \`\\${operator}\` for the character`, this.#at);
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
    if (low > maxRepeat || high > maxRepeat)
      return refuse(`repeat \`${match[0]}\` is over ${maxRepeat}; use \`+\` or \`*\` and test \`size\``, this.#at);
    if (high < low) return refuse(`repeat \`${match[0]}\` counts down; write the smaller number first`, this.#at);
    return this.#repeat(match[0].length);
  }

  #escape(inClass: boolean): RegexError | undefined {
    const start = this.#at;
    const c = this.#text[start + 1];
    if (c === undefined) return refuse("trailing backslash; write `\\\\`", start);
    const refused = refusedEscapes.get(c);
    if (refused !== undefined) return refuse(refused, start);
    if (/[1-9]/.test(c) && !/^[1-7][0-7]/.test(this.#text.slice(start + 1, start + 3))) {
      return refuse(`back-reference \`\\${c}\` is not in RE2; compare the groups in a condition`, start);
    }
    if (inClass && /[bBAzQE]/.test(c))
      return refuse(`\`\\${c}\` has no meaning inside \`[…]\`; write \`\\x08\` for backspace`, start);
    if (c === "Q") return this.#quoted();
    if (c === "p" || c === "P") return this.#property(start);
    if (c === "x") return this.#hex(start);
    if (c === "E") {
      this.#at += 2;
      return undefined;
    }
    if (/[A-Za-z]/.test(c) && !"aftnrvdDsSwWbBAz".includes(c))
      return refuse(`unknown escape \`\\${c}\`; write the character without the backslash`, start);
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
    if (!match) return refuse("invalid `\\x`; write two hexadecimal digits or `\\x{…}`", start);
    const code = Number.parseInt(match[1] ?? "0", 16);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
      return refuse(`\`${match[0]}\` is no Unicode character`, start);
    this.#copy(match[0].length);
    this.#atom();
    return undefined;
  }

  #property(start: number): RegexError | undefined {
    const match = /^\\[pP](?:([A-Z])|\{(\^?)([^}]{1,40})\})/.exec(this.#text.slice(start, start + 50));
    if (!match) return refuse("invalid Unicode class; write `\\pL`, `\\p{Lu}` or `\\p{Greek}`", start);
    const name = match[3] ?? (match[1] as string);
    if (
      !/^(?:Any|[CLMNPSZ]|(?:C[cfo]|L[lmotu]|M[cen]|N[dlo]|P[cdefios]|S[ckmo]|Z[lps])|[A-Z][a-z]{2,}(?:_[A-Z][a-z]+)*)$/.test(
        name,
      ) ||
      longCategories.has(name)
    ) {
      return refuse(
        `unknown Unicode class \`${name}\`; write a short category such as \`\\p{Lu}\` or a script such as \`\\p{Greek}\``,
        start,
      );
    }
    this.#copy(match[0].length);
    this.#atom();
    return undefined;
  }

  #quoted(): undefined {
    const start = this.#at + 2;
    const end = this.#text.indexOf("\\E", start);
    const literal = this.#text.slice(start, end < 0 ? undefined : end);
    for (const c of literal) this.out.push(/^[!-/:-@[-^`{-~]$/.test(c) ? `\\${c}` : c);
    this.#at = end < 0 ? this.#text.length : end + 2;
    if (literal !== "") this.#atom();
    return undefined;
  }

  #charClass(): RegexError | undefined {
    const start = this.#at;
    this.#copy(this.#text[start + 1] === "^" ? 2 : 1);
    for (let first = true; ; first = false) {
      const c = this.#text[this.#at];
      if (c === undefined) return refuse("class `[` is never closed; add `]` or write `\\[`", start);
      if (c === "]" && !first) break;
      const error = this.#classMember(c);
      if (error) return error;
    }
    this.#copy(1);
    this.#atom();
    return undefined;
  }

  #classMember(c: string): RegexError | undefined {
    if (c === "\\") return this.#escape(true);
    if (c === "[") {
      const posix = /^\[:(\^?)([a-z]+):\]/.exec(this.#text.slice(this.#at, this.#at + 16));
      if (posix) {
        if (!posixClasses.has(posix[2] as string)) return refuse(`unknown class \`${posix[0]}\``, this.#at);
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

/** Long category names and binary properties, which only one of the engines takes. */
const longCategories: ReadonlySet<string> = new Set([
  "Letter",
  "Mark",
  "Number",
  "Punctuation",
  "Symbol",
  "Separator",
  "Other",
  "Control",
  "Format",
  "Surrogate",
  "Unassigned",
  "Uppercase_Letter",
  "Lowercase_Letter",
  "Titlecase_Letter",
  "Cased_Letter",
  "Modifier_Letter",
  "Other_Letter",
  "Nonspacing_Mark",
  "Spacing_Mark",
  "Enclosing_Mark",
  "Decimal_Number",
  "Letter_Number",
  "Other_Number",
  "Connector_Punctuation",
  "Dash_Punctuation",
  "Open_Punctuation",
  "Close_Punctuation",
  "Initial_Punctuation",
  "Final_Punctuation",
  "Other_Punctuation",
  "Math_Symbol",
  "Currency_Symbol",
  "Modifier_Symbol",
  "Other_Symbol",
  "Space_Separator",
  "Line_Separator",
  "Paragraph_Separator",
  "Private_Use",
  "Lowercase",
  "Uppercase",
  "Alphabetic",
  "Alpha",
  "Lower",
  "Upper",
  "White_Space",
  "Space",
  "Dash",
  "Hyphen",
  "Math",
  "Cased",
  "Emoji",
  "Radical",
  "Ideographic",
  "Diacritic",
  "Extender",
  "Noncharacter_Code_Point",
  "Punct",
  "Digit",
  "Cntrl",
  "Ascii",
  "Assigned",
]);
