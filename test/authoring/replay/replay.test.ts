import { describe, expect, it } from "vitest";
import { type Answer, changeBetween, noPolicy } from "../../../authoring/replay/change.ts";
import { replayThrough } from "../../../authoring/replay/replay.ts";
import type { ReplayReport } from "../../../authoring/replay/report.ts";
import type { Step } from "../../../authoring/replay/step.ts";
import { stepOfRecord } from "../../../authoring/replay/trail.ts";
import { compile } from "../../../compiler/compile.ts";
import { canonicalJson } from "../../../engine/canonical.ts";
import type { Plan } from "../../../engine/plan.ts";
import { createEngine } from "../../../runtime.ts";
import type { AuditBody, AuditRecord } from "../../../schema/generated.ts";
import { EvaluationError, type ProgramRequest } from "../../../schema/ports.ts";
import { policyFile } from "../../literate/policies.ts";

function planOf(text: string): Plan {
  const { plan, diagnostics } = compile({ files: [policyFile(text)] });
  if (!plan) throw new Error(JSON.stringify(diagnostics));
  return plan;
}

/** Records that an engine writes while it judges events; `{ of, answer }` is a human's answer. */
async function recorded(plan: Plan, given: readonly object[], says = ""): Promise<AuditRecord[]> {
  const records: AuditRecord[] = [];
  const engine = createEngine(plan, {
    sessionKey: "key",
    store: {
      append(body) {
        const seal = {
          seq: records.length,
          written: new Date(records.length).toISOString(),
          mono: 0,
          pid: 1,
          latency_us: 1,
          prev: "",
          hash: "",
        };
        records.push({ body: JSON.parse(canonicalJson(body)) as AuditBody, seal });
        return seal;
      },
    },
    programs: {
      run: async (_request: ProgramRequest) => ({ exit_code: 0, stdout: says, stderr: "", timed_out: false }),
    },
  });
  for (const [i, event] of given.entries()) {
    if ("of" in event) expect(engine.answer(event as never)).toBe(true);
    else await engine.judge({ id: `e${i}`, session: { id: "s" }, time: at(i), ...event });
  }
  return records;
}

const at = (second: number): string => new Date(1_790_000_000_000 + second * 1000).toISOString();
const bash = (command: string): object => ({ event: "tool_call", tool: "bash", args: { command } });

async function* asSteps(records: readonly AuditRecord[]): AsyncGenerator<Step> {
  for (const [i, record] of records.entries())
    yield stepOfRecord({ kind: "record", record, place: { file: "trail", line: i + 1 } });
}

async function replayed(records: readonly AuditRecord[], plan: Plan, against?: Plan): Promise<ReplayReport> {
  const report = await replayThrough({ plan, ...(against && { against }) }, asSteps(records));
  if (report instanceof EvaluationError) throw new Error(report.message);
  return report;
}

const head = (name: string): string => `version: 1\npolicy: ${name}\naudit: { keep: events }\n`;

/** Labels what was fetched under one name, and asks or blocks after that. */
const labelling = (name: string, label: string, action: string): Plan =>
  planOf(`${head(name)}labels: { ${label}: { kind: taint } }
rules:
  - { id: mark, event: tool_call, tool: fetch, action: { label: { add: [${label}] } } }
  - { id: after, event: [tool_call, user_bash], tool: bash, when: 'session.labels.contains("${label}")', action: ${action}, reason: after a fetch }
`);

const fetch = { event: "tool_call", tool: "fetch", args: { url: "https://example.com/" } };

