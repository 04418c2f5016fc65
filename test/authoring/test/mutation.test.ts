import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { joinCoverage, percentOf, shareOf } from "../../../authoring/test/coverage.ts";
import { mutantsOf } from "../../../authoring/test/mutants.ts";
import { joinMutants, type MutantResult, runMutants, scoreOf } from "../../../authoring/test/mutation.ts";
import { readSuite, type SuiteFile } from "../../../authoring/test/suite-file.ts";
import { SuiteRun } from "../../../authoring/test/suite-run.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hookwarden-mutants-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function suiteOf(rules: string, events: string): SuiteFile {
  writeFileSync(join(folder, "p.yaml"), `version: 1\npolicy: p\n${rules}`);
  const text = `suite: s\npolicies: [p.yaml]\ncases:\n  - name: one\n    events:\n${events}`;
  writeFileSync(join(folder, "s.test.yaml"), text);
  const file = readSuite(join(folder, "s.test.yaml"), "s.test.yaml");
  if (!("plan" in file)) throw new Error(file.diagnostics.map((d) => d.message).join("; "));
  return file;
}

const read = (path: string, outcome: string): string =>
  `      - { event: tool_call, tool: read, args: { path: ${path} }, expect: { outcome: ${outcome} } }\n`;
const rule = (more: string, head = "id: r, event: tool_call, tool: read, action: block, reason: no"): string =>
  `rules:\n  - { ${head}, ${more} }\n`;
const told = (
  found: readonly { readonly operator: string; readonly before: string; readonly after: string }[],
): string[] => found.map(({ operator, before, after }) => `${operator}: ${before} -> ${after}`);

describe("mutants", () => {
  it.each<[string, string, readonly string[]]>([
    [
      "conditions",
      rule('when: \'args.path == "a" && args.path.startsWith("b")\''),
      [
        '`and` becomes `or`: args.path == "a" && args.path.startsWith("b") -> or: args.path == "a" && args.path.startsWith("b")',
        'drop a conjunct: args.path == "a" -> (removed)',
        'negate a test: args.path == "a" -> not (args.path == "a")',
      ],
    ],
    [
      "lists",
      rule('when: { args.path: { glob: ["a/*", "b/*"] } }'),
      [
        'empty a list: ["a/*", "b/*"] -> []',
        'drop an element of a list: ["a/*", "b/*"] -> without "b/*"',
        'widen a list: ["a/*", "b/*"] -> ["a/*","b/*","**"]',
      ],
    ],
    [
      "rules",
      rule("unless: { args.path: { glob: a } }"),
      [
        "widen to any tool: read -> (removed)",
        "drop `unless`: { args.path: { glob: a } } -> (removed)",
        "change the strength of an action: block -> ask",
      ],
    ],
    [
      "sequences",
      rule("sequence: { after: [{ tool: write }, { tool: edit }], within: { calls: 5 } }"),
      ["turn the order round", "drop an item", "move a boundary"],
    ],
    ["budgets", rule("budget: { limit: 3, within: 1m }"), ["move a boundary", "drop the window", "drop the budget"]],
  ])("of %s", (_, rules, wanted) => {
    const all = told(mutantsOf(suiteOf(rules, read("a", "allow"))));
    for (const one of wanted)
      expect(
        all.some((text) => text.startsWith(one)),
        `${one} in\n${all.join("\n")}`,
      ).toBe(true);
  });

  it("leave out what means the same as the policy, or as another mutant", () => {
    const found = told(mutantsOf(suiteOf(rule("when: { args.path: { glob: ['**'] } }"), read("a", "block"))));
    expect(found.filter((text) => text.startsWith("widen"))).toEqual(["widen to any tool: read -> (removed)"]);
    expect(new Set(found).size).toBe(found.length);
  });

  it("break a named condition wherever it is used", () => {
    const rules = `conditions: { mine: { args.path: { glob: "m/*" } } }
rules:
  - { id: a, event: tool_call, tool: read, when: $mine, action: block, reason: no }
  - { id: b, event: tool_call, tool: read, when: { not: $mine }, action: ask, reason: no }
`;
    const negated = mutantsOf(suiteOf(rules, read("m/a", "block"))).filter(({ of }) => of === "mine");
    expect(told(negated).filter((text) => text.startsWith("negate"))).toHaveLength(1);
  });
});

