import type { FunctionCode } from "../../schema/ports.ts";
import type { Overload } from "../functions/code.ts";
import { overload } from "../functions/code.ts";
import { compareNumbers, compareTimes } from "../functions/order.ts";
import { pathEquals } from "../functions/path.ts";
import { compareText, equal, isPath, isUrl, numberOf } from "../functions/values.ts";

/** Overloads of one ordering for every kind that has an order. NaN makes each false. */
function orderings(name: string, test: (order: number) => boolean): readonly Overload[] {
  return [
    overload(`number.${name}`, ["number", "number"], ([a, b]) => test(compareNumbers(numberOf(a), numberOf(b)))),
    overload(`string.${name}`, ["string", "string"], ([a, b]) => test(compareText(a, b))),
    overload(`bool.${name}`, ["bool", "bool"], ([a, b]) => test(Number(a) - Number(b))),
    overload(`timestamp.${name}`, ["timestamp", "timestamp"], ([a, b]) => test(compareTimes(a, b))),
    overload(`duration.${name}`, ["duration", "duration"], ([a, b]) => test(compareTimes(a, b))),
  ];
}

/** Ordering operators. */
export const comparison: Readonly<Record<string, readonly Overload[]>> = {
  less: orderings("less", (n) => n < 0),
  less_equal: orderings("less_equal", (n) => n <= 0),
  greater: orderings("greater", (n) => n > 0),
  greater_equal: orderings("greater_equal", (n) => n >= 0),
};

/**
 * Equality of any two values. A path or URL that meets a string compares as `path.equals` and `url.equals` do, so that
 * a dyn operand never makes it false by its kind.
 */
export const equality: FunctionCode = {
  id: "equal",
  run: (args, context) => {
    const [a, b] = args;
    if (a === undefined || b === undefined) return false;
    if (isPath(a) && (typeof b === "string" || isPath(b))) return pathEquals(a, b, context);
    if (isPath(b) && typeof a === "string") return pathEquals(b, a, context);
    if (isUrl(a) && typeof b === "string") return a.text === b;
    if (isUrl(b) && typeof a === "string") return b.text === a;
    return equal(a, b);
  },
};
