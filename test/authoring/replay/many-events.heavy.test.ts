import { expect, it } from "vitest";
import { replayThrough } from "../../../authoring/replay/replay.ts";
import type { Step } from "../../../authoring/replay/step.ts";
import { compile } from "../../../compiler/compile.ts";
import type { Plan } from "../../../engine/plan.ts";
import { EvaluationError } from "../../../schema/ports.ts";
import { policyFile } from "../../literate/policies.ts";
import { Counted } from "../../work.ts";

/**
 * The figure of replay is 100,000 events in 20 s. It is printed, and no verdict goes by it: what is judged is that work grows
 * with the number of events. `HOOKWARDEN_REPLAY_EVENTS=100000` runs it in full, by default a twentieth.
 */
const events = Number(process.env["HOOKWARDEN_REPLAY_EVENTS"] ?? 5_000);

const plan = compile({
  files: [
    policyFile(`version: 1
policy: many
labels: { seen: { kind: taint } }
rules:
  - { id: touch, event: [tool_call, user_bash], tool: bash, each: { c: shell.commands }, when: { c.program: touch }, action: block, reason: nothing is touched }
  - { id: seen, event: tool_call, tool: bash, when: { args.command: { contains: npm } }, action: { label: { add: [seen] } } }
`),
  ],
}).plan as Plan;

const commands = ["git status", "ls -la src", "npm test -- --run", "touch other", "grep -rn word src | head"];

async function* steps(events: number): AsyncGenerator<Step> {
  for (let i = 0; i < events; i++) {
    const session = `s${i % 40}`;
    const wire = {
      event: "tool_call",
      id: `e${i}`,
      tool: "bash",
      args: { command: `${commands[i % commands.length]} ${i}` },
      session: { id: session },
    };
    yield { kind: "event", wire, session, place: { file: "made", line: i + 1 } };
  }
}

it(`judges ${events} events, in memory that does not grow with them`, async () => {
  const started = process.cpuUsage();
  const report = await replayThrough({ plan }, steps(events));
  const { user, system } = process.cpuUsage(started);
  if (report instanceof EvaluationError) throw new Error(report.message);
  expect(report).toMatchObject({ judged: events, changed: events / commands.length, sessions: 40 });
  expect(JSON.stringify(report).length).toBeLessThan(4_000);
  console.log(`${events} events in ${((user + system) / 1e6).toFixed(1)} s of the processor`);
});

it("judges twice the events by at most twice the work", async () => {
  const counted = new Counted<typeof import("../../../authoring/replay/replay.ts")>("authoring/replay/replay.ts");
  try {
    // The first ones make tables that are kept, some only after a thousand events.
    await counted.modules.replayThrough({ plan }, steps(1_600));
    const seen: number[] = [];
    for (const count of [400, 800, 1_600])
      seen.push(await counted.blocksOf(() => counted.modules.replayThrough({ plan }, steps(count))));
    const [once, twice, four] = seen as [number, number, number];
    expect(once).toBeGreaterThan(400);
    expect([seen, twice <= 2.2 * once, four <= 2.2 * twice]).toEqual([seen, true, true]);
  } finally {
    counted.end();
  }
});
