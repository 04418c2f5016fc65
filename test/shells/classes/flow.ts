import {
  and,
  assign,
  background,
  choose,
  define,
  double,
  each,
  group,
  into,
  not,
  or,
  output,
  pipe,
  quoted,
  redirect,
  run,
  subshell,
  value,
  when,
  word,
} from "../tree/build.ts";
import type { Script, Statement } from "../tree/tree.ts";
import { type Maker, one, type Piece, place, sink, sinkOf, test } from "./pieces.ts";

const again = (maker: Maker): Statement => assign("x", place(maker));

/** Something that leaves a loop or goes on with its next round, perhaps only where a test says so. */
function jump(
  maker: Maker,
  ...words: readonly ("break" | "continue" | "return" | "exit" | "1" | "2" | "0")[]
): Statement {
  const leave = run(...words);
  return one<Statement>(
    maker,
    () => leave,
    () => and(test(maker), leave),
    () => or(test(maker), leave),
    () => when(test(maker), [leave]),
    () => when(test(maker), [again(maker)], [leave]),
    () => and(run("test", quoted("i"), "=", "1"), leave),
  );
}

/** A body with something before and behind a jump. */
function around(maker: Maker, leave: Statement): Script {
  const before = maker.random.chance(0.5) ? [again(maker)] : [];
  return [...before, leave, maker.random.chance(0.7) ? again(maker) : sinkOf(maker, "x")];
}

/** Ways through a program: branches, lists, loops, jumps, functions that come back early, and what leaves the shell. */
export const flow: readonly Piece[] = [
  (maker) => [when(test(maker), [again(maker)], maker.random.chance(0.5) ? [again(maker)] : undefined)],
  (maker) => [and(test(maker), again(maker))],
  (maker) => [or(test(maker), again(maker))],
  (maker) => [or(and(test(maker), again(maker)), again(maker))],
  (maker) => [not(test(maker)), and(not(test(maker)), again(maker))],
  (maker) => [each("i", ["1", "2"], ...around(maker, jump(maker, "break")))],
  (maker) => [each("i", ["1", "2", "3"], ...around(maker, jump(maker, "continue")))],
  (maker) => [each("i", [place(maker), place(maker)], ...around(maker, jump(maker, "break")), assign("x", value("i")))],
  (maker) => [each("i", ["1", "2"], each("j", ["1", "2"], ...around(maker, jump(maker, "break", "2"))), again(maker))],
  (maker) => [
    each("i", ["1", "2"], each("j", ["1", "2"], ...around(maker, jump(maker, "continue", "2"))), again(maker)),
  ],
  (maker) =>
    [counted(maker, "while", around(maker, jump(maker, maker.random.pick(["break", "continue"] as const))))].flat(),
  (maker) =>
    [counted(maker, "until", around(maker, jump(maker, maker.random.pick(["break", "continue"] as const))))].flat(),
  (maker) => [define("f", ...around(maker, jump(maker, "return"))), run("f"), sinkOf(maker, "x")],
  (maker) => [define("f", ...around(maker, jump(maker, "return", "1"))), or(run("f"), again(maker))],
  (maker) => [define("f", jump(maker, "return", "0"), test(maker)), and(run("f"), again(maker))],
  (maker) => [define("f", jump(maker, "exit")), subshell(run("f"), sinkOf(maker, "x")), again(maker)],
  (maker) => [assign("x", output(run("echo", place(maker)), jump(maker, "exit"), run("echo", place(maker))))],
  (maker) => [assign("x", output(each("i", ["MARK", "o"], run("echo", value("i")), jump(maker, "break"))))],
  (maker) => [subshell(...around(maker, jump(maker, "exit")), sinkOf(maker, "x"))],
  (maker) => [run("set", "-e"), test(maker), again(maker)],
  (maker) => [run("set", "-e"), or(test(maker), run("true")), sinkOf(maker, "x"), when(test(maker), [test(maker)])],
  (maker) => [
    run("set", "-e"),
    define("f", test(maker), again(maker)),
    one(
      maker,
      () => run("f"),
      () => or(run("f"), run("true")),
    ),
  ],
  (maker) => [run("set", "-e"), assign("y", output(test(maker))), again(maker), run("set", "+e")],
  (maker) => [assign("x", output(run("set", "-e"), run("echo", place(maker)), test(maker), run("echo", place(maker))))],
  (maker) => [
    define("f", when(run("test", quoted("1"), "=", "a"), [run("f", "b", place(maker))], [sink(maker, quoted("2"))])),
    run("f", "a", place(maker)),
  ],
  (maker) => [chain(maker, ["f", "g", "h", "main", "setup", "build"])].flat(),
  (maker) => [and(run("mkdir", maker.random.pick(["sub", "new"] as const)), again(maker))],
  (maker) => [run("cd", maker.random.pick(["nope", "sub", "new"] as const)), sinkOf(maker, "x")],
  (maker) => [or(run("cd", maker.random.pick(["nope", "sub"] as const)), run("exit", "1")), sinkOf(maker, "x")],
  (maker) => [and(run("cd", maker.random.pick(["nope", "sub", "w2"] as const)), again(maker)), sinkOf(maker, "x")],
  (maker) => [when(run("cd", maker.random.pick(["nope", "sub"] as const)), [sinkOf(maker, "x"), run("cd", "..")])],
  (maker) => [pipe(test(maker), when(test(maker), [again(maker)]))],
  (maker) => [and(pipe(test(maker), test(maker)), again(maker))],
  (maker) => [background(group(again(maker), sinkOf(maker, "x"))), run("wait"), sinkOf(maker, "x")],
  (maker) => [and(test(maker), run("exit")), sinkOf(maker, "x")],
  (maker) => [when(test(maker), [run("exit", "0")]), sinkOf(maker, "x")],
  (maker) => [define("f", run("false")), run("f"), when(run("test", value("?"), "=", "0"), [again(maker)])],
  (maker) => [test(maker), when(run("test", value("?"), "=", "0"), [again(maker)], [again(maker)])],
  (maker) => [
    choose(quoted("x"), ["MARK", [again(maker)]], ["o", [again(maker)]], [{ part: "glob", glob: "*" }, [again(maker)]]),
  ],
  (maker) => [
    {
      kind: "if",
      test: [again(maker), test(maker)],
      then: [sinkOf(maker, "x")],
      elif: { test: [test(maker)], then: [again(maker)] },
      otherwise: [again(maker)],
    },
  ],
  (maker) => [
    run("trap", { part: "code", body: [sinkOf(maker, "x")] }, "EXIT"),
    again(maker),
    ...(maker.random.chance(0.5) ? [run("exit")] : []),
  ],
  (maker) => [each("x", [place(maker), place(maker)], and(test(maker), run("break"))), sinkOf(maker, "x")],
  (maker) => [define("f", each("i", ["1", "2"], again(maker), jump(maker, "return"))), run("f")],
  (maker) => [
    define("f", each("x", [double(value("@"))], sinkOf(maker, "x"), jump(maker, "return"))),
    run("f", place(maker), place(maker)),
  ],
  (maker) => [
    into(group(again(maker), test(maker)), redirect(">", "/dev/null")),
    or(run("test", "-e", quoted("x")), sinkOf(maker, "x")),
  ],
];

