import { unmetered } from "../facts/meter.ts";
import type { Notice, RecordedPathLabels } from "../schema/generated.ts";
import { limits } from "../schema/limits.ts";
import { EvaluationError, type Mark } from "../schema/ports.ts";
import type { Candidates } from "./candidates.ts";
import { bucketOf, evaluateConditions, evaluateRule, type RuleResult, spendingOf, type View } from "./evaluate-rule.ts";
import { errorOf, type Findings } from "./findings.ts";
import type { Frame } from "./link.ts";
import type { LinkedAction, LinkedPlan, LinkedRule } from "./link-plan.ts";
import { ownView } from "./project-labels.ts";
import { shadowOf } from "./shadow.ts";
import { stanceOf } from "./stance.ts";
import type { StateChange } from "./state-change.ts";
import { actionContext, type TransformPorts } from "./transform.ts";

/** Results of marks outside the session. */
export interface Left {
  readonly notices: Notice[];
  readonly recorded: Record<string, Record<string, string>>;
}

/**
 * Makes the labels, notices and records of one event (semantics section 3, step 6). `label` and `record` judge the original
 * and the final payload, `notify` the final one and `told`. A blocked event gets only records and marks with `when_blocked`.
 */
export function mark(
  plan: LinkedPlan,
  candidates: Candidates,
  original: View,
  final: View,
  told: View,
  blocked: boolean,
  findings: Findings,
  ports: TransformPorts,
  change: StateChange,
): Left {
  const left: Left = { notices: [], recorded: {} };
  // If the payload was rewritten, both forms are judged, by every rule.
  const paying = original === final ? candidates.paying?.marking(final) : undefined;
  for (const linked of original === final ? candidates.marking(final) : candidates.marks) {
    const judge = (view: View): RuleResult => evaluateRule(linked, see(view));
    const see = (view: View): View => {
      const own = ownView(linked.policy, view);
      return linked.rule.mode === "monitor" ? shadowOf(own) : own;
    };
    for (const action of linked.marks) {
      const both = action.code.name !== "notify";
      const results = both ? [final, original] : [final, told];
      const pays = !paying || paying.includes(linked);
      const result = strictest(
        [...new Set(results)].map((view) => (pays ? judge(view) : unmetered(() => judge(view)))),
      );
      if (result.kind === "no") continue;
      if (blocked && action.code.name !== "record" && parameterOf(action, "when_blocked") !== true) continue;
      if (result.kind === "error") fail(plan, linked, action, result.error, findings);
      else if (stanceOf(linked.rule, result.unsure, "other") === "nothing")
        findings.note(linked, action.code.name, result.element, result.unsure, false);
      else take(linked, action, result, ports, left, findings, change);
    }
  }
  return left;
}

function strictest(results: readonly RuleResult[]): RuleResult {
  return (
    results.find((r) => r.kind === "match" && !r.unsure) ??
    results.find((r) => r.kind === "match") ??
    results.find((r) => r.kind === "error") ??
    (results[0] as RuleResult)
  );
}

function parameterOf(action: LinkedAction, name: string): unknown {
  return (action.plan.parameters as Record<string, unknown> | null)?.[name];
}

/** Reports an error: a taint that cannot be judged closes the event; any other mark is only recorded (semantics section 4). */
function fail(
  plan: LinkedPlan,
  linked: LinkedRule,
  action: LinkedAction,
  error: EvaluationError,
  findings: Findings,
): void {
  const labels = parameterOf(action, "add");
  const taints = plan.taints;
  const taint =
    action.code.name === "label" && Array.isArray(labels) && labels.some((label) => taints.has(String(label)));
  if (taint && linked.rule.mode === "enforce") findings.fail(error, linked);
  else findings.record(errorOf(error, linked));
}

function take(
  linked: LinkedRule,
  action: LinkedAction,
  { frame, element, unsure }: Extract<RuleResult, { kind: "match" }>,
  ports: TransformPorts,
  left: Left,
  findings: Findings,
  change: StateChange,
): void {
  const made = action.code.mark?.(action.plan.parameters, actionContext(linked, action, frame, ports));
  if (!made) return;
  if (made instanceof EvaluationError) {
    findings.record(errorOf(made, linked));
    return;
  }
  findings.note(linked, action.code.name, element, unsure);
  if (linked.rule.mode === "monitor") {
    if (made.kind === "label" && made.on === "session") change.shadow(made.add);
    return;
  }
  if (made.kind === "notice") left.notices.push({ rule: linked.rule.id, level: made.level, message: made.message });
  else if (made.kind === "record") left.recorded[linked.rule.id] = { ...left.recorded[linked.rule.id], ...made.fields };
  else label(made, linked, frame, ports, findings, change);
}

