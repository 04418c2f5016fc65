import {
  and,
  assign,
  background,
  choose,
  condition,
  each,
  glob,
  group,
  into,
  not,
  or,
  pipe,
  quoted,
  redirect,
  run,
  type Some,
  single,
  subshell,
  value,
  when,
  word,
} from "../tree/build.ts";
import type { Path } from "../tree/names.ts";
import type { Arithmetic, Condition, Redirection, Statement } from "../tree/tree.ts";
import { type Maker, one, type Piece, place, sink, sinkOf, test } from "./pieces.ts";

const again = (maker: Maker): Statement => assign("x", place(maker));

/** Every compound command of the manual by its name. */
export const compounds: Readonly<Record<string, Piece>> = {
  for: (maker) => [each("x", [place(maker), place(maker)], sinkOf(maker, "x"))],
  "for without in": (maker) => [
    run("set", "--", place(maker)),
    { kind: "for", variable: "x", body: [sinkOf(maker, "x")] },
  ],
  "for ((": (maker) => [
    { kind: "count", variable: "i", to: maker.random.pick([0, 1, 2] as const), body: [again(maker)] },
    sinkOf(maker, "x"),
  ],
  while: (maker) => [
    {
      kind: "while",
      test: [run("read", "x")],
      body: [sinkOf(maker, "x")],
      redirections: [
        maker.random.chance(0.5) ? redirect("<", "list.txt") : { here: [word(place(maker)), word(place(maker))] },
      ],
    },
  ],
  until: (maker) => [
    { kind: "until", test: [run("test", "-e", "MARK")], body: [sink(maker, "MARK"), run("break")], redirections: [] },
  ],
  if: (maker) => [
    {
      kind: "if",
      test: [test(maker)],
      then: [again(maker)],
      elif: { test: [test(maker)], then: [again(maker)] },
      otherwise: [again(maker)],
    },
    sinkOf(maker, "x"),
  ],
  case: (maker) => [
    choose(
      quoted("x"),
      [
        glob(maker.random.pick(["M*", "*K", "[MO]*", "?", "@(MARK|o)", "[[:upper:]]*"] as const)),
        [again(maker)],
        maker.random.pick([";;", ";&", ";;&"] as const),
      ],
      [glob("*"), [again(maker), sinkOf(maker, "x")]],
    ),
  ],
  select: (maker) => [
    {
      kind: "select",
      variable: "x",
      words: [word(place(maker)), word(place(maker))],
      body: [sinkOf(maker, "x"), run("break")],
      redirections: [redirect("<<<", maker.random.pick(["1", "2", "3"] as const))],
    },
  ],
  "[[": (maker) => [and(condition(conditionOf(maker)), again(maker)), sinkOf(maker, "x")],
  "((": (maker) => [
    assign("n", maker.random.pick(["0", "1", "x"] as const)),
    and(
      {
        kind: "arithmetic",
        of: one<Arithmetic>(
          maker,
          () => ({ variable: "n" }),
          () => ({ left: { variable: "n" }, operator: "<", right: { number: 1 } }),
          () => ({ step: "n", by: "++" }),
        ),
      },
      again(maker),
    ),
    sinkOf(maker, "x"),
  ],
  "{": (maker) => [group(again(maker), sinkOf(maker, "x")), sinkOf(maker, "x")],
  "(": (maker) => [subshell(again(maker), sinkOf(maker, "x")), sinkOf(maker, "x")],
  function: (maker) => [
    { kind: "function", name: "f", style: "word", body: [again(maker)], redirections: [] },
    run("f"),
    sinkOf(maker, "x"),
  ],
  coproc: (maker) => [{ kind: "coproc", body: [run("cat")] }, again(maker), sinkOf(maker, "x")],
  pipeline: (maker) => [
    pipe(run("echo", place(maker)), run("cat"), {
      kind: "while",
      test: [run("read", "x")],
      body: [sinkOf(maker, "x")],
      redirections: [],
    }),
    sinkOf(maker, "x"),
  ],
  "pipeline of both": (maker) => [
    { kind: "pipeline", both: true, stages: [run("cat", "nope"), run("tee", place(maker))] },
  ],
  "!": (maker) => [and(not(test(maker)), again(maker)), sinkOf(maker, "x")],
  "&&": (maker) => [and(and(test(maker), again(maker)), test(maker)), sinkOf(maker, "x")],
  "||": (maker) => [or(or(test(maker), again(maker)), test(maker)), sinkOf(maker, "x")],
  "&": (maker) => [background(group(again(maker), sinkOf(maker, "x"))), run("wait"), sinkOf(maker, "x")],
  time: (maker) => [{ kind: "timed", of: group(again(maker)) }, sinkOf(maker, "x")],
};

function conditionOf(maker: Maker): Condition {
  const x = word(value("x"));
  return one<Condition>(
    maker,
    () => ({
      left: x,
      binary: maker.random.pick(["==", "!=", "="] as const),
      right: word(glob(maker.random.pick(["M*", "*K", "o", "?", "[MO]*"] as const))),
    }),
    () => ({ left: x, binary: "=~", right: word(glob(maker.random.pick(["MA", "o", "M"] as const))) }),
    () => ({
      unary: maker.random.pick(["-e", "-f", "-d", "-s", "-x"] as const),
      word: word(maker.random.pick(["src.txt", "MARK", "sub", "nope", "run.sh"] as const)),
    }),
    () => ({ unary: maker.random.pick(["-n", "-z", "-v"] as const), word: x }),
    () => ({ not: { unary: "-e", word: word("nope") } }),
    () => ({
      first: { unary: "-e", word: word("src.txt") },
      join: maker.random.pick(["&&", "||"] as const),
      second: { unary: "-n", word: x },
    }),
    () => ({ left: word("src.txt"), binary: "-nt", right: word("nope") }),
    () => ({ left: word(value("n")), binary: "-lt", right: word("2") }),
  );
}

