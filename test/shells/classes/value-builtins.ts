import {
  and,
  assign,
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
  pipe,
  prefixed,
  quoted,
  redirect,
  run,
  type Some,
  single,
  value,
  word,
} from "../tree/build.ts";
import type { Statement } from "../tree/tree.ts";
import { type Maker, one, type Piece, place, sink, sinkOf, test } from "./pieces.ts";

const again = (maker: Maker): Statement => assign("x", place(maker));
const named = (name: "x" | "y", maker: Maker): Some => word(name, "=", place(maker));
const marks = (maker: Maker): Some => code(sinkOf(maker, "x"));
const declaring =
  (builtin: "declare" | "typeset"): Piece =>
  (maker) =>
    one<readonly Statement[]>(
      maker,
      () => [run(builtin, named("x", maker)), sinkOf(maker, "x")],
      () => [
        run(builtin, maker.random.pick(["-u", "-l", "-i", "-r", "-x", "-a", "-A", "-g"] as const), named("x", maker)),
        sinkOf(maker, "x"),
      ],
      () => [run(builtin, "-n", word("y=", "x")), assign("y", place(maker)), sinkOf(maker, "x")],
      () => [define("f", run(builtin, named("x", maker)), again(maker)), run("f"), sinkOf(maker, "x")],
      () => [run(builtin, output(run("cat", "vars.sh"))), sinkOf(maker, "x")],
      () => [run("eval", double(output(run(builtin, "-p", "x")))), sinkOf(maker, "x")],
      () => [run(builtin, word(quoted("y"), "=", place(maker))), sinkOf(maker, "x")],
    );
const reading =
  (builtin: "mapfile" | "readarray"): Piece =>
  (maker) =>
    one<readonly Statement[]>(
      maker,
      () => [
        into(run(builtin, "-t", "a"), redirect("<", "list.txt")),
        sink(maker, element("a", maker.random.pick(["0", "1"] as const))),
      ],
      () => [into(run(builtin, "-t"), redirect("<<<", place(maker))), sink(maker, element("MAPFILE", "0"))],
      () => [
        into(
          run(builtin, "-C", code(run("touch", "MARK"), { kind: "comment", texts: ["t"] }), "-c", "1", "a"),
          redirect("<", "src.txt"),
        ),
      ],
      () => [
        into(run(builtin, "-t", "-n", "1", "-s", "1", "a"), redirect("<", "list.txt")),
        sink(maker, element("a", "0")),
      ],
      () => [into(run(builtin, "-t", "-O", "1", "a"), redirect("<<<", place(maker))), sink(maker, element("a", "1"))],
      () => [into(run(builtin, "-d:", "-t", "a"), redirect("<<<", "MARK:o")), sink(maker, element("a", "0"))],
    );