describe("replay through another policy", () => {
  it("folds the state of sessions from its own judgements: labels on record are other rules'", async () => {
    const records = await recorded(labelling("one", "seen", "block"), [bash("ls"), fetch, bash("ls")]);
    const same = await replayed(records, labelling("one", "seen", "block"));
    expect(same).toMatchObject({ judged: 3, changed: 0 });
    const other = await replayed(records, labelling("two", "tainted", "ask"));
    expect(other.groups).toMatchObject([{ change: "no_longer_blocked", rule: "one/after", count: 1 }]);
    const blind = planOf(`${head("blind")}rules:
  - { id: after, event: [tool_call, user_bash], tool: bash, when: 'session.labels.contains("seen")', action: block, reason: x }
labels: { seen: { kind: taint } }
`);
    // A policy that nothing labels for sees no label, whatever is on record.
    expect((await replayed(records, blind)).groups).toMatchObject([{ change: "no_longer_blocked", count: 1 }]);
  });

  it("gives a sub-agent the state of its parent, and the parent its labels", async () => {
    const child = { session: { id: "child", parent: "s" } };
    const events = [{ ...fetch, ...child }, bash("ls"), { ...bash("ls"), session: { id: "grandchild", parent: "s" } }];
    const records = await recorded(labelling("one", "seen", "block"), events);
    expect(records.map(({ body }) => body.outcome)).toEqual(["allow", "block", "block"]);
    expect(await replayed(records, labelling("one", "seen", "block"))).toMatchObject({
      judged: 3,
      changed: 0,
      sessions: 3,
    });
  });

  it("gives the human's answer where it asks about the same event, and counts those it does not ask for", async () => {
    const asks = (name: string): Plan =>
      planOf(`${head(name)}rules:
  - { id: git, event: tool_call, tool: bash, when: { args.command: { contains: git } }, action: { ask: { remember: session } }, reason: git }
`);
    const records = await recorded(asks("one"), [
      bash("git status"),
      { of: "e0", answer: "allow", by: "user" },
      bash("git status"),
    ]);
    expect(records.map(({ body }) => body.outcome)).toEqual(["ask", "allow", "allow"]);
    // The plan has another digest, so the approval on record could not serve by its key.
    const found = await replayed(records, asks("two"));
    expect(found.groups.map(({ change, count }) => [change, count])).toEqual([["reason_changed", 1]]);
    expect(found.unasked).toBe(0);
    expect((await replayed(records, labelling("none", "seen", "block"))).unasked).toBe(1);
  });

  it("takes answers of programs from the record, and runs none", async () => {
    const runs = (program: string): Plan =>
      planOf(`${head("runs")}rules:
  - { id: program, event: [tool_call, user_bash], tool: bash, action: { run: { command: [${program}] } }, reason: the program said so }
`);
    const records = await recorded(runs("/bin/true"), [bash("ls")], '{"decision": "block", "reason": "no"}');
    expect(records[0]?.body.outcome).toBe("block");
    expect(await replayed(records, runs("/bin/true"))).toMatchObject({ judged: 1, changed: 0 });
    const other = await replayed(records, runs("/bin/false"));
    expect(other).toMatchObject({ judged: 0, changed: 0 });
    expect(other.not_replayable).toMatchObject([
      { why: "the answer of the program of `runs/program` is not on record, or not whole", count: 1 },
    ]);
  });

  it("takes what lay in a folder from the record, and counts apart where other tests ask", async () => {
    const keeps = (name: string, glob: string): Plan =>
      planOf(`${head(name)}rules:
  - { id: r, event: tool_call, each: { r: effects.reads }, when: { r.path: { glob: "${glob}" } }, action: block, reason: x }
`);
    const environment = { cwd: "/app", workspace: "/app", home: "/home/dev", files: { "/app/src/a.ts": {} } };
    const plan = keeps("one", "**/.env");
    const records = await recorded(plan, [{ ...bash("grep -r x ."), environment }, bash("ls")]);
    expect(await replayed(records, plan)).toMatchObject({ judged: 2, changed: 0 });
    const other = await replayed(records, keeps("two", "**/.env.local"));
    expect(other).toMatchObject({ judged: 1, changed: 0 });
    expect(JSON.stringify(other)).toContain("what lies in a folder that the call takes whole is not on record");
  });

  it("does not take a view that was tampered with, masked or cut for the event", async () => {
    const records = await recorded(labelling("one", "seen", "block"), [bash("ls"), bash("ls"), bash("ls")]);
    const bodies = records.map(({ body }) => body);
    const altered: AuditBody[] = [
      { ...(bodies[0] as AuditBody), view: { ...(bodies[0]?.view as object), args_raw: { command: "pwd" } } },
      { ...(bodies[1] as AuditBody), view_masked: true },
      { ...(bodies[2] as AuditBody), view: 5 },
    ];
    const found = await replayed(
      records.map(({ seal }, i) => ({ seal, body: altered[i] as AuditBody })),
      labelling("one", "seen", "block"),
    );
    expect(found.judged).toBe(0);
    expect(found.not_replayable.map(({ why }) => why).sort()).toEqual([
      "the record does not hold the event whole",
      "the recorded view is not an event",
      "the view of the event is masked or cut",
    ]);
  });

  it("does not mistake another key's tokens in a reason for another reason", async () => {
    const quoting = planOf(`${head("quoting")}rules:
  - { id: quote, event: tool_call, tool: bash, action: block, reason: "not {args.command}" }
`);
    const token = ["ghp", "0123456789abcdefghijABCDEFGHIJ012345"].join("_");
    const records = await recorded(quoting, [bash(`curl ${token}`)]);
    expect(records[0]?.body.reason).toMatch(/\[REDACTED:[\w.-]+:[\w-]+\]/);
    expect(await replayed(records, quoting)).toMatchObject({ changed: 0 });
  });
});

