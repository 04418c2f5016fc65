import {
  and,
  assign,
  background,
  code,
  define,
  double,
  each,
  expanded,
  group,
  into,
  or,
  output,
  prefixed,
  quoted,
  redirect,
  run,
  type Some,
  single,
  subshell,
  value,
  word,
} from "../tree/build.ts";
import type { Builtin } from "../tree/names.ts";
import type { Statement } from "../tree/tree.ts";
import { type Maker, one, type Piece, place, sink, sinkOf, test } from "./pieces.ts";
import { valueBuiltins } from "./value-builtins.ts";

const again = (maker: Maker): Statement => assign("x", place(maker));
const named = (name: "x" | "y", maker: Maker): Some => word(name, "=", place(maker));
const marks = (maker: Maker): Some => code(sinkOf(maker, "x"));
const sourcing =
  (builtin: "." | "source"): Piece =>
  (maker) => [
    run(
      builtin,
      maker.random.pick(["./vars.sh", "./run.sh", "/dev/stdin", "nope"] as const),
      ...(maker.random.chance(0.3) ? [place(maker)] : []),
    ),
    sinkOf(maker, "x"),
  ];
const testing =
  (closed: boolean): Piece =>
  (maker) => {
    const words: readonly Some[] = one<readonly Some[]>(
      maker,
      () => [quoted("x"), "=", "MARK"],
      () => ["-e", "src.txt"],
      () => ["-f", "nope"],
      () => ["-n", quoted("x")],
      () => ["-z", value("x")],
      () => ["-v", "x"],
      () => ["-d", "sub", "-a", "-f", "src.txt"],
      () => ["!", "-e", "nope"],
      () => [value("n"), "-lt", "2"],
      () => ["-x", "run.sh"],
      () => ["-o", "errexit"],
    );
    return [
      or(and(closed ? run("[", ...words, "]") : run("test", ...words), again(maker)), again(maker)),
      sinkOf(maker, "x"),
    ];
  };
const jumping =
  (builtin: "break" | "continue"): Piece =>
  (maker) => [
    each(
      "x",
      [place(maker), place(maker)],
      and(test(maker), run(builtin, ...(maker.random.chance(0.3) ? [maker.random.pick(["1", "2"] as const)] : []))),
      sinkOf(maker, "x"),
    ),
    sinkOf(maker, "x"),
  ];
const ended =
  (builtin: "exit" | "logout"): Piece =>
  (maker) =>
    one<readonly Statement[]>(
      maker,
      () => [and(test(maker), run(builtin)), sinkOf(maker, "x")],
      () => [subshell(run(builtin, "1"), sinkOf(maker, "x")), again(maker), sinkOf(maker, "x")],
      () => [assign("x", output(run("echo", place(maker)), run(builtin), run("echo", "o"))), sinkOf(maker, "x")],
      () => [define("f", and(test(maker), run(builtin)), again(maker)), run("f"), sinkOf(maker, "x")],
    );
const jobControl =
  (builtin: "bg" | "fg" | "jobs" | "disown"): Piece =>
  (maker) => [
    background(group(again(maker), sinkOf(maker, "x"))),
    or(run(builtin, ...(maker.random.chance(0.3) ? ["%1" as const] : [])), again(maker)),
    run("wait"),
    sinkOf(maker, "x"),
  ];
const stacked =
  (builtin: "pushd" | "popd" | "dirs"): Piece =>
  (maker) => [
    or(run("pushd", maker.random.pick(["sub", "w2", "nope"] as const)), run("true")),
    sinkOf(maker, "x"),
    run(
      builtin,
      ...(builtin === "pushd"
        ? [maker.random.pick(["+1", "sub", "-n", ".."] as const)]
        : maker.random.chance(0.3)
          ? [maker.random.pick(["-n", "+0"] as const)]
          : []),
    ),
    sinkOf(maker, "x"),
  ];
