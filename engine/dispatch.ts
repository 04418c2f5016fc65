import { eventKind } from "../schema/events.ts";
import type { DecisionError } from "../schema/generated.ts";
import { limits } from "../schema/limits.ts";
import { EvaluationError } from "../schema/ports.ts";
import { type Combined, combine, type GuardHit } from "./combine.ts";
import { evaluateRule, type View } from "./evaluate-rule.ts";
import type { LinkedAction, LinkedPlan, LinkedRule } from "./link-plan.ts";
import { type Applied, applyTransform, type TransformPorts } from "./transform.ts";

/** A rule that matched without deciding, for the record. */
export interface Matched {
  readonly linked: LinkedRule;
  readonly outcome: string;
  readonly element: string | undefined;
}

/** Everything one dispatch found. `failed` is the first error that closes the event. */
export interface Dispatched {
  readonly view: View;
  readonly combined: Combined;
  readonly matched: readonly Matched[];
  readonly would: readonly Matched[];
  readonly applied: readonly Applied[];
  readonly errors: readonly DecisionError[];
  readonly failed: DecisionError | undefined;
}

/** Work in progress; a new one for each dispatch. */
interface Work {
  readonly plan: LinkedPlan;
  readonly rules: readonly LinkedRule[];
  readonly ports: TransformPorts;
  readonly matched: Matched[];
  readonly would: Matched[];
  readonly applied: Applied[];
  readonly errors: DecisionError[];
  failed: DecisionError | undefined;
}

/**
 * Judges one event (semantics section 3): transforms until nothing changes, guards on what is left, late redaction,
 * guards once more, combining. `views` are the readings of one call, the first being the call itself. Total and
 * deterministic: every fault is a value, nothing here looks at a clock.
 */
export function dispatch(plan: LinkedPlan, views: readonly View[], ports: TransformPorts): Dispatched {
  const first = views[0] as View;
  const rules = plan.byEvent.get(first.event.event) ?? [];
  const work: Work = { plan, rules, ports, matched: [], would: [], applied: [], errors: [], failed: undefined };
  const deciding = eventKind(first.event.event) === "decide";
  const settled = settle(work, first, (action) => !deciding || !isLate(action));
  const hits = views.flatMap((view, i) => guards(work, i === 0 ? settled : view));
  const final = deciding ? settle(work, settled, isLate) : settled;
  if (final !== settled) hits.push(...guards(work, final));
  if (views.length > 1 && final.event.args !== first.event.args)
    fail(work, undefined, new EvaluationError("HW505", "arguments that disagree cannot be rewritten"));
  const isCall = first.event.event === "tool_call" || first.event.event === "user_bash";
  const unknown =
    isCall &&
    plan.plan.policies.some((p) => p.unknown !== "allow") &&
    views.some((v) => v.facts.understanding === "unknown");
  const combined = combine(hits, plan.plan.policies, isCall, unknown);
  return {
    view: final,
    combined,
    matched: unique(work.matched),
    would: unique(work.would),
    applied: work.applied,
    errors: work.errors,
    failed: work.failed,
  };
}

/** On deciding events redaction follows the guards unless the rule says otherwise (semantics section 2). */
function isLate(action: LinkedAction): boolean {
  const parameters = action.plan.parameters as { before_guards?: unknown } | null;
  return action.code.name === "redact" && parameters?.before_guards !== true;
}

/** Runs transforms in judging order, each on what the one before produced, until a round changes nothing; the round after the limit must not. */
function settle(work: Work, start: View, wanted: (action: LinkedAction) => boolean): View {
  let view = start;
  for (let round = 0; round <= limits.transformRounds; round++) {
    const before = view;
    for (const linked of work.rules) {
      const actions = linked.transforms.filter(wanted);
      if (actions.length > 0) view = transform(work, linked, actions, view);
    }
    if (view === before) return view;
  }
  fail(
    work,
    undefined,
    new EvaluationError("HW505", `payload still changes after ${limits.transformRounds} rounds of transforms`),
  );
  return view;
}

function transform(work: Work, linked: LinkedRule, actions: readonly LinkedAction[], view: View): View {
  const result = evaluateRule(linked, view);
  if (result.kind === "no") return view;
  if (linked.rule.mode === "monitor") {
    for (const action of actions)
      work.would.push({ linked, outcome: result.kind === "match" ? action.code.name : "error", element: undefined });
    return view;
  }
  if (result.kind === "error") {
    fail(work, linked, result.error);
    return view;
  }
  let now = view;
  for (const action of actions) {
    const applied = applyTransform(linked, action, now, result.frame, work.ports);
    work.errors.push(...applied.errors);
    if (applied.failed) fail(work, linked, applied.failed);
    if (applied.view === now) continue;
    work.applied.push(...applied.applied);
    work.matched.push({ linked, outcome: action.code.name, element: result.element });
    now = applied.view;
  }
  return now;
}

/** Judges one revision by every guard; errors of enforcing guards close the event. */
function guards(work: Work, view: View): GuardHit[] {
  const hits: GuardHit[] = [];
  for (const linked of work.rules) {
    if (linked.guards.length === 0) continue;
    const result = evaluateRule(linked, view);
    if (result.kind === "no") continue;
    for (const guard of linked.guards) {
      const outcome = guard.code.name as GuardHit["outcome"];
      if (linked.rule.mode === "monitor")
        work.would.push({
          linked,
          outcome: result.kind === "match" ? outcome : "error",
          element: result.kind === "match" ? result.element : undefined,
        });
      else if (result.kind === "error")
        outcome === "allow" ? work.errors.push(errorOf(linked, result.error)) : fail(work, linked, result.error);
      else {
        hits.push({ linked, outcome, frame: result.frame, element: result.element });
        work.matched.push({ linked, outcome, element: result.element });
      }
    }
  }
  return hits;
}

function fail(work: Work, linked: LinkedRule | undefined, error: EvaluationError): void {
  const value = errorOf(linked, error);
  work.errors.push(value);
  work.failed ??= value;
}

function errorOf(linked: LinkedRule | undefined, error: EvaluationError): DecisionError {
  return { code: error.code, message: error.message, ...(linked && { rule: linked.rule.id }) };
}

function unique(matched: readonly Matched[]): Matched[] {
  return matched.filter(
    (m, i) =>
      matched.findIndex((o) => o.linked === m.linked && o.outcome === m.outcome && o.element === m.element) === i,
  );
}