type Behind = (maker: Maker, target: Path) => Redirection;
const simple =
  (operator: Extract<Redirection, { operator: string }>["operator"], fd?: 0 | 1 | 2 | 3): Behind =>
  (maker, target) =>
    redirect(
      operator,
      one<Some>(
        maker,
        () => target,
        () => target,
        () => quoted("x"),
      ),
      fd,
    );

const kinds: Readonly<Record<string, Behind>> = {
  ">": simple(">"),
  ">>": simple(">>"),
  ">|": simple(">|"),
  "<>": simple("<>"),
  "&>": simple("&>"),
  "&>>": simple("&>>"),
  ">& file": simple(">&"),
};

/** Every kind of redirection by its name. */
export const redirections: Readonly<Record<string, Piece>> = {
  ...Object.fromEntries(
    Object.entries(kinds).map(([name, make]): [string, Piece] => [
      name,
      (maker) => [...around(maker, make(maker, place(maker)))],
    ]),
  ),
  "2>": (maker) => around(maker, redirect(">", place(maker), 2)),
  "<": (maker) => [
    into(
      run("cat"),
      redirect(
        "<",
        one<Some>(
          maker,
          () => "src.txt" as const,
          () => "MARK" as const,
          () => quoted("x"),
        ),
      ),
    ),
    sinkOf(maker, "x"),
  ],
  "n>": (maker) => [
    into(run("exec"), redirect(">", place(maker), 3)),
    into(run("echo", "t"), redirect(">&", "3")),
    into(run("exec"), redirect(">&", "-", 3)),
  ],
  "n<": (maker) => [
    into(run("exec"), redirect("<", maker.random.pick(["name.txt", "list.txt"] as const), 3)),
    into(run("read", "x"), redirect("<&", "3")),
    sinkOf(maker, "x"),
  ],
  "{fd}>": (maker) => [
    into(run("exec"), redirect(">", place(maker), "fd")),
    into(run("echo", "t"), redirect(">&", value("fd"))),
  ],
  ">&n": (maker) => [into(run("echo", "t"), redirect(">", place(maker)), redirect(">&", "1", 2))],
  "<<": (maker) => [
    into(
      run("cat"),
      { here: [word(place(maker)), word(value("x"))], ...(maker.random.chance(0.5) && { quoted: true as const }) },
      redirect(">", place(maker)),
    ),
  ],
  "<<-": (maker) => [
    into(
      run("cat"),
      { here: [word(value("x")), word({ part: "substitution", body: [run("touch", place(maker))] })], tabs: true },
      redirect(">", place(maker)),
    ),
  ],
  "<<<": (maker) => [
    into(
      run("read", "x"),
      redirect(
        "<<<",
        one<Some>(
          maker,
          () => place(maker),
          () => quoted("x"),
          () => single("MARK"),
        ),
      ),
    ),
    sinkOf(maker, "x"),
  ],
  "/dev/tcp": (maker) => [
    one(
      maker,
      () => into(run("echo", "t"), redirect(">", "/dev/tcp/harness.example/8080")),
      () => into(run("exec"), redirect("<>", "/dev/tcp/harness.example/8080", 3)),
      () => into(run("cat", "src.txt"), redirect(">", "/dev/udp/harness.example/8081")),
    ),
  ],
  "/dev/fd": (maker) => [
    into(run("cat", "/dev/stdin"), redirect("<", "src.txt"), redirect(">", place(maker))),
    into(run("echo", "t"), redirect(">", "/dev/stderr")),
  ],
  "on a group": (maker) => [
    into(group(run("echo", "t"), again(maker)), redirect(">", place(maker))),
    sinkOf(maker, "x"),
  ],
  "on a loop": (maker) => [
    {
      kind: "while",
      test: [run("read", "x")],
      body: [run("echo", value("x"))],
      redirections: [redirect("<", "list.txt"), redirect(">", place(maker))],
    },
  ],
  "on a function": (maker) => [
    { kind: "function", name: "f", body: [run("echo", "t")], redirections: [redirect(">", place(maker))] },
    when(test(maker), [run("f")]),
  ],
  several: (maker) => [into(run("echo", "t"), redirect(">", place(maker)), redirect(">", place(maker)))],
  "of a failing command": (maker) => [
    into(test(maker), redirect(">", place(maker))),
    into(run("nope"), redirect(">", place(maker))),
  ],
};

function around(maker: Maker, redirection: Redirection): readonly Statement[] {
  return one<readonly Statement[]>(
    maker,
    () => [into(run("echo", "text"), redirection)],
    () => [into(run("cat", "src.txt"), redirection)],
    () => [into({ kind: "simple", assignments: [], words: [], redirections: [] }, redirection)],
    () => [into(group(run("echo", "t"), again(maker)), redirection), sinkOf(maker, "x")],
    () => [run("set", "-C"), into(run("echo", "t"), redirection)],
    () => [and(into(run("echo", "t"), redirection), again(maker)), sinkOf(maker, "x")],
  );
}
