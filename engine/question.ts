import type { Question, RecordedQuestion } from "../schema/generated.ts";
import { argumentNames } from "../schema/tools.ts";
import { digest } from "./canonical.ts";
import type { Combined, GuardHit } from "./combine.ts";
import type { View } from "./evaluate-rule.ts";
import type { LinkedAction } from "./linked.ts";
import type { Plan } from "./plan.ts";
import { renderText, withUnsureNote } from "./render-text.ts";
import { showText } from "./show-text.ts";

/** The rules that ask, each once, in judging order. */
function askingRules(hits: readonly GuardHit[]): GuardHit[] {
  const asking = hits.filter((hit) => hit.outcome === "ask");
  return asking.filter((hit, i) => asking.findIndex((other) => other.linked === hit.linked) === i);
}

/**
 * Returns the key that an approval is bound to. It is the SHA-256 over the final call, where it runs, everything it would do
 * with resolved paths, the session's labels, who asks, and the plan. Never an id or a time (semantics section 5).
 */
export function approvalKey(view: View, combined: Combined, hits: readonly GuardHit[], plan: Plan): string {
  const rules = askingRules(hits).map((hit) => hit.linked.rule.id);
  return keyOf(
    view,
    combined.answered === "rule" ? [...rules, ...(combined.also ? [combined.also] : [])] : [combined.answered],
    plan,
  );
}

/**
 * Returns the key of the question that trusted rules ask, if other rules ask as well; undefined if trusted rules ask alone, or
 * not at all. A denial of it holds for any other askers.
 */
export function denialKey(view: View, { also }: Combined, hits: readonly GuardHit[], plan: Plan): string | undefined {
  const asking = askingRules(hits);
  const trusted = asking.filter(({ linked }) => linked.policy.untrusted !== true);
  const isAlone = also === undefined && trusted.length === asking.length;
  if (isAlone || trusted.length === 0) return undefined;
  return keyOf(
    view,
    trusted.map((hit) => hit.linked.rule.id),
    plan,
  );
}

function keyOf({ event, facts, session }: View, asking: readonly string[], plan: Plan): string {
  return digest({
    event: event.event,
    tool: event.tool?.name ?? null,
    args: event.args ?? event.command ?? event.input?.text ?? event.fields,
    cwd: event.environment.cwd,
    branch: event.environment.branch ?? null,
    understanding: facts.understanding,
    effects: facts.effects ?? null,
    labels: [...session.labels].sort(),
    asking,
    plan: plan.digest,
  });
}

interface AskParameters {
  readonly timeout?: unknown;
  readonly remember?: unknown;
  readonly clears?: unknown;
}

/** Question of one rule, or of one program of it. */
interface Asking {
  readonly given: AskParameters;
  readonly prompt: string;
  readonly untrusted: boolean;
}

/** Keys of a question: `key` includes who asks; a denial under `denial` also holds if other rules ask. */
export interface QuestionKeys {
  readonly key: string;
  readonly denial?: string;
}

/** How a question is shown. */
interface Shown {
  readonly mask: (text: string) => string;
  /** Another prompt, which no rule asks. */
  readonly also: string | undefined;
  readonly showsCall: boolean;
}

/**
 * Builds one question for all asking rules, with the shortest time-out. It is remembered only if all say so, and clears the
 * labels that all of them clear.
 */
export function questionOf(
  view: View,
  { key, denial }: QuestionKeys,
  hits: readonly GuardHit[],
  reason: string,
  { mask, also, showsCall }: Shown,
): Question {
  const asking = hits.filter((hit) => hit.outcome === "ask").flatMap((hit) => askingOf(hit, mask));
  // An untrusted policy has no say in how long an approval counts, or which labels it clears, for others.
  const given = asking.filter(({ untrusted }) => !untrusted).map((one) => one.given);
  const timeouts = given.flatMap(({ timeout }) => (typeof timeout === "number" ? [timeout] : []));
  const clears = given.map((p) => (Array.isArray(p.clears) ? p.clears.map(String) : []));
  const shared = (clears[0] ?? []).filter((label) => clears.every((list) => list.includes(label)));
  const prompts = [...new Set([...asking.map(({ prompt }) => prompt), ...(also === undefined ? [] : [also])])];
  const isRemembered = given.length > 0 && given.every((p) => p.remember === "session");
  const isAlone = also === undefined && given.length === asking.length;
  return {
    key,
    prompts: prompts.length > 0 ? prompts : [reason],
    ...(showsCall && { call: showText(callText(view, mask)) }),
    ...(timeouts.length > 0 && { timeout_ms: Math.min(...timeouts) }),
    remember: isRemembered && isAlone ? "session" : "never",
    ...(isRemembered && denial !== undefined && { denial_key: denial }),
    ...(shared.length > 0 && { clears: shared }),
  };
}

/** Lists the questions of a rule. A question by its program has the program's reason, and is never remembered. */
function askingOf(hit: GuardHit, mask: (text: string) => string): Asking[] {
  const { rule, reason, guards } = hit.linked;
  const why = renderText(reason, hit.frame, mask) || rule.title || rule.id;
  const untrusted = hit.linked.policy.untrusted === true;
  // A question about an open match is for this one call: its answer is not remembered and clears no labels.
  if (hit.unsure?.grade === "open")
    return [{ given: timeoutOf(guards), prompt: withUnsureNote(why, hit.unsure, mask), untrusted }];
  if (hit.by === "redaction") return [{ given: {}, prompt: why, untrusted }];
  if (hit.by === "program")
    return [{ given: {}, prompt: hit.reason === undefined ? why : mask(hit.reason), untrusted }];
  return guards
    .filter((action) => action.code.name === "ask")
    .map((action) => ({
      given: clearing(action.plan.parameters, hit.unsure === undefined),
      prompt: renderText(action.templates.get("prompt") ?? [], hit.frame, mask) || why,
      untrusted,
    }));
}

/** Returns the parameters of an asking action, without `clears` for an unsure match: only answers to sure matches clear labels. */
function clearing(parameters: unknown, sure: boolean): AskParameters {
  const given = (parameters ?? {}) as AskParameters;
  if (sure || given.clears === undefined) return given;
  const { clears: _, ...others } = given;
  return others;
}

/** The time-out that asking actions of a rule give a human. */
function timeoutOf(guards: readonly LinkedAction[]): AskParameters {
  const given = guards.map(({ plan }) => (plan.parameters as AskParameters | null)?.timeout);
  const timeouts = given.filter((timeout) => typeof timeout === "number");
  return timeouts.length > 0 ? { timeout: Math.min(...timeouts) } : {};
}

/** Returns the part of a question that the state keeps until the answer. */
export function recordedQuestion({ key, remember, denial_key, clears }: Question): RecordedQuestion {
  return { key, remember, ...(denial_key !== undefined && { denial_key }), ...(clears && { clears }) };
}

/**
 * Returns the whole final call as text: a command as it would run, then its other arguments; any other call by name with its
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
