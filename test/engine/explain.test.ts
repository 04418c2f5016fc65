import { describe, expect, it } from "vitest";
import { explain } from "../../engine/explain.ts";
import type { ExplainedNode } from "../../engine/explain-node.ts";
import { linkPlan } from "../../engine/link-plan.ts";
import type { Ir, Plan, PlanRule } from "../../engine/plan.ts";
import { SessionState } from "../../engine/session-state.ts";
import type { DeleteEffect, FactSet, PathValue } from "../../schema/facts.ts";
import {
  EvaluationError,
  type FileSystem,
  type FunctionCode,
  type RegexEngine,
  type Vocabulary,
} from "../../schema/ports.ts";

const absent: FileSystem = { lookup: () => ({ kind: "absent" }), readText: () => undefined };
const regex: RegexEngine = {
  name: "re2",
  version: "0",
  compile: () => ({ kind: "regex_error", message: "none here" }),
};
const code = (id: string, run: FunctionCode["run"]): [string, FunctionCode] => [id, { id, run }];
const vocabulary: Vocabulary = {
  functions: new Map([
    code("equal", ([a, b]) => a === b),
    code("fails", () => new EvaluationError("HW502", "cannot be")),
  ]),
  actions: new Map([["block", { name: "block", kind: "guard" as const }]]),
  mask: (text) => text,
  recordMask: () => ({ mask: (value) => ({ value, found: [] }) }),
};

const path = (lexical: string, real = lexical): PathValue => ({
  kind: "path",
  text: lexical,
  lexical,
  real,
  pattern: false,
  fold: false,
});
const deletion = (lexical: string, recursive: boolean): DeleteEffect => ({
  path: path(lexical),
  recursive,
  via: "rm",
  certain: true,
  command: 0,
});

function factsWith(deletes: readonly DeleteEffect[]): FactSet {
  const effects = {
    reads: [],
    writes: [],
    deletes,
    runs: [],
    network: [],
    installs: [],
    pushes: [],
    config: [],
    kills: [],
  };
  return {
    understanding: "understood",
    doubts: [],
    shell: undefined,
    effects,
    secrets: [],
    text: { invisible: 0, bidi: 0, ansi: 0, tags: 0, controls: 0, overwrites: 0, mixed_scripts: false, places: [] },
  };
}

const constant = (value: boolean | number | string): Ir => ({ k: "const", value });
const root = (name: string): Ir => ({ k: "root", name });
const equal = (a: Ir, b: Ir, at?: readonly [number, number]): Ir => ({
  k: "call",
  fn: "equal",
  args: [a, b],
  ...(at ? { at } : {}),
});

function rule(parts: Partial<PlanRule>): PlanRule {
  return {
    id: "p/r",
    policy: 0,
    position: 0,
    title: "",
    severity: "info",
    tags: [],
    mode: "enforce",
    events: ["tool_call"],
    tools: [],
    needs: false,
    actions: [{ action: "block", parameters: {} }],
    exceptions: [],
    at: [0, 0],
    ...parts,
  };
}

function explained(rules: readonly PlanRule[], facts: FactSet, conditions: Record<string, Ir> = {}) {
  const policies = [
    {
      id: "p",
      scope: "user",
      mode: "enforce",
      default: "allow",
      unknown: "ask",
      audit: { mode: "required", durability: "group", keep: "digests" },
      source: "",
    },
  ] as const;
  const plan: Plan = { format: 1, engine: "0", tables: {}, digest: "", policies, conditions, rules };
  const linked = linkPlan(plan, vocabulary, regex);
  if (linked instanceof EvaluationError) throw new Error(linked.message);
  const event = { event: "tool_call", tool: "bash", args: { command: "x" }, host: "pi" };
  const result = explain(linked, event, {
    regex,
    factsOf: () => facts,
    filesOf: () => absent,
    sessionOf: (e) => new SessionState().view(e),
  });
  if ("code" in result) throw new Error(result.message);
  return result.rules;
}

const values = (node: ExplainedNode | undefined): unknown => node && [node.result, ...node.parts.map(values)];

