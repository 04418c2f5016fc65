import type { CstNode, IRecognitionException } from "chevrotain";
import { parseEngine } from "./grammar.ts";
import type { Piece } from "./groups.ts";
import { spanOf } from "./groups.ts";
import type { Reporter } from "./reporter.ts";
import { anyItem, describe, explain, isAtEnd, isSurplus } from "./syntax-errors.ts";
import { Colon } from "./tokens.ts";

/** The grammar rules for a piece. */
export type PieceRule = "expression" | "item" | "entry";

/**
 * Parses one piece and reports its errors. The first result is the piece itself; each further one is an expression of left-over
 * text, parsed only for its errors. The result is empty for an empty piece.
 */
export function parsePiece(rule: PieceRule, piece: Piece, reporter: Reporter): CstNode[] {
  if (piece.tokens.length === 0) {
    reportEmpty(piece, reporter);
    return [];
  }
  const { grammar } = parseEngine();
  const results: CstNode[] = [];
  let rest = piece;
  while (rest.tokens.length > 0 && !reporter.full) {
    grammar.input = rest.tokens;
    results.push(results.length === 0 ? grammar[rule]() : grammar.expression());
    const surplus = report(grammar.errors, rest, reporter);
    if (surplus === undefined) break;
    rest = { ...rest, tokens: rest.tokens.slice(surplus) };
  }
  return results;
}

/** Reports the errors of one run; returns the index of the token at which a further run may start, undefined if there is none. */
function report(errors: readonly IRecognitionException[], piece: Piece, reporter: Reporter): number | undefined {
  const own = errors.filter((e) => !isSurplus(e));
  for (const error of isEveryItem(piece) ? own.slice(0, 1) : own) {
    if (!isExplained(error, piece, reporter)) reportError(error, piece, reporter);
    if (reporter.full) return undefined;
  }
  const left = errors.find(isSurplus);
  if (left === undefined) return undefined;
  const at = piece.tokens.indexOf(left.token);
  if (own.length === 0 && !isExplained(left, piece, reporter)) reportError(left, piece, reporter);
  // A token that begins no expression was just reported; the text after it may have further errors.
  const isReported = at === 0 || left.token.tokenType === Colon;
  return isReported ? at + 1 : at;
}

/** True for `[*]`, which stands for every item in other languages; one error says it. */
function isEveryItem({ tokens, next }: Piece): boolean {
  return tokens.length === 1 && tokens[0]?.image === "*" && next?.image === "]";
}

function reportError(error: IRecognitionException, piece: Piece, reporter: Reporter): void {
  const { span, message, help } = explain(error, piece);
  reporter.report("HW201", span, message, help);
}

/** True if the cause is a missing bracket or a stray character, which was already reported. */
function isExplained(error: IRecognitionException, piece: Piece, reporter: Reporter): boolean {
  if (isAtEnd(error)) {
    const from = piece.tokens.at(-1);
    const end = piece.next ? spanOf(piece.next).end : Number.MAX_SAFE_INTEGER;
    return piece.broken === true || (from !== undefined && reporter.hasStray({ start: spanOf(from).end, end }));
  }
  const before = piece.tokens[piece.tokens.indexOf(error.token) - 1];
  return reporter.hasStray({ start: before ? spanOf(before).end : 0, end: spanOf(error.token).start });
}

function reportEmpty(piece: Piece, reporter: Reporter): void {
  if (piece.broken) return;
  const span = piece.next ? spanOf(piece.next) : { start: piece.end, end: piece.end };
  if (reporter.hasStray({ start: piece.end, end: span.start })) return;
  reporter.report(
    "HW201",
    span,
    `expected a value, found ${describe(piece.next)}`,
    `add a value, or remove the comma or bracket${piece.next?.image === "]" ? `; ${anyItem}` : ""}`,
  );
}
