import type { Question, RecordedQuestion } from "../schema/generated.ts";
import { limits } from "../schema/limits.ts";
import { digest } from "./canonical.ts";
import type { Combined, GuardHit } from "./combine.ts";
import type { View } from "./evaluate-rule.ts";
import type { Plan } from "./plan.ts";
import { renderText } from "./render-text.ts";
import { showText } from "./show-text.ts";

/** The rules that ask, each once, in judging order. */
function askingRules(hits: readonly GuardHit[]): GuardHit[] {
  const asking = hits.filter((hit) => hit.outcome === "ask");
  return asking.filter((hit, i) => asking.findIndex((other) => other.linked === hit.linked) === i);
}

/**
 * What an approval is bound to: SHA-256 over the final call, where it runs, everything it would do with resolved paths,
 * the session's labels, who asks, and the plan. Never an id or a time (semantics section 5).
 */
export function approvalKey(view: View, combined: Combined, hits: readonly GuardHit[], plan: Plan): string {
  const { event, facts, session } = view;
  return digest({
    event: event.event,
    tool: event.tool?.name ?? null,
    args: event.args ?? event.command ?? event.input?.text ?? event.fields,
    cwd: event.environment.cwd,
    branch: event.environment.branch ?? null,
    understanding: facts.understanding,
    effects: facts.effects ?? null,
    labels: [...session.labels].sort(),
    asking: combined.answered === "rule" ? askingRules(hits).map((hit) => hit.linked.rule.id) : [combined.answered],
    plan: plan.digest,
  });
}

interface AskParameters {
  readonly timeout?: unknown;
  readonly remember?: unknown;
  readonly clears?: unknown;
}

/** One question for all rules that ask: the shortest time-out, remembered only if all say so, clearing what all clear. */
export function questionOf(
  view: View,
  key: string,
  hits: readonly GuardHit[],
  reason: string,
  mask: (text: string) => string,
): Question {
  const asking = askingRules(hits);
  const actions = asking.flatMap((hit) =>
    hit.linked.guards.filter((g) => g.code.name === "ask").map((action) => ({ hit, action })),
  );
  const given = actions.map(({ action }) => (action.plan.parameters ?? {}) as AskParameters);
  const timeouts = given.flatMap(({ timeout }) => (typeof timeout === "number" ? [timeout] : []));
  const clears = given.map((p) => (Array.isArray(p.clears) ? p.clears.map(String) : []));
  const shared = (clears[0] ?? []).filter((label) => clears.every((list) => list.includes(label)));
  const prompts = actions.map(
    ({ hit, action }) =>
      renderText(action.templates.get("prompt") ?? [], hit.frame, mask) ||
      renderText(hit.linked.reason, hit.frame, mask) ||
      hit.linked.rule.title ||
      hit.linked.rule.id,
  );
  return {
    key,
    prompts: prompts.length > 0 ? prompts : [reason],
    call: showText(mask(callText(view))),
    ...(timeouts.length > 0 && { timeout_ms: Math.min(...timeouts) }),
    remember: given.length > 0 && given.every((p) => p.remember === "session") ? "session" : "never",
    ...(shared.length > 0 && { clears: shared }),
  };
}

/** The part of a question that state keeps until the answer. */
export function recordedQuestion({ key, remember, clears }: Question): RecordedQuestion {
  return { key, remember, ...(clears && { clears }) };
}

/** The final call as text: a command as it would run, anything else as its arguments. */
function callText({ event }: View): string {
  const command = event.command ?? event.args?.["command"];
  if (typeof command === "string") return command;
  if (event.input) return event.input.text;
  const name = event.tool?.host_name ?? event.event;
  return `${name} ${JSON.stringify(event.args ?? event.fields)}`.slice(0, limits.shellLength);
}
