import type { IToken, ITokenConfig, TokenType } from "chevrotain";
import { createToken, Lexer } from "chevrotain";

/**
 * The tokens of the expression language: CEL's tokens (language page section 3), extended so that text from other languages
 * becomes one token with one diagnostic instead of many stray characters. Patterns are linear: their alternatives begin with
 * different characters.
 */
const all: TokenType[] = [];

function token(name: string, pattern: RegExp | string, more: Partial<ITokenConfig> = {}): TokenType {
  const type = createToken({ name, pattern, ...more });
  all.push(type);
  return type;
}

const group = (name: string): TokenType => createToken({ name, pattern: Lexer.NA });

/** Any token between two operands, of CEL or not. */
export const Binary = group("Binary");
/** `!`, `-`, and `not`. */
export const Prefix = group("Prefix");
/** A token that is a whole value. */
export const Literal = group("Literal");
/** A token that may follow a dot. */
export const Field = group("Field");
/** A plain, reserved or foreign word: a name where a value is expected. */
export const Word = group("Word");

token("Whitespace", /[ \t\r\n\f]+/, { group: Lexer.SKIPPED, line_breaks: true });
token("Comment", /\/\/[^\r\n]*/, { group: Lexer.SKIPPED });

const quoted = [
  /"""(?:[^\\]|\\[\s\S])*?"""/,
  /'''(?:[^\\]|\\[\s\S])*?'''/,
  /"(?!"")(?:[^"\\\r\n]|\\[^\r\n])*"/,
  /'(?!'')(?:[^'\\\r\n]|\\[^\r\n])*'/,
]
  .map((r) => r.source)
  .join("|");
const rawQuoted = [/"""[\s\S]*?"""/, /'''[\s\S]*?'''/, /"(?!"")[^"\r\n]*"/, /'(?!'')[^'\r\n]*'/]
  .map((r) => r.source)
  .join("|");
const value = { categories: [Literal], line_breaks: true };