function label(
  made: Mark & { kind: "label" },
  linked: LinkedRule,
  frame: Frame,
  ports: TransformPorts,
  findings: Findings,
  change: StateChange,
): void {
  if (made.on === "session") {
    const total = new Set([...frame.session.labels, ...change.labels, ...made.add]).size;
    if (linked.policy.untrusted) {
      // A repository's policy that sets too many labels must not fail the session: it alone loses the labels.
      if (frame.session.projectLabels.length + made.add.length <= limits.labels) change.project(made.add);
    } else if (total > limits.labels)
      findings.fail(new EvaluationError("HW504", `the session would have more than ${limits.labels} labels`), linked);
    else change.label(made.add);
    return;
  }
  for (const path of markedPaths(linked, frame)) {
    const total = new Set([...frame.session.pathLabels(path), ...made.add]).size;
    if (total > limits.labels)
      findings.fail(new EvaluationError("HW504", `a file would have more than ${limits.labels} labels`), linked);
    else change.path({ path: withoutSecret(path, ports), labels: [...made.add] } satisfies RecordedPathLabels);
  }
}

/**
 * Returns a path that state and records may contain: for a name with a secret, the folder above it. The label then applies to the
 * whole folder, which is stricter; no later call would match a masked name.
 */
function withoutSecret(path: string, { mask }: TransformPorts): string {
  let at = path;
  while (at !== "/" && mask(at) !== at) at = at.slice(0, Math.max(0, at.lastIndexOf("/"))) || "/";
  return at;
}

/** Returns the path of the matching element, or without one every file that the call writes; paths known in part are left out. */
function markedPaths(linked: LinkedRule, frame: Frame): string[] {
  const element = linked.rule.each && frame.slots[linked.rule.each.slot];
  const path = (element as { path?: { partly?: unknown } } | undefined)?.path;
  if (path?.partly !== undefined) return [];
  const own = realOf(path);
  if (own !== undefined) return [own];
  const written = (frame.facts.effects?.writes ?? []).filter(({ path }) => path.partly === undefined);
  return written.map(({ path }) => path.real);
}

function realOf(path: unknown): string | undefined {
  const real = typeof path === "object" && path !== null ? (path as { real?: unknown }).real : undefined;
  return typeof real === "string" ? real : undefined;
}

/** Advances sequences and budgets: which items the event is, and the amounts that it takes. Judged on both payloads. */
export function progress(
  candidates: Candidates,
  original: View,
  final: View,
  findings: Findings,
  change: StateChange,
): void {
  const views = original === final ? [final] : [final, original];
  for (const item of candidates.items) {
    const result = strictest(views.map((view) => itemResult(item, view)));
    if (result.kind === "error") findings.record(errorOf(result.error, item.owner));
    // An item that cannot be judged counts as having happened: the strict side.
    if (result.kind !== "no" && !isHeldBack(item.owner, result)) change.step(item.owner.rule.id, item.index);
  }
  for (const linked of candidates.budgets) {
    if (!linked.rule.budget) continue;
    if (linked.rule.sequence && !final.session.sequenceHolds(linked.rule.id)) continue;
    const result = evaluateConditions(linked, ownView(linked.policy, final));
    if (result.kind !== "match" || isHeldBack(linked, result)) continue;
    const amount = spendingOf(linked, result.frame);
    if (!(amount instanceof EvaluationError) && amount > 0)
      change.spend(linked.rule.id, bucketOf(linked, final), amount);
  }
}

/** True for an unsure match that must not count: it takes nothing from budgets and advances no sequence. */
function isHeldBack({ rule }: LinkedRule, result: RuleResult): boolean {
  return result.kind === "match" && stanceOf(rule, result.unsure, "other") === "nothing";
}

/** Judges an item of a sequence. An unknown call counts as any item that needs facts. */
function itemResult(item: Candidates["items"][number], view: View): RuleResult {
  if (item.rule.needs && view.facts.understanding === "unknown" && item.matchesTool(view.event.tool?.name))
    return { kind: "error", error: unknownCall };
  return evaluateConditions(item, ownView(item.owner.policy, view));
}

const unknownCall = new EvaluationError("HW502", "an unknown call counts as this item of the sequence");