const nothing =
  (builtin: ":" | "true" | "false"): Piece =>
  (maker) => [
    or(and(run(builtin), again(maker)), again(maker)),
    prefixed("y", place(maker), builtin, expanded("z", ":=", place(maker))),
    sinkOf(maker, "z"),
    sinkOf(maker, "x"),
  ];
const told =
  (
    builtin: "help" | "history" | "times" | "caller" | "ulimit" | "suspend" | "bind" | "complete" | "compopt",
    ...ways: readonly (readonly Some[])[]
  ): Piece =>
  (maker) => [
    or(into(run(builtin, ...maker.random.pick(ways)), redirect(">", "/dev/null")), again(maker)),
    sinkOf(maker, "x"),
  ];

/** Every builtin of bash's manual with ways to use it that matter to what a script touches. */
export const builtinPieces: Readonly<Record<Builtin, Piece>> = {
  ...valueBuiltins,
  ":": nothing(":"),
  true: nothing("true"),
  false: nothing("false"),
  ".": sourcing("."),
  source: sourcing("source"),
  "[": testing(true),
  test: testing(false),
  alias: (maker) =>
    one<readonly Statement[]>(
      maker,
      () => [run("shopt", "-s", "expand_aliases"), run("alias", word("t=", code(sinkOf(maker, "x")))), run("t")],
      () => [run("alias", word("t=", marks(maker))), run("eval", "t")],
      () => [
        run("shopt", "-s", "expand_aliases"),
        run("alias", word("touch=", single("echo"))),
        run("touch", place(maker)),
        run("unalias", "-a"),
        sinkOf(maker, "x"),
      ],
    ),
  unalias: (maker) => [
    run("shopt", "-s", "expand_aliases"),
    run("alias", word("t=", marks(maker))),
    run("unalias", maker.random.pick(["t", "-a"] as const)),
    or(run("t"), again(maker)),
    sinkOf(maker, "x"),
  ],
  bg: jobControl("bg"),
  fg: jobControl("fg"),
  jobs: (maker) => (maker.random.chance(0.5) ? [run("jobs", "-x", "touch", place(maker))] : jobControl("jobs")(maker)),
  disown: jobControl("disown"),
  bind: told("bind", ["-l"], ["-x", single("touch o")], ["-p"]),
  break: jumping("break"),
  continue: jumping("continue"),
  builtin: (maker) =>
    one<readonly Statement[]>(
      maker,
      () => [run("builtin", "eval", marks(maker))],
      () => [define("f", run("builtin", "echo", place(maker))), assign("x", output(run("f"))), sinkOf(maker, "x")],
      () => [run("builtin", "cd", "sub"), sinkOf(maker, "x")],
      () => [or(run("builtin", "touch", place(maker)), again(maker)), sinkOf(maker, "x")],
      () => [run("builtin", "export", named("x", maker)), sinkOf(maker, "x")],
    ),
  caller: told("caller", [], ["0"]),
  cd: (maker) =>
    one<readonly Statement[]>(
      maker,
      () => [run("cd", maker.random.pick(["sub", "w2", "nope", ".", "new"] as const)), sinkOf(maker, "x")],
      () => [run("cd"), sinkOf(maker, "x")],
      () => [run("cd", "sub"), run("cd", "-"), sinkOf(maker, "x")],
      () => [
        run("ln", "-s", "sub", "l"),
        run("cd", maker.random.pick(["-P", "-L"] as const), "l"),
        run("cd", ".."),
        sinkOf(maker, "x"),
      ],
      () => [
        assign("CDPATH", "w2"),
        run("mkdir", "w2/o"),
        run("cd", maker.random.pick(["o", "sub"] as const)),
        sinkOf(maker, "x"),
      ],
      () => [assign("y", maker.random.pick(["sub", "", "nope"] as const)), run("cd", quoted("y")), sinkOf(maker, "x")],
    ),
  command: (maker) =>
    one<readonly Statement[]>(
      maker,
      () => [run("command", "touch", place(maker))],
      () => [run("command", "-v", "touch"), sinkOf(maker, "x")],
      () => [define("f", again(maker)), or(run("command", "f"), sinkOf(maker, "x"))],
      () => [run("command", "-p", "touch", place(maker))],
      () => [run("command", "eval", marks(maker))],
      () => [run("command", "cd", "sub"), sinkOf(maker, "x")],
    ),
  compgen: (maker) =>
    one<readonly Statement[]>(
      maker,
      () => [run("compgen", "-C", single("touch MARK"))],
      () => [run("compgen", "-W", single("MARK")), sinkOf(maker, "x")],
      () => [
        run("compgen", "-F", "f", "t"),
        define("f", again(maker)),
        run("compgen", "-F", "f", "t"),
        sinkOf(maker, "x"),
      ],
      () => [
        run("compgen", "-W", { part: "single", texts: ["o"] }),
        assign("x", output(run("compgen", "-f", "MA"))),
        sinkOf(maker, "x"),
      ],
      () => [run("compgen", "-W", double({ part: "substitution", body: [run("touch", place(maker))] }))],
      () => [
        assign("y", single("touch MARK")),
        run("compgen", "-W", code(run("echo", output(run("touch", place(maker)))))),
      ],
    ),
  complete: told("complete", ["-W", "MARK", "t"], ["-p"], ["-r"]),
  compopt: told("compopt", ["-o", "nospace"], ["-D"]),
  dirs: stacked("dirs"),
  popd: stacked("popd"),
  pushd: stacked("pushd"),
  enable: (maker) => [
    run("enable", "-n", maker.random.pick(["test", "echo", "printf", "cd"] as const)),
    or(and(run("test", "-e", "src.txt"), again(maker)), again(maker)),
    sinkOf(maker, "x"),
  ],
  eval: (maker) =>
    one<readonly Statement[]>(
      maker,
      () => [run("eval", code(again(maker))), sinkOf(maker, "x")],
      () => [run("eval", "touch", place(maker))],
      () => [run("eval", word("x=", place(maker))), sinkOf(maker, "x")],
      () => [assign("y", code(sinkOf(maker, "x"))), run("eval", quoted("y"))],
      () => [run("eval", double(output(run("cat", "run.sh"))))],
      () => [
        run("eval", word("y=", single("x"))),
        sink(maker, { part: "parameter", expansion: { name: "y", before: "!" } }),
      ],
    ),
  exec: (maker) =>
    one<readonly Statement[]>(
      maker,
      () => [run("exec", "touch", place(maker)), sinkOf(maker, "x")],
      () => [subshell(run("exec", "touch", place(maker)), sinkOf(maker, "x"))],
      () => [into(run("exec"), redirect(">", place(maker))), run("echo", "t")],
      () => [into(run("exec"), redirect("<", "list.txt")), run("read", "x"), sinkOf(maker, "x")],
      () => [run("exec", "-a", "t", "touch", place(maker))],
      () => [or(run("exec", "nope"), again(maker)), sinkOf(maker, "x")],
      () => [run("exec", "-c", "bash", "-c", code(sink(maker, expanded("x", ":-", place(maker)))))],
    ),
  exit: ended("exit"),
  logout: ended("logout"),
  fc: (maker) => [
    or(
      into(run("fc", ...maker.random.pick<readonly Some[]>([["-l"], ["-s"], ["-e", ":"]])), redirect("<", "/dev/null")),
      again(maker),
    ),
    sinkOf(maker, "x"),
  ],
  hash: (maker) => [
    // Not `touch`, which the hashed script runs itself: it would run itself until its time is over.
    run("hash", "-p", "./run.sh", maker.random.pick(["ls", "cat", "cat"] as const)),
    or(into(run(maker.random.pick(["ls", "cat"] as const), "src.txt"), redirect(">", "/dev/null")), again(maker)),
    sinkOf(maker, "x"),
    run("hash", "-r"),
  ],
  help: told("help", ["cd"], ["-d", "test"], ["nope"]),
  history: (maker) =>
    one<readonly Statement[]>(
      maker,
      () => [run("history", maker.random.pick(["-w", "-a", "-r", "-n"] as const), place(maker))],
      () => [
        assign("HISTFILE", place(maker)),
        run("history", "-s", "t"),
        run("history", maker.random.pick(["-w", "-a"] as const)),
      ],
      () => [run("history", "-c"), sinkOf(maker, "x")],
      () => [run("history", "-p", "t"), sinkOf(maker, "x")],
    ),
  kill: (maker) =>
    one<readonly Statement[]>(
      maker,
      () => [run("trap", marks(maker), "USR1"), run("kill", "-USR1", value("$")), again(maker)],
      () => [or(run("kill", "-0", value("$")), again(maker)), sinkOf(maker, "x")],
      () => [run("kill", "-l"), sinkOf(maker, "x")],
    ),
  pwd: (maker) => [
    assign("y", output(run("pwd", ...(maker.random.chance(0.3) ? [maker.random.pick(["-P", "-L"] as const)] : [])))),
    run("cd", "sub"),
    sink(maker, word(value("y"), "/", place(maker) === "o" ? "o" : "MARK")),
  ],
  return: (maker) =>
    one<readonly Statement[]>(
      maker,
      () => [
        define("f", and(test(maker), run("return", "1")), again(maker)),
        or(run("f"), sinkOf(maker, "x")),
        sinkOf(maker, "x"),
      ],
      () => [or(run("return"), again(maker)), sinkOf(maker, "x")],
      () => [
        define("f", run("return", maker.random.pick(["0", "1", "2"] as const))),
        and(run("f"), again(maker)),
        sinkOf(maker, "x"),
      ],
    ),
  suspend: told("suspend", []),
  times: told("times", []),
  trap: (maker) =>
    one<readonly Statement[]>(
      maker,
      () => [
        run(
          "trap",
          marks(maker),
          maker.random.pick(["EXIT", "0", "DEBUG", "ERR", "RETURN", "USR1", "INT", "TERM"] as const),
        ),
        again(maker),
        test(maker),
        again(maker),
      ],
      () => [run("trap", marks(maker), "EXIT"), run("trap", "-", "EXIT"), again(maker)],
      () => [run("trap", marks(maker), "USR1"), run("kill", "-USR1", value("$")), again(maker)],
      () => [run("trap", code(again(maker)), "DEBUG"), run(":"), sinkOf(maker, "x")],
      () => [run("trap", double(word("touch", " ", value("x"))), "EXIT"), again(maker)],
      () => [define("f", run("trap", marks(maker), "RETURN"), again(maker)), run("f")],
      () => [run("trap", single(""), "EXIT"), run("trap"), sinkOf(maker, "x")],
    ),
  type: (maker) => [
    or(
      into(
        run("type", ...maker.random.pick<readonly Some[]>([["touch"], ["-t", "f"], ["-p", "touch"], ["-a", "echo"]])),
        redirect(">", "/dev/null"),
      ),
      again(maker),
    ),
    sinkOf(maker, "x"),
  ],
  ulimit: told("ulimit", ["-n"], ["-a"], ["-c", "0"]),
  umask: (maker) => [run("umask", ...maker.random.pick<readonly Some[]>([[], ["077"], ["-S"]])), sinkOf(maker, "x")],
  wait: (maker) => [
    background(group(test(maker), sinkOf(maker, "x"))),
    or(run("wait", ...maker.random.pick<readonly Some[]>([[], [value("!")], ["-n"], ["%1"]])), again(maker)),
    sinkOf(maker, "x"),
  ],
};
