import type { Question, RecordedQuestion } from "../schema/generated.ts";
import { argumentNames } from "../schema/tools.ts";
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

/** What one rule, or one program of it, asks. */
interface Asking {
  readonly given: AskParameters;
  readonly prompt: string;
}

/** One question for all rules that ask: the shortest time-out, remembered only if all say so, clearing what all clear. */
export function questionOf(
  view: View,
  key: string,
  hits: readonly GuardHit[],
  reason: string,
  mask: (text: string) => string,
): Question {
  const asking = hits.filter((hit) => hit.outcome === "ask").flatMap((hit) => askingOf(hit, mask));
  const given = asking.map((one) => one.given);
  const timeouts = given.flatMap(({ timeout }) => (typeof timeout === "number" ? [timeout] : []));
  const clears = given.map((p) => (Array.isArray(p.clears) ? p.clears.map(String) : []));
  const shared = (clears[0] ?? []).filter((label) => clears.every((list) => list.includes(label)));
  const prompts = [...new Set(asking.map(({ prompt }) => prompt))];
  return {
    key,
    prompts: prompts.length > 0 ? prompts : [reason],
    call: showText(callText(view, mask)),
    ...(timeouts.length > 0 && { timeout_ms: Math.min(...timeouts) }),
    remember: given.length > 0 && given.every((p) => p.remember === "session") ? "session" : "never",
    ...(shared.length > 0 && { clears: shared }),
  };
}

/** The questions of a rule; one that a program of it asks has the program's reason, and is never remembered. */
function askingOf(hit: GuardHit, mask: (text: string) => string): Asking[] {
  const { rule, reason, guards } = hit.linked;
  const why = renderText(reason, hit.frame, mask) || rule.title || rule.id;
  if (hit.by === "program") return [{ given: {}, prompt: hit.reason === undefined ? why : mask(hit.reason) }];
  return guards
    .filter((action) => action.code.name === "ask")
    .map((action) => ({
      given: (action.plan.parameters ?? {}) as AskParameters,
      prompt: renderText(action.templates.get("prompt") ?? [], hit.frame, mask) || why,
    }));
}

/** The part of a question that state keeps until the answer. */
export function recordedQuestion({ key, remember, clears }: Question): RecordedQuestion {
  return { key, remember, ...(clears && { clears }) };
}

/**
 * The final call as text, whole: a command as it would run, then its other arguments; anything else by name with its
 * arguments. Texts are masked before they are quoted, since quoting would hide a secret of several lines.
 */
function callText({ event }: View, mask: (text: string) => string): string {
  const { tool, args } = event;
  const quoted = (values: unknown): string =>
    mask(JSON.stringify(values, (_key, value) => (typeof value === "string" ? mask(value) : value)));
  if (event.input) return mask(event.input.text);
  const command = event.command ?? args?.["command"];
  const isShell = tool === undefined || tool.name === "bash" || tool.name === "powershell";
  if (typeof command !== "string" || !isShell)
    return `${tool?.host_name ?? event.event} ${quoted(args ?? event.fields)}`;
  const names = argumentNames(tool?.name, "command");
  const rest = Object.entries(args ?? {}).filter(([key]) => !names.includes(key));
  return rest.length === 0 ? mask(command) : `${mask(command)}\nwith ${quoted(Object.fromEntries(rest))}`;
}
