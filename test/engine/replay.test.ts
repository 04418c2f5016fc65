import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compile } from "../../compiler/compile.ts";
import { canonicalJson } from "../../engine/canonical.ts";
import { linkPlan } from "../../engine/link-plan.ts";
import type { Plan } from "../../engine/plan.ts";
import { type Replayed, type ReplayPorts, type ReplayStep, replay, stateOf } from "../../engine/replay.ts";
import { facts } from "../../facts/facts.ts";
import { hermeticFiles } from "../../facts/paths/files.ts";
import { createRegexEngine } from "../../facts/regex.ts";
import { createEngine, vocabularyFor } from "../../runtime.ts";
import type { AuditBody, Decision } from "../../schema/generated.ts";
import { EvaluationError, type ProgramRequest } from "../../schema/ports.ts";
import { engineVersion } from "../../schema/version.ts";
import { policyFile } from "../literate/policies.ts";
import { randomEvent } from "../properties/language/events.ts";
import { randomPolicies, yamlOf } from "../properties/language/policies.ts";
import { Random } from "../properties/language/random.ts";
import "../properties/seed.ts";

/** Replay equals live, byte for byte (semantics section 5): of the record, and of the decision. */
const regex = createRegexEngine();
const sessionKey = "key";
const ports: ReplayPorts = {
  factsOf: (event, files, share, declared) => facts.of(event, files, share, declared),
  filesOf: hermeticFiles,
  regex,
  tables: facts.versions,
  engine: engineVersion,
  sessionKey,
};

function linked(plan: Plan) {
  const made = linkPlan(plan, vocabularyFor(regex), regex);
  if (made instanceof EvaluationError) throw new Error(made.message);
  return made;
}

/** A trail that an engine writes while it judges; a program answers by what it is given. */
function live(plan: Plan) {
  const bodies: AuditBody[] = [];
  const engine = createEngine(plan, {
    regex,
    sessionKey,
    store: {
      append(body) {
        bodies.push(JSON.parse(canonicalJson(body)) as AuditBody);
        return { seq: 0, written: "", mono: 0, pid: 0, latency_us: 0, prev: "", hash: "" };
      },
    },
    programs: { run: async (request) => answer(request) },
  });
  return { engine, bodies };
}

/** Made up from the request alone, now with an opinion and now without one. */
function answer({ input }: ProgramRequest) {
  const said = [
    "",
    '{"decision": "block", "reason": "no"}',
    '{"additionalContext": "mind the gap"}',
    '{"updatedInput": {"command": "ls rewritten"}}',
  ];
  return { exit_code: 0, stdout: said[input.length % said.length] ?? "", stderr: "", timed_out: false };
}

const stateful = `version: 1
policy: stateful
audit: { keep: events }
labels: { seen: { kind: taint }, marked: { kind: mark } }
rules:
  - { id: label, event: [tool_call, input], when: "now > timestamp('2000-01-01T00:00:00Z') || true", action: [{ label: { add: [seen] } }, { record: { fields: { who: "{environment.user}" } } }] }
  - { id: path, event: tool_call, tool: [write, edit], action: { label: { add: [marked], on: path } } }
  - { id: marked, event: tool_call, each: { r: effects.reads }, when: 'paths.labels(r.path).contains("marked")', action: ask, reason: "{r.path}" }
  - { id: after, event: tool_call, tool: bash, sequence: { after: [{ tool: fetch }], within: { calls: 5 }, executed: true }, action: { ask: { remember: session, clears: [seen] } }, reason: after a fetch }
  - { id: few, event: tool_call, tool: read, budget: { per: session, limit: 2, within: 1m }, action: block, reason: too many }
  - { id: told, event: [tool_call], tool: grep, action: [{ inject: { content: "turn {session.turn}", once: turn } }, { notify: { message: grep } }] }
  - { id: program, event: tool_call, tool: bash, when: { args.command: { contains: git } }, action: { run: { command: [/bin/true] } } }
`;

function judged(step: Replayed): string {
  return step.kind === "different" || step.kind === "unknown" ? JSON.stringify(step) : step.kind;
}

