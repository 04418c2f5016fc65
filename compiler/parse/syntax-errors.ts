import type { IRecognitionException, IToken } from "chevrotain";
import { EOF } from "chevrotain";
import { visible } from "../../diagnostics/render.ts";
import type { Span } from "../../diagnostics/source.ts";
import type { Piece } from "./groups.ts";
import { spanOf } from "./groups.ts";
import * as t from "./tokens.ts";

/** A grammar error as the author reads it; the span is in the lexed text. */
export interface SyntaxError {
  readonly span: Span;
  readonly message: string;
  readonly help: string;
}

/** True if the grammar was complete before the end of the text. */
export function isSurplus(error: IRecognitionException): boolean {
  return (
    error.name === "NotAllInputParsedException" ||
    (error.name === "MismatchedTokenException" && error.message === "EOF")
  );
}

/** True for an error at the end of the piece. */
export function isAtEnd(error: IRecognitionException): boolean {
  return error.token.tokenType === EOF;
}

/** Explains a grammar error in `piece` and how to correct it. */
export function explain(error: IRecognitionException, piece: Piece): SyntaxError {
  const at = isAtEnd(error) ? piece.next : error.token;
  const span = at ? spanOf(at) : { start: piece.end, end: piece.end };
  const found = describe(at);
  if (isSurplus(error)) return { span, ...surplus(error.token, found) };
  const before =
    piece.tokens[piece.tokens.indexOf(error.token) - 1] ?? (isAtEnd(error) ? piece.tokens.at(-1) : undefined);
  switch (error.message) {
    case "Colon":
      return { span, ...missingColon(error, found) };
    case "Field":
      return {
        span,
        message: `expected a field name after \`${before?.image ?? "."}\`, found ${found}`,
        help: 'write `value.field`, `value["key"]` or `value[0]`',
      };
    default:
      return { span, message: `expected a value, found ${found}`, help: valueHelp(at, before, piece.next) };
  }
}

/** Returns a token as messages show it: its text in backticks, cut to 24 characters of one line. */
export function describe(token: IToken | undefined): string {
  if (token === undefined) return "the end";
  const line = token.image.split(/[\r\n]/, 1)[0] as string;
  const cut = line.length > 24 || line.length < token.image.length ? `${line.slice(0, 24)}…` : line;
  return `\`${visible(cut)}\``;
}

function surplus(token: IToken, found: string): { message: string; help: string } {
  const message = `expected an operator before ${found}`;
  if (token.tokenType === t.Colon)
    return { message: "unexpected `:`", help: "write `test ? then : otherwise`, or a map: `{key: value}`" };
  if (token.tokenType === t.Dot) return { message: `unexpected ${found}`, help: "write `value.field`" };
  if (token.image.startsWith(".")) return { message, help: `index a list with \`[${token.image.slice(1)}]\`` };
  const method = methodOf(token.image);
  if (method !== undefined) return { message, help: `write it as a method: \`text.${method}(other)\`` };
  return { message, help: "join conditions with `&&` or `||`; put text in quotes" };
}

/** Words between two texts in other languages, by our methods. */
function methodOf(word: string): string | undefined {
  const methods: Readonly<Record<string, string>> = {
    ...{ startswith: "startsWith", starts_with: "startsWith", endswith: "endsWith", ends_with: "endsWith" },
    ...{
      icontains: "contains",
      includes: "contains",
      regex: "matches",
      match: "matches",
      glob: "glob",
      pmatch: "glob",
    },
  };
  return Object.hasOwn(methods, word.toLowerCase()) ? methods[word.toLowerCase()] : undefined;
}

function missingColon(error: IRecognitionException, found: string): { message: string; help: string } {
  const inMap = error.context.ruleStack.at(-1) === "entry";
  if (inMap)
    return {
      message: `expected \`:\` after the key, found ${found}`,
      help: "write an entry as `key: value`; a list or set of values is `[a, b]`",
    };
  const message = `conditional without \`:\`, found ${found}`;
  if (error.token.tokenType === t.Question) return { message, help: "put the inner conditional in parentheses" };
  return { message, help: "write `test ? then : otherwise`" };
}

/** Help for other languages' indexes that stand for every item: `list[*]`, `list[]`, `list[_]`. */
export const anyItem = "for any item of a list write `list.exists(item, …)`";

function valueHelp(at: IToken | undefined, before: IToken | undefined, next: IToken | undefined): string {
  if (at?.image === "*" && before === undefined && next?.image === "]") return anyItem;
  if (at?.image === "+") return "numbers have no leading `+`; remove it";
  if (before && isOperator(before))
    return `\`${before.image}\` needs a value on its right; add one, or remove the operator`;
  if (at && isOperator(at)) return `\`${at.image}\` needs a value on its left; add one, or remove the operator`;
  if (at === undefined) return "add the missing value";
  return "add a value here, or remove what is left over";
}

function isOperator(token: IToken): boolean {
  const categories = token.tokenType.CATEGORIES ?? [];
  return (
    token.tokenType === t.In ||
    categories.includes(t.Prefix) ||
    (categories.includes(t.Binary) && !categories.includes(t.Word))
  );
}
