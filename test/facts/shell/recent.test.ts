import { describe, expect, it } from "vitest";
import { unitsOf } from "../../../facts/meter.ts";
import { readWith } from "../../../facts/programs/declared.ts";
import { describe as described } from "../../../facts/programs/describe.ts";
import { type Analysis, analyseShell } from "../../../facts/shell/analyse.ts";
import type { Declarations } from "../../../schema/declarations.ts";
import { typicalCommands } from "../../bench/typical.ts";

const ground = { cwd: "/w", home: "/home/dev", workspace: "/w", variables: {}, dialect: "bash" };
const texts = [
  ...typicalCommands,
  'for f in *; do mv "$f" "$X"; done',
  'trap "rm x" EXIT; x=$(ls)',
  "a() { b; }; a | c",
  "if (",
];

function programsOf(text: string, other: Partial<typeof ground> = {}): readonly string[] {
  return (analyseShell(text, { ...ground, ...other }) as Analysis).drafts.map(
    ({ program, cwd }) => `${program} ${cwd}`,
  );
}

describe("a text that comes again", () => {
  it.each(texts)("%s is the same, at the same price", (text) => {
    let first: unknown;
    let again: unknown;
    const [price, paid] = [
      unitsOf(() => {
        first = analyseShell(text, ground);
      }),
      unitsOf(() => {
        again = analyseShell(text, ground);
      }),
    ];
    expect(again).toBe(first);
    expect(paid).toBe(price);
    expect(price).toBeGreaterThan(0);
  });

  it("is another one elsewhere, and with other variables", () => {
    expect(programsOf("cd a && ls")).toEqual(["cd /w", "ls /w/a"]);
    expect(programsOf("cd a && ls", { cwd: "/v" })).toEqual(["cd /v", "ls /v/a"]);
    expect(programsOf("$RUN x", { variables: { RUN: "rm" } })).toEqual(["rm /w"]);
    expect(programsOf("$RUN x", { variables: { RUN: "ls" } })).toEqual(["ls /w"]);
    expect(programsOf("cd ~ && ls")).toEqual(["cd /w", "ls /home/dev"]);
    expect(programsOf("cd ~ && ls", { home: "/root" })).toEqual(["cd /w", "ls /root"]);
  });

  it("is kept on some grounds beside each other", () => {
    const grounds = ["/a", "/b", "/c"].map((cwd) => ({ ...ground, cwd }));
    const first = grounds.map((one) => analyseShell("make all", one));
    const again = grounds.map((one) => analyseShell("make all", { ...one }));
    for (const [i, one] of again.entries()) expect(one).toBe(first[i]);
    expect(new Set(first).size).toBe(3);
  });

  it("is read anew where policies declare programs", () => {
    const claim = {
      name: "own-wrapper",
      aliases: [],
      paths: [],
      options: [],
      wraps: "rest",
      standing: "known",
    } as const;
    const declared: Declarations = { programs: [claim], tools: [] };
    const within = (): readonly string[] =>
      readWith(declared, { workspace: "/w", home: "/home/dev" }, false, () => programsOf("own-wrapper git push"))
        .result;
    const plain = programsOf("own-wrapper git push");
    expect(within()).not.toEqual(plain);
    expect(programsOf("own-wrapper git push")).toEqual(plain);
  });

  it("is forgotten where too many others come between", () => {
    const first = analyseShell("echo first", ground);
    for (let i = 0; i < 200; i++) analyseShell(`echo ${i}`, ground);
    const again = analyseShell("echo first", ground);
    expect(again).not.toBe(first);
    expect(again).toEqual(first);
  });
});

describe("the words of a command", () => {
  it.each(texts)("of %s are described once, at the same price", (text) => {
    const analysis = analyseShell(text, ground);
    for (const draft of analysis.kind === "analysis" ? analysis.drafts : []) {
      const words = [...draft.args];
      const price = unitsOf(() => described(draft.program, words));
      const first = described(draft.program, words);
      expect(unitsOf(() => described(draft.program, words))).toBe(price);
      expect(described(draft.program, words)).toBe(first);
      expect(described("another", words)).not.toBe(first);
    }
  });
});
