import { describe, expect, it } from "vitest";
import { facts } from "../../facts/facts.ts";
import { metered, spend } from "../../facts/meter.ts";
import { limits } from "../../schema/limits.ts";
import { typicalCommands } from "../bench/typical.ts";
import { nativeWork } from "../native-work.ts";
import { searches } from "../scaling/facts/searches.ts";
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
  [
    "values that are each of several",
    bash(
      `python3 -c 'for a in [${many(32, (i) => `"${i}"`).join(",")}]:\n os.remove(${many(12, () => "a").join("+")})'`,
    ),
  ],
];

/** Values with long runs in which patterns look for an end that is not there. */
const runs: readonly (readonly [string, FactCall])[] = [
  [
    "values cut by open classes",
    bash(`x=${"[".repeat(9_000)}; y=${"[".repeat(6_000)}b; ${'cat "${x#$y}"; '.repeat(2_000)}`),
  ],
  ["a word that is nearly an option", bash(`export -${"p".repeat(60_000)}!`)],
  ["a file of perl between blanks", bash(`perl -e '${`open(F, "0,2${" ".repeat(3_900)}!"); `.repeat(14)}'`)],
  ["lines of an editor", bash(`vim -c '${"0".repeat(60_000)}' f`)],
  ["a setting of apt", bash(`apt -o DPkg::Pre-Invoke::='{ ${" ".repeat(60_000)}a'`)],
  ["the source of a package", bash(`npm install 'a${" ".repeat(60_000)}b'`)],
  ["a word that is nearly a verb", bash(`jar ${"x".repeat(60_000)}! a`)],
  [
    "settings of ssh that are empty lines",
    { tool: "write", args: { path: "/home/dev/.ssh/config", content: "\n".repeat(1_000_000) } },
  ],
];

/** Calls whose work native code did in one step, for seconds up to hours. How often a pattern goes back only the time-out sees. */
const native = [
  ...searches.flatMap(({ name, of }) => [15_000, 60_000].map((length) => [`${name}, ${length}`, of(length)] as const)),
  ...runs,
];

/** A unit of work is 64 characters of text: native code may look at so many elements for it. */
const perUnit = 64;

describe("work of native code", () => {
  it.each(native)("is no more than what is spent: %s", (_, call) => {
    const { units } = measured(call);
    expect(units).toBeLessThan(1.25 * limits.readingWork);
    expect(nativeWork(() => measured(call)) / units).toBeLessThan(perUnit);
  });
});

describe("work of facts", () => {
  it.each(attacks)("is bounded: %s", (_, call) => {
    const found = measured(call);
    // What is spent at once may go over the allowance by the size of the input, and no further.
    expect(found.units).toBeLessThan(1.25 * limits.readingWork);
    expect(isOver(found) === found.units > limits.readingWork).toBe(true);
  });

  it.each(sample(factShapes, 4).map((shape) => [shape.name, shape] as const))(
    "grows no faster than its input: %s",
    (_, shape) => {
      expect(excess(shape, 1_500)).toBeUndefined();
    },
  );

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
