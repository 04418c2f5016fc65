import type { RegexError } from "../schema/ports.ts";

/**
 * Syntax of other dialects that RE2 lacks, each with what to write instead. A message is `problem; advice`; the advice rewrites
 * the author's own text where a rewrite is sure. Nothing here runs for a valid pattern.
 */

/** Makes the refusal of the part from `offset` up to `end`. */
export function refuse(message: string, offset: number, end: number = offset + 1): RegexError {
  return { kind: "regex_error", message, offset, end };
}

/** Texts longer than this are not repeated in advice. */
const quotable = 40;

type Advice = (inner: string | undefined) => string;

const recursion = "is not in RE2; a regular expression cannot count nesting, so test the parts by themselves";
const reference = "is not in RE2; write the alternatives out, or compare the two values in the condition with `==`";

/** Groups by the text behind `(`: the problem and its advice, given the group's content when that is short. */
const groups: readonly (readonly [head: RegExp, advice: Advice])[] = [
  [
    /^\?<=/,
    (inner) =>
      `look-behind \`(?<=\` is not in RE2; match the text before and put the part you need in a group: \`${inner ?? "before"}(…)\``,
  ],
  [
    /^\?<!/,
    (inner) =>
      `negative look-behind \`(?<!\` is not in RE2; remove it and add an \`unless\` or \`not\` with \`matches: '${inner ?? "…"}…'\``,
  ],
  [
    /^\?=/,
    (inner) =>
      `look-ahead \`(?=\` is not in RE2; match the text itself, or join a second test \`matches: '${inner ?? "…"}'\` by AND`,
  ],
  [
    /^\?!/,
    (inner) =>
      `negative look-ahead \`(?!\` is not in RE2; remove it and add an \`unless\` or \`not\` with \`matches: '${inner ?? "…"}'\``,
  ],
  [/^\?>/, (inner) => `atomic group \`(?>\` is not in RE2 and not needed; write \`(?:${inner ?? "…"})\``],
  [/^\?#/, () => "comment `(?#` is not in RE2; remove it"],
  [/^\?\|/, (inner) => `branch reset \`(?|\` is not in RE2; write \`(?:${inner ?? "…"})\``],
  [/^\?\(/, () => "conditional `(?(` is not in RE2; write the alternatives out: `(?:…|…)`"],
  [/^\?(?:R|[+-]?\d+)\)/, () => `recursion into a group ${recursion}`],
  [/^\?(?:&|P>)/, () => `recursion into a group ${recursion}`],
  [/^\?P=/, () => `back-reference \`(?P=\` ${reference}`],
  [/^\?[Cc][\d)]/, () => "callout `(?C` is not in RE2; remove it"],
  [/^\*[A-Za-z_]\w*[:=)]/, () => "verb `(*…)` is not in RE2; remove it: texts are Unicode, and no match backtracks"],
];

/** Returns why the group that opens at an offset is refused; undefined if RE2 may know it. */
export function refusedGroup(pattern: string, start: number): RegexError | undefined {
  const rest = pattern.slice(start + 1, start + 80);
  const end = groupEnd(pattern, start);
  const quoted = /^\?'([^']*)'/.exec(rest);
  if (quoted) {
    const message = `group \`(?'${quoted[1]}'\` is not in RE2; write \`(?P<${quoted[1]}>\``;
    return refuse(message, start, start + 1 + quoted[0].length);
  }
  for (const [head, advice] of groups) {
    const found = head.exec(rest);
    if (!found) continue;
    const inner = end === undefined ? undefined : pattern.slice(start + 1 + found[0].length, end - 1);
    return refuse(advice(inner !== undefined && isQuotable(inner) ? inner : undefined), start, end ?? start + 2);
  }
  return undefined;
}

function isQuotable(text: string): boolean {
  return text !== "" && text.length <= quotable && !/[`'\n]/.test(text);
}

/** Returns why the flags of a group that opens at an offset are refused; RE2 knows `imsU`. */
export function refusedFlags(pattern: string, start: number): RegexError {
  const letters = /^\(\?\^?([a-zA-Z]*)(?:-([a-zA-Z]*))?[:)]?/.exec(pattern.slice(start, start + 40));
  const text = letters?.[0] ?? "(?";
  const end = start + text.length;
  const given = `${letters?.[1] ?? ""}${letters?.[2] ?? ""}`;
  if (given.includes("x"))
    return refuse(
      "free-spacing flag `x` is not in RE2; remove it, and the spaces and comments of the pattern",
      start,
      end,
    );
  const flag = [...given].find((letter) => !"imsU".includes(letter));
  if (flag !== undefined && /[:)]$/.test(text)) {
    const left = text.replaceAll(/[^imsU:()?-]/g, "").replace(/-(?=[:)])/, "");
    const advice = left === "(?)" ? "remove the group" : `write \`${left}\``;
    return refuse(`flag \`${flag}\` is not in RE2, which knows \`i\`, \`m\`, \`s\` and \`U\`; ${advice}`, start, end);
  }
  return refuse("unknown group after `(?`; RE2 knows `(?:`, `(?P<name>` and the flags `imsU`", start, end);
}