/** Builtins that give values to variables, arguments and options. */
export const valueBuiltins = {
  declare: declaring("declare"),
  typeset: declaring("typeset"),
  echo: (maker) => [
    assign(
      "x",
      output(
        run(
          "echo",
          ...maker.random.pick<readonly Some[]>([
            ["MARK"],
            ["-n", "MARK"],
            ["-e", "\\115ARK"],
            ["-e", "MARK\\c"],
            ["-ne", "MA\\122K"],
            ["-nE", "MARK"],
            ["-e", "\\0115ARK"],
            ["\\x4dARK"],
            ["-n", "-e", "\\u004dARK"],
            ["MA", "RK"],
            [value("z")],
          ]),
        ),
      ),
    ),
    sinkOf(maker, "x"),
  ],
  export: (maker) =>
    one<readonly Statement[]>(
      maker,
      () => [run("export", named("x", maker)), run("sh", "-c", marks(maker))],
      () => [run("export", output(run("cat", "vars.sh"))), sinkOf(maker, "x")],
      () => [run("export", "-n", "x"), run("sh", "-c", code(sink(maker, expanded("x", ":-", "o"))))],
      () => [define("f", sinkOf(maker, "x")), run("export", "-f", "f"), run("export", "x"), run("bash", "-c", "f")],
      () => [run("export", "-p"), sinkOf(maker, "x")],
    ),
  getopts: (maker) => [
    run("set", "--", "-a", place(maker), "-b"),
    {
      kind: "while",
      test: [run("getopts", maker.random.pick(["ab", "x:", "ab:"] as const), "y")],
      body: [
        and(run("test", "-n", double(expanded("OPTARG", ":-"))), assign("x", value("OPTARG"))),
        assign("z", value("y")),
        and(run("test", value("OPTIND"), "-gt", "5"), run("break")),
      ],
      redirections: [],
    },
    sinkOf(maker, "x"),
    sink(maker, word("o", value("z"))),
  ],
  let: (maker) => [
    list("a", "o", "MARK", "o2"),
    run("let", maker.random.pick<Some>(["n=1", word("n=", "1", "+", "1"), single("n=1")])),
    sink(maker, element("a", value("n"))),
    and(run("let", maker.random.pick(["0", "1"] as const)), again(maker)),
    sinkOf(maker, "x"),
  ],
  local: (maker) => [
    define(
      "f",
      run(
        "local",
        ...maker.random.pick<readonly Some[]>([
          [named("x", maker)],
          ["x"],
          ["-r", named("x", maker)],
          ["-a", "x"],
          ["-"],
          ["-n", word("y=", "x")],
          ["-u", named("x", maker)],
        ]),
      ),
      or(again(maker), run("true")),
      sinkOf(maker, "x"),
    ),
    run("f"),
    sinkOf(maker, "x"),
  ],
  mapfile: reading("mapfile"),
  readarray: reading("readarray"),
  printf: (maker) =>
    one<readonly Statement[]>(
      maker,
      () => [
        run(
          "printf",
          "-v",
          "x",
          maker.random.pick(["%s", "MA%s", "%.4s", "%b", "%q"] as const),
          maker.random.pick(["MARK", "RK", "MARKS"] as const),
        ),
        sinkOf(maker, "x"),
      ],
      () => [run("printf", "-v", single("a[1]"), "%s", place(maker)), sink(maker, element("a", "1"))],
      () => [
        assign(
          "x",
          output(
            run(
              "printf",
              maker.random.pick([
                "%s",
                "%.4s",
                "%5s",
                "%b",
                "%s%s",
                "%c",
                "%q",
                "%d",
                "%.0s",
                "\\115ARK",
                "MARK\\c",
                "%x",
              ] as const),
              maker.random.pick(["MARK", "MARKS", "77", "\\115ARK"] as const),
              "o",
            ),
          ),
        ),
        sinkOf(maker, "x"),
      ],
      () => [pipe(run("printf", "touch MARK\\n"), run(maker.random.pick(["bash", "sh"] as const)))],
      () => [into(run("printf", "%s", "t"), redirect(">", place(maker)))],
    ),
  read: (maker) =>
    one<readonly Statement[]>(
      maker,
      () => [
        into(
          run(
            "read",
            ...maker.random.pick<readonly Some[]>([
              ["x"],
              ["-r", "x"],
              ["y", "x"],
              ["-a", "x"],
              ["-n", "4", "x"],
              ["-N", "4", "x"],
              ["-d:", "x"],
              ["-t", "1", "x"],
              ["-s", "x"],
              ["-e", "x"],
              ["-p", "t", "x"],
            ]),
          ),
          redirect("<<<", maker.random.pick(["MARK", "MARKS", "MARK:o", "o"] as const)),
        ),
        sinkOf(maker, "x"),
      ],
      () => [into(run("read"), redirect("<<<", place(maker))), sinkOf(maker, "REPLY")],
      () => [into(run("read", "-u", "3", "x"), redirect("<", "name.txt", 3)), sinkOf(maker, "x")],
      () => [
        into(prefixed("IFS", ":", "read", "x", "y"), redirect("<<<", maker.random.pick(["MARK:o", "o:MARK"] as const))),
        sinkOf(maker, "x"),
        sinkOf(maker, "y"),
      ],
      () => [or(into(run("read", "x"), redirect("<", "/dev/null")), again(maker)), sinkOf(maker, "x")],
      () => [into(run("read", "x"), redirect("<", "name.txt")), sinkOf(maker, "x")],
    ),
  readonly: (maker) => [
    run(
      "readonly",
      ...maker.random.pick<readonly Some[]>([[named("x", maker)], ["x"], ["-a", "x"], ["-f", "f"], ["-p"]]),
    ),
    or(again(maker), run("true")),
    sinkOf(maker, "x"),
  ],
  set: (maker) =>
    one<readonly Statement[]>(
      maker,
      () => [run("set", "--", place(maker), place(maker)), sink(maker, quoted("1"))],
      () => [run("set", "-f"), each("y", ["src.txt", { part: "glob", glob: "M*" }], sinkOf(maker, "y"))],
      () => [
        run(
          "set",
          ...maker.random.pick<readonly Some[]>([
            ["-e"],
            ["-u"],
            ["-x"],
            ["-a"],
            ["-k"],
            ["-n"],
            ["-C"],
            ["-eu"],
            ["-euo", "pipefail"],
            ["-T"],
            ["-E"],
            ["-h"],
            ["-b"],
            ["-m"],
            ["-t"],
            ["-v"],
            ["-P"],
            ["-H"],
          ]),
        ),
        test(maker),
        again(maker),
        sinkOf(maker, "x"),
      ],
      () => [run("set", "-"), sinkOf(maker, "x")],
      () => [into(run("set"), redirect(">", "/dev/null")), sinkOf(maker, "x")],
      () => [run("set", "-k"), run("bash", "-c", code(sink(maker, expanded("x", ":-", "o"))), named("x", maker))],
    ),
  shift: (maker) => [
    run("set", "--", place(maker), place(maker), place(maker)),
    or(
      run(
        "shift",
        ...maker.random.pick<readonly Some[]>([[], ["1"], ["2"], ["3"], ["5"], ["0"], [value("n")], [value("#")]]),
      ),
      again(maker),
    ),
    sink(maker, double(expanded("1", ":-", value("x")))),
  ],
  shopt: (maker) => [
    run(
      "shopt",
      maker.random.pick(["-s", "-u"] as const),
      maker.random.pick([
        "nullglob",
        "extglob",
        "nocasematch",
        "lastpipe",
        "dotglob",
        "failglob",
        "globstar",
        "expand_aliases",
        "xpg_echo",
      ] as const),
    ),
    each(
      "x",
      [{ part: "glob", glob: maker.random.pick(["zzz*", "M*", "*.txt"] as const) }, "MARK"],
      sink(maker, word("o", value("x"))),
    ),
  ],
  unset: (maker) => [
    list("a", place(maker), place(maker)),
    run(
      "unset",
      ...maker.random.pick<readonly Some[]>([
        ["x"],
        ["-v", "x"],
        ["-f", "x"],
        [single("a[0]")],
        ["a"],
        ["-n", "x"],
        [quoted("y")],
      ]),
    ),
    sink(maker, double(expanded("x", "-", place(maker)))),
    sink(maker, element("a", "1")),
  ],
} satisfies Readonly<Record<string, Piece>>;
