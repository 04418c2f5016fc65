import { eventKind } from "../schema/events.ts";
import { EvaluationError } from "../schema/ports.ts";
import { type Combined, combine, type GuardHit } from "./combine.ts";
import { evaluateRule, type View } from "./evaluate-rule.ts";
import { errorOf, Findings } from "./findings.ts";
import type { LinkedAction, LinkedPlan, LinkedRule } from "./link-plan.ts";
import { settle } from "./settle.ts";
import type { TransformPorts } from "./transform.ts";

/** What one dispatch came to: the final revision, the combined answer, and everything found on the way. */
export interface Dispatched {
  readonly view: View;
  readonly combined: Combined;
  readonly findings: Findings;
}

/**
 * Judges one event (semantics section 3): transforms until nothing changes, guards on what is left, late redaction,
 * guards once more, combining. `views` are the readings of one call, the first being the call itself. Total and
 * deterministic: every fault is a value, nothing here looks at a clock.
 */
export function dispatch(plan: LinkedPlan, views: readonly View[], ports: TransformPorts): Dispatched {
  const first = views[0] as View;
  const { event } = first;
  const rules = plan.byEvent.get(event.event) ?? [];
  const findings = new Findings();
  const deciding = eventKind(event.event) === "decide";
  const settled = settle(rules, first, (action) => !deciding || !isLate(action), findings, ports);
  const hits = views.flatMap((view, i) => guards(rules, i === 0 ? settled : view, findings));
  const final = deciding ? settle(rules, settled, isLate, findings, ports) : settled;
  if (final !== settled) hits.push(...guards(rules, final, findings));
  if (views.length > 1 && final.event.args !== event.args)
    findings.fail(new EvaluationError("HW505", "arguments that disagree cannot be rewritten"));
  const isCall = event.event === "tool_call" || event.event === "user_bash";
  const combined = combine(hits, plan.plan.policies, isCall, () =>
    views.some((view) => view.facts.understanding === "unknown"),
  );
  return { view: final, combined, findings };
}

/** On deciding events redaction follows the guards unless the rule says otherwise (semantics section 2). */
function isLate(action: LinkedAction): boolean {
  const parameters = action.plan.parameters as { before_guards?: unknown } | null;
  return action.code.name === "redact" && parameters?.before_guards !== true;
}

/** Judges one revision by every guard; an error closes the event, but for an `allow`, which then does not apply. */
function guards(rules: readonly LinkedRule[], view: View, findings: Findings): GuardHit[] {
  const hits: GuardHit[] = [];
  for (const linked of rules) {
    if (linked.guards.length === 0) continue;
    const result = evaluateRule(linked, view);
    if (result.kind === "no") continue;
    for (const { code } of linked.guards) {
      const outcome = code.name as GuardHit["outcome"];
      if (result.kind === "match") {
        findings.note(linked, outcome, result.element);
        if (linked.rule.mode === "enforce")
          hits.push({ linked, outcome, frame: result.frame, element: result.element });
      } else if (linked.rule.mode === "monitor") findings.note(linked, "error", undefined);
      else if (outcome === "allow") findings.record(errorOf(result.error, linked));
      else findings.fail(result.error, linked);
    }
  }
  return hits;
}
