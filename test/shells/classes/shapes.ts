import {
  and,
  assign,
  choose,
  code,
  condition,
  define,
  double,
  each,
  element,
  expanded,
  glob,
  group,
  into,
  list,
  or,
  output,
  pipe,
  quoted,
  redirect,
  run,
  single,
  subshell,
  value,
  when,
  word,
} from "../tree/build.ts";
import type { Statement } from "../tree/tree.ts";
import { type Maker, one, type Piece, place, sinkOf, test } from "./pieces.ts";

const strict = ({ random, posix }: Maker): readonly Statement[] =>
  random.chance(0.5) ? [posix ? run("set", "-eu") : run("set", "-euo", "pipefail")] : [];

/**
 * Shapes of steps in build pipelines and of package scripts, of our own writing: what they make and read are names of the scratch folder.
 */
export const shapes: readonly Piece[] = [
  // A version that is worked out, and a file named after it.
  (maker) => [
    ...strict(maker),
    assign("VERSION", expanded("1", ":-", "v1")),
    assign("OUT", double(word("o", value("VERSION")))),
    into(run("echo", quoted("VERSION")), redirect(">", quoted("OUT"))),
    run("cp", quoted("OUT"), place(maker)),
  ],
  // A place to put things that the caller may give.
  (maker) => [
    ...strict(maker),
    assign("DEST", expanded("DEST", ":-", maker.random.pick(["sub", "w2", "new"] as const))),
    run("mkdir", "-p", quoted("DEST")),
    run("cp", "src.txt", double(word("./", value("DEST"), "/", "MARK"))),
  ],
  // A check of what is needed, then work.
  (maker) => [
    ...strict(maker),
    define("usage", into(run("echo", "usage"), redirect(">&", "2")), run("exit", "1")),
    or(run("test", "-f", maker.random.pick(["src.txt", "nope"] as const)), run("usage")),
    run("touch", place(maker)),
  ],
  // A function for each step, a main that calls them.
  (maker) => [
    ...strict(maker),
    define("setup", run("mkdir", "-p", "new")),
    define("build", into(run("cat", "src.txt"), redirect(">", double("new/MARK")))),
    define(
      "main",
      run("setup"),
      run("build"),
      or(test(maker), run("return", "1")),
      run("cp", "new/MARK", place(maker)),
    ),
    run("main", double(value("@"))),
  ],
  // Arguments read by a loop.
  (maker) => [
    run("set", "--", "-o", place(maker), "-v"),
    {
      kind: "while",
      test: [run("test", value("#"), "-gt", "0")],
      body: [
        choose(
          quoted("1"),
          ["-o", [assign("OUT", quoted("2")), run("shift")]],
          ["-v", [assign("n", "1")]],
          [glob("*"), [run("break")]],
        ),
        run("shift"),
      ],
      redirections: [],
    },
    run("touch", double(expanded("OUT", ":-", "o"))),
  ],
  // A list of files, each changed.
  () => [
    each(
      "x",
      [glob("*.txt")],
      into(run("sed", "s/t/u/", quoted("x")), redirect(">", "o")),
      run("mv", "o", quoted("x")),
    ),
  ],
  () => [
    each("x", ["src.txt", "b.txt"], run("cp", quoted("x"), double(word(expanded("x", "%", glob("*.txt")), "MARK")))),
  ],
  () => [
    each(
      "x",
      ["src.txt", "b.txt"],
      or(run("test", "-f", quoted("x")), run("continue")),
      run("cp", quoted("x"), double("sub/MARK")),
    ),
  ],
  // Lines of a file.
  () => [
    {
      kind: "while",
      test: [prefixedRead()],
      body: [when(run("test", "-n", quoted("x")), [run("touch", double(value("x")))])],
      redirections: [redirect("<", "list.txt")],
    },
  ],
  (maker) => [
    pipe(run("cat", "list.txt"), {
      kind: "while",
      test: [run("read", "-r", "x")],
      body: [into(run("echo", quoted("x")), redirect(">>", place(maker)))],
      redirections: [],
    }),
  ],
  // What comes out of a program.
  () => [
    assign("NAME", output(run("basename", "sub/in.txt", ".txt"))),
    run("touch", double(word(value("NAME"), "MARK"))),
    run("cp", "src.txt", quoted("NAME")),
  ],
  (maker) => [
    assign("n", output(pipe(run("cat", "list.txt"), run("wc", "-l")))),
    when(run("test", quoted("n"), "-gt", "1"), [run("touch", place(maker))], [run("touch", "o")]),
  ],
  () => [
    assign("x", output(pipe(run("grep", "MA", "list.txt"), run("head", "-n1")))),
    run("touch", double(expanded("x", ":-", "o"))),
  ],
  // A temporary place that is left again.
  (maker) => [
    assign("t", output(run("mktemp", "-d"))),
    subshell(run("cd", quoted("t")), run("touch", "o")),
    run("touch", place(maker)),
  ],
  (maker) => [
    subshell(and(run("cd", maker.random.pick(["sub", "nope"] as const)), run("touch", "MARK"))),
    run("touch", "o"),
  ],
  (maker) => [
    and(and(run("mkdir", "-p", "new"), run("cd", "new")), run("touch", place(maker))),
    or(run("cd", ".."), run("exit", "1")),
    run("touch", "o"),
  ],
  (maker) => [run("trap", code(run("touch", place(maker))), "EXIT"), ...strict(maker), test(maker), run("touch", "o")],
  // What only a build machine has.
  () => [
    when(run("test", "-n", double(expanded("CI", ":-"))), [assign("OUT", "MARK")], [assign("OUT", "o")]),
    run("touch", quoted("OUT")),
  ],
  (maker) => [
    choose(
      double(expanded("1", ":-", maker.random.pick(["dev", "release"] as const))),
      ["dev", [assign("OUT", "o")]],
      ["release", [assign("OUT", "MARK")]],
      [glob("*"), [run("exit", "1")]],
    ),
    run("touch", quoted("OUT")),
  ],
  // Configuration from a here-document or a template.
  () => [
    assign("NAME", "MARK"),
    into(run("cat"), { here: [word("x=", value("NAME")), word("y=o")] }, redirect(">", "new")),
    run(".", "./vars.sh"),
    run("touch", double(expanded("x", ":-", "o"))),
  ],
  (maker) => [into(run("sed", "-e", single("s/t/u/"), "src.txt"), redirect(">", place(maker)))],
  (maker) => [run("sed", "-i", "s/t/u/", maker.random.pick(["src.txt", "b.txt"] as const)), run("touch", place(maker))],
  // Retries, flags, results of steps.
  (maker) => [each("i", ["1", "2", "3"], and(test(maker), run("break")), run("touch", place(maker)))],
  (maker) => [
    assign("n", "0"),
    or(test(maker), assign("n", value("?"))),
    when(run("test", value("n"), "-eq", "0"), [run("touch", place(maker))], [run("touch", "o")]),
  ],
  (maker) => [
    when(test(maker), [run("echo", "ok")], [run("echo", "no"), run("exit", "1")]),
    run("touch", place(maker)),
  ],
  (maker) => [
    or(
      and(run("cp", maker.random.pick(["src.txt", "nope"] as const), place(maker)), run("echo", "ok")),
      group(run("echo", "no"), run("touch", "o")),
    ),
  ],
  (maker) => [pipe(group(run("echo", place(maker)), run("echo", "o")), run("sort"), run("xargs", "touch"))],
  () => [pipe(run("cat", "list.txt"), run("xargs", "-I{}", "cp", "src.txt", "{}"))],
  (maker) => [
    into(run("tee", place(maker)), redirect("<", "src.txt"), redirect(">", "/dev/null")),
    into(group(run("cat", "src.txt"), run("cat", "b.txt")), redirect(">", "o")),
  ],
  (maker) => [
    run("cp", "-r", "sub", maker.random.pick(["new", "w2"] as const)),
    run("ln", "-sf", "src.txt", place(maker)),
    run("chmod", "u+x", "run.sh"),
  ],
  (maker) => [
    run(
      one(
        maker,
        () => "bash" as const,
        () => "sh" as const,
      ),
      "run.sh",
    ),
    run("touch", "o"),
  ],
  () => [run("./run.sh"), run("touch", "o")],
  (maker) => [run("sh", "-c", code(assign("x", place(maker)), run("touch", quoted("x")))), sinkOf(maker, "y")],
];

