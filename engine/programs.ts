import { eventKind } from "../schema/events.ts";
import { EvaluationError, type Payload, type ProgramRequest, type Protocol } from "../schema/ports.ts";
import { argumentNames } from "../schema/tools.ts";
import { argumentsMisfit } from "./argument-fit.ts";
import { canonicalJson, digest } from "./canonical.ts";
import type { GuardHit } from "./combine.ts";
import type { Cover } from "./coverage.ts";
import { evaluateRule, type View } from "./evaluate-rule.ts";
import { errorOf, type Findings } from "./findings.ts";
import type { LinkedAction, LinkedRule } from "./link-plan.ts";
import { payloadOf, withPayload } from "./payload.ts";
import { type ProgramVerdict, readAnswer } from "./program-answer.ts";
import { recordedVerdict } from "./program-record.ts";
import { stanceOf } from "./stance.ts";
import type { TransformPorts } from "./transform.ts";

// Default time-out of a program, in milliseconds.
const defaultTimeout = 10_000;

interface RunParameters {
  readonly command?: unknown;
  readonly timeout?: unknown;
  readonly background?: unknown;
  readonly protocol?: unknown;
  readonly digest?: unknown;
  readonly status_message?: unknown;
}

/** Result of the programs of one round. */
export interface ProgramRound {
  readonly hits: readonly GuardHit[];
  /** The payload as programs rewrote it; the same view when none did. */
  readonly view: View;
}

const noHits: readonly GuardHit[] = [];

/**
 * Asks the foreground programs about one payload (semantics section 3, step 4). An answer is an observation, bound by its key to
 * the rule and the payload; a missing answer is requested, and the event is judged again with it. A program allows only the
 * payload that it saw: after another program rewrites it, the answer no longer counts.
 */
export function askPrograms(
  rules: readonly LinkedRule[],
  view: View,
  findings: Findings,
  ports: TransformPorts,
): ProgramRound {
  if (rules.length === 0) return { hits: noHits, view };
  const round: Round = { hits: [], rewrites: new Map(), findings, ports };
  for (const linked of rules) {
    const foreground = linked.programs.filter((action) => !isBackground(action));
    if (linked.programs.length === 0) continue;
    const result = evaluateRule(linked, view);
    if (result.kind === "error") failed(result.error, linked, foreground.length > 0, view, findings);
    if (result.kind !== "match") continue;
    const { unsure, element } = result;
    const stance = stanceOf(linked.rule, unsure, foreground.length > 0 ? "guard" : "other");
    findings.note(linked, stance === "ask" ? "ask" : "run", element, unsure, stance !== "nothing");
    if (stance === "ask" && eventKind(view.event.event) === "decide")
      round.hits.push({ linked, outcome: "ask", frame: result.frame, element, by: "program", unsure });
    if (stance !== "act") continue;
    for (const action of foreground) {
      const request = requestOf(linked, action, view);
      const answer = ports.answers.get(request.key);
      if (answer) {
        const { recorded } = answer;
        const verdict = recorded ? recordedVerdict(recorded) : readAnswer(answer, request.protocol, view.event.event);
        findings.asked(request.key, { request, answer, verdict });
        take(verdict, { linked, frame: result.frame, element: result.element }, view, round);
      } else findings.requests.push(request);
    }
  }
  const next = rewritten(view, round);
  return { hits: next === view ? round.hits : round.hits.filter((hit) => hit.outcome !== "allow"), view: next };
}

/** Answers of the programs of one round so far. */
interface Round {
  readonly hits: GuardHit[];
  /** Values that programs set, by the name of the field or argument. */
  readonly rewrites: Map<string, { readonly linked: LinkedRule; readonly value: unknown }>;
  readonly findings: Findings;
  readonly ports: TransformPorts;
}

/** Handles a program that failed: one that guards closes the event; the error of any other is only recorded (semantics section 4). */
function failed(error: EvaluationError, linked: LinkedRule, asked: boolean, { event }: View, findings: Findings): void {
  if (asked && eventKind(event.event) === "decide") findings.fail(error, linked);
  else findings.record(errorOf(error, linked));
}

/** Returns the programs that start after the decision and are not waited for. */
export function backgroundPrograms(rules: readonly LinkedRule[], view: View): ProgramRequest[] {
  return rules.flatMap((linked) => {
    const background = linked.programs.filter(isBackground);
    const result = background.length === 0 ? undefined : evaluateRule(linked, view);
    if (result?.kind !== "match" || stanceOf(linked.rule, result.unsure, "other") === "nothing") return [];
    return background.map((action) => requestOf(linked, action, view));
  });
}

function isBackground({ plan }: LinkedAction): boolean {
  return (plan.parameters as RunParameters | null)?.background === true;
}

function take(verdict: ProgramVerdict, hit: Omit<GuardHit, "outcome">, view: View, round: Round): void {
  const { linked } = hit;
  const { findings, ports } = round;
  const { outcome, reason } = verdict;
  for (const error of verdict.errors) findings.record(errorOf(new EvaluationError("HW513", error), linked));
  if (verdict.failed !== undefined) findings.fail(new EvaluationError("HW513", verdict.failed), linked);
  if (verdict.context !== undefined) deliver(ports.mask(verdict.context), linked, findings);
  if (verdict.input) for (const [name, value] of Object.entries(verdict.input)) rewrite(name, value, linked, round);
  if (outcome === undefined || eventKind(view.event.event) !== "decide") return;
  const said = { ...hit, by: "program" as const, ...(reason !== undefined && { reason }) };
  if (outcome !== "allow") round.hits.push({ ...said, outcome });
  else if (view.facts.understanding === "understood")
    round.hits.push({ ...said, outcome, cover: { of: wholeCall, view: 0 } });
}

