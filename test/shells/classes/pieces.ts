import type { Random } from "../../properties/language/random.ts";
import {
  and,
  assign,
  calculated,
  code,
  condition,
  double,
  expanded,
  glob,
  into,
  not,
  output,
  quoted,
  redirect,
  run,
  type Some,
  value,
  word,
} from "../tree/build.ts";
import type { Path, Variable } from "../tree/names.ts";
import type { Script, Statement } from "../tree/tree.ts";

/** The maker of pieces: choices by a seed, and whether only POSIX constructs are allowed. */
export interface Maker {
  readonly random: Random;
  readonly posix: boolean;
}

/** A piece of a script: statements that have to do with one thing. */
export type Piece = (maker: Maker) => Script;

const places: readonly Path[] = [
  "MARK",
  "MARK",
  "MARK",
  "o",
  "o",
  "o2",
  "sub/MARK",
  "sub/o",
  "MARKS",
  "MARK.txt",
  "mark",
  "./MARK",
  "w2/MARK",
];

/** A place to write to. */
export function place({ random }: Maker): Path {
  return random.pick(places);
}

/** A variable for names. */
export function variable({ random }: Maker): Variable {
  return random.pick(["x", "x", "x", "y", "z"] as const);
}

/** One of the pieces. */
export function one<T>({ random }: Maker, ...ways: readonly (() => T)[]): T {
  return random.pick(ways)();
}

/** Writes to a place that a word names. */
export function sink(maker: Maker, ...words: readonly [Some, ...Some[]]): Statement {
  const target = words.length === 1 ? words[0] : double(...words);
  return one<Statement>(
    maker,
    () => run("touch", target),
    () => run("touch", target),
    () => into(run("echo", "text"), redirect(">", target)),
    () => into(run(":"), redirect(">", target)),
    () => into(run("printf", "%s", "text"), redirect(">>", target)),
    () => run("cp", "src.txt", target),
    () => into(run("cat", "src.txt"), redirect(">", target)),
    () => into(run("tee", target), redirect("<", "src.txt")),
    () => run("mv", "c.txt", target),
    () => run("ln", "-s", "src.txt", target),
    () => run("mkdir", "-p", target),
    () => into(run("sed", "s/t/u/", "src.txt"), redirect(">", target)),
  );
}

/** Writes to what a variable holds. */
export function sinkOf(maker: Maker, name: Variable): Statement {
  return sink(maker, maker.random.chance(0.6) ? quoted(name) : value(name));
}

/** Gives a variable a name, in one of the ways that are known by the text. */
export function name(maker: Maker, variable: Variable, path: Path = place(maker)): Statement {
  return one<Statement>(
    maker,
    () => assign(variable, path),
    () => assign(variable, path),
    () => assign(variable, double(path)),
    () => assign(variable, output(run("echo", path))),
    () => assign(variable, output(run("printf", "%s", path))),
  );
}

/** A command whose status decides: sure to succeed, sure to fail, or by the disk. */
export function test(maker: Maker): Statement {
  const common: (() => Statement)[] = [
    () => run("true"),
    () => run("false"),
    () => run(":"),
    () => not(run("true")),
    () => not(run("false")),
    () => run("[", "-e", "src.txt", "]"),
    () => run("test", "-e", "src.txt"),
    () => run("test", "-e", "nope"),
    () => run("test", "-d", "sub"),
    () => run("test", "-f", "MARK"),
    () => run("mkdir", "sub"),
    () => run("mkdir", "new"),
    () => run("test", "-n", quoted("x")),
    () => run("test", quoted("x"), "=", "MARK"),
    () => run("test", "-z", double(expanded("y", ":-"))),
    () => run("grep", "-q", "text", "src.txt"),
    () => into(run("cat", "nope"), redirect(">", "/dev/null")),
    () => assign("z", output(run("false"))),
    () => assign("z", output(run("exit", "1"))),
    () => into(run("read", "z"), redirect("<", "src.txt")),
    () => and(run("true"), run("false")),
    () => run("expr", "1", "=", "1"),
  ];
  if (!maker.posix)
    common.push(
      () => condition({ left: word(value("x")), binary: "==", right: word(glob("M*")) }),
      () => condition({ unary: "-f", word: word("src.txt") }),
      () => condition({ left: word(value("x")), binary: "=~", right: word(glob("MA")) }),
      () => ({
        kind: "arithmetic",
        of: { left: { number: maker.random.below(2) }, operator: "+", right: { number: 0 } },
      }),
      () => run("test", "-v", "x"),
    );
  return maker.random.pick(common)();
}

/** Text for a piece that is run as code: names a place again, or writes one. */
export function lateCode(maker: Maker): Some {
  return code(
    one<Statement>(
      maker,
      () => assign("x", place(maker)),
      () => run("touch", place(maker)),
      () => sinkOf(maker, "x"),
    ),
  );
}

/** A number that is known by the text or not. */
export function number(maker: Maker): Some {
  return one<Some>(
    maker,
    () => "1",
    () => "2",
    () => calculated({ left: { number: 1 }, operator: "+", right: { number: maker.random.below(2) } }),
    () => value("n"),
  );
}