describe("mutants of a policy as a whole", () => {
  const imported = `version: 1
policy: base
default: allow
parameters: { places: { type: list(string), default: ["a/*"], description: places } }
rules:
  - { id: a, event: tool_call, tool: read, when: { args.path: { glob: $places } }, action: block, reason: no }
  - { id: b, event: tool_call, tool: read, when: { args.path: b }, action: block, reason: no }
`;
  const importing = (end: string): string => `default: allow
unknown: ask
imports:
  - file: ./base.yaml
    with: { places: ["c/*"] }
    overrides:
      - { rule: base/b, mode: monitor }
rules:
  - { id: own, event: tool_call, tool: read, when: { args.path: own }, action: ask, reason: no }
${end}`;
  const noticed = (events: string, end = "") => {
    writeFileSync(join(folder, "base.yaml"), imported);
    return told(runMutants(new SuiteRun(suiteOf(importing(end), events))).filter(({ by }) => by !== undefined));
  };
  const whole = [
    "change `default`: allow -> ask",
    "drop an import: file: ./base.yaml",
    'drop a value given to an import: ["c/*"] -> (removed)',
    "drop an override: { rule: base/b, mode: monitor } -> (removed)",
  ];

  it("change its outcomes and what it imports, and leave the rules of an import alone", () => {
    writeFileSync(join(folder, "base.yaml"), imported);
    const all = mutantsOf(suiteOf(importing(""), read("own", "ask")));
    const found = told(all).filter((text) => /^(?:change `|drop an import|drop a value|drop an override)/.test(text));
    expect(found.map((text) => text.replace(/\s+with:[\s\S]*$/, ""))).toEqual([
      whole[0],
      "change `unknown`: ask -> allow",
      "change `unknown`: ask -> block",
      ...whole.slice(1),
    ]);
    expect(all.every(({ source }) => source === "p.yaml")).toBe(true);
  });

  it.each([
    [read("x", "allow"), whole[0]],
    [read("c/x", "block"), whole[1]],
    [read("c/x", "block"), whole[2]],
    [read("b", "allow"), whole[3]],
  ])("are noticed by %s", (events, wanted) => {
    for (const end of ["", "# what follows the list\nlists: { unused: [x] }\n"])
      expect(noticed(events, end).some((text) => text.startsWith(wanted as string))).toBe(true);
  });

  it("break the whole of a list that the suite sets, not its elements", () => {
    const parameter = "parameters: { places: { type: list(string), default: [], description: places } }\n";
    const rules = `${parameter}${rule("when: { args.path: { glob: $places } }")}`;
    const given = (set: string) => {
      const file = suiteOf(rules, read("a/b", "block"));
      const text = `suite: s\npolicies: [p.yaml]\nset: { places: "${set}" }\ncases:\n  - name: one\n    events:\n${read("a/b", "block")}`;
      writeFileSync(file.path, text);
      const made = readSuite(file.path, "s.test.yaml") as SuiteFile;
      return told(mutantsOf(made)).filter((one) => one.includes("list"));
    };
    expect(given("a/*,b/*")).toEqual(["empty a list: $places -> []", 'widen a list: $places -> ["a/*","b/*","**"]']);
    expect(given("a/*")).toContain('drop an element of a list: $places -> without "a/*"');
  });
});

describe("running mutants", () => {
  const sure = rule('when: { args.path: { glob: "a/*" } }');

  it("finds those that no test notices, the same and in the same order however they are shared", () => {
    const run = new SuiteRun(suiteOf(sure, read("a/b", "block")));
    const found = runMutants(run);
    const survived = told(found.filter(({ by }) => by === undefined));
    expect(survived).toContain('widen a pattern: "a/*" -> "**"');
    const shards = [0, 1].map((index) => runMutants(run, { index, of: 2 }));
    expect(found.map((_, i) => shards[i % 2]?.[Math.floor(i / 2)])).toEqual(found);
  });

  it("notices them with a test for each side", () => {
    const found = runMutants(new SuiteRun(suiteOf(sure, read("a/b", "block") + read("c", "allow"))));
    expect(told(found.filter(({ by }) => by === undefined))).toEqual(["widen to any tool: read -> (removed)"]);
    expect(found.every(({ by }) => by === undefined || by === "case `one`")).toBe(true);
  });

  it("counts what one of several suites notices", () => {
    const one = { operator: "o", of: "r", source: "p", span: { start: 0, end: 1 }, before: "a", after: "b" };
    const survived: MutantResult = { ...one, by: undefined };
    expect(joinMutants([[survived], [{ ...one, by: "case" }]])).toEqual([{ ...one, by: "case" }]);
    expect([scoreOf([]), scoreOf([survived]), scoreOf([survived, { ...one, by: "x" }])]).toEqual([100, 0, 50]);
  });
});

describe("coverage", () => {
  const measured = (rules: string, events: string) => {
    const run = new SuiteRun(suiteOf(rules, events), { coverage: true });
    run.cases();
    return run.coverage();
  };
  const two = rule('when: { any: [{ args.path: { glob: "a/*" } }, { args.path: { glob: "b/*" } }] }');

  it("has each operand true and false, and the rule matched", () => {
    const ways = (events: string) => measured(two, events).map(({ kind, reached }) => [kind, ...reached]);
    expect(ways(read("c", "allow"))).toEqual([["rule"], ["branch", "false"], ["branch", "false"]]);
    expect(ways(read("a/x", "block"))).toEqual([["rule", "matched"], ["branch", "true"], ["branch"]]);
    const all = measured(two, read("a/x", "block") + read("b/x", "block") + read("c", "allow"));
    expect(percentOf(shareOf(all))).toBe(100);
  });

  it("has exceptions that applied", () => {
    const excepted = `exceptions:
  - { rules: [p/r], when: { args.path: a/ok }, reason: fine, owner: me, expires: 2099-01-01 }
${rule('when: { args.path: { glob: "a/*" } }')}`;
    const share = (events: string) => shareOf(measured(excepted, events), "exception");
    expect(share(read("a/x", "block"))).toEqual({ reached: 0, wanted: 1 });
    expect(share(read("a/ok", "allow"))).toEqual({ reached: 1, wanted: 1 });
  });

  it("has exceptions without a condition that applied", () => {
    const excepted = `exceptions:
  - { rules: [p/r], reason: fine for now, owner: me, expires: 2026-01-01 }
${rule('when: { args.path: { glob: "a/*" } }')}`;
    const share = (events: string) => shareOf(measured(excepted, events), "exception");
    const at = (event: string, time: string) => event.replace("tool: read", `tool: read, time: "${time}"`);
    expect(share(read("c", "allow"))).toEqual({ reached: 0, wanted: 1 });
    expect(share(at(read("a/x", "block"), "2026-02-01T00:00:00Z"))).toEqual({ reached: 0, wanted: 1 });
    expect(share(at(read("a/x", "allow"), "2025-02-01T00:00:00Z"))).toEqual({ reached: 1, wanted: 1 });
  });

  it("joins what several suites reached", () => {
    const some = measured(two, read("a/x", "block"));
    const more = measured(two, read("b/x", "block") + read("c", "allow"));
    expect(percentOf(shareOf(joinCoverage([some, more])))).toBe(100);
  });
});
