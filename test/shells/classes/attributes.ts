import {
  assign,
  assigned,
  code,
  define,
  double,
  each,
  element,
  expanded,
  into,
  list,
  or,
  output,
  quoted,
  redirect,
  run,
  type Some,
  single,
  subshell,
  value,
  word,
} from "../tree/build.ts";
import type { Part, Statement } from "../tree/tree.ts";
import { type Maker, one, type Piece, place, sink, sinkOf, test } from "./pieces.ts";

const again = (maker: Maker): Statement => assign("x", place(maker));
const declarer = ({ random }: Maker): "declare" | "typeset" => random.pick(["declare", "typeset"] as const);
const piece = ({ random }: Maker): Some =>
  random.pick(["MARK", "mark", "o", "MA", "RK", "ma", "1", "2", "x=MARK"] as const);

/** Tests of `declare` and its kin: attributes, arrays, namerefs and unset variables. */
export const attributes: readonly Piece[] = [
  (maker) => [
    run(declarer(maker), maker.random.pick(["-u", "-l"] as const), "x"),
    assign("x", piece(maker)),
    sinkOf(maker, "x"),
  ],
  (maker) => [
    run(declarer(maker), maker.random.pick(["-u", "-l", "-i", "-r", "-x", "-a"] as const), word("x=", piece(maker))),
    sinkOf(maker, "x"),
  ],
  (maker) => [
    run("declare", "-i", "n"),
    assign("n", "1"),
    assigned({ name: "n", append: true, value: word("1") }),
    sink(maker, word("o", value("n"))),
  ],
  (maker) => [
    define("f", run("local", "-n", word("y=", value("1"))), assign("y", place(maker))),
    run("f", "x"),
    sinkOf(maker, "x"),
  ],
  (maker) => [run("readonly", word("x=", place(maker))), again(maker), sinkOf(maker, "x")],
  (maker) => [run("readonly", "x"), or(again(maker), run("true")), sinkOf(maker, "x")],
  (maker) => [subshell(run("readonly", "x"), run("unset", "x"), sinkOf(maker, "x")), sinkOf(maker, "x")],
  (maker) => [run("readonly", "x"), each("x", ["o", "MARK"], sinkOf(maker, "x"))],
  (maker) => [run("readonly", "x"), into(run("read", "x"), redirect("<<<", place(maker))), sinkOf(maker, "x")],
  (maker) => [
    run("declare", "-r", word("y=", place(maker))),
    define("f", run("local", word("y=", place(maker))), sinkOf(maker, "y")),
    run("f"),
  ],
  (maker) => [run("declare", "-x", word("x=", place(maker))), run("bash", "-c", code(sinkOf(maker, "x")))],
  (maker) => [
    run("declare", "-x", "x"),
    run("declare", "+x", "x"),
    run("bash", "-c", code(sink(maker, expanded("x", ":-", place(maker))))),
  ],
  (maker) => [
    list("a", place(maker), place(maker)),
    sink(maker, element("a", maker.random.pick(["0", "1", "-1", "2"] as const))),
  ],
  (maker) => [
    list("a", place(maker), place(maker)),
    each("x", [double(element("a", maker.random.pick(["@", "*"] as const)))], sinkOf(maker, "x")),
  ],
  (maker) => [
    list("a", place(maker)),
    assigned({ name: "a", append: true, items: [{ value: word(place(maker)) }] }),
    sink(maker, double(element("a", "1"))),
  ],
  (maker) => [
    assigned({ name: "a", items: [{ index: word("2"), value: word(place(maker)) }] }),
    sink(maker, element("a", maker.random.pick(["0", "2", "-1"] as const))),
    each("x", [element("a", "@")], sinkOf(maker, "x")),
  ],
  (maker) => [
    assigned({ name: "a", index: word(maker.random.pick(["0", "1", "2"] as const)), value: word(place(maker)) }),
    sink(maker, element("a", "1")),
    sinkOf(maker, "a"),
  ],
  (maker) => [
    assigned({ name: "x", append: true, value: word(maker.random.pick(["RK", "K", "o"] as const)) }),
    sinkOf(maker, "x"),
  ],
  (maker) => [list("x", "MA"), assigned({ name: "x", append: true, value: word("RK") }), sinkOf(maker, "x")],
  (maker) => [
    list("a", place(maker), place(maker)),
    run("unset", single("a[0]")),
    sink(maker, element("a", "0")),
    sink(maker, element("a", "1")),
  ],
  (maker) => [
    run("declare", "-A", "a"),
    assigned({ name: "a", index: word("k"), value: word(place(maker)) }),
    sink(maker, element("a", maker.random.pick(["k", "v", "x"] as const))),
  ],
  (maker) => [
    run("declare", "-A", "a"),
    assigned({
      name: "a",
      items: [
        { index: word("k"), value: word(place(maker)) },
        { index: word("v"), value: word(place(maker)) },
      ],
    }),
    each(
      "x",
      [
        double({
          part: "parameter",
          expansion: { name: "a", before: maker.random.pick(["!", "!"] as const), index: "@" },
        }),
      ],
      sink(maker, element("a", value("x"))),
    ),
  ],
  (maker) => [
    list("a", "o", "MARK"),
    assign("n", "1"),
    sink(maker, element("a", value("n"))),
    sink(maker, element("a", "n")),
  ],
  (maker) => [
    list("a", "o", "MARK"),
    assign("x", { part: "parameter", expansion: { name: "a", before: "#", index: "@" } }),
    sink(
      maker,
      element("a", { part: "arithmetic", value: { left: { variable: "x" }, operator: "-", right: { number: 1 } } }),
    ),
  ],
  (maker) => [
    list("a", "sub", "MARK"),
    assign("IFS", maker.random.pick(["/", ":", ","] as const)),
    assign("x", double(element("a", "*"))),
    sinkOf(maker, "x"),
  ],
  (maker) => [
    run("set", "--", "sub", "MARK"),
    assign("IFS", maker.random.pick(["/", ":", ""] as const)),
    sink(maker, double(value("*"))),
  ],
  (maker) => [
    assign("IFS", maker.random.pick([":", ",", "K", "M", ""] as const)),
    assign("y", maker.random.pick(["MARK:o", "MARK,o", "o:MARK", "MARK"] as const)),
    sink(maker, value("y")),
  ],
  (maker) => [
    assign("IFS", ":"),
    into(run("read", "x", "y"), redirect("<<<", maker.random.pick(["MARK:o", "o:MARK"] as const))),
    sinkOf(maker, "x"),
    sinkOf(maker, "y"),
  ],
  (maker) => [assign("IFS", maker.random.pick([":", ","] as const)), each("x", [value("z")], sinkOf(maker, "x"))],
  (maker) => [run("unset", "x"), run("set", "-u"), or(sinkOf(maker, "x"), again(maker)), sinkOf(maker, "x")],
  (maker) => [
    run("set", "-u"),
    run("unset", "y"),
    subshell(sinkOf(maker, "y"), sinkOf(maker, "x")),
    sinkOf(maker, "x"),
  ],
  (maker) => [
    run("set", "-a"),
    assign("y", place(maker)),
    run("sh", "-c", code(sink(maker, expanded("y", ":-", place(maker))))),
  ],
  (maker) => [
    run("unset", maker.random.pick(["-v", "-n", "-f"] as const), "x"),
    sink(maker, expanded("x", "-", place(maker))),
  ],
  (maker) => [
    define(
      "f",
      run("local", maker.random.pick(["-u", "-l", "-r", "-i", "-a"] as const), word("x=", piece(maker))),
      sinkOf(maker, "x"),
    ),
    run("f"),
    sinkOf(maker, "x"),
  ],
  (maker) => [run("declare", "-u", "x"), into(run("read", "x"), redirect("<<<", "mark")), sinkOf(maker, "x")],
  (maker) => [run("declare", "-u", "x"), each("x", ["mark", "o"], sinkOf(maker, "x"))],
  (maker) => [run("declare", "-u", "x"), run("printf", "-v", "x", "mark"), sinkOf(maker, "x")],
  (maker) => [assign("y", arithmeticCode(maker)), evaluates(maker)],
  (maker) => [
    run("export", word("x=", place(maker))),
    run("bash", "-c", code(sinkOf(maker, "x"))),
    run("export", "-n", "x"),
    run("bash", "-c", code(sink(maker, expanded("x", ":-", place(maker))))),
  ],
  (maker) => [
    {
      kind: "simple",
      assignments: [
        { name: "x", value: word(place(maker)) },
        { name: "y", value: word(value("x")) },
      ],
      words: [],
      redirections: [],
    },
    sinkOf(maker, "y"),
  ],
  (maker) => [test(maker), assign("x", output(test(maker), run("echo", place(maker)))), sinkOf(maker, "x")],
  (maker) => [
    assigned({ name: "a", index: word(output(run("touch", place(maker)), run("echo", "0"))), value: word("t") }),
  ],
  (maker) => [
    run(":", {
      part: "parameter",
      expansion: { name: "a", index: { at: word(output(run("touch", place(maker)), run("echo", "0"))) } },
    }),
  ],
];

