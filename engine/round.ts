import { eventKind, isCallEvent } from "../schema/events.ts";
import { EvaluationError } from "../schema/ports.ts";
import type { Candidates } from "./candidates.ts";
import { type Combined, combine, type GuardHit, strictest } from "./combine.ts";
import { isCovered } from "./coverage.ts";
import type { View } from "./evaluate-rule.ts";
import type { Findings } from "./findings.ts";
import { guards } from "./guards.ts";
import type { LinkedAction, LinkedPlan, LinkedRule } from "./link-plan.ts";
import { argumentViews } from "./normalise.ts";
import type { PlanPolicy } from "./plan.ts";
import { askPrograms } from "./programs.ts";
import { settle } from "./settle.ts";
import { shadow } from "./shadow.ts";
import type { TransformPorts } from "./transform.ts";
import { hasUntrusted, questions } from "./untrusted.ts";

/** One payload as all guards judged it: its readings, calls that it carries among them, and their answers. */
interface Pass {
  readonly views: readonly View[];
  readonly hits: readonly GuardHit[];
}

/** Result of the passes over one event. */
export interface Round {
  readonly view: View;
  /** The revision without the removals of untrusted policies: texts and programs of other policies read this one. */
  readonly told: View;
  /** Answers that count for what would run. */
  readonly hits: readonly GuardHit[];
  /** Calls that the final payload and its other readings carry. */
  readonly carried: readonly View[];
  /** The final payload and its other readings with what policies of a project declare besides. */
  readonly further: readonly View[];
  /** Every pass: an answer that an earlier pass got from a default is not lifted by a later pass. */
  readonly passes: readonly Pass[];
}

/**
 * One round from the original payload to what would run: transforms, guards, late redaction, guards again. Calls that the payload
 * carries are judged by the rules of their own tools.
 */
export function judge(
  plan: LinkedPlan,
  first: View,
  others: readonly View[],
  findings: Findings,
  ports: TransformPorts,
): Round {
  const candidates = plan.candidates(first.event);
  const { transforms } = candidates;
  const deciding = eventKind(first.event.event) === "decide";
  const early = deciding ? isEarly : always;
  const untrusted = hasUntrusted(transforms);
  const trusted = trustedOf(transforms);
  const told = settle(trusted, first, early, findings, ports);
  // Removing one text may expose another that other policies remove.
  const settled = untrusted && !deciding ? settle(transforms, told, early, findings, ports) : told;
  const before = others.length === 0 ? [settled] : [settled, ...others];
  const carried = carriedViews(before, findings, ports);
  const inside = before.length;
  const base = carried.length === 0 ? before : [...before, ...carried];
  const own = guardAll(plan, base, 0, candidates, first, findings);
  // After the guards, because facts that no guard requested have no relevant further readings.
  const further = furtherViews(base);
  const views = further.length === 0 ? base : [...base, ...further];
  const beside =
    further.length === 0 ? none : besides(guardAll(plan, further, base.length, candidates, first, findings));
  const hits = beside.length === 0 ? own : [...own, ...beside];
  const view = deciding ? settle(trusted, settled, isLate, findings, ports) : settled;
  const asked = untrusted && deciding ? questions(transforms, [view, ...others], findings, ports) : [];
  const pass = { views, hits };
  if (view === settled)
    return { view, told, hits: asked.length === 0 ? hits : [...hits, ...asked], carried, further, passes: [pass] };
  // The redacted payload is what runs: what is allowed is judged on it, and the stricter answer holds.
  const inner = carriedViews([view, ...others], findings, ports);
  const isStale = ({ cover }: GuardHit): boolean => cover?.view === 0 || (cover !== undefined && cover.view >= inside);
  const kept = hits.filter((hit) => hit.outcome !== "allow" || !isStale(hit));
  const again = [
    ...guardAll(plan, [view], 0, candidates, first, findings),
    ...guardAll(plan, inner, inside, candidates, first, findings),
  ];
  const more = furtherViews([view, ...others, ...inner]);
  const last = [...inner, ...more];
  again.push(...besides(guardAll(plan, more, inside + inner.length, candidates, first, findings)));
  const final = [...kept, ...again, ...asked];
  return {
    view,
    told: view,
    hits: final,
    carried: inner,
    further: more,
    passes: [pass, { views: [view, ...others, ...last], hits: final }],
  };
}

/** Runs the guards on views, numbered from `from`. Calls of other tools have their own rules. */
function guardAll(
  plan: LinkedPlan,
  views: readonly View[],
  from: number,
  candidates: Candidates,
  first: View,
  findings: Findings,
): readonly GuardHit[] {
  let hits = none;
  for (let i = 0; i < views.length; i++) {
    const view = views[i] as View;
    const of = view.event.tool === first.event.tool ? candidates : plan.candidates(view.event);
    const own = guards(of.guards(view), view, from + i, findings, of.paying?.guards(view));
    hits = i === 0 ? own : [...hits, ...own];
  }
  return hits;
}

function besides(hits: readonly GuardHit[]): readonly GuardHit[] {
  return hits.map((hit) => ({ ...hit, beside: true }));
}

