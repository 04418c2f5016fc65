import {
  and,
  assign,
  code,
  define,
  each,
  expanded,
  glob,
  into,
  or,
  output,
  pipe,
  prefixed,
  quoted,
  redirect,
  run,
  single,
  subshell,
  value,
  word,
} from "../tree/build.ts";
import { type SetOption, type ShellOption, setOptions, shellOptions } from "../tree/names.ts";
import type { Part, Script, Statement } from "../tree/tree.ts";
import { type Maker, one, type Piece, place, sink, sinkOf, test } from "./pieces.ts";

const again = (maker: Maker): Statement => assign("x", place(maker));

/** Statements that show the effect of an option of `set`. */
const mattersToSet: Partial<Readonly<Record<SetOption, Piece>>> = {
  allexport: (maker) => [again(maker), run("bash", "-c", code(sink(maker, expanded("x", ":-", "o"))))],
  braceexpand: () => [run("touch", { part: "braces", items: [word("MARK"), word("o")] })],
  errexit: (maker) => [test(maker), sinkOf(maker, "x"), assign("y", output(test(maker))), again(maker)],
  errtrace: (maker) => [
    run("trap", code(sinkOf(maker, "x")), "ERR"),
    define("f", run("false"), again(maker)),
    run("f"),
  ],
  functrace: (maker) => [run("trap", code(again(maker)), "DEBUG"), define("f", run(":")), run("f"), sinkOf(maker, "x")],
  histexpand: () => [run("touch", single("MARK"), "o")],
  keyword: (maker) => [
    run("bash", "-c", code(sink(maker, expanded("x", ":-", "o"))), word("x=", "MARK")),
    run("touch", word("x=", "o"), "MARK"),
  ],
  noclobber: (maker) => [
    into(run("echo", "t"), redirect(">", "src.txt")),
    and(into(run("echo", "t"), redirect(">", "b.txt")), again(maker)),
    into(run("echo", "t"), redirect(">|", place(maker))),
  ],
  noexec: (maker) => [sinkOf(maker, "x")],
  noglob: (maker) => [
    each("y", [glob(maker.random.pick(["*.txt", "M*", "s*.txt"] as const))], sink(maker, word("o", value("x")))),
    run("cat", glob("s*.txt")),
  ],
  nounset: (maker) => [run("unset", "y"), or(sinkOf(maker, "y"), run("true")), sinkOf(maker, "x")],
  onecmd: (maker) => [sinkOf(maker, "x"), again(maker), sinkOf(maker, "x")],
  physical: (maker) => [run("ln", "-s", "sub", "l"), run("cd", "l"), run("cd", ".."), sinkOf(maker, "x")],
  pipefail: (maker) => [and(pipe(test(maker), run("true")), again(maker)), sinkOf(maker, "x")],
  posix: (maker) => [
    prefixed("x", place(maker), maker.random.pick([":", "eval", "export"] as const)),
    sinkOf(maker, "x"),
    assign("y", output(run("echo", "-e", "\\115ARK"))),
    sinkOf(maker, "y"),
  ],
  xtrace: (maker) => [assign("PS4", code0(maker)), run(":"), sinkOf(maker, "x")],
  verbose: (maker) => [sinkOf(maker, "x")],
};

/** A text with a substitution that a prompt expands. */
function code0(maker: Maker): Part {
  return code(run(":", output(run("touch", place(maker)))));
}

