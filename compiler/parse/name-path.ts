import type { Expression } from "../../rules/ast.ts";
import { reservedWords } from "./habits.ts";
import type { Reporter } from "./reporter.ts";

/** Matches names joined by dots. */
const dotted = /^[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*$/;

/** Words that the grammar does not accept as names everywhere. */
const notNames: ReadonlySet<string> = new Set([
  ...["true", "false", "null", "in", "not", "and", "or", "is", "contains", "startsWith", "endsWith", "matches", "like"],
  ...reservedWords,
]);

/** Most names of a path that is read here: far more than paths have, and far below the depth limit of expressions. */
const mostNames = 20;

/**
 * Parses a text such as `p.target.branch` without lexer and grammar, since most expressions of a policy are such paths. The
 * result is the same as the grammar's. Undefined for every other text.
 */
export function namePath(text: string, reporter: Reporter): Expression | undefined {
  if (!dotted.test(text)) return undefined;
  const [first = "", ...fields] = text.split(".");
  if (fields.length >= mostNames || notNames.has(first) || fields.some((field) => notNames.has(field)))
    return undefined;
  let end = first.length;
  let expression: Expression = { kind: "name", name: first, span: reporter.toFile({ start: 0, end }) };
  for (const field of fields) {
    const start = end + 1;
    end = start + field.length;
    const fieldSpan = reporter.toFile({ start, end });
    const span = reporter.toFile({ start: 0, end });
    expression = { kind: "member", of: expression, field, fieldSpan, optional: false, span };
  }
  return expression;
}
