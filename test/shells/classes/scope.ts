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
  pipe,
  prefixed,
  quoted,
  redirect,
  run,
  type Some,
  subshell,
  value,
  when,
  word,
} from "../tree/build.ts";
import type { Statement } from "../tree/tree.ts";
import { type Maker, one, type Piece, place, sink, sinkOf, test } from "./pieces.ts";

const again = (maker: Maker): Statement => assign("x", place(maker));
const either = (maker: Maker, statement: Statement): Statement =>
  one<Statement>(
    maker,
    () => statement,
    () => and(test(maker), statement),
    () => when(test(maker), [statement]),
  );

/** Words `name=…` for builtins that assign. */
function naming(name: "x" | "y", { random }: Maker): readonly [Some] {
  const some = random.pick(["MARK", "o"] as const);
  return [word(name, "=", some)];
}

/** Where variables, functions, arguments and the folder hold: functions, subshells, substitutions, code that is read from elsewhere. */
export const scope: readonly Piece[] = [
  (maker) => [define("f", either(maker, again(maker)), sinkOf(maker, "x")), run("f"), sinkOf(maker, "x")],
  (maker) => [subshell(again(maker), sinkOf(maker, "x")), sinkOf(maker, "x")],
  (maker) => [subshell(define("f", again(maker))), or(run("f"), again(maker))],
  (maker) => [define("f", again(maker)), subshell(define("f", again(maker))), run("f")],
  (maker) => [define("f", again(maker)), when(test(maker), [define("f", again(maker))]), run("f")],
  (maker) => [define("f", define("g", again(maker))), either(maker, run("f")), or(run("g"), run("true"))],
  (maker) => [define("f", again(maker)), run("unset", "-f", "f"), or(run("f"), sinkOf(maker, "x"))],
  (maker) => [assign("y", output(again(maker), run("echo", value("x")))), sinkOf(maker, "x"), sinkOf(maker, "y")],
  (maker) => [pipe(run("echo", place(maker)), run("read", "x")), sinkOf(maker, "x")],
  (maker) => [pipe(run("echo", place(maker)), group(run("read", "x"), sinkOf(maker, "x"))), sinkOf(maker, "x")],
  (maker) => [pipe(group(again(maker), run("echo", "t")), run("cat"))],
  (maker) => [prefixed("x", place(maker), "eval", code(sinkOf(maker, "x"))), sinkOf(maker, "x")],
  (maker) => [define("f", sinkOf(maker, "x")), prefixed("x", place(maker), "f"), sinkOf(maker, "x")],
  (maker) => [
    prefixed("x", place(maker), maker.random.pick([":", "true", "eval", "export"] as const)),
    sinkOf(maker, "x"),
  ],
  (maker) => [prefixed("x", place(maker), "sh", "-c", code(sinkOf(maker, "x"))), sinkOf(maker, "x")],
  (maker) => [
    either(maker, run("export", "x")),
    again(maker),
    run("sh", "-c", code(sink(maker, expanded("x", ":-", place(maker))))),
  ],
  (maker) => [run("env", ...naming("x", maker), "sh", "-c", code(sinkOf(maker, "x")))],
  (maker) => [run("env", "-u", "x", "sh", "-c", code(sink(maker, expanded("x", "-", place(maker)))))],
  (maker) => [run("set", "--", place(maker), place(maker)), either(maker, run("shift")), sink(maker, quoted("1"))],
  (maker) => [
    run("set", "--", place(maker), place(maker)),
    define("f", sink(maker, quoted("1")), run("set", "--", place(maker))),
    run("f", place(maker)),
    sink(maker, quoted("1")),
  ],
  (maker) => [
    run("set", "--", "a", place(maker), place(maker)),
    run("shift", {
      part: "arithmetic",
      value: { left: { word: word(value("#")) }, operator: "-", right: { number: 1 } },
    }),
    sink(maker, quoted("1")),
  ],
  (maker) => [define("f", each("x", [double(value("@"))], sinkOf(maker, "x"))), run("f", place(maker), place(maker))],
  (maker) => [define("f", run("shift"), sink(maker, quoted("1"))), run("f", "a", place(maker))],
  (maker) => [define("f", { kind: "for", variable: "x", body: [sinkOf(maker, "x")] }), run("f", place(maker))],
  (maker) => [define("f", run("cd", "sub")), either(maker, run("f")), sinkOf(maker, "x")],
  (maker) => [subshell(run("cd", "sub"), sinkOf(maker, "x")), sinkOf(maker, "x")],
  (maker) => [run("cd", "sub"), run("cd", "-"), sinkOf(maker, "x")],
  (maker) => [assign("y", output(run("cd", "sub"), run("pwd"))), sinkOf(maker, "x")],
  (maker) => [either(maker, run("cd", "w2")), run("cd", ".."), sinkOf(maker, "x")],
  (maker) => [run("eval", code(again(maker))), sinkOf(maker, "x")],
  (maker) => [run("eval", double(output(run("cat", "vars.sh")))), sinkOf(maker, "x")],
  (maker) => [run("eval", word("x=", quoted("y"))), sinkOf(maker, "x")],
  (maker) => [run(".", "./vars.sh"), sinkOf(maker, "x")],
  (maker) => [run("export", output(run("cat", "vars.sh"))), sinkOf(maker, "x")],
  (maker) => [
    into(run("read", "x"), redirect("<", maker.random.pick(["name.txt", "list.txt"] as const))),
    sinkOf(maker, "x"),
  ],
  (maker) => [
    { kind: "while", test: [run("read", "x")], body: [sinkOf(maker, "x")], redirections: [redirect("<", "list.txt")] },
    sinkOf(maker, "y"),
  ],
  (maker) => [
    into(run("read", "x", "y"), { here: [word(place(maker), " ", place(maker))] }),
    sinkOf(maker, "x"),
    sinkOf(maker, "y"),
  ],
  (maker) => [into(run("read", "x"), { here: [word(value("y"))] }), sinkOf(maker, "x")],
  (maker) => [run("trap", code(sinkOf(maker, "x")), "EXIT"), again(maker)],
  (maker) => [subshell(run("trap", code(sinkOf(maker, "x")), "EXIT"), again(maker))],
  (maker) => [
    run("set", "--", place(maker)),
    run("trap", code(sink(maker, quoted("1"))), "EXIT"),
    either(maker, run("set", "--", place(maker))),
  ],
  (maker) => [run("unset", "x"), sink(maker, expanded("x", "-", place(maker)))],
  (maker) => [either(maker, run("unset", "x")), sink(maker, expanded("x", ":-", place(maker)))],
  (maker) => [each("x", [place(maker), place(maker)], run("true")), sinkOf(maker, "x")],
  (maker) => [
    run("alias", word("t=", code(sinkOf(maker, "x")))),
    run("eval", "t"),
    or(run("unalias", "t"), run("true")),
  ],
  (maker) => [background(again(maker)), run("wait"), sinkOf(maker, "x")],
  (maker) => [
    { kind: "function", name: "f", own: true, body: [again(maker), sinkOf(maker, "x")], redirections: [] },
    run("f"),
    sinkOf(maker, "x"),
  ],
  (maker) => [into(define("f", run("echo", "text")), redirect(">", quoted("x"))), again(maker), run("f")],
];

