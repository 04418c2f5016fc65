import { eventKind } from "../schema/events.ts";
import { EvaluationError, type Payload, type ProgramRequest, type Protocol } from "../schema/ports.ts";
import { canonicalJson, digest } from "./canonical.ts";
import type { GuardHit } from "./combine.ts";
import { evaluateRule, type View } from "./evaluate-rule.ts";
import type { Findings } from "./findings.ts";
import type { LinkedAction, LinkedRule } from "./link-plan.ts";
import { payloadOf, withPayload } from "./payload.ts";
import { type ProgramVerdict, readAnswer } from "./program-answer.ts";
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

/** What the programs of one round came to. */
export interface ProgramRound {
  readonly hits: readonly GuardHit[];
  /** The payload as programs rewrote it; the same view when none did. */
  readonly view: View;
}

/**
 * Asks the foreground programs about one payload (semantics section 3, step 4). An answer is an observation, bound by its
 * key to the rule and the payload; one that is not there yet is requested, and the event is judged again with it.
 */
export function askPrograms(
  rules: readonly LinkedRule[],
  view: View,
  findings: Findings,
  ports: TransformPorts,
): ProgramRound {
  const hits: GuardHit[] = [];
  let next = view;
  for (const linked of rules) {
    if (linked.programs.length === 0) continue;
    const result = evaluateRule(linked, view);
    if (result.kind === "error") findings.fail(result.error, linked);
    if (result.kind !== "match") continue;
    for (const action of linked.programs) {
      const request = requestOf(linked, action, view);
      findings.note(linked, "run", result.element);
      if (request.background) continue;
      const answer = ports.answers.get(request.key);
      if (!answer) {
        findings.requests.push(request);
        continue;
      }
      findings.answers.set(request.key, answer);
      const verdict = readAnswer(answer, request.protocol, view.event.event);
      next = take(verdict, { linked, frame: result.frame, element: result.element }, next, hits, findings, ports);
    }
  }
  return { hits, view: next };
}

/** The programs that are started once the decision is made, and are not waited for. */
export function backgroundPrograms(rules: readonly LinkedRule[], view: View): ProgramRequest[] {
  return rules.flatMap((linked) => {
    const background = linked.programs.filter(({ plan }) => (plan.parameters as RunParameters).background === true);
    if (background.length === 0 || evaluateRule(linked, view).kind !== "match") return [];
    return background.map((action) => requestOf(linked, action, view));
  });
}

function take(
  verdict: ProgramVerdict,
  hit: Omit<GuardHit, "outcome">,
  view: View,
  hits: GuardHit[],
  findings: Findings,
  ports: TransformPorts,
): View {
  const { linked } = hit;
  if (verdict.error) {
    const error = new EvaluationError("HW513", verdict.error);
    if (verdict.closes) findings.fail(error, linked);
    else findings.record({ code: error.code, message: error.message, rule: linked.rule.id });
  }
  if (verdict.context !== undefined)
    findings.contexts.push({
      rule: linked.rule.id,
      as: "message",
      content: verdict.context,
      custom_type: "hookwarden",
      display: true,
    });
  if (verdict.outcome && eventKind(view.event.event) === "decide")
    hits.push({ ...hit, outcome: verdict.outcome, ...(verdict.reason !== undefined && { reason: verdict.reason }) });
  return verdict.input ? rewritten(verdict.input, hit.linked, view, findings, ports) : view;
}

/** The payload with the arguments that a program put in their place; only the keys that it names. */
function rewritten(
  input: Readonly<Record<string, unknown>>,
  linked: LinkedRule,
  view: View,
  findings: Findings,
  ports: TransformPorts,
): View {
  const before = payloadOf(view.event);
  const after: Payload =
    before.args !== undefined
      ? { ...before, args: { ...before.args, ...input } }
      : before.command !== undefined && typeof input["command"] === "string"
        ? { ...before, command: input["command"] }
        : before.text !== undefined && typeof input["text"] === "string"
          ? { ...before, text: input["text"] }
          : before;
  if (canonicalJson(after) === canonicalJson(before)) return view;
  findings.applied.push({ rule: linked.rule.id, action: "run", before: digest(before), after: digest(after) });
  const event = withPayload(view.event, after);
  return { ...view, event, facts: ports.factsOf(event) };
}

function requestOf(linked: LinkedRule, action: LinkedAction, view: View): ProgramRequest {
  const { event } = view;
  const given = (action.plan.parameters ?? {}) as RunParameters;
  const command = Array.isArray(given.command) ? given.command.map(String) : [];
  const payload = {
    event: event.event,
    tool: event.tool?.host_name ?? null,
    call_id: event.call_id ?? null,
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
  const background = given.background === true;
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
