import type { Scope } from "../../../engine/plan.ts";
import type { Random } from "./random.ts";
import type { Tests } from "./tests.ts";

/** Parts of generated rules that speak of the session: actions that leave something, sequences, budgets, conditions. */

/** Labels that generated policies declare; they are words of the pool too, so that conditions ask for them. */
export const labels = { notes: { kind: "mark" }, main: { kind: "taint" }, git: { kind: "mark" } };

/** Actions of a rule. A project policy may not allow, nor change a call. */
export function randomActions(random: Random, scope: Scope): unknown[] {
  const kind = random.next();
  if (kind < 0.5) return random.pick<unknown[]>([["block"], ["block"], ["ask"], ["ask", "block"]]);
  if (kind < 0.65) return [{ ask: randomAsk(random) }];
  if (kind < 0.82)
    return [...(random.chance(0.4) ? [random.pick(["block", "ask"])] : []), { label: randomLabel(random) }];
  if (scope === "project") return ["ask"];
  if (kind < 0.96) return [randomAllow(random)];
  return [{ notify: { message: "seen" } }];
}

/** Actions of a rule that changes the call, on an event where something of known type can be set. */
export function randomChanges(random: Random, events: readonly string[]): unknown[] {
  const modify = { modify: settingFor(random, events) };
  return random.chance(0.2) ? ["ask", modify] : [modify];
}

/** A text for the model, of the policy's own or with something of the event in it. */
export function randomInjection(random: Random, events: readonly string[], hasEach: boolean): Record<string, unknown> {
  const own = ["mind", "in turn {session.turn}", "at most {parameters.most}", "after {size(session.labels)} labels"];
  const named = ["in {environment.cwd}", "after {session.calls().size()} calls", ...(hasEach ? ["for {e}"] : [])];
  const event = events.includes("input") ? "said {text}" : "by {tool.name}";
  const content = random.pick([...own, ...named, ...(events.length === 1 ? [event] : [])]);
  return { inject: { content } };
}

function randomAllow(random: Random): unknown {
  if (random.chance(0.4)) return "allow";
  const opaque = random.chance(0.6);
  const effects = random.pick([undefined, undefined, "writes", ["network", "deletes"], ["writes", "pushes", "config"]]);
  if (!opaque && !effects) return "allow";
  return { allow: { ...(opaque && { opaque }), ...(effects && { effects }) } };
}

function randomAsk(random: Random): Record<string, unknown> {
  return {
    remember: random.pick(["session", "session", "never"]),
    ...(random.chance(0.3) && {
      clears: random.pick([["main"], ["main", "notes"], ["main", "injected"], ["injected"]]),
    }),
  };
}

function randomLabel(random: Random): Record<string, unknown> {
  return {
    add: random.pick([["notes"], ["main"], ["git", "main"]]),
    ...(random.chance(0.2) && { on: "path" }),
    ...(random.chance(0.4) && { when_blocked: true }),
  };
}

function settingFor(random: Random, [event]: readonly string[]): unknown {
  const command = random.pick(["ls -la", "git status", "cat notes.md"]);
  if (event === "input") return { set: { text: random.pick(["k1", "main"]) } };
  if (event === "user_bash") return { set: { command } };
  return random.pick<unknown>([
    { set: { timeout: random.below(3) } },
    { set: { timeout: random.below(3) } },
    { set: { command } },
    { unset: ["timeout"] },
    { set: { timeout: 1 }, unset: ["background"] },
  ]);
}

/** What must have happened before. */
export function randomSequence(random: Random): Record<string, unknown> {
  const within = {
    ...(random.chance(0.5) && { calls: 1 + random.below(6) }),
    ...(random.chance(0.5) && { time: random.pick(["30s", "2m", "1h"]) }),
  };
  return {
    after: random.times(1 + random.below(3), () => randomItem(random)),
    ...(Object.keys(within).length > 0 && { within }),
    ...(random.chance(0.3) && { executed: true }),
  };
}

function randomItem(random: Random): Record<string, unknown> {
  return random.pick<Record<string, unknown>>([
    { tool: "bash" },
    { tool: ["read", "write", "mcp__*"] },
    { event: "user_bash" },
    { event: ["tool_result", "tool_call"] },
    { tool: "bash", when: { some: { "effects.writes": { certain: true } } } },
    { when: { some: { "shell.commands": { program: ["git", "ls", "cat"] } } } },
    { tool: "fetch" },
    { when: { "session.labels": { contains: "notes" } } },
  ]);
}

/** How much may be used; `acts` where the event has effects. */
export function randomBudget(random: Random, acts: boolean): Record<string, unknown> {
  return {
    limit: random.below(4),
    ...(random.chance(0.7) && { per: random.pick(["session", "agent", "tool", "turn"]) }),
    ...(random.chance(0.5) && { within: random.pick(["20s", "1m", "10m"]) }),
    ...(acts &&
      random.chance(0.4) && { of: random.pick(["effects.writes", "shell.commands", "effects.reads.size()"]) }),
    ...(random.chance(0.3) && { executed: true }),
  };
}

/** Conditions over what the session has come to. */
export function sessionCondition(random: Random): Tests {
  return random.pick<Tests>([
    { "session.labels": { contains: random.pick(["notes", "main", "git", "injected"]) } },
    { "session.labels": { contains: "injected" } },
    { "session.labels": { contains_any: ["main", "git"] } },
    'session.calls({"tool": "bash"}).size() > 1',
    'session.calls({"outcome": "block"}).within(duration("1m")) >= 1',
    'session.calls({"executed": true}).size() > 0',
    'session.calls({"tool": "mcp__*", "event": "tool_call"}).size() % 2 == 1',
    "session.asked > 0",
    "session.turn > 1",
    "session.calls().size() > 3",
  ]);
}
