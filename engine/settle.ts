import { limits } from "../schema/limits.ts";
import { EvaluationError } from "../schema/ports.ts";
import { evaluateRule, type View } from "./evaluate-rule.ts";
import type { Findings } from "./findings.ts";
import type { LinkedAction, LinkedRule } from "./link-plan.ts";
import { applyTransform, type TransformPorts } from "./transform.ts";

/**
 * Runs the wanted transforms in judging order, each on what the one before produced, until a round changes nothing
 * (semantics section 3, step 3). The round after the limit must change nothing, else the event is closed (HW505).
 */
export function settle(
  rules: readonly LinkedRule[],
  start: View,
  wanted: (action: LinkedAction) => boolean,
  findings: Findings,
  ports: TransformPorts,
): View {
  const work: { readonly linked: LinkedRule; readonly actions: readonly LinkedAction[] }[] = [];
  for (const linked of rules) {
    if (linked.transforms.length === 0) continue;
    const actions = linked.transforms.filter(wanted);
    if (actions.length > 0) work.push({ linked, actions });
  }
  let view = start;
  for (let round = 0; round <= limits.transformRounds; round++) {
    const before = view;
    for (const { linked, actions } of work) view = transform(linked, actions, view, findings, ports);
    if (view === before) return view;
  }
  const message = `payload still changes after ${limits.transformRounds} rounds of transforms`;
  findings.fail(new EvaluationError("HW505", message));
  return view;
}

function transform(
  linked: LinkedRule,
  actions: readonly LinkedAction[],
  view: View,
  findings: Findings,
  ports: TransformPorts,
): View {
  const result = evaluateRule(linked, view);
  if (result.kind === "no") return view;
  if (linked.rule.mode === "monitor") {
    for (const action of actions)
      findings.note(linked, result.kind === "match" ? action.code.name : "error", undefined);
    return view;
  }
  if (result.kind === "error") {
    findings.fail(result.error, linked);
    return view;
  }
  let now = view;
  for (const action of actions) {
    const { view: after, applied, errors, failed } = applyTransform(linked, action, now, result.frame, ports);
    for (const error of errors) findings.record(error);
    if (failed) findings.fail(failed, linked);
    if (after === now) continue;
    findings.applied.push(...applied);
    findings.note(linked, action.code.name, result.element);
    now = after;
  }
  return now;
}
