import { expect, it } from "vitest";
import { replayThrough } from "../../../authoring/replay/replay.ts";
import type { Step } from "../../../authoring/replay/step.ts";
import { compile } from "../../../compiler/compile.ts";
import type { Plan } from "../../../engine/plan.ts";
import { EvaluationError } from "../../../schema/ports.ts";
import { policyFile } from "../../literate/policies.ts";

/**
 * The figure of replay: 100,000 events in 20 s. `HOOKWARDEN_REPLAY_EVENTS=100000` runs it in full; by default a
 * twentieth in the same time. Time is that of the processor, since other tests run beside it.
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

async function* steps(): AsyncGenerator<Step> {
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

it(`judges ${events} events within 20 s, in memory that does not grow with them`, async () => {
  const started = process.cpuUsage();
  const report = await replayThrough({ plan }, steps());
  const { user, system } = process.cpuUsage(started);
  if (report instanceof EvaluationError) throw new Error(report.message);
  expect(report).toMatchObject({ judged: events, changed: events / commands.length, sessions: 40 });
  expect(JSON.stringify(report).length).toBeLessThan(4_000);
  expect((user + system) / 1_000_000).toBeLessThan(20);
});
