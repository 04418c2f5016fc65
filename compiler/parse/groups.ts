import type { IToken, TokenType } from "chevrotain";
import type { Span } from "../../diagnostics/source.ts";
import { Braces, Brackets, Comma, LBrace, LBracket, LParen, Parens, RBrace, RBracket, RParen } from "./tokens.ts";

/** Tokens between two commas of a group, or between its bracket and a comma. */
export interface Piece {
  /** Tokens without commas and brackets; a bracketed group inside is one token (`groupOf`). */
  readonly tokens: IToken[];
  /** Offset of the end of the piece if it is empty or incomplete. */
  end: number;
  /** The comma or bracket that ends the piece; absent at the end of the text and where a bracket is missing. */
  next?: IToken;
  /** True if a closing bracket is missing, so that a premature end is no separate error. */
  broken?: boolean;
}

/** The whole text, or one pair of brackets. */
export interface Group {
  readonly open?: IToken;
  /** At least one; empty brackets have one empty piece. */
  readonly pieces: Piece[];
}

/** The text as a tree of groups, with the errors of its brackets. */
export interface Grouped {
  readonly root: Group;
  /** Opening brackets without a closing one. */
  readonly unclosed: readonly IToken[];
  /** Closing brackets without an opening one, or of another kind than `open`. */
  readonly unopened: readonly { readonly token: IToken; readonly open?: IToken }[];
  /** The first bracket deeper than the bound; the tree is empty then. */
  readonly tooDeep?: IToken;
}

interface Kind {
  readonly closer: TokenType;
  readonly group: TokenType;
}

const kinds: ReadonlyMap<TokenType, Kind> = new Map([
  [LParen, { closer: RParen, group: Parens }],
  [LBracket, { closer: RBracket, group: Brackets }],
  [LBrace, { closer: RBrace, group: Braces }],
]);
const closers: ReadonlySet<TokenType> = new Set([RParen, RBracket, RBrace]);

/** Returns the group of a token of type `Parens`, `Brackets` or `Braces`. */
export function groupOf(token: IToken): Group {
  return token.payload as Group;
}

/**
 * Pairs brackets before the grammar runs, in one pass without recursion. So the grammar never recurses, and depth is bounded
 * here. Each piece is parsed separately, so an error inside brackets or between commas stays there.
 */
export function groupTokens(tokens: readonly IToken[], depth: number): Grouped {
  const root: Group = { pieces: [{ tokens: [], end: 0 }] };
  const stack: Group[] = [root];
  const unclosed: IToken[] = [];
  const unopened: { token: IToken; open?: IToken }[] = [];
  let end = 0;
  for (const token of tokens) {
    if (kinds.has(token.tokenType)) {
      if (stack.length > depth) return { root, unclosed: [], unopened: [], tooDeep: token };
      stack.push({ open: token, pieces: [{ tokens: [], end: spanOf(token).end }] });
    } else if (closers.has(token.tokenType)) {
      closeWith(token, stack, unclosed, unopened, end);
    } else if (token.tokenType === Comma) {
      lastPiece(stack).next = token;
      (stack.at(-1) as Group).pieces.push({ tokens: [], end: spanOf(token).end });
    } else {
      append(stack, token);
    }
    end = spanOf(token).end;
  }
  while (stack.length > 1) unclosed.push(closeTop(stack, undefined, end));
  return { root, unclosed, unopened };
}

function closeWith(
  token: IToken,
  stack: Group[],
  unclosed: IToken[],
  unopened: { token: IToken; open?: IToken }[],
  end: number,
): void {
  const partner = stack.findLastIndex(
    (g) => g.open !== undefined && kinds.get(g.open.tokenType)?.closer === token.tokenType,
  );
  if (partner > 0) {
    while (stack.length > partner + 1) unclosed.push(closeTop(stack, undefined, end));
    closeTop(stack, token, end);
  } else if (stack.length > 1) {
    unopened.push({ token, open: closeTop(stack, undefined, end) });
  } else {
    unopened.push({ token });
  }
}

/** Ends the innermost group and puts it into the surrounding one; returns its opening bracket. */
function closeTop(stack: Group[], close: IToken | undefined, end: number): IToken {
  const group = stack.pop() as Group;
  const open = group.open as IToken;
  const last = group.pieces.at(-1) as Piece;
  if (close) last.next = close;
  else last.broken = true;
  const tokenType = (kinds.get(open.tokenType) as Kind).group;
  const endOffset = (close ? spanOf(close).end : end) - 1;
  append(stack, {
    image: open.image,
    startOffset: open.startOffset,
    endOffset,
    tokenType,
    tokenTypeIdx: tokenType.tokenTypeIdx as number,
    payload: group,
  });
  return open;
}

function lastPiece(stack: readonly Group[]): Piece {
  return (stack.at(-1) as Group).pieces.at(-1) as Piece;
}

function append(stack: readonly Group[], token: IToken): void {
  const piece = lastPiece(stack);
  piece.tokens.push(token);
  piece.end = spanOf(token).end;
}

/** Returns the span of a token in the lexed text. */
export function spanOf(token: IToken): Span {
  const end = token.endOffset === undefined ? token.startOffset + token.image.length : token.endOffset + 1;
  return { start: token.startOffset, end };
}