/** Places of names that `local` and what only bash has bring in. */
export const scopeOfBash: readonly Piece[] = [
  (maker) => [
    define("f", run(local(maker), ...naming("x", maker)), either(maker, again(maker))),
    run("f"),
    sinkOf(maker, "x"),
  ],
  (maker) => [
    define("f", run("local", "x"), sink(maker, expanded("x", ":-", place(maker)))),
    run("f"),
    sinkOf(maker, "x"),
  ],
  (maker) => [
    define("f", run("local", ...naming("x", maker)), run("g"), sinkOf(maker, "x")),
    define("g", again(maker)),
    run("f"),
    sinkOf(maker, "x"),
  ],
  (maker) => [
    define("g", sinkOf(maker, "x")),
    define("f", run("local", ...naming("x", maker)), run("g")),
    run("f"),
    run("g"),
  ],
  (maker) => [
    define("f", run("local", ...naming("x", maker)), run("unset", "x"), sinkOf(maker, "x")),
    run("f"),
    sinkOf(maker, "x"),
  ],
  (maker) => [define("f", run("declare", "-g", ...naming("x", maker))), either(maker, run("f")), sinkOf(maker, "x")],
  (maker) => [
    define("f", run("local", word("IFS=", ":")), assign("y", "MARK:o"), sink(maker, value("y"))),
    run("f"),
    sink(maker, value("y")),
  ],
  (maker) => [
    define("f", run("local", "y"), assign("y", place(maker)), run("read", "x")),
    into(run("f"), redirect("<<<", place(maker))),
    sinkOf(maker, "x"),
    sinkOf(maker, "y"),
  ],
  (maker) => [define("f", either(maker, run("local", "x")), again(maker)), run("f"), sinkOf(maker, "x")],
  (maker) => [run("shopt", "-s", "lastpipe"), pipe(run("echo", place(maker)), run("read", "x")), sinkOf(maker, "x")],
  (maker) => [run("pushd", "sub"), sinkOf(maker, "x"), either(maker, run("popd")), sinkOf(maker, "x")],
  (maker) => [run("source", maker.random.pick(["vars.sh", "./vars.sh"] as const)), sinkOf(maker, "x")],
  (maker) => [into(run(".", "/dev/stdin"), redirect("<<<", word("x=", place(maker)))), sinkOf(maker, "x")],
  (maker) => [into(run("read", "-r", "x"), redirect("<<<", double(place(maker)))), sinkOf(maker, "x")],
  (maker) => [
    into(run("read", "x"), redirect("<", { part: "process", direction: "<", body: [run("echo", place(maker))] })),
    sinkOf(maker, "x"),
  ],
  (maker) => [
    into(
      run("mapfile", "-t", "a"),
      redirect("<", { part: "process", direction: "<", body: [run("echo", place(maker))] }),
    ),
    sink(maker, { part: "parameter", expansion: { name: "a", index: { at: word("0") } } }),
  ],
  (maker) => [
    run("export", "-f", "f"),
    define("f", sinkOf(maker, "x")),
    run("export", "-f", "f"),
    run("bash", "-c", code(run("f"))),
  ],
  (maker) => [prefixed("BASH_ENV", "vars.sh", "bash", "-c", code(sinkOf(maker, "x")))],
  (maker) => [assign("CDPATH", "w2"), run("cd", maker.random.pick(["sub", "new"] as const)), sinkOf(maker, "x")],
  (maker) => [
    run("ln", "-s", "sub", "l"),
    run("cd", maker.random.pick(["-P", "-L"] as const), "l"),
    run("cd", ".."),
    sinkOf(maker, "x"),
  ],
  (maker) => [run("set", "-o", "posix"), prefixed("x", place(maker), ":"), sinkOf(maker, "x")],
  (maker) => [
    define("f", run("set", "--", place(maker)), sink(maker, { part: "parameter", expansion: { name: "1" } })),
    run("f"),
    sink(maker, expanded("1", ":-", place(maker))),
  ],
  (maker) => [run("set", "--", place(maker), place(maker)), each("x", [value("*")], sinkOf(maker, "x"))],
  (maker) => [{ kind: "coproc", body: [again(maker), sinkOf(maker, "x")] }, run("wait"), sinkOf(maker, "x")],
];

function local({ random }: Maker): "local" | "declare" | "typeset" {
  return random.pick(["local", "declare", "typeset"] as const);
}