/** Coverage of a program's `allow`: the whole understood call. */
const wholeCall: Cover = {
  all: true,
  opaque: false,
  elements: new Set(),
  spoken: { bound: "call", kinds: new Set(), names: new Set(), through: false },
};

function deliver(content: string, linked: LinkedRule, { contexts }: Findings): void {
  const rule = linked.rule.id;
  if (contexts.some((one) => one.rule === rule && one.content === content)) return;
  contexts.push({ rule, as: "message", content, custom_type: "hookwarden", display: true, foreign: "program" });
}

/** Adds a rewrite. Two programs that set one place to different values have no right order, as with rules (semantics section 3). */
function rewrite(name: string, value: unknown, linked: LinkedRule, { rewrites, findings }: Round): void {
  const other = rewrites.get(name);
  if (other && canonicalJson(other.value) !== canonicalJson(value)) {
    const message = `programs of \`${other.linked.rule.id}\` and \`${linked.rule.id}\` set \`${name}\` to different values`;
    findings.fail(new EvaluationError("HW514", message), linked);
  }
  if (!other) rewrites.set(name, { linked, value });
}

/** Returns the payload with the values that programs set for arguments or texts; only the keys that they name change. */
function rewritten(view: View, { rewrites, findings, ports }: Round): View {
  const before = payloadOf(view.event);
  let after = before;
  for (const [name, { linked, value }] of rewrites) {
    const next = withValue(view, after, name, value);
    const wrong = next instanceof EvaluationError ? next : argumentsMisfit(view.event, after, next);
    if (next instanceof EvaluationError || wrong) {
      if (wrong) failed(wrong, linked, true, view, findings);
      continue;
    }
    if (canonicalJson(next) === canonicalJson(after)) continue;
    findings.applied.push({ rule: linked.rule.id, action: "run", before: digest(after), after: digest(next) });
    findings.note(linked, "modify", undefined);
    after = next;
  }
  if (after === before) return view;
  const event = withPayload(view.event, after);
  return { ...view, event, facts: ports.factsOf(event) };
}

/** Sets one argument under every name that the call has for it, or one text of an event that is no call. */
function withValue({ event }: View, payload: Payload, name: string, value: unknown): Payload | EvaluationError {
  const { args } = payload;
  if (args) {
    const present = argumentNames(event.tool?.name, name).filter((key) => Object.hasOwn(args, key));
    const names = present.length > 0 ? present : [name];
    return { ...payload, args: { ...args, ...Object.fromEntries(names.map((key) => [key, value])) } };
  }
  const field = texts.find((one) => one === name);
  if (!field || payload[field] === undefined) return payload;
  if (typeof value !== "string") return new EvaluationError("HW502", `\`${name}\` can be set to text only`);
  return { ...payload, [field]: value };
}

const texts = ["command", "code", "text", "prompt", "system_prompt"] as const;

function requestOf(linked: LinkedRule, action: LinkedAction, view: View): ProgramRequest {
  const { event } = view;
  const given = (action.plan.parameters ?? {}) as RunParameters;
  const command = Array.isArray(given.command) ? given.command.map(String) : [];
  const payload = {
    event: event.event,
    tool: event.tool?.host_name ?? null,
    call_id: event.call_id ?? null,
    ...(event.args && { args: event.args }),
    ...payloadOf(event),
  };
  const input = canonicalJson({
    ...payload,
    id: event.id,
    session: event.session.id,
    agent: event.agent.id,
    cwd: event.environment.cwd,
    fields: event.fields,
  });
  const background = isBackground(action);
  return {
    key: digest({ rule: linked.rule.id, command, input, background }),
    rule: linked.rule.id,
    command,
    timeout: typeof given.timeout === "number" ? given.timeout : defaultTimeout,
    background,
    protocol: protocolOf(given.protocol),
    ...(typeof given.digest === "string" && { digest: given.digest }),
    ...(typeof given.status_message === "string" && { status: given.status_message }),
    input,
    variables: variablesOf(view),
    cwd: event.environment.cwd,
  };
}

function protocolOf(value: unknown): Protocol {
  if (value === "exit_code") return "exit_code";
  const dialect =
    typeof value === "object" && value !== null ? (value as { exit_code?: unknown }).exit_code : undefined;
  return dialect === "claude" || dialect === "opta" ? dialect : "json";
}

function variablesOf({ event }: View): Record<string, string> {
  return {
    HOOKWARDEN_EVENT: event.event,
    HOOKWARDEN_ID: event.id,
    HOOKWARDEN_SESSION: event.session.id,
    HOOKWARDEN_CWD: event.environment.cwd,
    HOOKWARDEN_WORKSPACE: event.environment.workspace,
    ...(event.tool && { HOOKWARDEN_TOOL: event.tool.name }),
    ...(event.call_id !== undefined && { HOOKWARDEN_CALL_ID: event.call_id }),
  };
}