/** Statements that show the effect of an option of `shopt`. */
const mattersToShopt: Partial<Readonly<Record<ShellOption, Piece>>> = {
  assoc_expand_once: (maker) => [run("declare", "-A", "a"), run("unset", single("a[k]")), sinkOf(maker, "x")],
  autocd: (maker) => [or(run("sub"), run("true")), sinkOf(maker, "x")],
  cdable_vars: (maker) => [assign("y", "sub"), or(run("cd", "y"), run("true")), sinkOf(maker, "x")],
  cdspell: (maker) => [or(run("cd", "nope"), run("true")), sinkOf(maker, "x")],
  dotglob: (maker) => [each("y", [glob("*")], sink(maker, word("o", value("x"))))],
  execfail: (maker) => [run("exec", "nope"), sinkOf(maker, "x")],
  expand_aliases: (maker) => [run("alias", word("t=", code(sinkOf(maker, "x")))), or(run("t"), again(maker))],
  extdebug: (maker) => [run("trap", code(run("false")), "DEBUG"), sinkOf(maker, "x")],
  extglob: (maker) => [
    run("touch", "MARK"),
    run("touch", word("o", glob("@(MARK|o)"))),
    assign("y", expanded("x", "#", glob("@(MARK|o)"))),
    sinkOf(maker, "y"),
  ],
  failglob: (maker) => [run("echo", glob("zzz*")), sinkOf(maker, "x")],
  globstar: (maker) => [each("y", [glob("**")], sinkOf(maker, "x"))],
  inherit_errexit: (maker) => [
    run("set", "-e"),
    assign("x", output(test(maker), run("echo", place(maker)))),
    sinkOf(maker, "x"),
  ],
  lastpipe: (maker) => [pipe(run("echo", place(maker)), run("read", "x")), sinkOf(maker, "x")],
  localvar_inherit: (maker) => [define("f", run("local", "x"), sink(maker, expanded("x", ":-", "o"))), run("f")],
  localvar_unset: (maker) => [
    define("f", run("local", word("x=", "o")), run("g"), sink(maker, expanded("x", ":-", "o2"))),
    define("g", run("unset", "x")),
    run("f"),
    sinkOf(maker, "x"),
  ],
  nocaseglob: (maker) => [
    each("y", [glob(maker.random.pick(["m*", "[A-Z]*"] as const))], sink(maker, word("o", value("x")))),
  ],
  nocasematch: (maker) => [
    assign("y", maker.random.pick(["mark", "MARK"] as const)),
    { kind: "case", word: word(value("y")), ways: [{ patterns: [word(glob("M*"))], body: [again(maker)], end: ";;" }] },
    assign("z", expanded("y", "/", glob("MA"), "o")),
    sinkOf(maker, "x"),
    sinkOf(maker, "z"),
  ],
  nullglob: (maker) => [
    run("set", "--", glob("zzz*"), "MARK"),
    sink(maker, quoted("1")),
    each("y", [glob("zzz*")], sinkOf(maker, "x")),
  ],
  patsub_replacement: (maker) => [
    assign(
      "y",
      expanded(
        "x",
        "/",
        glob(maker.random.pick(["M", "o", "K"] as const)),
        word("o", { part: "glob", glob: "" }, value("z")),
      ),
    ),
    sinkOf(maker, "y"),
  ],
  promptvars: (maker) => [assign("PS4", code0(maker)), run("set", "-x"), run(":")],
  restricted_shell: (maker) => [or(run("cd", "sub"), run("true")), sinkOf(maker, "x")],
  shift_verbose: (maker) => [
    run("set", "--", place(maker)),
    or(run("shift", "5"), run("true")),
    sink(maker, quoted("1")),
  ],
  sourcepath: (maker) => [or(run("source", "vars.sh"), run("true")), sinkOf(maker, "x")],
  xpg_echo: (maker) => [
    assign("y", output(run("echo", maker.random.pick(["\\115ARK", "\\0115ARK", "MARK\\c"] as const)))),
    sinkOf(maker, "y"),
  ],
};

/** Things that many options may matter to. */
function anything(maker: Maker): Script {
  return one<Script>(
    maker,
    () => [each("y", [glob(maker.random.pick(["*.txt", "M*", "zzz*"] as const))], sinkOf(maker, "x"))],
    () => [subshell(again(maker), sinkOf(maker, "x"))],
    () => [define("f", again(maker)), run("f")],
    () => [assign("x", output(run("echo", place(maker))))],
    () => [and(test(maker), again(maker))],
    () => [pipe(run("echo", place(maker)), run("read", "x"))],
    () => [run("eval", code(again(maker)))],
  );
}

/** Every option of `set -o`, on or off, with what it matters to. */
export const setPieces: Readonly<Record<string, Piece>> = Object.fromEntries(
  setOptions.map((option): [string, Piece] => [
    option,
    (maker) => [
      run("set", maker.random.chance(0.75) ? "-o" : "+o", option),
      ...(mattersToSet[option] ?? anything)(maker),
      ...anything(maker),
      sinkOf(maker, "x"),
    ],
  ]),
);

/** Every option of `shopt`, on or off, with what it matters to. */
export const shoptPieces: Readonly<Record<string, Piece>> = Object.fromEntries(
  shellOptions.map((option): [string, Piece] => [
    option,
    (maker) => [
      run("shopt", maker.random.chance(0.75) ? "-s" : "-u", option),
      ...(mattersToShopt[option] ?? anything)(maker),
      ...anything(maker),
      sinkOf(maker, "x"),
    ],
  ]),
);