describe("a change", () => {
  const answer = (outcome: Answer["outcome"], more: Partial<Answer> = {}): Answer => ({
    outcome,
    answered: "rule",
    rewrites: [],
    ...more,
  });
  it.each<[string, Answer, Answer, string | undefined]>([
    ["nothing where both are equal", answer("ask", { rule: "p/r" }), answer("ask", { rule: "p/r" }), undefined],
    ["nothing where only the reason of an allow differs", answer("allow", { rule: "p/a" }), noPolicy, undefined],
    ["a block that is new", noPolicy, answer("block", { rule: "p/r" }), "newly_blocked p/r"],
    [
      "a block in place of a question",
      answer("ask", { rule: "p/q" }),
      answer("block", { rule: "p/r" }),
      "newly_blocked p/r",
    ],
    ["a question that is new", noPolicy, answer("ask", { rule: "p/r" }), "newly_asked p/r"],
    [
      "a question in place of a block",
      answer("block", { rule: "p/r" }),
      answer("ask", { rule: "p/q" }),
      "no_longer_blocked p/r",
    ],
    ["a block that is gone", answer("block", { rule: "p/r" }), noPolicy, "no_longer_blocked p/r"],
    ["a question that is gone", answer("ask", { rule: "p/r" }), noPolicy, "no_longer_asked p/r"],
    ["another rule", answer("block", { rule: "p/a" }), answer("block", { rule: "p/b" }), "reason_changed p/b"],
    ["another reason", answer("block", { reason: "a" }), answer("block", { reason: "b" }), "reason_changed (a rule)"],
    ["a new rewrite", noPolicy, answer("allow", { rewrites: ["p/r redact"] }), "rewritten_differently p/r"],
    ["a rewrite that is gone", answer("allow", { rewrites: ["p/r redact"] }), noPolicy, "rewritten_differently p/r"],
    [
      "rewrites in another order",
      answer("allow", { rewrites: ["p/a x", "p/b x"] }),
      answer("allow", { rewrites: ["p/b x", "p/a x"] }),
      "rewritten_differently p/b",
    ],
    ["a block by default", noPolicy, answer("block", { answered: "default" }), "newly_blocked (default)"],
  ])("is %s", (_, before, after, expected) => {
    const change = changeBetween(before, after);
    expect(change && `${change.kind} ${change.rule}`).toBe(expected);
  });
});