/** A text that runs a command where arithmetic reads it: a subscript with a substitution. */
function arithmeticCode(maker: Maker): Part {
  return { part: "subscript", body: [run("touch", place(maker))] };
}

/** Places that evaluate what `$y` holds as arithmetic, or as the name of a variable with a subscript. */
function evaluates(maker: Maker): Statement {
  const y = { variable: "y" } as const;
  return one<Statement>(
    maker,
    () => ({ kind: "arithmetic", of: y }),
    () => run("echo", { part: "arithmetic", value: y }),
    () => run("echo", { part: "arithmetic", value: y, old: true }),
    () => run("let", "y"),
    () => run("test", "-v", quoted("y")),
    () => ({ kind: "condition", of: { unary: "-v", word: word(value("y")) } }),
    () => ({ kind: "condition", of: { left: word(value("y")), binary: "-eq", right: word("0") } }),
    () => run("printf", "-v", quoted("y"), "t"),
    () => into(run("read", quoted("y")), redirect("<", "src.txt")),
    () => run("unset", quoted("y")),
    () => run("declare", "-i", word("x=", value("y"))),
    () => run("declare", word(value("y"), "=", "1")),
    () => run("export", word(value("y"), "=", "1")),
    () => run(":", element("a", "y")),
    () => run(":", element("a", value("y"))),
    () => run(":", expanded("x", ":", "y")),
    () => run(":", { part: "parameter", expansion: { name: "y", before: "!" } }),
    () => assigned({ name: "a", index: word("y"), value: word("t") }),
    () => assigned({ name: "a", items: [{ index: word("y"), value: word("t") }] }),
    () => run("shift", "y"),
    () => run("mapfile", "-O", "y", "a"),
  );
}