describe("explain", () => {
  it("gives every node of a condition its own value, also where a short circuit would skip it", () => {
    const when: Ir = {
      k: "and",
      args: [equal(root("host"), constant("omp"), [1, 2]), equal(root("event"), constant("tool_call"), [3, 4])],
    };
    const [found] = explained([rule({ when })], factsWith([]));
    expect(found).toMatchObject({ id: "p/r", result: "no", notAsked: undefined });
    expect(values(found?.attempts[0]?.when)).toEqual([
      { value: false },
      [{ value: false }, [{ value: "pi" }]],
      [{ value: true }, [{ value: "tool_call" }]],
    ]);
    expect(found?.attempts[0]?.when?.parts.map((part) => part.at)).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it("shows each element of `each` with what holds for it", () => {
    const recursive: Ir = { k: "field", of: { k: "slot", slot: 0, name: "d" }, name: "recursive" };
    const each = { name: "d", slot: 0, list: root("effects.deletes") };
    const facts = factsWith([deletion("/tmp/a", false), deletion("/etc", true)]);
    const [found] = explained([rule({ each, when: recursive })], facts);
    expect(found?.result).toBe("match");
    expect(found?.attempts.map((a) => [a.element?.name, a.when?.result])).toEqual([
      ["effects.deletes[0]", { value: false }],
      ["effects.deletes[1]", { value: true }],
    ]);
    expect(found?.attempts[1]?.element?.value).toMatchObject({ value: { path: "/etc", recursive: true } });
  });

  it("cuts long lists of elements and says how many more there are", () => {
    const each = { name: "d", slot: 0, list: root("effects.deletes") };
    const [found] = explained([rule({ each })], factsWith(Array.from({ length: 50 }, () => deletion("/a", true))));
    expect([found?.attempts.length, found?.more]).toEqual([20, 30]);
  });

  it("shows errors as values, in the rule and at their node", () => {
    const when: Ir = { k: "and", args: [{ k: "call", fn: "fails", args: [] }, constant(true)] };
    const [found] = explained([rule({ when })], factsWith([]));
    expect(found).toMatchObject({ result: "error", error: "HW502: cannot be" });
    expect(found?.attempts[0]?.when?.parts[0]?.result).toEqual({ error: "HW502: cannot be" });
  });

  it("follows named conditions, which may stand in another policy's file", () => {
    const [found] = explained([rule({ when: { k: "condition", name: "q/c" } })], factsWith([]), {
      "q/c": equal(root("host"), constant("pi")),
    });
    expect(found?.attempts[0]?.when?.parts).toMatchObject([{ policy: "q", result: { value: true } }]);
  });

  it("shows the body of a macro for each element", () => {
    const loop: Ir = {
      k: "loop",
      loop: "exists",
      slot: 1,
      list: root("effects.deletes"),
      body: { k: "field", of: { k: "slot", slot: 1, name: "x" }, name: "recursive" },
    };
    const [found] = explained([rule({ when: loop })], factsWith([deletion("/a", false), deletion("/b", true)]));
    const [, ...elements] = found?.attempts[0]?.when?.parts ?? [];
    expect(elements.map((element) => element.parts[0]?.result)).toEqual([{ value: false }, { value: true }]);
  });

  it("says why a rule was not asked", () => {
    const unknown: FactSet = { ...factsWith([]), understanding: "unknown", effects: undefined };
    const rules = [
      rule({ id: "p/a", events: ["context"] }),
      rule({ id: "p/b", tools: ["write"] }),
      rule({ id: "p/c", needs: true }),
    ];
    expect(explained(rules, unknown).map((r) => [r.id, r.notAsked])).toEqual([
      ["p/a", "event"],
      ["p/b", "tool"],
      ["p/c", "facts"],
    ]);
  });

  it("shows `unless` and exceptions, expired ones as such", () => {
    const exceptions = [
      { when: constant(true), expires: 1, reason: "current" },
      { when: undefined, expires: 0, reason: "over" },
    ];
    const [found] = explained([rule({ unless: equal(root("host"), constant("pi")), exceptions })], factsWith([]));
    expect(found?.attempts[0]).toMatchObject({
      unless: { result: { value: true } },
      exceptions: [{ expired: false }, { expired: true }],
    });
    expect(found?.result).toBe("no");
  });
});