/** Returns the refusal of a group name, with the nearest name that RE2 accepts. */
export function refusedName(name: string, start: number, length: number): RegexError {
  const sound = name.replaceAll(/\W/g, "_").replace(/^(?=\d|$)/, "_");
  return refuse(
    `invalid group name \`${name}\`; use letters, digits and \`_\`: \`(?P<${sound}>\``,
    start,
    start + length,
  );
}

/** Returns the offset after the parenthesis that closes the group at an offset, outside escapes and classes; undefined if there is none. */
function groupEnd(pattern: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < pattern.length; at++) {
    const c = pattern[at];
    if (c === "\\") at += 1;
    else if (c === "[") at = classEnd(pattern, at);
    else if (c === "(") depth += 1;
    else if (c === ")" && --depth === 0) return at + 1;
  }
  return undefined;
}

/** Returns the offset of the bracket that closes the class at an offset; the end of the pattern if there is none. */
function classEnd(pattern: string, start: number): number {
  for (let at = start + (pattern[start + 1] === "^" ? 3 : 2); at < pattern.length; at++) {
    if (pattern[at] === "\\") at += 1;
    else if (pattern[at] === "]") return at;
  }
  return pattern.length;
}

/** Escapes with one meaning each, and their rewrite. */
const escapes: ReadonlyMap<string, string> = new Map([
  ["e", "escape `\\e` is not in RE2; write `\\x1b`"],
  ["C", "`\\C` (one byte) is refused; write `(?s:.)`"],
  ["Z", "`\\Z` is not in RE2; write `\\z`, or `\\n?\\z` where a last line break may follow"],
  ["G", "`\\G` is not in RE2; write `\\A`, or remove it"],
  ["K", "`\\K` is not in RE2; put the part you need in a group: `(…)`"],
  ["R", "`\\R` is not in RE2; write `(?:\\r\\n|\\n|\\r)`"],
  ["X", "`\\X` is not in RE2; write `(?s:.)`"],
  ["h", "`\\h` is not in RE2; write `[ \\t]`"],
  ["H", "`\\H` is not in RE2; write `[^ \\t]`"],
  ["V", "`\\V` is not in RE2; write `[^\\n\\v\\f\\r]`"],
  ["i", "`\\i` is not in RE2; write `[A-Za-z_:]`"],
  ["l", "`\\l` is not in RE2; write `[a-z]`"],
]);

/** Returns why the escape at an offset is refused; undefined if RE2 may know it. `inClass` is true inside `[…]`. */
export function refusedEscape(pattern: string, start: number, inClass: boolean): RegexError | undefined {
  const c = pattern[start + 1] as string;
  const rest = pattern.slice(start, start + 48);
  const coded = codeEscape(rest);
  if (coded)
    return refuse(`escape \`${coded[0]}\` is not in RE2; write \`${coded[1]}\``, start, start + coded[0].length);
  if (c === "u" || c === "c" || c === "o")
    return refuse(`escape \`\\${c}\` is not in RE2; write \`\\x{…}\``, start, start + 2);
  if (c === "N") return refuse("`\\N` is not in RE2; write `[^\\n]`", start, start + 2);
  const back = /^\\(?:[1-9]\d*|k(?:<\w+>|'\w+'|\{\w+\})?|g(?:\{-?\w+\}|-?\d+|<\w+>)?)/.exec(rest);
  if (back && !/^\\[1-7][0-7]/.test(rest))
    return refuse(`back-reference \`${back[0]}\` ${reference}`, start, start + back[0].length);
  const known = escapes.get(c);
  if (known !== undefined) return refuse(known, start, start + 2);
  if (inClass && /[bBAzQE]/.test(c))
    return refuse(`\`\\${c}\` has no meaning inside \`[…]\`; write \`\\x08\` for backspace`, start, start + 2);
  return undefined;
}

/** Returns a code point escape of another dialect and that of RE2: `\u0041` and `\x{41}`. */
function codeEscape(rest: string): readonly [given: string, rewrite: string] | undefined {
  const hex = /^\\(?:u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]{1,6})\}|U([0-9A-Fa-f]{8})|N\{U\+([0-9A-Fa-f]{1,6})\})/.exec(
    rest,
  );
  const digits = hex?.slice(1).find((part) => part !== undefined);
  if (hex && digits !== undefined) return [hex[0], hexEscape(Number.parseInt(digits, 16))];
  const octal = /^\\o\{([0-7]{1,7})\}/.exec(rest);
  if (octal) return [octal[0], hexEscape(Number.parseInt(octal[1] as string, 8))];
  const control = /^\\c([A-Za-z@[\]^_])/.exec(rest);
  return control ? [control[0], hexEscape((control[1] as string).toUpperCase().charCodeAt(0) ^ 64)] : undefined;
}

