import type { Value } from "../../schema/ports.ts";
import { Double, type EvaluationError } from "../../schema/ports.ts";
import type { Overload } from "./code.ts";
import { overload } from "./code.ts";
import { doubleOf, evaluationError, isInt, numberOf } from "./values.ts";

/** Returns the greatest (`sign` 1) or least (`sign` -1) of some numbers; of equal ones the first. */
function extreme(name: string, items: readonly Value[], sign: 1 | -1): Value | EvaluationError {
  let best: number | Double | undefined;
  for (const item of items) {
    if (typeof item !== "number" && !(item instanceof Double)) return evaluationError(`\`${name}\` needs numbers`);
    if (best === undefined || sign * numberOf(item) > sign * numberOf(best)) best = item;
  }
  return best === undefined ? evaluationError(`\`${name}\` of an empty list`) : best;
}

function extremes(name: "greatest" | "least", sign: 1 | -1): readonly Overload[] {
  return [
    overload(`math.${name}_list`, ["list"], ([items]) => extreme(`math.${name}`, items, sign)),
    overload(`math.${name}_one`, ["number"], ([a]) => a),
    overload(`math.${name}`, ["number", "number"], (args) => extreme(`math.${name}`, args, sign)),
    overload(`math.${name}_three`, ["number", "number", "number"], (args) => extreme(`math.${name}`, args, sign)),
    overload(`math.${name}_four`, ["number", "number", "number", "number"], (args) =>
      extreme(`math.${name}`, args, sign),
    ),
  ];
}

/** Rounds half away from zero, as CEL does. */
const round = (n: number): number => (Number.isFinite(n) ? Math.sign(n) * Math.round(Math.abs(n)) : n);

function onDouble(name: string, run: (n: number) => number): readonly Overload[] {
  return [overload(`math.${name}`, ["double"], ([n]) => doubleOf(run(numberOf(n))))];
}

function onBoth(name: string, run: (n: number) => number): readonly Overload[] {
  return [
    overload(`math.${name}_int`, ["int"], ([n]) => run(n) + 0),
    overload(`math.${name}`, ["double"], ([n]) => doubleOf(run(numberOf(n)))),
  ];
}

function asks(name: string, run: (n: number) => boolean): readonly Overload[] {
  return [overload(`math.${name}`, ["double"], ([n]) => run(numberOf(n)))];
}

/** Makes a 64-bit operation on ints; an error if the result is no safe integer. */
function bits(run: (a: bigint, b: bigint) => bigint): (a: number, b: number) => Value | EvaluationError {
  return (a, b) => {
    const result = Number(BigInt.asIntN(64, run(BigInt(a), BigInt(b))));
    return isInt(result) ? result : evaluationError("integer overflow");
  };
}

function bitwise(name: string, run: (a: bigint, b: bigint) => bigint): readonly Overload[] {
  const code = bits(run);
  return [overload(`math.${name}`, ["int", "int"], ([a, b]) => code(a, b))];
}

/** Makes the overload of a shift. A count of at least 64 gives 0, a negative count an error. */
function shift(name: string, run: (a: bigint, b: bigint) => bigint): readonly Overload[] {
  const code = bits(run);
  return [
    overload(`math.${name}`, ["int", "int"], ([a, b]) => {
      if (b < 0) return evaluationError(`\`math.${name}\`: shift is negative`);
      return b >= 64 ? 0 : code(a, b);
    }),
  ];
}

/** Math extension of CEL. */
export const mathFunctions: Readonly<Record<string, readonly Overload[]>> = {
  greatest: extremes("greatest", 1),
  least: extremes("least", -1),
  abs: onBoth("abs", Math.abs),
  sign: onBoth("sign", Math.sign),
  ceil: onDouble("ceil", Math.ceil),
  floor: onDouble("floor", Math.floor),
  round: onDouble("round", round),
  trunc: onDouble("trunc", Math.trunc),
  sqrt: [overload("math.sqrt", ["number"], ([n]) => doubleOf(Math.sqrt(numberOf(n))))],
  is_nan: asks("is_nan", Number.isNaN),
  is_inf: asks("is_inf", (n) => n === Number.POSITIVE_INFINITY || n === Number.NEGATIVE_INFINITY),
  is_finite: asks("is_finite", Number.isFinite),
  bit_and: bitwise("bit_and", (a, b) => a & b),
  bit_or: bitwise("bit_or", (a, b) => a | b),
  bit_xor: bitwise("bit_xor", (a, b) => a ^ b),
  bit_not: [overload("math.bit_not", ["int"], ([a]) => (isInt(-a - 1) ? -a - 1 : evaluationError("integer overflow")))],
  bit_shift_left: shift("bit_shift_left", (a, b) => a << b),
  bit_shift_right: shift("bit_shift_right", (a, b) => BigInt.asUintN(64, a) >> b),
};