/** A string with escapes, in one or three quotes of either kind. */
export const Quoted = token("Quoted", new RegExp(quoted), value);
/** `r'…'`: a string in which a backslash is only a backslash. */
export const RawQuoted = token("RawQuoted", new RegExp(`[rR](?:${rawQuoted})`), value);
/** `b'…'`, raw or not: CEL has it and our subset refuses it. */
export const Bytes = token("Bytes", new RegExp(`[bB](?:${quoted})|(?:[bB][rR]|[rR][bB])(?:${rawQuoted})`), value);
/** A string that does not end: to the end of the line, or of the text where it has three quotes. */
export const Unterminated = token(
  "Unterminated",
  /(?:[bB][rR]|[rR][bB]|[bBrR])?(?:"""[\s\S]*|'''[\s\S]*|"[^\r\n]*|'[^\r\n]*)/,
  value,
);
/** Text in typographic quotes. */
export const CurlyQuoted = token(
  "CurlyQuoted",
  /[\u2018-\u201f\u00ab][^\r\n\u2018-\u201f\u00bb]*[\u2018-\u201f\u00bb]?/,
  value,
);
/** A field in backticks; where a value is expected, a JavaScript template. */
export const Backticked = token("Backticked", /`[^`\r\n]*`?/, { categories: [Literal, Field] });
/** `/…/`, only where a value is expected; elsewhere the slash divides. */
export const RegexLiteral = createToken({
  name: "RegexLiteral",
  pattern: {
    exec: (text, offset, matched) => (endsOperand(matched) ? null : matchAt(regexLiteral, text, offset)),
  },
  start_chars_hint: ["/"],
  line_breaks: false,
  categories: [Literal],
});
all.push(RegexLiteral);
/** Every number, well written or not; `literals.ts` tells which. */
export const Numeric = token(
  "Numeric",
  /(?:0[xX][0-9a-fA-F]*|(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)[A-Za-z0-9_]*/,
);
/** `$name`, the spelling of YAML. */
export const DollarName = token("DollarName", /\$[A-Za-z_][A-Za-z0-9_]*/, { categories: [Literal] });

/** An ASCII name; last of the words in the vocabulary, so that words with a meaning come first. */
export const Identifier = createToken({
  name: "Identifier",
  pattern: /[A-Za-z_][A-Za-z0-9_]*/,
  categories: [Word, Field],
});
const word = (name: string, pattern: RegExp, categories: TokenType[]): TokenType =>
  token(name, pattern, { categories, longer_alt: Identifier });
/** A name with letters beyond ASCII. */
export const WideName = token(
  "WideName",
  /[A-Za-z0-9_]*[\u00c0-\u1fff\u2c00-\ud7ff\uf900-\ufdff][A-Za-z0-9_\u00c0-\u1fff\u2c00-\ud7ff\uf900-\ufdff]*/,
  { categories: [Word, Field] },
);
/** `true`, `false`, `null`. */
export const Constant = word("Constant", /true|false|null/, [Literal, Field]);
/** Negated membership, which CEL does not have as an operator; `not` is a name where a value is expected. */
export const NotIn = createToken({
  name: "NotIn",
  pattern: {
    exec: (text, offset, matched) => (endsOperand(matched) ? matchAt(notIn, text, offset) : null),
  },
  start_chars_hint: ["!", "n"],
  line_breaks: false,
  categories: [Binary],
});
all.push(NotIn);
/** Membership, `x in list`; after a dot it is a field. */
export const In = word("In", /in/, [Binary, Field]);
/** `not` before a value. */
export const NotWord = token("NotWord", /not\b(?=[ \t]*(?!in\b)(?:[A-Za-z0-9_"'(]|!(?!=)))/, {
  categories: [Prefix, Word, Field],
});
/** Words that are operators in other languages; a name where a value is expected. */
export const WordOperator = word("WordOperator", /and|or|is|contains|startsWith|endsWith|matches|like/, [
  Binary,
  Word,
  Field,
]);
all.push(Identifier);

/** Operators of other languages, longer than their CEL beginnings. */
export const ForeignOperator = token("ForeignOperator", /===|!==|<>|=~|!~|=>|->|:=|\*\*|\?\?|<<|>>/, {
  categories: [Binary],
});
token("Operator", /&&|\|\||==|!=|<=|>=|[<>+*/%]/, { categories: [Binary] });
/** Subtraction, or negation where a value is expected. */
export const Minus = token("Minus", "-", { categories: [Prefix, Binary] });
token("Bang", "!", { categories: [Prefix] });
/** A single sign that is an operator elsewhere: `&`, `|`, `=`, `~`, `^`. */
export const ForeignSign = token("ForeignSign", /[&|=~^]/, { categories: [Binary] });
/** `?.` of JavaScript, before a name. */
export const QuestionDot = token("QuestionDot", /\?\.(?=[A-Za-z_])/);
/** The conditional `? :`, and the mark of an optional part: `.?name`, `[?index]`, `{?key: value}`. */
export const Question = token("Question", "?");
/** Member selection, before a name or `?`. */
export const Dot = token("Dot", ".");
/** Separator of arguments, list elements and map entries; `groups.ts` splits at it. */
export const Comma = token("Comma", ",");
/** Between the branches of a conditional, and between key and value of a map. */
export const Colon = token("Colon", ":");
/** Opens arguments or a parenthesised expression. */
export const LParen = token("LParen", "(");
/** Closes what `(` opened. */
export const RParen = token("RParen", ")");
/** Opens a list or an index. */
export const LBracket = token("LBracket", "[");
/** Closes what `[` opened. */
export const RBracket = token("RBracket", "]");
/** Opens a map. */
export const LBrace = token("LBrace", "{");
/** Closes what `{` opened. */
export const RBrace = token("RBrace", "}");

/** A pair of parentheses with its content, as one token that `groups.ts` makes. */
export const Parens = group("Parens");
/** A list or an index, `[…]`, as one token. */
export const Brackets = group("Brackets");
/** A map, `{…}`, as one token. */
export const Braces = group("Braces");

/** The vocabulary of lexer and grammar, in the order in which the lexer tries it. */
export const vocabulary: readonly TokenType[] = [
  ...all,
  Binary,
  Prefix,
  Literal,
  Field,
  Word,
  Parens,
  Brackets,
  Braces,
];

/**
 * A lexer over the vocabulary. Costly: `grammar.ts` makes the only one, at the first parse. `check` also runs chevrotain's
 * checks of the tokens themselves, for a test.
 */
export function createLexer(check = false): Lexer {
  return new Lexer([...vocabulary], {
    positionTracking: "onlyOffset",
    ensureOptimizations: true,
    skipValidations: !check,
  });
}

/** True if the last of `matched` ends a value, so that an operator must follow. */
function endsOperand(matched: readonly IToken[]): boolean {
  const isWordOperator = (at: number): boolean => matched.at(at)?.tokenType === WordOperator;
  let words = 0;
  while (isWordOperator(-1 - words)) words++;
  // Adjacent words alternate between operator and name: `a contains contains` ends with a name.
  const isName = words % 2 === 1;
  return endsValue(matched.at(-1 - words)?.tokenType) !== isName;
}

function endsValue(type: TokenType | undefined): boolean {
  if (type === undefined || type === NotWord) return false;
  const ends = [RParen, RBracket, RBrace, Numeric].includes(type);
  return ends || type.CATEGORIES?.some((c) => c === Literal || c === Word) === true;
}

const regexLiteral = /\/(?:[^/\\\r\n]|\\[^\r\n])+\/[a-z]*/y;
const notIn = /(?:!|not[ \t]+)in\b/y;

function matchAt(pattern: RegExp, text: string, offset: number): RegExpExecArray | null {
  pattern.lastIndex = offset;
  return pattern.exec(text);
}
