import type { About } from "../functions/about.ts";
import { about } from "../functions/about.ts";

const ordered = ["string", "bool", "timestamp", "duration"];

function orderings(name: string, symbol: string, doc: string): readonly About[] {
  return [
    ...["int, int", "double, double", "int, double", "double, int"].map((types) =>
      about(`number.${name}`, `_${symbol}_(${types}): bool`, doc),
    ),
    ...ordered.map((type) => about(`${type}.${name}`, `_${symbol}_(${type}, ${type}): bool`, doc)),
  ];
}

/** Reference entries of operators, under CEL's names for them. The checker chooses equality and membership of paths. */
export const operatorAbout: Readonly<Record<string, readonly About[]>> = {
  add: [
    about(
      "int.add",
      "_+_(int, int): int",
      "Sum; an error beyond 2^53.",
      ["1 + 2", "3"],
      ["9007199254740991 + 1", "error"],
    ),
    about("double.add", "_+_(double, double): double", "Sum.", ["0.5 + 0.25", "0.75"]),
    about("string.add", "_+_(string, string): string", "Texts one after another.", ['"a" + "b"', '"ab"']),
    about("list.add", "_+_(list(A), list(A)): list(A)", "Lists one after another.", ["[1] + [2]", "[1, 2]"]),
    about("timestamp.add", "_+_(timestamp, duration): timestamp", "A later time.", [
      'timestamp(0) + duration("1m") == timestamp(60)',
      "true",
    ]),
    about("duration.add_timestamp", "_+_(duration, timestamp): timestamp", "A later time.", [
      'duration("1m") + timestamp(0) == timestamp(60)',
      "true",
    ]),
    about("duration.add", "_+_(duration, duration): duration", "Sum.", [
      'duration("1m") + duration("30s") == duration("90s")',
      "true",
    ]),
  ],
  subtract: [
    about("int.subtract", "_-_(int, int): int", "Difference.", ["3 - 5", "-2"]),
    about("double.subtract", "_-_(double, double): double", "Difference.", ["1.5 - 1.0", "0.5"]),
    about("timestamp.subtract", "_-_(timestamp, timestamp): duration", "Time between.", [
      'timestamp(90) - timestamp(0) == duration("90s")',
      "true",
    ]),
    about("timestamp.subtract_duration", "_-_(timestamp, duration): timestamp", "An earlier time.", [
      'timestamp(90) - duration("30s") == timestamp(60)',
      "true",
    ]),
    about("duration.subtract", "_-_(duration, duration): duration", "Difference.", [
      'duration("90s") - duration("1m") == duration("30s")',
      "true",
    ]),
  ],
  multiply: [
    about("int.multiply", "_*_(int, int): int", "Product; an error beyond 2^53.", ["6 * 7", "42"]),
    about("double.multiply", "_*_(double, double): double", "Product.", ["1.5 * 2.0", "3.0"]),
  ],
  divide: [
    about("int.divide", "_/_(int, int): int", "Quotient, cut off towards zero.", ["-7 / 2", "-3"], ["1 / 0", "error"]),
    about("double.divide", "_/_(double, double): double", "Quotient.", ["1.0 / 4.0", "0.25"]),
  ],
  modulo: [
    about(
      "int.modulo",
      "_%_(int, int): int",
      "Remainder, with the sign of the first.",
      ["-7 % 2", "-1"],
      ["1 % 0", "error"],
    ),
  ],
  negate: [
    about("int.negate", "-_(int): int", "The number with the other sign.", ["-(3)", "-3"]),
    about("double.negate", "-_(double): double", "The number with the other sign.", ["-(1.5)", "-1.5"]),
  ],
  less: orderings("less", "<", "True if the first is smaller; strings order by code point."),
  less_equal: orderings("less_equal", "<=", "True if the first is not larger."),
  greater: orderings("greater", ">", "True if the first is larger."),
  greater_equal: orderings("greater_equal", ">=", "True if the first is not smaller."),
};
