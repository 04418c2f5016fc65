import { randomEvent, type Wire } from "./events.ts";
import type { Random } from "./random.ts";

/** One step of a run: an event, or a human's answer to the question about an earlier one. */
export type Step =
  | { readonly event: Wire }
  | { readonly answer: "allow" | "deny" | "timeout"; readonly of: string; readonly session: string };

/** Events of one or two sessions in order, with results of calls, repeated calls, answers, and time that moves on. */
export function randomSteps(random: Random, count: number): readonly Step[] {
  const steps: Step[] = [];
  const past: Wire[] = [];
  let time = Date.UTC(2026, 0, 31, 12);
  let turn = 0;
  while (steps.length < count) {
    time += random.pick([0, 1, 1_000, 19_999, 20_000, 30_000, 61_000]);
    if (random.chance(0.2)) turn += 1;
    const id = `e${steps.length}`;
    const earlier = past.length > 0 ? random.pick(past.slice(-8)) : undefined;
    if (earlier && random.chance(0.12)) {
      const answer = random.pick(["allow", "allow", "deny", "timeout"] as const);
      steps.push({ answer, of: String(earlier["id"]), session: sessionOf(earlier) });
      continue;
    }
    const at = random.chance(0.9) ? { time: new Date(time).toISOString() } : {};
    const made = next(random, earlier, turn);
    const event: Wire = { ...made, ...at, id, ...(made["event"] === "tool_call" && { call_id: `c${id}` }) };
    steps.push({ event });
    past.push(event);
  }
  return steps;
}

function sessionOf(event: Wire): string {
  return (event["session"] as { readonly id: string }).id;
}

/** A new event, an earlier one again, or the result of an earlier call. */
function next(random: Random, earlier: Wire | undefined, turn: number): Wire {
  if (earlier && random.chance(0.3)) return { ...earlier, session: { ...(earlier["session"] as object), turn } };
  if (earlier?.["event"] === "tool_call" && random.chance(0.3)) {
    const { tool, args, call_id, session, environment } = earlier;
    const result = { content: [{ type: "text", text: "done" }] };
    return { event: "tool_result", tool, args, call_id, session, environment, result };
  }
  const { labels, ...event } = randomEvent(random);
  const agent = random.chance(0.2) ? { agent: { id: "sub", depth: 1 } } : {};
  return {
    ...event,
    ...(random.chance(0.1) && { labels }),
    session: { id: random.chance(0.8) ? "s1" : "s2", turn, ...agent },
  };
}
