import type { Span } from "../../diagnostics/source.ts";
import type { Ir } from "../../engine/plan.ts";
import type { Expression } from "../../rules/ast.ts";
import type { Range } from "../../rules/types.ts";
import { limits } from "../../schema/limits.ts";
import type { Checker, Scope, Typed } from "./context.ts";

/** Ranges of functions on times: the clock and the calendar have ends. A duration is given whole in each unit. */
const ofTimes: Readonly<Record<string, Range>> = {
  "timestamp.month": [0, 11],
  "timestamp.date": [1, 31],
  "timestamp.day_of_month": [0, 30],
  "timestamp.day_of_week": [0, 6],
  "timestamp.day_of_year": [0, 365],
  "timestamp.hours": [0, 23],
  "timestamp.minutes": [0, 59],
  "timestamp.seconds": [0, 59],
  "timestamp.milliseconds": [0, 999],
};

function rangeOf({ type, ir }: Typed): Range | undefined {
  if (type.kind !== "int") return undefined;
  if (type.range) return type.range;
  if (ir.k !== "call") return undefined;
  if (ir.fn === "calls.within" || (ir.fn === "list.size" && isOfCalls(ir.args[0]))) return [0, limits.calls];
  if (/\.size$/.test(ir.fn)) return [0, Number.POSITIVE_INFINITY];
  const fn = ir.fn.replace(/_in$/, "");
  // An event happens in this century; another time may be of any.
  if (fn === "timestamp.full_year") return ir.args[0]?.k === "root" ? [1970, 9999] : undefined;
  return Object.hasOwn(ofTimes, fn) ? ofTimes[fn] : undefined;
}

/** True for the earlier calls of a session, or some of them: a session remembers the last ones alone. */
function isOfCalls(ir: Ir | undefined): boolean {
  let of = ir;
  while (of?.k === "loop" && (of.loop === "filter" || of.loop === "map")) of = of.list;
  return of?.k === "call" && /^session\.calls(?:_all)?$/.test(of.fn);
}

/** Returns a literal number. Parameters and lists do not count, because they have other values in other sets. */
function literalOf(written: Expression | undefined): number | undefined {
  if (written?.kind === "unary" && written.operator === "-") {
    const inner = literalOf(written.operand);
    return inner === undefined ? undefined : -inner;
  }
  return written?.kind === "literal" && typeof written.value === "number" ? written.value : undefined;
}

const mirrored: Readonly<Record<string, string>> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==" };

/**
 * Reports a comparison with a number that the other side never is (HW305): an hour of 24, a size below 0. True where one was
 * reported. `operator` is `==`, `<`, `<=`, `>` or `>=`.
 */
export function isOutOfRange(
  checker: Checker,
  operator: string,
  [left, right]: readonly [Typed, Typed],
  [leftPart, rightPart]: readonly [Expression | undefined, Expression | undefined],
  scope: Scope,
): boolean {
  const onRight = literalOf(rightPart);
  const onLeft = literalOf(leftPart);
  const report = (range: Range | undefined, sign: string | undefined, value: number, span: Span): boolean => {
    if (!range || sign === undefined || mayHold(sign, value, range)) return false;
    const always = scope.negated ? ", so that its negation always holds" : "";
    const [low, high] = range;
    const ends = Number.isFinite(high) ? `from ${low} to ${high}` : `from ${low} on`;
    checker.report(
      "HW305",
      span,
      `it is never ${word(sign)}${value}: it goes ${ends}${always}`,
      // Only days of the week end at 6.
      high === 6 && value === 7 ? "write 0 for Sunday, from which the days count" : `write a number ${ends}`,
    );
    return true;
  };
  if (onRight !== undefined && rightPart) return report(rangeOf(left), operator, onRight, rightPart.span);
  if (onLeft !== undefined && leftPart) return report(rangeOf(right), mirrored[operator], onLeft, leftPart.span);
  return false;
}

function mayHold(operator: string, value: number, [low, high]: Range): boolean {
  switch (operator) {
    case "<":
      return value > low;
    case "<=":
      return value >= low;
    case ">":
      return value < high;
    case ">=":
      return value <= high;
    default:
      return value >= low && value <= high && Number.isInteger(value);
  }
}

function word(operator: string): string {
  const words: Readonly<Record<string, string>> = { "<": "below ", "<=": "at most ", ">": "above ", ">=": "at least " };
  return Object.hasOwn(words, operator) ? (words[operator] as string) : "";
}
