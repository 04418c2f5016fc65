import { limits } from "../../schema/limits.ts";
import type { Duration, EvaluationError, Timestamp, Value } from "../../schema/ports.ts";
import type { Overload } from "../functions/code.ts";
import { overload } from "../functions/code.ts";
import { durationOf, timestampOf } from "../functions/time-values.ts";
import { doubleOf, evaluationError, isInt, numberOf, tooLarge } from "../functions/values.ts";

const overflow = evaluationError("integer overflow");

/** An int, or an error beyond 2^53. */
function checked(value: number): Value | EvaluationError {
  return isInt(value) ? value + 0 : overflow;
}

/** Returns the exact product; a rounded double looks safe only if it is. */
function product(a: number, b: number): Value | EvaluationError {
  return checked(a * b);
}

function quotient(a: number, b: number): Value | EvaluationError {
  return b === 0 ? evaluationError("division by zero") : checked(Math.trunc(a / b));
}

function remainder(a: number, b: number): Value | EvaluationError {
  return b === 0 ? evaluationError("modulus by zero") : checked(a % b);
}

function onDoubles(id: string, run: (a: number, b: number) => number): Overload {
  return overload(id, ["double", "double"], ([a, b]) => doubleOf(run(numberOf(a), numberOf(b))));
}

type Time = Timestamp | Duration;
const sum = (a: Time, b: Time): readonly [number, number] => [a.seconds + b.seconds, a.nanos + b.nanos];
const difference = (a: Time, b: Time): readonly [number, number] => [a.seconds - b.seconds, a.nanos - b.nanos];

function concat(a: readonly Value[], b: readonly Value[]): Value | EvaluationError {
  return a.length + b.length > limits.payloadNodes ? tooLarge : [...a, ...b];
}

/** Arithmetic operators. Ints overflow beyond 2^53 and division by zero are error values; doubles follow IEEE 754. */
export const arithmetic: Readonly<Record<string, readonly Overload[]>> = {
  add: [
    overload("int.add", ["int", "int"], ([a, b]) => checked(a + b)),
    onDoubles("double.add", (a, b) => a + b),
    overload("string.add", ["string", "string"], ([a, b]) =>
      a.length + b.length > limits.eventBytes ? tooLarge : a + b,
    ),
    overload("list.add", ["list", "list"], ([a, b]) => concat(a, b)),
    overload("timestamp.add", ["timestamp", "duration"], ([a, b]) => timestampOf(...sum(a, b))),
    overload("duration.add_timestamp", ["duration", "timestamp"], ([a, b]) => timestampOf(...sum(a, b))),
    overload("duration.add", ["duration", "duration"], ([a, b]) => durationOf(...sum(a, b))),
  ],
  subtract: [
    overload("int.subtract", ["int", "int"], ([a, b]) => checked(a - b)),
    onDoubles("double.subtract", (a, b) => a - b),
    overload("timestamp.subtract", ["timestamp", "timestamp"], ([a, b]) => durationOf(...difference(a, b))),
    overload("timestamp.subtract_duration", ["timestamp", "duration"], ([a, b]) => timestampOf(...difference(a, b))),
    overload("duration.subtract", ["duration", "duration"], ([a, b]) => durationOf(...difference(a, b))),
  ],
  multiply: [
    overload("int.multiply", ["int", "int"], ([a, b]) => product(a, b)),
    onDoubles("double.multiply", (a, b) => a * b),
  ],
  divide: [
    overload("int.divide", ["int", "int"], ([a, b]) => quotient(a, b)),
    onDoubles("double.divide", (a, b) => a / b),
  ],
  modulo: [overload("int.modulo", ["int", "int"], ([a, b]) => remainder(a, b))],
  negate: [
    overload("int.negate", ["int"], ([a]) => 0 - a),
    overload("double.negate", ["double"], ([a]) => doubleOf(-numberOf(a))),
  ],
};