/** Returns the rules that may rewrite an event freely. */
function trustedOf(rules: readonly LinkedRule[]): readonly LinkedRule[] {
  return hasUntrusted(rules) ? rules.filter(({ policy }) => policy.untrusted !== true) : rules;
}

/** Asks programs about carried calls. Their `allow` answers are dropped, since they saw only a part of the call. */
export function carriedPrograms(
  plan: LinkedPlan,
  carried: readonly View[],
  findings: Findings,
  ports: TransformPorts,
): readonly GuardHit[] {
  if (carried.length === 0) return none;
  return carried.flatMap((view) => {
    const asked = askPrograms(plan.candidates(view.event).programs, view, findings, ports);
    if (asked.view !== view) findings.fail(notRewritten);
    return asked.hits.filter(({ outcome }) => outcome !== "allow");
  });
}

const notRewritten = new EvaluationError("HW505", "a call inside another call cannot be rewritten; make it by itself");

/**
 * Settles carried calls: one that a rule would rewrite cannot run as it is, and a human is asked about one that an untrusted
 * policy would redact. Rules in monitor mode see them too.
 */
export function settleCarried(
  plan: LinkedPlan,
  carried: readonly View[],
  findings: Findings,
  ports: TransformPorts,
): readonly GuardHit[] {
  return carried.flatMap((view) => {
    const candidates = plan.candidates(view.event);
    const { transforms } = candidates;
    if (settle(trustedOf(transforms), view, always, findings, ports) !== view) findings.fail(notRewritten);
    if (candidates.monitored.length > 0) shadow(candidates, [view], findings, ports);
    return questions(transforms, [view], findings, ports);
  });
}

/** On deciding events redaction follows the guards unless the rule says otherwise (semantics section 2). */
function isLate(action: LinkedAction): boolean {
  const parameters = action.plan.parameters as { before_guards?: unknown } | null;
  return action.code.name === "redact" && parameters?.before_guards !== true;
}

const isEarly = (action: LinkedAction): boolean => !isLate(action);
const always = (): boolean => true;

const nothing: readonly View[] = [];
const none: readonly GuardHit[] = [];

/**
 * Returns further readings, where they say more: with the declarations of a project's policies, and with suppositions about what is
 * not known. They are judged beside the others, so that neither a repository nor a supposition can take a refusal back.
 */
export function furtherViews(views: readonly View[]): readonly View[] {
  if (!views.some(saysMore)) return nothing;
  return views.flatMap((view) =>
    [view.facts.further, view.facts.supposed].flatMap((facts) => (facts ? [{ ...view, facts, seen: undefined }] : [])),
  );
}

function saysMore({ facts }: View): boolean {
  return facts.further !== undefined || facts.supposed !== undefined;
}

const tooMany = new EvaluationError(
  "HW504",
  "the call carries more calls than can be judged; make them one by one, or in smaller batches",
);

/**
 * Returns the calls that readings of a call carry in their arguments, each as its own reading. If there are more than can be
 * judged, the event is closed.
 */
export function carriedViews(
  views: readonly View[],
  findings: Findings,
  ports: Pick<TransformPorts, "factsOf">,
): readonly View[] {
  let carried: View[] | undefined;
  for (const view of views) {
    const { carried: calls } = view.facts;
    if (!calls || calls.length === 0) continue;
    carried ??= [];
    const readings = calls === "too many" ? [undefined] : calls.map(argumentViews);
    for (const events of readings) {
      if (!events) findings.fail(tooMany);
      for (const event of events ?? []) carried.push({ ...view, event, facts: ports.factsOf(event), seen: undefined });
    }
  }
  return carried ?? nothing;
}

/**
 * Returns the strictest answer of the passes; the last one includes everything found. The user's rules for every call also count
 * for a call that redaction then rewrote: no pass lifts another's answer.
 */
export function combinedOf(
  plan: LinkedPlan,
  { view, passes }: Round,
  hits: readonly GuardHit[],
  answers: readonly GuardHit[],
): Combined {
  const { policies } = plan.plan;
  const isCall = isCallEvent(view.event.event);
  const last = combinedPass(passes.at(-1) as Pass, hits, policies, isCall);
  if (passes.length === 1) return last;
  const before = passes.slice(0, -1).map((pass) => combinedPass(pass, [...pass.hits, ...answers], policies, isCall));
  return strictest([...before, last]);
}

function combinedPass(
  { views }: Pass,
  hits: readonly GuardHit[],
  policies: readonly PlanPolicy[],
  isCall: boolean,
): Combined {
  return combine(
    hits,
    policies,
    isCall,
    () => views.some(({ facts }) => facts.understanding === "unknown"),
    // A supposed reading needs no allow: the unknown word already makes the call opaque.
    (allows) => views.every(({ facts }, n) => facts.supposes !== undefined || isCovered(coversIn(allows, n), facts)),
  );
}

function coversIn(allows: readonly GuardHit[], view: number): NonNullable<GuardHit["cover"]>["of"][] {
  return allows.flatMap(({ cover }) => (cover?.view === view ? [cover.of] : []));
}
