import type { CstNode, IToken } from "chevrotain";
import type { Expression } from "../../rules/ast.ts";
import { isQuotable } from "../../rules/print.ts";
import type { Group, Piece } from "./groups.ts";
import { groupOf, spanOf } from "./groups.ts";
import { reservedWordHelp, reservedWords } from "./habits.ts";
import type { Infix } from "./operators.ts";
import { infixOf, joinOperands } from "./operators.ts";
import type { PieceRule } from "./pieces.ts";
import { parsePiece } from "./pieces.ts";
import type { Reporter } from "./reporter.ts";
import { describe } from "./syntax-errors.ts";
import * as t from "./tokens.ts";
import type { Shape } from "./values.ts";
import { literalValue, numberValue } from "./values.ts";

/** A node with the extent of its text, which parentheses make wider than the node's span. */
interface Built {
  readonly expression: Expression;
  readonly start: number;
  readonly end: number;
}

/**
 * Builds the condition AST of a grouped text. Recurses once for each bracket, whose depth `groupTokens` bounds. Every piece is
 * built, even after an error, so that one run finds as many errors as possible; a missing part becomes an `error` node.
 */
export function buildExpression(root: Group, reporter: Reporter): Expression {
  const end = (root.pieces.at(-1) as Piece).end;
  return new Builder(reporter).single(root, 0, end).expression;
}

class Builder {
  readonly #reporter: Reporter;

  constructor(reporter: Reporter) {
    this.#reporter = reporter;
  }

  /** Builds the single expression of the whole text or of parentheses. */
  single(group: Group, start: number, end: number): Built {
    if (group.pieces.length === 1) return this.#value(group.pieces[0] as Piece, "expression").value;
    this.#refuseCommas(group, "a list is written `[a, b]`; join conditions with `&&` or `||`");
    for (const piece of group.pieces) if (piece.tokens.length > 0) this.#value(piece, "expression");
    return this.#node({ kind: "error" }, start, end);
  }

  /**
   * Makes a node. The start is at most `end`, because a missing part is placed at the end of its piece, where recovery may
   * already have passed.
   */
  #node(shape: Shape, from: number, end: number): Built {
    const start = Math.min(from, end);
    return { expression: { ...shape, span: this.#reporter.toFile({ start, end }) }, start, end };
  }

  #missing(at: number): Built {
    return this.#node({ kind: "error" }, at, at);
  }