/** A loop that counts to two, and cannot run longer. */
function counted({ random }: Maker, kind: "while" | "until", body: Script): Script {
  const step = assign("i", {
    part: "arithmetic",
    value: { left: { variable: "i" }, operator: "+", right: { number: 1 } },
  });
  const over = kind === "while" ? run("test", quoted("i"), "-lt", "2") : run("test", quoted("i"), "-ge", "2");
  return [
    assign("i", random.pick(["0", "1"] as const)),
    { kind, test: [over], body: [step, ...body], redirections: [] },
  ];
}

/** Functions that call each other in a row. */
function chain(maker: Maker, names: readonly ["f", "g", "h", "main", "setup", "build"]): Script {
  const depth = 2 + maker.random.below(names.length - 1);
  const own = names.slice(0, depth);
  const defined = own.map((name, i) => {
    const next = own[i + 1];
    return define(name, next ? run(next, quoted("1")) : sink(maker, quoted("1")));
  });
  return [...defined, run("f", place(maker))];
}

/** Ways of bash alone. */
export const flowOfBash: readonly Piece[] = [
  (maker) => [
    {
      kind: "count",
      variable: "i",
      to: maker.random.pick([0, 1, 2] as const),
      body: around(maker, jump(maker, "break")),
    },
  ],
  (maker) => [
    {
      kind: "case",
      word: word(quoted("x")),
      ways: [
        { patterns: [word("MARK")], body: [again(maker)], end: ";&" },
        { patterns: [word("o")], body: [sinkOf(maker, "x")], end: maker.random.pick([";;", ";;&"] as const) },
        { patterns: [word({ part: "glob", glob: "*" })], body: [again(maker)], end: ";;" },
      ],
    },
  ],
  (maker) => [
    {
      kind: "select",
      variable: "x",
      words: [word(place(maker)), word(place(maker))],
      body: [sinkOf(maker, "x"), jump(maker, "break")],
      redirections: [redirect("<<<", "1")],
    },
  ],
  (maker) => [{ kind: "timed", of: group(again(maker)) }, sinkOf(maker, "x")],
  (maker) => [run("set", "-o", "pipefail"), and(pipe(test(maker), run("cat")), again(maker))],
  (maker) => [
    run("shopt", "-s", "inherit_errexit"),
    run("set", "-e"),
    assign("x", output(test(maker), run("echo", place(maker)))),
  ],
  (maker) => [
    run("trap", { part: "code", body: [again(maker)] }, maker.random.pick(["ERR", "DEBUG", "RETURN"] as const)),
    test(maker),
    sinkOf(maker, "x"),
  ],
  (maker) => [
    { kind: "arithmetic", of: { set: "n", operator: "=", value: { number: maker.random.below(3) } } },
    and({ kind: "arithmetic", of: { left: { variable: "n" }, operator: ">", right: { number: 1 } } }, again(maker)),
  ],
];
