import { limits } from "../schema/limits.ts";
import { EvaluationError } from "../schema/ports.ts";
import { canonicalJson } from "./canonical.ts";
import { evaluateRule, type View } from "./evaluate-rule.ts";
import type { Findings } from "./findings.ts";
import type { LinkedAction, LinkedRule } from "./link-plan.ts";
import { payloadOf } from "./payload.ts";
import { ownView } from "./project-labels.ts";
import { partOf, stanceOf } from "./stance.ts";
import { applyTransform, type TransformPorts } from "./transform.ts";
import { rewrites } from "./untrusted.ts";

/**
 * Runs the wanted transforms in judging order, each on the previous result, until a round changes nothing (semantics section 3,
 * step 3). The round after the limit must change nothing; otherwise the event is closed (HW505).
 */
export function settle(
  rules: readonly LinkedRule[],
  start: View,
  wanted: (action: LinkedAction) => boolean,
  findings: Findings,
  ports: TransformPorts,
): View {
  if (rules.length === 0) return start;
  const work: { readonly linked: LinkedRule; readonly actions: readonly LinkedAction[] }[] = [];
  for (const linked of rules) {
    if (linked.transforms.length === 0) continue;
    const actions = linked.transforms.filter((action) => wanted(action) && rewrites(linked, action, start));
    if (actions.length > 0) work.push({ linked, actions });
  }
  if (work.length === 0) return start;
  const sets: Sets = new Map();
  let view = start;
  for (let round = 0; round <= limits.transformRounds; round++) {
    const before = view;
    for (const { linked, actions } of work) view = transform(linked, actions, view, sets, findings, ports);
    if (view === before) return view;
  }
  if (work.some(({ linked }) => linked.rule.mode === "enforce")) findings.fail(unsettled("transforms"));
  return view;
}

/** Who set which key of the payload to what. */
type Sets = Map<string, { readonly rule: string; readonly value: string; readonly disputed: boolean }>;

/** Two rules that set one key to different values have no right order: the event is closed (semantics section 3). */
function reportConflict(linked: LinkedRule, before: View, after: View, sets: Sets, findings: Findings): void {
  const from = keysOf(before);
  const to = keysOf(after);
  for (const key of new Set([...from.keys(), ...to.keys()])) {
    if (from.get(key) === to.get(key)) continue;
    const value = canonicalJson(to.get(key) ?? null);
    const other = sets.get(key);
    const disputed = other !== undefined && other.rule !== linked.rule.id && other.value !== value;
    if (disputed && !other.disputed) {
      const message = `rules \`${other.rule}\` and \`${linked.rule.id}\` set \`${key}\` to different values`;
      findings.fail(new EvaluationError("HW514", message), linked);
    }
    // A dispute is reported once, though it comes up again in every round.
    sets.set(key, { rule: linked.rule.id, value, disputed: disputed || other?.disputed === true });
  }
}

function keysOf({ event }: View): ReadonlyMap<string, unknown> {
  const { args, ...rest } = payloadOf(event);
  return new Map([...Object.entries(args ?? {}), ...(args ? [] : Object.entries(rest))]);
}

/** Returns the error of a payload that is rewritten endlessly. */
export function unsettled(by: string): EvaluationError {
  return new EvaluationError("HW505", `payload still changes after ${limits.transformRounds} rounds of ${by}`);
}

function transform(
  linked: LinkedRule,
  actions: readonly LinkedAction[],
  view: View,
  sets: Sets,
  findings: Findings,
  ports: TransformPorts,
): View {
  const result = evaluateRule(linked, ownView(linked.policy, view));
  if (result.kind === "no") return view;
  const monitored = linked.rule.mode === "monitor";
  if (result.kind === "error") {
    if (monitored) findings.note(linked, "error", undefined);
    else findings.fail(result.error, linked);
    return view;
  }
  let now = view;
  for (const action of actions) {
    const { name } = action.code;
    if (stanceOf(linked.rule, result.unsure, partOf(name)) === "nothing") {
      findings.note(linked, name, result.element, result.unsure, false);
      continue;
    }
    const { view: after, applied, errors, failed } = applyTransform(linked, action, now, result.frame, ports);
    if (monitored) {
      // As in enforce mode, a transform that changes nothing is no match.
      if (failed || after !== now) findings.note(linked, failed ? "error" : name, undefined, result.unsure);
      now = after;
      continue;
    }
    for (const error of errors) findings.record(error);
    if (failed) findings.fail(failed, linked);
    if (after === now) continue;
    if (name === "modify") reportConflict(linked, now, after, sets, findings);
    findings.applied.push(...applied);
    findings.note(linked, name, result.element, result.unsure);
    now = after;
  }
  return now;
}
