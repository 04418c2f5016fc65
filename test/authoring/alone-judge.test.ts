import { describe, expect, it } from "vitest";
import { AloneJudge } from "../../authoring/alone-judge.ts";
import { runExamples } from "../../authoring/examples.ts";
import type { Plan } from "../../engine/plan.ts";
import { createEngine } from "../../runtime.ts";
import { compileTexts, withHead } from "../literate/policies.ts";

const call = (command: string, session = "s") => ({
  id: "e",
  event: "tool_call",
  tool: "bash",
  args: { command },
  session: { id: session },
});

const rule = (id: string, body: string): string => `  - id: ${id}\n    event: tool_call\n    reason: x\n    ${body}\n`;
const blockA = 'when: { args.command: { contains: "make" } }\n    action: block';

function planOf(rules: string): Plan {
  const { plan, diagnostics } = compileTexts({ "policy.yaml": withHead(rules) });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return plan as Plan;
}

describe("a rule judged alone", () => {
  it("says whether it matches, whatever other guards say", () => {
    const judge = new AloneJudge(planOf(rule("a", blockA) + rule("b", "action: block")));
    expect(judge.of("p/a")?.(call("make all"))).toBe(true);
    expect(judge.of("p/a")?.(call("ls"))).toBe(false);
    expect(judge.of("p/b")?.(call("ls"))).toBe(true);
  });

  it("sees what transforms of other rules make of the payload", () => {
    const rename = 'action: { modify: { set: { command: "make all" } } }\n    when: { args.command: "build" }';
    const plan = planOf(rule("a", blockA) + rule("t", rename) + rule("b", blockA) + rule("c", blockA));
    expect(new AloneJudge(plan).of("p/a")?.(call("build"))).toBe(true);
    expect(createEngine(plan).decide(call("build")).decision.matched).toContainEqual({ rule: "p/a", outcome: "block" });
  });

  it("judges rules in monitor mode", () => {
    const judge = new AloneJudge(planOf(rule("a", `mode: monitor\n    ${blockA}`)));
    expect(judge.of("p/a")?.(call("make"))).toBe(true);
    expect(judge.of("p/a")?.(call("ls"))).toBe(false);
  });

  it("leaves an event that is not one, and a rule that cannot be evaluated, to the whole plan", () => {
    const judge = new AloneJudge(planOf(rule("a", blockA) + rule("e", "when: 'args.other == 1'\n    action: block")));
    expect(judge.of("p/a")?.({ event: "tool_call" })).toBeUndefined();
    expect(judge.of("p/e")?.(call("ls"))).toBeUndefined();
  });

  it.each([
    ["delivers text", "action: { inject: { content: hello } }"],
    ["labels", "action: { label: { add: [seen] } }"],
    ["notifies", "action: [block, { notify: { message: hello } }]"],
    ["needs what happened before", "sequence: { after: [{ tool: read }] }\n    action: block"],
    ["has a budget", "budget: { limit: 3 }\n    action: block"],
  ])("is for the whole plan where it %s", (_, body) => {
    const plan = planOf(`labels: { seen: { kind: mark, description: x } }\nrules:\n${rule("a", body)}`);
    expect(new AloneJudge(plan).of("p/a")).toBeUndefined();
  });

  it("is for the whole plan where most rules rewrite, and where there is no such rule", () => {
    const many = Array.from({ length: 30 }, (_, i) => `t${i}`).map((id) =>
      rule(id, "action: { truncate: { max_chars: 9 } }\n    tool: bash"),
    );
    const plan = planOf(rule("a", blockA) + many.join("").replaceAll("tool_call", "tool_result"));
    expect(new AloneJudge(plan).of("p/a")).toBeUndefined();
    expect(new AloneJudge(plan).of("p/none")).toBeUndefined();
  });
});

describe("examples", () => {
  it("that stand there twice, by an alias, happen in one session", () => {
    const body = `tool: read\n    when: 'session.calls({"tool": "read"}).size() > 0'\n    action: block`;
    const examples = "    examples: { no_match: [&one { tool: read, args: { path: a } }, *one] }\n";
    const found = runExamples(compileTexts({ "policy.yaml": withHead(rule("a", body) + examples) }));
    expect(found.map(({ code, message }) => [code, message])).toEqual([
      ["HW403", "rule `p/a` matches this example as `tool_call`, and must not"],
    ]);
  });
});
