import type { IToken } from "chevrotain";
import type { BinaryOperator } from "../../rules/ast.ts";
import { spanOf } from "./groups.ts";
import { foreignOperators } from "./habits.ts";
import type { Reporter } from "./reporter.ts";
import { describe } from "./syntax-errors.ts";
import { ForeignOperator, ForeignSign, NotIn, WordOperator } from "./tokens.ts";

/** Binding strength of the binary operators, as in CEL; all are left-associative. */
const strengths: ReadonlyMap<string, number> = new Map([
  ["||", 1],
  ["&&", 2],
  ["==", 3],
  ["!=", 3],
  ["<", 3],
  ["<=", 3],
  [">", 3],
  [">=", 3],
  ["in", 3],
  ["+", 4],
  ["-", 4],
  ["*", 5],
  ["/", 5],
  ["%", 5],
]);

/** An operator between two operands: one of CEL, a negated membership, or an unknown one. */
export interface Infix {
  readonly operator: BinaryOperator | "not in" | "unknown";
  readonly token: IToken;
}

/** Returns the operator of a token of the category `Binary`. An operator of another language is reported. */
export function infixOf(token: IToken, reporter: Reporter): Infix {
  const foreign = [ForeignOperator, ForeignSign, NotIn, WordOperator].includes(token.tokenType);
  if (!foreign) return { operator: token.image as BinaryOperator, token };
  const habit = foreignOperators.get(token.image.replace(/\s+/, " "));
  const help = habit?.help ?? "write an operator of CEL";
  reporter.report("HW201", spanOf(token), `${describe(token)} is not an operator here`, help);
  return { operator: habit?.meant ?? "unknown", token };
}

/** Groups a run of operands by the strength of the operators between them, without recursion. */
export function joinOperands<T>(
  first: T,
  tails: readonly { readonly infix: Infix; readonly operand: T }[],
  join: (left: T, infix: Infix, right: T) => T,
): T {
  const operands = [first];
  const waiting: Infix[] = [];
  const reduce = (): void => {
    const right = operands.pop() as T;
    const left = operands.pop() as T;
    operands.push(join(left, waiting.pop() as Infix, right));
  };
  for (const { infix, operand } of tails) {
    while (waiting.length > 0 && strength(waiting.at(-1) as Infix) >= strength(infix)) reduce();
    waiting.push(infix);
    operands.push(operand);
  }
  while (waiting.length > 0) reduce();
  return operands[0] as T;
}

function strength(infix: Infix): number {
  return strengths.get(infix.operator) ?? 3;
}
