import { describe, expect, it } from "vitest";
import { facts } from "../../facts/facts.ts";
import { metered, spend } from "../../facts/meter.ts";
import { limits } from "../../schema/limits.ts";
import { typicalCommands } from "../bench/typical.ts";
import type { FactCall } from "../scaling/facts/shape.ts";
import { sample } from "../scaling/sample.ts";
import { factShapes } from "../scaling/shapes-facts.ts";
import { excess, isOver, measured, readable } from "./scaling.ts";

const many = <T>(count: number, one: (i: number) => T): readonly T[] => Array.from({ length: count }, (_, i) => one(i));
const bash = (command: string, more: Partial<FactCall> = {}): FactCall => ({
  tool: "bash",
  args: { command },
  ...more,
});

/** Calls that were seen to take from seconds to for ever. */
const attacks: readonly (readonly [string, FactCall])[] = [
  ["257 characters of ways", bash(`x=$(${"a || ls; ".repeat(28)})`)],
  ["a text of ways", bash(`x=$(${"a || ls; ".repeat(7_000)})`)],
  ["cases in a substitution", bash(`x=$(${"case $y in a) ls;; b) echo c;; esac; ".repeat(200)})`)],
  [
    "a patch of 12,000 scripts",
    { tool: "edit", args: { patch: many(12_000, (i) => `*** Add File: f${i}.sh\n+ls a${i}\n`).join("") } },
  ],
  ...[5_000, 100_000].map(
    (count) =>
      [
        `${count} edits of a script`,
        { tool: "edit", args: { path: "f.sh", edits: many(count, (i) => ({ new_text: `cat a${i}` })) } },
      ] as const,
  ),
  ["a folder of 30,000 names", bash("ls a b c", { environment: { cwd: `/${"a/".repeat(30_000)}` } })],
  [
    "a folder of 30,000 names, and many paths",
    bash(`cat ${many(4_000, (i) => `f${i}`).join(" ")}`, { environment: { cwd: `/${"a/".repeat(30_000)}` } }),
  ],
  ["a folder of 30,000 names of the call", { tool: "bash", args: { command: "ls a", cwd: "a/".repeat(30_000) } }],
  [
    "200,000 keys with paths",
    { tool: "mcp__x__y", args: Object.fromEntries(many(200_000, (i) => [`path${i}`, `/a/b${i}`])) },
  ],
  ["blanks behind a file's name", { tool: "edit", args: { patch: `*** Add File: a${" ".repeat(500_000)}b\n+x` } }],
  [
    "blanks behind a setting",
    { tool: "write", args: { path: ".env", content: `LD_PRELOAD=a${" ".repeat(4_000)}b\n`.repeat(60) } },
  ],
  ["line ends in what is printed", bash(`x=$(printf '%s' '${"\n".repeat(60_000)}x')`)],
  ...[".github/workflows/a.yml", "Procfile"].map(
    (path) =>
      [
        `200,000 commands of a list in ${path}`,
        {
          tool: "write",
          args: { path, content: `${path === "Procfile" ? "a" : "run"}:\n${"  - a\n".repeat(200_000)}` },
        },
      ] as const,
  ),
  [
    "values that are each of several",
    bash(
      `python3 -c 'for a in [${many(32, (i) => `"${i}"`).join(",")}]:\n os.remove(${many(12, () => "a").join("+")})'`,
    ),
  ],
];

/** What stands in itself: before it, in the middle, behind it. */
const nests: readonly (readonly [name: string, head: string, middle: string, tail: string])[] = [
  ["for with values", "for i in a b; do ", "cat $i", "; done"],
  ["for without values", "for i in $x; do a=$i; ", "cat $i", "; done"],
  ["for over what is printed", "for i in $(", "a", "); do cat $i; done"],
  ["for with a name that its body lacks", "for i in a b c; do x=$y; ", "cat $x", "; done"],
  ["select", "select i in $x; do a=$i; ", "cat $i", "; done"],
  ["while", "while a; do b=1; ", "cat x", "; done"],
  ["while with a number", "while [ $n -lt 9 ]; do n=$((n + 1)); ", "cat $n", "; done"],
  ["while that reads", "while read a; do b=$a; ", "cat $b", "; done"],
  ["while that is left", "while a; do b && break; c || continue; ", "cat x", "; done"],
  ["until", "until a; do b=1; ", "cat x", "; done"],
  ["for that counts", "for ((i = 0; i < 9; i++)); do a=$i; ", "cat $i", "; done"],
  ["loops of two kinds", "for i in $x; do while a; do b=$i; ", "cat $b", "; done; done"],
  ["a loop in a pipe", "while read a; do cat $a | ", "sort", "; done"],
  ["a loop in a branch", "while a; do if b; then c=1; ", "cat $c", "; fi; done"],
  ["a branch", "if a; then x=1; ", "cat $x", "; fi"],
  ["a condition", 'if [ "$(', "a", ')" = x ]; then ls; fi'],
  ["a case", "case $a in b) x=1; ", "cat $x", ";; esac"],
  ["a subshell", "(x=1; ", "ls $x", ")"],
  ["a substitution", 'echo "$(cat ', "a", ')"'],
  ["a substitution with two ways", "x=$(a || echo ", "ls", ")"],
  ["a process for a file", "cat <(a || cat ", "a", ")"],
  ["a negation", "! (", "a", ")"],
];

