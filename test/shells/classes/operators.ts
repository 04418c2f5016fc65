import {
  assign,
  double,
  each,
  expanded,
  glob,
  output,
  quoted,
  run,
  type Some,
  single,
  value,
  word,
} from "../tree/build.ts";
import type { Glob, Variable } from "../tree/names.ts";
import type { Operator, Part, Script } from "../tree/tree.ts";
import { type Maker, one, type Piece, sink, sinkOf } from "./pieces.ts";

/** Values that operators work on. */
export function start(maker: Maker, name: Variable = "x"): Script {
  const texts = [
    "MARK",
    "MARK",
    "o",
    "XMARK",
    "MARKX",
    "oMARK",
    "MARK:o",
    "mark",
    "sub/MARK",
    "MA.RK",
    "MARK.txt",
    "",
    "src.txt",
    "MARKS",
  ] as const;
  return maker.random.chance(0.1) ? [run("unset", name)] : [assign(name, maker.random.pick(texts))];
}

const patterns: readonly Glob[] = [
  "*",
  "?",
  "M*",
  "*K",
  "MA*",
  "[MO]*",
  "X",
  "o",
  "[!o]*",
  "?(o)",
  "+(x)",
  "*(o)",
  "",
  "MA",
  "M",
  "[[:upper:]]*",
  "*.txt",
  "@(MARK|o)",
  "!(o)",
  "?*",
  "m*",
  "[A-Z]*",
];

/** Uses an expansion of `x`: quoted or not, in a command or first in another variable. */
export function used(maker: Maker, part: Part): Script {
  return one<Script>(
    maker,
    () => [sink(maker, part)],
    () => [sink(maker, double(part))],
    () => [assign("y", part), sinkOf(maker, "y")],
    () => [assign("y", double(part)), sinkOf(maker, "y")],
    () => [each("y", [part], sinkOf(maker, "y"))],
    () => [run("set", "--", part), sink(maker, double({ part: "parameter", expansion: { name: "1" } }))],
  );
}

const operand = ({ random }: Maker): Some =>
  random.pick<Some>([
    "MARK",
    "o",
    "MA",
    "RK",
    value("z"),
    quoted("z"),
    double("MARK"),
    single("MARK"),
    output(run("echo", "MARK")),
    "",
  ]);

function withOperator(operator: Operator): Piece {
  return (maker) => {
    const { random } = maker;
    const before = [...start(maker), ...(random.chance(0.3) ? start(maker, "z") : [])];
    if (/^[:]?[-=+?]$/.test(operator))
      return [
        ...before,
        ...used(maker, expanded("x", operator, operand(maker))),
        ...(random.chance(0.3) ? [sinkOf(maker, "x")] : []),
      ];
    if (/^[#%]{1,2}$/.test(operator))
      return [...extglob(maker), ...before, ...used(maker, expanded("x", operator, pattern(maker)))];
    if (operator === ":") return [...before, ...used(maker, sliced(maker))];
    if (operator.startsWith("/"))
      return [
        ...extglob(maker),
        ...before,
        ...used(maker, expanded("x", operator, pattern(maker), random.chance(0.8) ? replacement(maker) : undefined)),
      ];
    if (/^[\^,~]/.test(operator))
      return [...before, ...used(maker, expanded("x", operator, random.chance(0.4) ? pattern(maker) : undefined))];
    return [...before, ...used(maker, expanded("x", operator))];
  };
}

const extglob = ({ random }: Maker): Script => (random.chance(0.5) ? [run("shopt", "-s", "extglob")] : []);
const pattern = ({ random }: Maker): Some =>
  random.chance(0.85) ? glob(random.pick(patterns)) : random.pick<Some>([value("z"), quoted("z"), single("*")]);
const replacement = ({ random }: Maker): Some =>
  random.pick<Some>(["MARK", "o", "MA", "", value("z"), glob("M"), "MARK.txt"]);

function sliced({ random }: Maker): Part {
  const at = random.pick<Some>(["0", "1", "2", word("0", "+", "1"), "n", value("n"), word(" ", "-1")]);
  return expanded(
    "x",
    ":",
    at,
    random.chance(0.6) ? random.pick<Some>(["1", "4", "2", "-1", value("n"), "3"]) : undefined,
  );
}

const operators: readonly Operator[] = [
  ":-",
  "-",
  ":=",
  "=",
  ":+",
  "+",
  ":?",
  "?",
  "#",
  "##",
  "%",
  "%%",
  ":",
  "/",
  "//",
  "/#",
  "/%",
  "^",
  "^^",
  ",",
  ",,",
  "~",
  "~~",
  "@Q",
  "@E",
  "@P",
  "@A",
  "@a",
  "@U",
  "@u",
  "@L",
  "@K",
  "@k",
];

/** Every operator of a parameter expansion, by its name. */
export const operatorPieces: Readonly<Record<string, Piece>> = Object.fromEntries(
  operators.map((operator) => [`\${x${operator}}`, withOperator(operator)]),
);