/** The same for bash: arrays of options, tests in double brackets. */
export const shapesOfBash: readonly Piece[] = [
  (maker) => [
    list("a", "-p"),
    when(condition({ unary: "-d", word: word("sub") }), [
      {
        kind: "simple",
        assignments: [{ name: "a", append: true, items: [{ value: word("new") }] }],
        words: [],
        redirections: [],
      },
    ]),
    run("mkdir", double(element("a", "@")), "o2"),
    run("touch", place(maker)),
  ],
  (maker) => [
    when(
      condition({
        left: word(double(expanded("1", ":-", "release"))),
        binary: "==",
        right: word(glob(maker.random.pick(["*", "M*"] as const))),
      }),
      [run("touch", place(maker))],
      [run("touch", "o")],
    ),
  ],
  () => [
    into(run("mapfile", "-t", "a"), redirect("<", { part: "process", direction: "<", body: [run("cat", "list.txt")] })),
    each("x", [double(element("a", "@"))], run("touch", quoted("x"))),
  ],
  (maker) => [
    define(
      "f",
      run("local", word("x=", quoted("1"))),
      run("local", "y"),
      assign("y", output(run("basename", quoted("x")))),
      into(run("echo", quoted("y")), redirect(">", double(word("o", value("y"))))),
    ),
    run("f", place(maker)),
    sinkOf(maker, "x"),
  ],
  (maker) => [
    define(
      "main",
      run("local", word("OUT", "=", double(expanded("1", ":-", "o")))),
      or(run("cd", maker.random.pick(["sub", "nope"] as const)), run("return", "1")),
      run("touch", quoted("OUT")),
    ),
    or(run("main", place(maker)), run("touch", "o")),
  ],
  (maker) => [
    and(
      condition({
        first: { unary: "-f", word: word("src.txt") },
        join: "&&",
        second: { not: { unary: "-f", word: word(place(maker)) } },
      }),
      run("cp", "src.txt", place(maker)),
    ),
  ],
];

function prefixedRead(): Statement {
  return {
    kind: "simple",
    assignments: [{ name: "IFS", value: [] }],
    words: [word("read"), word("-r"), word("x")],
    redirections: [],
  };
}
