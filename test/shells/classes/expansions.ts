import {
  assign,
  calculated,
  double,
  each,
  element,
  expanded,
  glob,
  into,
  list,
  output,
  quoted,
  redirect,
  run,
  type Some,
  single,
  value,
  word,
} from "../tree/build.ts";
import type { Variable } from "../tree/names.ts";
import type { Part } from "../tree/tree.ts";
import { operatorPieces, start, used } from "./operators.ts";
import { printing } from "./outputs.ts";
import { type Piece, place, sink, sinkOf } from "./pieces.ts";

const parameter = (
  more: Omit<Extract<Part, { part: "parameter" }>["expansion"], "name">,
  name: Variable = "x",
): Part => ({ part: "parameter", expansion: { name, ...more } });

const further: Readonly<Record<string, Piece>> = {
  plain: (maker) => [...start(maker), ...used(maker, value("x"))],
  "braced beside text": (maker) => [
    assign("x", maker.random.pick(["MA", "M", "o"] as const)),
    ...used(maker, double(value("x"), maker.random.pick(["RK", "K", "o"] as const))),
  ],
  length: (maker) => [...start(maker), assign("y", parameter({ before: "#" })), sink(maker, word("o", value("y")))],
  indirect: (maker) => [
    ...start(maker),
    assign("y", maker.random.pick(["x", "z", "a"] as const)),
    ...used(maker, parameter({ before: "!" }, "y")),
  ],
  "names by prefix": (maker) => [
    ...start(maker),
    each(
      "y",
      [parameter({ before: "!", names: maker.random.pick(["*", "@"] as const) })],
      sink(maker, parameter({ before: "!" }, "y")),
    ),
  ],
  "all arguments": (maker) => [
    run("set", "--", place(maker), place(maker)),
    ...used(
      maker,
      maker.random.pick([value("@"), value("*"), { part: "parameter", expansion: { name: "#" } } as Part]),
    ),
  ],
  "slices of arguments": (maker) => [
    run("set", "--", "o", "MARK", "o2"),
    ...used(
      maker,
      expanded(
        maker.random.pick(["@", "*"] as const),
        ":",
        maker.random.pick(["0", "1", "2"] as const),
        maker.random.chance(0.7) ? maker.random.pick(["1", "2"] as const) : undefined,
      ),
    ),
  ],
  "operators on arguments": (maker) => [
    run("set", "--", "XMARK", "o"),
    ...used(
      maker,
      expanded(
        "@",
        maker.random.pick(["#", "%", "/", "^^"] as const),
        glob(maker.random.pick(["X", "o", "M"] as const)),
      ),
    ),
  ],
  "slices of arrays": (maker) => [
    list("a", "o", "MARK", "o2"),
    ...used(maker, {
      part: "parameter",
      expansion: {
        name: "a",
        index: "@",
        operator: ":",
        first: word(maker.random.pick(["0", "1", "2"] as const)),
        second: word("1"),
      },
    }),
  ],
  "operators on arrays": (maker) => [
    list("a", "XMARK", "o"),
    ...used(maker, {
      part: "parameter",
      expansion: {
        name: "a",
        index: maker.random.pick(["@", "*"] as const),
        operator: maker.random.pick(["#", "%", "/", "^^", "##"] as const),
        first: word(glob(maker.random.pick(["X", "o"] as const))),
      },
    }),
  ],
  elements: (maker) => [
    list("a", place(maker), place(maker)),
    ...used(
      maker,
      element(
        "a",
        maker.random.pick<"@" | "*" | Some>(["0", "1", "-1", "n", value("n"), calculated({ number: 1 }), "@", "*"]),
      ),
    ),
  ],
  keys: (maker) => [
    list("a", place(maker), place(maker)),
    each(
      "y",
      [double({ part: "parameter", expansion: { name: "a", before: "!", index: "@" } })],
      sink(maker, element("a", value("y"))),
    ),
  ],
  substitution: (maker) => [...start(maker), ...used(maker, output(printing(maker)))],
  "substitution in ticks": (maker) => [
    ...start(maker),
    ...used(maker, { part: "substitution", ticks: true, body: [printing(maker)] }),
  ],
  "content of a file": (maker) => [
    ...used(maker, { part: "content", file: word(maker.random.pick(["name.txt", "list.txt", "src.txt"] as const)) }),
  ],
  arithmetic: (maker) => [
    assign("n", maker.random.pick(["0", "1", "2", "077", "0x10", "x"] as const)),
    ...used(
      maker,
      calculated({
        left: { variable: "n" },
        operator: maker.random.pick(["+", "-", "*", "%", "<", "==", "<<", "||"] as const),
        right: { number: 1 + maker.random.below(4) },
      }),
    ),
  ],
  "arithmetic that assigns": (maker) => [
    assign("n", maker.random.pick(["0", "1"] as const)),
    list("a", "o", "MARK", "o2"),
    run(
      ":",
      calculated(
        maker.random.chance(0.5) ? { set: "n", operator: "=", value: { number: 1 } } : { step: "n", by: "++" },
      ),
    ),
    sink(maker, element("a", value("n"))),
  ],
  "arithmetic of a name": (maker) => [
    assign("y", { part: "subscript", body: [run("touch", place(maker))] }),
    run("echo", calculated({ variable: "y" })),
  ],
  braces: (maker) => [
    each("x", [{ part: "braces", items: [word(place(maker)), word(place(maker))] }], sinkOf(maker, "x")),
  ],
  "braces in a word": (maker) => [
    run(
      "touch",
      word(maker.random.pick(["MA", "o", "./"] as const), { part: "braces", items: [word("RK"), word("o"), word("")] }),
    ),
  ],
  ranges: (maker) => [each("x", [word("o", { part: "range", from: "1", to: "3" })], sinkOf(maker, "x"))],
  "braces of values": (maker) => [
    ...start(maker),
    run("touch", { part: "braces", items: [word(value("x")), word("o")] }),
  ],
  "braces off": () => [run("set", "+B"), run("touch", { part: "braces", items: [word("MARK"), word("o")] })],
  tilde: (maker) => [...used(maker, word(maker.random.pick(["~/MARK", "~/o", "~"] as const))[0] as Part)],
  "tilde in a value": (maker) => [assign("x", maker.random.pick(["~/MARK", "~/o"] as const)), sinkOf(maker, "x")],
  "file names": (maker) => [
    ...(maker.random.chance(0.4) ? [run("touch", place(maker))] : []),
    each(
      "x",
      [
        glob(
          maker.random.pick([
            "*.txt",
            "s*.txt",
            "M*",
            "*K",
            "MA*",
            "[MO]*",
            "sub/*",
            "*/in.txt",
            "zzz*",
            "?",
            "b*",
            "MAR?",
            "[a-z]*",
          ] as const),
        ),
      ],
      sink(maker, word(maker.random.pick(["o", "./"] as const), value("x"))),
    ),
  ],
  "file names in a command": (maker) => [
    run(
      maker.random.pick(["touch", "cat"] as const),
      glob(maker.random.pick(["*.txt", "s*.txt", "M*", "sub/*", "[MO]*", "zzz*"] as const)),
    ),
  ],
  "extended patterns": (maker) => [
    run("shopt", "-s", "extglob"),
    run("touch", place(maker)),
    run("touch", glob(maker.random.pick(["?(o)", "+(o)", "@(MARK|o)", "!(o)", "*(o)"] as const))),
  ],
  splitting: (maker) => [
    assign("IFS", maker.random.pick([":", ",", "K", "M", ""] as const)),
    assign("x", maker.random.pick(["MARK:o", "o:MARK", "MARK,o", "MARK"] as const)),
    each("y", [value("x")], sinkOf(maker, "y")),
  ],
  "splitting of output": (maker) => [
    each("x", [output(run("printf", "%s %s\\n", place(maker), place(maker)))], sinkOf(maker, "x")),
  ],
  quotes: () => [run("touch", word(double("MA"), single("RK")))],
  escapes: (maker) => [run("touch", { part: "escaped", text: place(maker) })],
  "ansi quotes": (maker) => [
    run("touch", {
      part: "ansi",
      text: maker.random.pick([
        "\\115ARK",
        "\\x4dARK",
        "\\u004dARK",
        "MA\\122K",
        "\\U0000004dARK",
        "MARK\\c",
        "\\cM",
      ] as const),
    }),
  ],
  processes: (maker) => [
    run("cat", { part: "process", direction: "<", body: [sink(maker, place(maker)), run("echo", "t")] }),
  ],
  "output to processes": (maker) => [
    into(
      run("echo", place(maker)),
      redirect(">", {
        part: "process",
        direction: ">",
        body: [into(run("read", "x"), redirect("<", "/dev/stdin")), sinkOf(maker, "x")],
      }),
    ),
    run("wait"),
  ],
  "special parameters": (maker) => [sink(maker, word("o", value(maker.random.pick(["?", "#", "$", "-"] as const))))],
  "last argument": (maker) => [run("echo", place(maker)), sink(maker, value("_"))],
  "unset as an error": (maker) => [
    run("set", "-u"),
    run("unset", "x"),
    run("touch", quoted("x"), "o"),
    run("touch", place(maker)),
  ],
};

/** Every operator of parameters and every other expansion, by name. */
export const expansions: Readonly<Record<string, Piece>> = { ...operatorPieces, ...further };