/** Judges a sequence of generated events and answers some questions; gives what a trail with the wire events would hold. */
async function generated(seed: number): Promise<{ plan: Plan; steps: ReplayStep[] } | undefined> {
  const random = new Random(seed);
  const files = randomPolicies(random).map(({ scope, data }, i) => ({
    ...policyFile(yamlOf(data), `p${i}.yaml`),
    scope,
  }));
  const { plan } = compile({ files: [...files, policyFile(stateful, "stateful.yaml")], regex });
  if (!plan) return undefined;
  const { engine, bodies } = live(plan);
  const steps: ReplayStep[] = [];
  for (let i = 0; i < 12; i++) {
    const wire = { ...randomEvent(random), id: `e${i}` };
    const { decision } = await engine.judge(wire);
    steps.push({ body: bodies.at(-1) as AuditBody, wire, decision });
    if (decision.ask && random.chance(0.7)) {
      const asked = { of: `e${i}`, answer: random.pick(["allow", "deny", "timeout"] as const), by: "user" };
      expect(engine.answer(asked)).toBe(true);
      steps.push({ body: bodies.at(-1) as AuditBody });
    }
  }
  expect(steps.length).toBe(bodies.length);
  return { plan, steps };
}

describe("replay", () => {
  it("equals live, byte for byte, for generated policies, events, answers and programs", async () => {
    let compiled = 0;
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const made = await generated(seed);
        if (!made) return;
        compiled++;
        const found = [...replay(linked(made.plan), made.steps, ports)].map(judged);
        expect(found.filter((kind) => kind !== "same" && kind !== "folded")).toEqual([]);
      }),
      { numRuns: 40 },
    );
    expect(compiled).toBeGreaterThan(20);
  });

  const small = compile({ files: [policyFile(stateful)], regex }).plan as Plan;
  const calls: object[] = [
    { event: "tool_call", tool: "fetch", args: { url: "https://example.com/" }, call_id: "c1" },
    {
      event: "tool_result",
      tool: "fetch",
      args: {},
      call_id: "c1",
      result: { content: [{ type: "text", text: "x" }] },
    },
    { event: "tool_call", tool: "bash", args: { command: "git status" }, environment: { user: "ada" } },
    { event: "tool_call", tool: "write", args: { path: "a.txt", content: "x" } },
    { event: "tool_call", tool: "read", args: { path: "a.txt" } },
    { event: "user_bash", command: "ls" },
    { event: "input", text: "hello", source: "user" },
    { event: "tool_call", tool: "read", args: { path: "b" }, session: { id: "child", parent: "s" } },
  ];

  async function recorded(): Promise<AuditBody[]> {
    const { engine, bodies } = live(small);
    for (const [i, call] of calls.entries())
      await engine.judge({ session: { id: "s" }, ...call, id: `e${i}`, time: "2026-11-21T20:00:00Z" });
    return bodies;
  }

  /** The built-in policy asks for nothing of the trail, so that the one policy here decides that events are kept. */
  it("needs nothing but the records where the policy keeps events", async () => {
    const bodies = await recorded();
    expect(bodies.flatMap((body) => body.errors)).toEqual([]);
    const found = [
      ...replay(
        linked(small),
        bodies.map((body) => ({ body })),
        ports,
      ),
    ].map(judged);
    expect(found).toEqual(calls.map(() => "same"));
  });

  it("names the first field that differs", async () => {
    const bodies = await recorded();
    const altered = bodies.map((body, i) => ({ body: i === 3 ? { ...body, outcome: "block" as const } : body }));
    const found = [...replay(linked(small), altered, ports)];
    expect(found[3]).toEqual({ kind: "different", field: "outcome", recorded: "block", replayed: "allow" });
  });

  it("says so where a record holds no event, or not all of one", async () => {
    const [body] = (await recorded()) as [AuditBody];
    const { view: _view, ...bare } = body;
    const cut = { ...body, view: { ...(body.view as object), args_raw: {} } };
    const found = [...replay(linked(small), [{ body: bare }, { body: cut }], ports)];
    expect(found.map((one) => one.kind)).toEqual(["unknown", "unknown"]);
  });

  it("compares the decision too where there is one", async () => {
    const { engine, bodies } = live(small);
    const wire = { event: "user_bash", command: "ls", id: "e" };
    const { decision } = await engine.judge(wire);
    const step = { body: bodies[0] as AuditBody, wire };
    const other: Decision = { ...decision, guidance: "another" };
    const found = [
      { ...step, decision },
      { ...step, decision: other },
    ].map((one) => [...replay(linked(small), [one], ports)][0]);
    expect(found).toMatchObject([{ kind: "same" }, { kind: "different", field: "decision.guidance" }]);
  });

  it("gives the state of every session from its records alone", async () => {
    const bodies = await recorded();
    const state = stateOf(small, bodies);
    expect(state.data("s")).toMatchObject({ labels: ["seen"], paths: new Map([["/workspace/a.txt", ["marked"]]]) });
    expect(state.data("s")?.calls.map(({ tool, executed }) => [tool, executed])[0]).toEqual(["fetch", true]);
    expect(state.data("child")?.parent).toBe("s");
  });
});
