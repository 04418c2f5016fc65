import type { Expression } from "../../rules/ast.ts";
import { printExpression } from "../../rules/print.ts";

/** Returns the operands of a chain of one logical operator, with any brackets. */
export function chain(expression: Expression, operator: "&&" | "||"): Expression[] {
  const operands: Expression[] = [];
  const open = [expression];
  for (let next = open.pop(); next; next = open.pop()) {
    if (next.kind === "binary" && next.operator === operator) open.push(next.right, next.left);
    else operands.push(next);
  }
  return operands;
}

/** Joins operands from the left by one logical operator; operands that are such chains are flattened. */
export function joined(operands: readonly Expression[], operator: "&&" | "||"): Expression {
  const [first, ...rest] = operands.flatMap((operand) => chain(operand, operator)) as [Expression, ...Expression[]];
  return rest.reduce<Expression>((left, right) => ({ kind: "binary", operator, left, right, span: first.span }), first);
}

/** Returns an expression as lines of at most `width` if it can be broken: after `&&` and `||`, and around bracketed parts. */
export function expressionLines(expression: Expression, width: number): string[] {
  const whole = printExpression(expression);
  if (whole.length <= width) return [whole];
  if (expression.kind === "binary" && (expression.operator === "&&" || expression.operator === "||"))
    return chainLines(expression, expression.operator, width);
  if (expression.kind === "unary" && expression.operator === "!" && expression.operand.kind === "binary")
    return bracketed("!(", expressionLines(expression.operand, width - 2), ")");
  if (expression.kind === "unary" && expression.operator === "!") {
    const [first, ...rest] = expressionLines(expression.operand, width - 1) as [string, ...string[]];
    return [`!${first}`, ...rest];
  }
  return macroLines(expression, width) ?? [whole];
}

function chainLines(expression: Expression, operator: "&&" | "||", width: number): string[] {
  const operands = chain(expression, operator);
  return operands.flatMap((operand, i) => {
    const weaker =
      operand.kind === "conditional" || (operator === "&&" && operand.kind === "binary" && operand.operator === "||");
    const room = width - operator.length - 1;
    const text = printExpression(operand);
    const lines = !weaker
      ? expressionLines(operand, room)
      : text.length + 2 <= room
        ? [`(${text})`]
        : bracketed("(", expressionLines(operand, room - 2), ")");
    const last = lines.at(-1) as string;
    return i === operands.length - 1 ? lines : [...lines.slice(0, -1), `${last} ${operator}`];
  });
}

/** Returns `list.exists(x, …)` with its body on separate lines. */
function macroLines(expression: Expression, width: number): string[] | undefined {
  if (expression.kind !== "call" || !expression.receiver || expression.args.length !== 2) return undefined;
  const [variable, body] = expression.args as [Expression, Expression];
  if (variable.kind !== "name" || (body.kind !== "binary" && body.kind !== "call" && body.kind !== "unary"))
    return undefined;
  const head = `${printExpression({ ...expression, args: [variable] }).slice(0, -1)},`;
  return bracketed(head, expressionLines(body, width - 2), ")");
}

function bracketed(open: string, lines: readonly string[], close: string): string[] {
  return [open, ...lines.map((line) => `  ${line}`), close];
}