function hexEscape(code: number): string {
  return `\\x{${code.toString(16)}}`;
}

/** Long names and binary properties, which only one of the engines takes, as both read them. */
const unicodeClasses: ReadonlyMap<string, string> = new Map([
  ...Object.entries({
    L: "Letter Alphabetic Alpha Cased ID_Start",
    Lu: "Uppercase_Letter Uppercase Upper",
    Ll: "Lowercase_Letter Lowercase Lower",
    Lt: "Titlecase_Letter",
    Lm: "Modifier_Letter",
    Lo: "Other_Letter",
    M: "Mark Combining_Mark",
    Mn: "Nonspacing_Mark Diacritic Extender",
    Mc: "Spacing_Mark",
    Me: "Enclosing_Mark",
    N: "Number",
    Nd: "Decimal_Number Digit",
    Nl: "Letter_Number",
    No: "Other_Number",
    P: "Punctuation Punct",
    Pc: "Connector_Punctuation",
    Pd: "Dash_Punctuation Dash Hyphen",
    Ps: "Open_Punctuation",
    Pe: "Close_Punctuation",
    Pi: "Initial_Punctuation",
    Pf: "Final_Punctuation",
    Po: "Other_Punctuation",
    S: "Symbol",
    Sm: "Math_Symbol Math",
    Sc: "Currency_Symbol",
    Sk: "Modifier_Symbol",
    So: "Other_Symbol Emoji",
    Z: "Separator White_Space Space",
    Zs: "Space_Separator",
    Zl: "Line_Separator",
    Zp: "Paragraph_Separator",
    C: "Other",
    Cc: "Control Cntrl",
    Cf: "Format",
    Cs: "Surrogate",
    Co: "Private_Use",
    Han: "Ideographic Radical",
    Any: "Assigned Unassigned Ascii Noncharacter_Code_Point",
  }).flatMap(([short, names]) => names.split(" ").map((name) => [name, short] as const)),
]);

/** Scripts that authors mean by a near miss; RE2 knows more. */
const scripts =
  "Arabic Armenian Bengali Cyrillic Devanagari Georgian Greek Han Hangul Hebrew Hiragana Katakana Latin Tamil Telugu Thai".split(
    " ",
  );

/** True for a name that only one of the engines takes. */
export function isLongUnicodeName(name: string): boolean {
  return unicodeClasses.has(name);
}

/** Refuses a `\p` class that not both engines know, with the intended class if that is clear. */
export function refusedUnicodeClass(escape: string, name: string, start: number): RegexError {
  const head = escape.slice(0, 2);
  const value = name.replace(/^(?:Script|sc|Script_Extensions|scx|General_Category|gc)=/, "");
  const short = unicodeClasses.get(value) ?? unicodeClasses.get(capitals(value));
  const meant = short ?? (value === name ? undefined : value);
  const advice = meant !== undefined ? `write \`${head}{${meant}}\`` : suggestion(head, value);
  return refuse(`unknown Unicode class \`${name}\`; ${advice}`, start, start + escape.length);
}

function suggestion(head: string, value: string): string {
  const given = capitals(value.replace(/^(?:Is|In)/, ""));
  const near = scripts.find((script) => script.startsWith(given.slice(0, 3)));
  return near !== undefined && given.length > 3
    ? `write \`${head}{${near}}\``
    : "write a short category such as `\\p{Lu}` or a script such as `\\p{Greek}`";
}

/** `greek` as RE2 spells names: `Greek`. */
function capitals(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/(^|_)([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase());
}

/** Rewords a refusal by the engines themselves: the part that they quote tells what it is about. */
export function refusedByEngine(pattern: string, message: string): RegexError {
  const part = message.slice(message.lastIndexOf(": ") + 2).replaceAll("`", "");
  const start = part === "" || part === message ? -1 : pattern.indexOf(part);
  if (start < 0) return { kind: "regex_error", message: `refused by RE2: ${message}; write it in a simpler way` };
  const end = start + part.length;
  const unicode = /^\\[pP]\{?\^?([^}]*)\}?$/.exec(part);
  if (unicode) return refusedUnicodeClass(part, unicode[1] as string, start);
  const range = /^(.)-(.)$/su.exec(part);
  if (range) return refuse(`class range \`${part}\` counts down; write \`${range[2]}-${range[1]}\``, start, end);
  if (/^\{\d+(?:,\d*)?\}$/.test(part))
    return refuse(
      `repeat \`${part}\` around a repeat is over 1000 in all; use \`*\` or \`+\`, and test \`size\``,
      start,
      end,
    );
  if (/^\\[dDsSwW]$/.test(part))
    return refuse(`\`${part}\` cannot end a range; write \`-\` first or last in the class, or \`\\-\``, start, end);
  return refuse(`refused by RE2: ${message}; write it in a simpler way`, start, end);
}
