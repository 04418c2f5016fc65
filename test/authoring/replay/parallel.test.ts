import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Families } from "../../../authoring/replay/families.ts";
import { answerShare, replayParallel } from "../../../authoring/replay/parallel.ts";
import { replayThrough } from "../../../authoring/replay/replay.ts";
import { reportOf } from "../../../authoring/replay/report.ts";
import type { Step } from "../../../authoring/replay/step.ts";
import { compile } from "../../../compiler/compile.ts";
import type { Plan } from "../../../engine/plan.ts";
import { limits } from "../../../schema/limits.ts";
import { policyFile } from "../../literate/policies.ts";
import { seed } from "../../properties/seed.ts";

const head = (name: string): string => `version: 1\npolicy: ${name}\nlabels: { seen: { kind: taint } }\nrules:\n`;

function planOf(text: string): Plan {
  const { plan: made, diagnostics } = compile({ files: [policyFile(text)] });
  if (!made) throw new Error(JSON.stringify(diagnostics));
  return made;
}

/** Rules whose answers rest on what the session, and those that it is joined with, came to before. */
const plan = planOf(`${head("one")}
  - { id: mark, event: tool_call, tool: fetch, action: { label: { add: [seen] } } }
  - { id: after, event: tool_call, tool: bash, when: 'session.labels.contains("seen")', action: { ask: { remember: session } }, reason: after a fetch }
  - { id: often, event: tool_call, tool: bash, each: { c: shell.commands }, when: { c.program: touch }, budget: { per: session, limit: 2 }, action: block, reason: touched too often }
`);
const against = planOf(`${head("two")}
  - { id: touch, event: tool_call, tool: bash, each: { c: shell.commands }, when: { c.program: touch }, action: block, reason: nothing is touched }
`);

const sessions = ["a", "b", "c", "d", "e", "f", "\ud800", "\ufffd"];
const arbitrary = fc.array(
  fc.record({
    session: fc.constantFrom(...sessions),
    parent: fc.option(fc.constantFrom(...sessions), { nil: undefined, freq: 6 }),
    what: fc.constantFrom("ls", "touch", "fetch", "answer", "nothing", "strange"),
  }),
  { maxLength: 60 },
);
type Made = (typeof arbitrary extends fc.Arbitrary<infer T> ? T : never)[number];

function stepOf({ session, parent, what }: Made, i: number): Step {
  const place = { file: "made", line: i + 1 };
  if (what === "nothing") return { kind: "passed", place };
  if (what === "strange") return { kind: "unknown", why: `strange ${i % 3}`, place };
  if (what === "answer")
    return { kind: "answer", answer: { of: `e${i - 1}`, session, answer: "allow", by: "me" }, place };
  const args = what === "fetch" ? { url: "https://example.com/" } : { command: `${what} ${i}` };
  const wire = {
    event: "tool_call",
    id: `e${i}`,
    tool: what === "fetch" ? "fetch" : "bash",
    args,
    session: { id: session, ...(parent !== undefined && { parent }) },
  };
  return { kind: "event", wire, session, place };
}

async function* given(steps: readonly Step[]): AsyncGenerator<Step> {
  yield* steps;
}

/** What shares come to together, judged one after the other. */
async function inShares(steps: readonly Step[], count: number): Promise<unknown> {
  const families = new Families();
  for (const step of steps) families.add(step);
  const shares = families.shares(count);
  if (!shares) return undefined;
  const plans = { plan, against };
  const answers = await Promise.all(
    Array.from({ length: count }, (_, share) => answerShare({ plans, shares, share, source: undefined }, given(steps))),
  );
  const judged = answers.flatMap((answer) => ("why" in answer ? [] : [answer]));
  expect(judged.map((answer) => answer.steps)).toEqual(answers.map(() => steps.length));
  return reportOf(judged.map(({ tally }) => tally));
}

describe("a replay in shares", () => {
  it("comes to the same report as all in one, whatever the number of shares", async () => {
    let apart = 0;
    await fc.assert(
      fc.asyncProperty(arbitrary, fc.integer({ min: 2, max: 5 }), async (made, count) => {
        const steps = made.map(stepOf);
        const shared = await inShares(steps, count);
        if (shared === undefined) return;
        apart += 1;
        expect(shared).toEqual(await replayThrough({ plan, against }, given(steps)));
      }),
      { numRuns: 150, seed },
    );
    expect(apart).toBeGreaterThan(20);
  });

  it("keeps sessions that are joined together, also over others, and by names that are read alike", () => {
    const families = new Families();
    const event = (session: string, parent?: string): Step => stepOf({ session, parent, what: "ls" }, 0);
    for (const step of [event("a"), event("b", "a"), event("c"), event("d", "c"), event("e", "d"), event("\ud800")])
      families.add(step);
    families.add(event("\ufffd"));
    const shares = families.shares(3);
    expect(shares?.get("a")).toBe(shares?.get("b"));
    expect(new Set(["c", "d", "e"].map((one) => shares?.get(one))).size).toBe(1);
    expect(new Set(["a", "c", "\ufffd"].map((one) => shares?.get(one))).size).toBe(3);
    families.add(event("b", "e"));
    expect(new Set(["a", "b", "c", "d", "e"].map((one) => families.shares(3)?.get(one))).size).toBe(1);
  });

  it("is not made where an answer names no session, or where there is one family", () => {
    const families = new Families();
    families.add(stepOf({ session: "a", parent: undefined, what: "ls" }, 0));
    expect(families.shares(2)).toBeUndefined();
    families.add(stepOf({ session: "b", parent: undefined, what: "ls" }, 1));
    expect(families.shares(2)).toBeDefined();
    families.add({ kind: "answer", answer: { of: "e1", answer: "allow", by: "me" }, place: { file: "made", line: 1 } });
    expect(families.shares(2)).toBeUndefined();
  });

  it("is made of many sessions one after the other, not of more at once than state remembers", () => {
    const event = (i: number): Step => stepOf({ session: `s${i}`, parent: undefined, what: "ls" }, i);
    const many = limits.sessions + 1;
    const [after, atOnce] = [new Families(), new Families()];
    for (let i = 0; i < 2 * many; i++) {
      after.add(event(Math.floor(i / 2)));
      atOnce.add(event(i % many));
    }
    expect(after.shares(2)?.size).toBe(many);
    expect(atOnce.shares(2)).toBeUndefined();
  });

  it("refuses a session that was not there when the shares were made", async () => {
    const steps = ["a", "b"].map((session, i) => stepOf({ session, parent: undefined, what: "ls" }, i));
    const shares = new Map([["a", 0]]);
    const answer = await answerShare({ plans: { plan }, shares, share: 0, source: undefined }, given(steps));
    expect(answer).toMatchObject({ steps: -1 });
  });

  it("is judged in this thread where there is no module for others, or little to do", async () => {
    const steps = ["a", "b"].map((session, i) => stepOf({ session, parent: undefined, what: "touch" }, i));
    const alone = await replayThrough({ plan }, given(steps));
    for (const options of [
      { jobs: 2, worker: undefined },
      { jobs: 2, worker: "/nowhere.mjs" },
      { jobs: 1, worker: "/nowhere.mjs", fewest: 0 },
    ])
      expect(await replayParallel({ plan }, () => given(steps), { ...options, source: undefined })).toEqual(alone);
  });
});
