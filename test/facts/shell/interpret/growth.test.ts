import { describe, expect, it } from "vitest";
import { metered } from "../../../../facts/meter.ts";
import { analyseShell } from "../../../../facts/shell/analyse.ts";
import { limits } from "../../../../schema/limits.ts";
import { shapes } from "../../../corpus/growth.ts";
import { Random } from "../../../properties/language/random.ts";
import { seed } from "../../../properties/seed.ts";

const ground = { cwd: "/w", home: "/home/dev", workspace: "/w", variables: {}, dialect: "bash" };

type Answer = "understood" | "not understood" | "over";

function answer(text: string): Answer {
  return metered<Answer>(
    limits.readingWork,
    () => (analyseShell(text, ground).kind === "analysis" ? "understood" : "not understood"),
    () => "over",
  );
}

/** Shapes that go over a bound, which is said. */
const refused: ReadonlySet<string> = new Set([
  "functions that call the one before",
  "many open braces",
  "many wrappers",
  "nested parentheses",
  "nested groups",
  "nested substitutions",
  "nested quoted substitutions",
  "nested expansions",
  "nested braces",
  "nested ifs",
  "open parentheses",
  "open substitutions",
  "open quotes of expansions",
  "open backticks",
]);

describe("work grows with the text", () => {
  it.each(shapes.map((shape) => [shape.name, shape] as const))("%s", (name, shape) => {
    expect(answer(shape.of(4_000))).toBe(refused.has(name) ? "not understood" : "understood");
  });

  const nested = (head: string, middle: string, tail: string, depth: number): string =>
    head.repeat(depth) + middle + tail.repeat(depth);
  it.each([
    ["ways through one substitution", `x=$(${"a || ls; ".repeat(28)})`],
    ["ways through one group", `{ ${"[ -d x ] && ls x; ".repeat(18)} } | sort`],
    ["loops in loops that make a value longer", nested("while a$x; do x=$x/b; ", "touch $x", "\ndone\n", 7)],
    ["loops in loops", nested("while a; do x=b; ", "touch $x", "\ndone\n", 40)],
    [
      "branches in a function in a loop",
      `f() { ${nested("if [ $1 ]; then x=$x/a; ", "touch $x", "\nfi\n", 100)} }; while a; do f; done`,
    ],
    ["words in words", nested("for i in a b c d; do ", "touch $i", "\ndone\n", 6)],
    ["substitutions in substitutions", nested("echo $(", "ls", ")", 60)],
    [
      "a machine of states",
      `while a; do case $s in ${Array.from({ length: 60 }, (_, i) => `s${i}) s=s${i + 1}; t=$t$s;;`).join(" ")} esac; done; touch $t`,
    ],
    [
      "many variables that may be set",
      `${Array.from({ length: 60 }, (_, i) => `[ -e a${i} ] && v${i}=b${i};`).join(" ")} touch ${Array.from({ length: 60 }, (_, i) => `$v${i}`).join(" ")}`,
    ],
    [
      "many functions that call each other",
      `${Array.from({ length: 8 }, (_, i) => `f${i}() { ${Array.from({ length: 8 }, (_, j) => `f${j} $1/${j}`).join("; ")}; }`).join("; ")}; f0 a`,
    ],
    ["traps and assignments", `trap 'touch $x' INT; ${"x=$x/a; ".repeat(300)}`],
    ["folders that may be", `${Array.from({ length: 60 }, (_, i) => `cd d${i}`).join("; ")}; touch a`],
    ["unseen code", `${". ./a.sh; x=b; touch $x; ".repeat(60)}`],
  ])("%s", (_, text) => {
    expect(answer(text)).not.toBe("over");
  });
});

/** Shapes of commands around commands; `«»` is where the next goes. */
const frames: readonly string[] = [
  "f() { «»\n}; f a b",
  "while read -r x; do «»\ndone",
  "for i in a b $x; do «»\ndone",
  "for i; do «»\nbreak\ndone",
  'if [ -e "$x" ]; then «»\nelse «»\nfi',
  "case $x in a*) «»\n;; *) «»\n;; esac",
  "(«»\n) | cat",
  'x=$(«»\n); touch "$x"',
  "trap 'touch $x' EXIT INT; «»",
  "set -eu; «»",
  "«» || exit 1",
  "! «» && x=b",
  "cd $d && «»",
  "until «»\ndo y=$x$y; done",
  "x=a; local y=$x; «»",
  'set -- "$@" a; shift; «»',
  'eval "«»"',
  "bash -c '«»'",
];

const pieces: readonly string[] = [
  "x=$x/a",
  "touch $x",
  'rm -r "${x:-$y}"',
  'read -r x <<< "$y"',
  "a+=($x)",
  "unset x",
  ". ./x.sh",
  "return 1",
  "f $x",
  "echo ${a[@]} > $x",
  "export x=$(date)",
  "printf -v x %s $y",
  "i=$((i+1))",
  "declare -n r=$x",
  "$x a",
  "shopt -s lastpipe nullglob",
];

describe("mixtures of shapes", () => {
  const random = new Random(seed);
  const mixture = (depth: number): string => {
    if (depth === 0) return random.pick(pieces);
    return random
      .pick(frames)
      .replace(/«»/g, () => `${mixture(depth - 1)}${random.chance(0.3) ? `\n${random.pick(pieces)}` : ""}`);
  };
  it.each(random.times(300, (i) => [mixture(1 + (i % 4))] as const))("%j", (text) => {
    expect(() => answer(text)).not.toThrow();
    expect(answer(text)).not.toBe("over");
  });
});
