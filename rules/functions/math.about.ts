import type { About } from "./about.ts";
import { about } from "./about.ts";

function extremes(name: "greatest" | "least", doc: string, gives: readonly [string, string, string]): readonly About[] {
  return [
    about(
      `math.${name}_list`,
      `math.${name}(list(dyn)): dyn`,
      `${doc} of a list.`,
      [`math.${name}([1, 3, 2])`, gives[0]],
      [`math.${name}([])`, "error"],
    ),
    about(`math.${name}_one`, `math.${name}(A): A`, "The number itself."),
    about(`math.${name}`, `math.${name}(A, A): A`, `${doc} of two numbers.`, [`math.${name}(1, 2)`, gives[1]]),
    about(`math.${name}_three`, `math.${name}(A, A, A): A`, `${doc} of three numbers.`, [
      `math.${name}(1, 2.5, 0)`,
      gives[2],
    ]),
    about(`math.${name}_four`, `math.${name}(A, A, A, A): A`, `${doc} of four numbers.`),
  ];
}

const onDouble = (name: string, written: string, doc: string, ...examples: [string, string][]): readonly About[] => [
  about(`math.${name}`, `math.${written}(double): double`, doc, ...examples),
];
const asks = (name: string, written: string, doc: string, ...examples: [string, string][]): readonly About[] => [
  about(`math.${name}`, `math.${written}(double): bool`, doc, ...examples),
];
const bits = (name: string, written: string, doc: string, ...examples: [string, string][]): readonly About[] => [
  about(`math.${name}`, `math.${written}(int, int): int`, doc, ...examples),
];

/** Reference entries of mathematical functions. */
export const mathAbout: Readonly<Record<string, readonly About[]>> = {
  greatest: extremes("greatest", "The greatest", ["3", "2", "2.5"]),
  least: extremes("least", "The least", ["1", "1", "0"]),
  abs: [
    about("math.abs_int", "math.abs(int): int", "The number without its sign.", ["math.abs(-2)", "2"]),
    about("math.abs", "math.abs(double): double", "The number without its sign.", ["math.abs(-1.5)", "1.5"]),
  ],
  sign: [
    about("math.sign_int", "math.sign(int): int", "-1, 0 or 1.", ["math.sign(-7)", "-1"]),
    about("math.sign", "math.sign(double): double", "-1.0, 0.0 or 1.0.", ["math.sign(2.5)", "1.0"]),
  ],
  ceil: onDouble("ceil", "ceil", "The next integral number above.", ["math.ceil(1.2)", "2.0"]),
  floor: onDouble("floor", "floor", "The next integral number below.", ["math.floor(-1.2)", "-2.0"]),
  round: onDouble("round", "round", "The nearest integral number, halves away from zero.", [
    "math.round(-1.5)",
    "-2.0",
  ]),
  trunc: onDouble("trunc", "trunc", "The number without its fraction.", ["math.trunc(-1.7)", "-1.0"]),
  sqrt: [
    about("math.sqrt", "math.sqrt(double): double", "The square root.", ["math.sqrt(2.25)", "1.5"]),
    about("math.sqrt", "math.sqrt(int): double", "The square root.", ["math.sqrt(49)", "7.0"]),
  ],
  is_nan: asks("is_nan", "isNaN", "True for not a number.", ["math.isNaN(0.0 / 0.0)", "true"]),
  is_inf: asks("is_inf", "isInf", "True for an infinity.", ["math.isInf(1.0 / 0.0)", "true"]),
  is_finite: asks("is_finite", "isFinite", "True unless infinite or not a number.", ["math.isFinite(1.5)", "true"]),
  bit_and: bits("bit_and", "bitAnd", "Bits that both have.", ["math.bitAnd(3, 5)", "1"]),
  bit_or: bits("bit_or", "bitOr", "Bits that either has.", ["math.bitOr(1, 2)", "3"]),
  bit_xor: bits("bit_xor", "bitXor", "Bits that one has.", ["math.bitXor(3, 5)", "6"]),
  bit_not: [about("math.bit_not", "math.bitNot(int): int", "All bits flipped.", ["math.bitNot(1)", "-2"])],
  bit_shift_left: bits(
    "bit_shift_left",
    "bitShiftLeft",
    "Bits moved left.",
    ["math.bitShiftLeft(1, 3)", "8"],
    ["math.bitShiftLeft(1, -1)", "error"],
  ),
  bit_shift_right: bits("bit_shift_right", "bitShiftRight", "Bits moved right, zeros moving in.", [
    "math.bitShiftRight(8, 2)",
    "2",
  ]),
};
