/** How a quoted text ends, its escapes, and the code embedded in it. */
export interface Quote {
  readonly open: string;
  readonly close: string;
  /** `c`: the escapes of C and its heirs; `quote`: only the closing mark and the backslash; `none`: no escapes. */
  readonly escapes: "c" | "quote" | "none";
  /** `run` is a text for a shell, `name` an identifier. */
  readonly kind?: "text" | "run" | "name";
  readonly interpolation?: Interpolation;
}

/** How code is embedded in a text: between marks, or as a variable with a sigil. */
export type Interpolation = "#{" | "${" | "{" | "perl" | "php";

/**
 * Characters that end a line, and a comment in it, by language. A comment must hide no code, and text in a comment is no code.
 * Source: ECMA-262 (section 12.3), Python's reference (section 2.1.2), the lexers of PHP, Lua and Groovy; perl, ruby, awk, R, Julia
 * and Elixir end a line at a line feed alone. What AppleScript does is not known, so each of them counts.
 */
export const lineEnds = { feed: /\n/, feedOrReturn: /[\n\r]/, javascript: /[\n\r\u2028\u2029]/ } as const;

/** The lexical grammar of a language, for calls and constants only. */
export interface Lexicon {
  /** Matches one character that ends a line. */
  readonly lineEnd: RegExp;
  /** A sign that ends a comment of one line before the line ends. */
  readonly commentEnd?: string;
  readonly lineComments: readonly string[];
  readonly blockComments: readonly (readonly [open: string, close: string])[];
  /** Longer marks come before their own beginnings. */
  readonly quotes: readonly Quote[];
  /** A line's end ends a statement, outside brackets. */
  readonly newlines: boolean;
  /** Texts between slashes where an operand may stand. */
  readonly regex: boolean;
  /** Texts that an operator begins: `qw(…)` or `%w(…)`; or letters before a quote (`rb""`). */
  readonly quoting?: "perl" | "ruby" | "python";
  /** Matches the first character of a name, and any further one. */
  readonly nameStart: RegExp;
  readonly namePart: RegExp;
  /** Words that are not names: they end an expression. */
  readonly keywords: ReadonlySet<string>;
  /** Operators between an object and its member. */
  readonly members: ReadonlySet<string>;
  /** Operators that join two texts. */
  readonly joins: ReadonlySet<string>;
  /** Which adjacent operands are joined: two texts, any two, or none. */
  readonly adjacent: "texts" | "all" | "none";
  /** Calls need no brackets; a lone name may be a call. */
  readonly bareCalls: "always" | "texts" | "never";
  /** Start of a here-document, whose text is not searched. */
  readonly hereDocument?: RegExp;
  /** `{` begins a table or a set in any place for an operand. */
  readonly braces: "object" | "either" | "block";
  /** Separators between a name and its value in a call, a table or an object. */
  readonly pairs: ReadonlySet<string>;
}

/** Words as a set; `text` is separated by blanks. */
export function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ""));
}