  #refuseCommas(group: Group, help: string): void {
    for (const { next } of group.pieces.slice(0, -1)) {
      if (next) this.#reporter.report("HW201", spanOf(next), "unexpected `,`", help);
    }
  }

  /** Parses a piece; left-over text is built too, to report its errors. */
  #parse(piece: Piece, rule: PieceRule): CstNode | undefined {
    const [own, ...surplus] = parsePiece(rule, piece, this.#reporter);
    for (const node of surplus) this.#expression(node, piece.end);
    return own;
  }

  #value(piece: Piece, rule: "expression" | "item"): { value: Built; optional: boolean } {
    const node = this.#parse(piece, rule);
    if (rule === "expression") return { value: this.#expression(node, piece.end), optional: false };
    return { value: this.#expression(child(node, "value"), piece.end), optional: leaf(node, "Question") !== undefined };
  }

  /** Conditionals nest to the right: `a ? b : c ? d : e` is `a ? b : (c ? d : e)`. */
  #expression(node: CstNode | undefined, at: number): Built {
    const test = this.#operation(child(node, "operation"), at);
    const branches = children(node, "branch").map((branch) => ({
      taken: this.#operation(child(branch, "then"), at),
      otherwise: this.#operation(child(branch, "otherwise"), at),
    }));
    const tests = [test, ...branches.map((b) => b.otherwise)];
    let result = tests.at(-1) as Built;
    for (let i = branches.length - 1; i >= 0; i--) {
      const from = tests[i] as Built;
      const then = branches[i]?.taken as Built;
      const shape: Shape = {
        kind: "conditional",
        test: from.expression,
        then: then.expression,
        otherwise: result.expression,
      };
      result = this.#node(shape, from.start, Math.max(then.end, result.end));
    }
    return result;
  }

  #operation(node: CstNode | undefined, at: number): Built {
    const first = this.#operand(child(node, "operand"), at);
    const tails = children(node, "tail").flatMap((tail) => {
      const token = leaf(tail, "Binary");
      if (token === undefined) return [];
      return [
        { infix: infixOf(token, this.#reporter), operand: this.#operand(child(tail, "operand"), spanOf(token).end) },
      ];
    });
    return joinOperands(first, tails, (left, infix, right) => this.#join(left, infix, right));
  }

  #join(left: Built, { operator }: Infix, right: Built): Built {
    const { start } = left;
    const end = Math.max(left.end, right.end);
    if (operator === "unknown") return this.#node({ kind: "error" }, start, end);
    const meant = operator === "not in" ? "in" : operator;
    const joined = this.#node(
      { kind: "binary", operator: meant, left: left.expression, right: right.expression },
      start,
      end,
    );
    if (operator !== "not in") return joined;
    return this.#node({ kind: "unary", operator: "!", operand: joined.expression }, start, end);
  }

  #operand(node: CstNode | undefined, at: number): Built {
    const prefixes = leaves(node, "Prefix");
    let result = this.#primary(
      child(node, "primary"),
      prefixes.length > 0 ? spanOf(prefixes.at(-1) as IToken).end : at,
    );
    for (const access of children(node, "access")) result = this.#access(result, access);
    for (const token of prefixes.reverse()) {
      if (token.tokenType === t.NotWord) {
        this.#reporter.report("HW201", spanOf(token), "`not` is not an operator here", "write `!`");
      }
      const operator = token.tokenType === t.Minus ? "-" : "!";
      const { start } = spanOf(token);
      result = this.#node(
        { kind: "unary", operator, operand: result.expression },
        start,
        Math.max(result.end, spanOf(token).end),
      );
    }
    return result;
  }

  #primary(node: CstNode | undefined, at: number): Built {
    const [numeric, literal, word] = [leaf(node, "Numeric"), leaf(node, "Literal"), leaf(node, "Word")];
    if (numeric) {
      const minus = leaf(node, "Minus");
      const start = (minus ?? numeric).startOffset;
      return this.#node(numberValue(numeric, minus !== undefined, this.#reporter), start, spanOf(numeric).end);
    }
    if (literal) {
      const { start, end } = spanOf(literal);
      return this.#node(literalValue(literal, this.#reporter), start, end);
    }
    if (word) return this.#name(word, leaf(node, "Dot"), leaf(node, "args"));
    const group = leaf(node, "Parens") ?? leaf(node, "Brackets") ?? leaf(node, "Braces");
    if (group === undefined) return this.#missing(at);
    const { start, end } = spanOf(group);
    if (group.tokenType === t.Parens) return { ...this.single(groupOf(group), start, end), start, end };
    return this.#node(
      group.tokenType === t.Brackets ? this.#list(groupOf(group)) : this.#map(groupOf(group)),
      start,
      end,
    );
  }

  #name(word: IToken, dot: IToken | undefined, args: IToken | undefined): Built {
    const nameSpan = spanOf(word);
    const start = dot?.startOffset ?? nameSpan.start;
    if (dot) {
      const span = { start, end: nameSpan.end };
      this.#reporter.report(
        "HW204",
        span,
        "names with a leading dot are not in the CEL subset",
        `write \`${word.image}\``,
      );
    }
    const usable = this.#usableName(word);
    const list = args && this.#args(groupOf(args));
    const end = spanOf(args ?? word).end;
    if (!usable) return this.#node({ kind: "error" }, start, end);
    if (!list) return this.#node({ kind: "name", name: word.image }, start, end);
    return this.#node(
      { kind: "call", name: word.image, nameSpan: this.#reporter.toFile(nameSpan), args: list },
      start,
      end,
    );
  }

  #usableName(word: IToken): boolean {
    const span = spanOf(word);
    if (word.tokenType === t.WideName) {
      this.#reporter.report(
        "HW202",
        span,
        "name with letters beyond ASCII",
        "names are ASCII letters, digits and `_`; quote text",
      );
      return false;
    }
    if (!reservedWords.has(word.image)) return true;
    this.#reporter.report("HW204", span, `\`${word.image}\` is a reserved word`, reservedWordHelp(word.image));
    return false;
  }

  #args(group: Group): Expression[] {
    if (isEmpty(group)) return [];
    return group.pieces.map((piece) => this.#value(piece, "expression").value.expression);
  }

  #list(group: Group): Shape {
    const items = withoutTrailingComma(group).map((piece) => {
      const { value, optional } = this.#value(piece, "item");
      return { value: value.expression, optional };
    });
    return { kind: "list", items };
  }

  #map(group: Group): Shape {
    const entries = withoutTrailingComma(group).map((piece) => {
      const node = this.#parse(piece, "entry");
      const key = this.#expression(child(node, "key"), piece.end).expression;
      const value = this.#expression(child(node, "value"), piece.end).expression;
      return { key, value, optional: leaf(node, "Question") !== undefined };
    });
    return { kind: "map", entries };
  }

  #access(of: Built, node: CstNode): Built {
    const field = child(node, "field");
    if (field) return this.#field(of, field);
    const brackets = leaf(node, "Brackets");
    if (brackets) return this.#index(of, brackets);
    const braces = leaf(node, "Braces");
    return braces ? this.#message(of, braces) : this.#node({ kind: "error" }, of.start, of.end);
  }

  #index(of: Built, token: IToken): Built {
    const group = groupOf(token);
    this.#refuseCommas(group, "an index is one value; index again for the next dimension: `a[0][1]`");
    const [first, ...more] = group.pieces.map((piece) => this.#value(piece, "item"));
    const { end } = spanOf(token);
    if (first === undefined || more.length > 0) return this.#node({ kind: "error" }, of.start, end);
    const shape: Shape = { kind: "index", of: of.expression, index: first.value.expression, optional: first.optional };
    return this.#node(shape, of.start, end);
  }

  /** Refuses `Type{…}`: the subset has no protobuf messages. The entries are built to report their errors. */
  #message(of: Built, token: IToken): Built {
    const { start, end } = spanOf(token);
    if (of.expression.kind === "error") return this.#node({ kind: "error" }, of.start, end);
    const named = of.expression.kind === "name" || of.expression.kind === "member";
    if (named) {
      const help = 'write a map: `{"field": value}`';
      this.#reporter.report("HW204", { start: of.start, end }, "message construction is not in the CEL subset", help);
    } else {
      const help = "join conditions with `&&` or `||`";
      this.#reporter.report("HW201", { start, end: start + 1 }, "expected an operator before `{`", help);
    }
    this.#map(groupOf(token));
    return this.#node({ kind: "error" }, of.start, end);
  }

  #field(of: Built, node: CstNode): Built {
    const field = leaf(node, "Field");
    const habit = leaf(node, "QuestionDot");
    if (habit)
      this.#reporter.report(
        "HW201",
        spanOf(habit),
        "`?.` is not an operator here",
        "write `.?field` for an optional field",
      );
    if (field === undefined)
      return this.#node(
        { kind: "error" },
        of.start,
        Math.max(of.end, spanOf(habit ?? leaf(node, "Dot") ?? noToken).end),
      );
    const optional = habit !== undefined || leaf(node, "Question") !== undefined;
    const name = this.#fieldName(field);
    const nameSpan = this.#reporter.toFile(spanOf(field));
    const parens = leaf(node, "args");
    if (parens === undefined) {
      const shape: Shape = { kind: "member", of: of.expression, field: name, fieldSpan: nameSpan, optional };
      return this.#node(shape, of.start, spanOf(field).end);
    }
    if (optional) this.#reporter.report("HW201", spanOf(field), "a method cannot be optional", `write \`.${name}(…)\``);
    if (field.tokenType === t.Backticked)
      this.#reporter.report(
        "HW201",
        spanOf(field),
        "backticks quote a field, not a method",
        "write the method's name alone",
      );
    const args = this.#args(groupOf(parens));
    return this.#node({ kind: "call", name, nameSpan, receiver: of.expression, args }, of.start, spanOf(parens).end);
  }

  /** Reads a field in backticks, which may contain characters that a name may not: `args.\`dry-run\``. */
  #quotedField(token: IToken): string {
    const name = token.image.replaceAll("`", "");
    if (isQuotable(name) && token.image.length === name.length + 2) return name;
    const message = "a field in backticks is letters, digits, spaces and `_.-/`";
    this.#reporter.report("HW202", spanOf(token), message, `write it as an index: \`value["${name}"]\``);
    return name;
  }

  /** Reads a field name. CEL allows reserved words after a dot, but none of `true false null in`. */
  #fieldName(token: IToken): string {
    const span = spanOf(token);
    const text = token.image;
    if (token.tokenType === t.Backticked) return this.#quotedField(token);
    const help = `write it as an index: \`value["${text}"]\``;
    if (token.tokenType === t.WideName) this.#reporter.report("HW202", span, "name with letters beyond ASCII", help);
    if (token.tokenType === t.Constant || token.tokenType === t.In) {
      this.#reporter.report("HW204", span, `${describe(token)} is a reserved word`, help);
    }
    return text;
  }
}

const noToken: IToken = { image: "", startOffset: 0, endOffset: -1, tokenType: t.Dot, tokenTypeIdx: 0 };

function isEmpty(group: Group): boolean {
  return group.pieces.length === 1 && group.pieces[0]?.tokens.length === 0;
}

/** Returns the pieces of a list or map without the empty piece after a trailing comma. */
function withoutTrailingComma(group: Group): readonly Piece[] {
  return group.pieces.at(-1)?.tokens.length === 0 ? group.pieces.slice(0, -1) : group.pieces;
}

function child(node: CstNode | undefined, name: string): CstNode | undefined {
  return node?.children[name]?.[0] as CstNode | undefined;
}

function children(node: CstNode | undefined, name: string): CstNode[] {
  return (node?.children[name] ?? []) as CstNode[];
}

function leaf(node: CstNode | undefined, name: string): IToken | undefined {
  return node?.children[name]?.[0] as IToken | undefined;
}

function leaves(node: CstNode | undefined, name: string): IToken[] {
  return [...((node?.children[name] ?? []) as IToken[])];
}