describe("work of facts", () => {
  it.each(attacks)("is bounded: %s", (_, call) => {
    const found = measured(call);
    // What is spent at once may go over the allowance by the size of the input, and no further.
    expect(found.units).toBeLessThan(1.25 * limits.readingWork);
    expect(isOver(found) === found.units > limits.readingWork).toBe(true);
  });

  // What a bound stops grows too fast before it, if at all.
  it.each([600, 1_500].flatMap((length) => sample(factShapes, 4).map((shape) => [shape.name, length, shape] as const)))(
    "grows no faster than its input: %s, from %d",
    (_, length, shape) => {
      expect(excess(shape, length)).toBeUndefined();
    },
  );

  it.each(nests)("grows no faster than its depth: %s", (_, head, middle, tail) => {
    const [ten, twenty, forty] = [10, 20, 40].map(
      (depth) => measured(bash(head.repeat(depth) + middle + tail.repeat(depth))).units,
    ) as [number, number, number];
    const [first, second] = [twenty - ten, forty - twenty];
    expect([first, second, second <= 2.2 * first]).toEqual([first, second, true]);
  });

  it("is far from its bound for typical calls", () => {
    for (const command of typicalCommands)
      expect([command, measured(bash(command)).units < limits.readingWork / 1_000]).toEqual([command, true]);
  });

  it.each<[string, FactCall]>([
    ["a script of 64 KB", bash("cat src/reader.ts > build/out/copy1.ts;\n".repeat(1_600))],
    [
      "a patch of 400 files",
      {
        tool: "edit",
        args: { patch: many(400, (i) => `*** Update File: src/f${i}.ts\n${"+const a = 1;\n".repeat(100)}`).join("") },
      },
    ],
    [
      "a patch of 300 modules of Python",
      {
        tool: "edit",
        args: {
          patch: many(300, (i) => `*** Add File: src/f${i}.py\n${'+x = os.path.join("a", y)\n'.repeat(60)}`).join(""),
        },
      },
    ],
    ["4,000 paths", { tool: "read", args: { paths: many(4_000, (i) => `packages/core/src/f${i}.ts`) } }],
    ["a file of 16 MB", { tool: "write", args: { path: "a.txt", content: "a line of text\n".repeat(1_000_000) } }],
    [
      "a module of 64 KB",
      { tool: "write", args: { path: "a.py", content: 'x = os.path.join("a", y)\n'.repeat(1_300) } },
    ],
    [
      "a makefile of 500 lines",
      { tool: "write", args: { path: "Makefile", content: `a:\n${"\tcat src/a.ts > out/b.js\n".repeat(500)}` } },
    ],
  ])("is within its bound for what people do: %s", (_, call) => {
    expect(isOver(measured(call))).toBe(false);
  });

  it("over its bound leaves a call that is not understood, with the reason", () => {
    const paths = many(4_000, (i) => `f${i}`);
    const call: FactCall = { tool: "read", args: { paths }, environment: { cwd: `/${"a/".repeat(15_000)}` } };
    const [event, files] = readable(call);
    const { understanding, doubts, shell, effects } = facts.of(event, files);
    expect([understanding, shell, effects]).toEqual(["unknown", undefined, undefined]);
    expect(doubts).toEqual([{ reason: "the call takes more work than it is given to be understood" }]);
  });

  it.each<[string, FactCall]>([
    [
      "calls of a shell in a makefile",
      { tool: "write", args: { path: "Makefile", content: "$(shell a)".repeat(100_000) } },
    ],
    [
      "arguments of a choice in a makefile",
      { tool: "write", args: { path: "Makefile", content: `a:\n\t$(if ${"a,".repeat(500_000)})` } },
    ],
    [
      "members of a list in YAML",
      { tool: "write", args: { path: "Taskfile.yml", content: `cmds: [${"a,".repeat(500_000)}]` } },
    ],
    [
      "words of a list in a build file",
      { tool: "write", args: { path: "Dockerfile", content: `CMD [${'"a",'.repeat(250_000)}"a"]` } },
    ],
  ])("has an answer for more items than a call of a function takes: %s", (_, call) => {
    expect(() => measured(call)).not.toThrow();
  });

  it("is the same whatever was read before", () => {
    const calls = [
      ...typicalCommands.map((command) => bash(command)),
      ...sample(factShapes, 4).map((shape) => shape.of(600)),
      bash(`docker run ${many(20, (i) => `-e A${i}=b`).join(" ")} image`),
      bash(`osascript -e 'do shell script "ls"'`),
      bash(`sed ${many(20, (i) => `-e 's/a/b${i}/w c'`).join(" ")} f`),
    ];
    const units = (call: FactCall): number => measured(call).units;
    const forwards = calls.map(units);
    const backwards = calls.toReversed().map(units).toReversed();
    const again = calls.map((call) => [units(call), units(call)]);
    calls.forEach(({ args }, i) => {
      expect([args, forwards[i], ...(again[i] ?? [])]).toEqual([args, backwards[i], forwards[i], forwards[i]]);
    });
  });

  it("is the same whoever asks, and takes nothing from the work around it", () => {
    const [event, files] = readable(bash("cat a > b; sh -c 'ls c'"));
    const inside = metered(
      1,
      () => {
        const read = facts.of(event, files).effects;
        spend(1);
        return read;
      },
      () => undefined,
    );
    expect(inside).toEqual(facts.of(event, files).effects);
  });
});
