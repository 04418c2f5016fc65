import { spend } from "../facts/meter.ts";
import type { FactSet } from "../schema/facts.ts";
import type { JudgedEvent } from "../schema/judged-event.ts";
import { limits } from "../schema/limits.ts";
import { type Captured, EvaluationError, type FileSystem, type RegexEngine, type Value } from "../schema/ports.ts";
import type { SessionView } from "../schema/session.ts";
import { gradedOf, judgeGraded, sureElements } from "./graded-rule.ts";
import type { Frame } from "./link.ts";
import type { GradedConditions, LinkedCondition, LinkedException, LinkedRule, Waivers } from "./linked.ts";
import type { UnsureMatch } from "./stance.ts";
import { waivingOf } from "./sure-names.ts";

/** One payload revision as rules see it: the event, and facts that are computed at first use. */
export interface View {
  readonly event: JudgedEvent;
  readonly facts: FactSet;
  readonly files: FileSystem;
  readonly regex: RegexEngine;
  readonly session: SessionView;
  /** Result of the index's last look at this revision; changes no answer. */
  seen?: Seen | undefined;
}

/** Searches revisions for the keys that rules need. */
export interface Looker {
  of(view: View): Seen;
}

/** Keys that were found in one revision. */
export interface Seen {
  readonly of: View;
  readonly by: Looker;
  /** Which look of its looker found it. */
  readonly look: number;
  /** Numbers of the keys that were found. */
  readonly keys: readonly number[];
  /** True if lists of facts are too long to select rules by keys: then all rules on facts are judged. */
  readonly crowded: boolean;
}

/** Result of judging one revision by one rule. A match keeps its frame, so that texts can cite the element. */
export type RuleResult =
  | { readonly kind: "no" }
  | {
      readonly kind: "match";
      readonly frame: Frame;
      readonly element: string | undefined;
      /** Set if it is unsure whether the rule applies. */
      readonly unsure?: UnsureMatch;
    }
  | { readonly kind: "error"; readonly error: EvaluationError };

const no: RuleResult = { kind: "no" };
const notAnAmount = new EvaluationError("HW502", "`of` of a budget counts a list or gives a whole number");
const noList = new EvaluationError("HW502", "`each` goes through lists only");

/**
 * Judges one rule. With `each`, the rule fires if any element matches and is not waived; the first such element is
 * cited (language section 2). An error that no element decides is the rule's answer. A rule that needs parsed facts
 * does not apply to a call that is unknown (language section 4). A sequence must have happened, and a budget be used up
 * (language section 5). `frame` is a fresh one of the view; a match keeps it.
 */
export function evaluateRule(linked: LinkedRule, view: View, frame: Frame = frameOf(view)): RuleResult {
  if (linked.sequenced && !view.session.sequenceHolds(linked.rule.id)) return no;
  const result = evaluateConditions(linked, view, frame);
  return result.kind === "match" && linked.rule.budget ? withinBudget(linked, result, view) : result;
}

/** Spends work for the steps that a rule took: half a unit each, since one step does little. */
export function spendSteps({ steps }: Frame): void {
  spend((limits.steps - steps) >> 1);
}

/** Returns the amount that a match takes from the rule's budget: the length of a list, an int, or 1. */
export function spendingOf(linked: LinkedRule, frame: Frame): number | EvaluationError {
  const spends = (linked.spends && gradedOf(linked, frame.facts)?.spends) ?? linked.spends;
  if (!spends) return 1;
  const value = spends(frame);
  if (value instanceof EvaluationError) return value;
  if (Array.isArray(value)) return value.length;
  return typeof value === "number" && Number.isSafeInteger(value) ? Math.max(0, value) : notAnAmount;
}

/** Returns the bucket of a rule's budget that an event uses. */
export function bucketOf({ rule }: LinkedRule, { event, session }: View): string {
  switch (rule.budget?.per) {
    case "agent":
      return `agent ${event.agent.id}`;
    case "tool":
      return `tool ${event.tool?.name ?? ""}`;
    case "turn":
      return `turn ${session.turn}`;
    default:
      return "session";
  }
}

function withinBudget(linked: LinkedRule, match: RuleResult & { kind: "match" }, view: View): RuleResult {
  const amount = spendingOf(linked, match.frame);
  if (amount instanceof EvaluationError) return { kind: "error", error: amount };
  return amount > view.session.budgetLeft(linked.rule.id, bucketOf(linked, view)) ? match : no;
}

/** The conditions of a rule, or of an item of a sequence, alone: no sequence, no budget. */
export function evaluateConditions(linked: LinkedCondition, view: View, frame: Frame = frameOf(view)): RuleResult {
  const result = conditionsOf(linked, view, frame);
  spendSteps(frame);
  const { supposes } = view.facts;
  return supposes !== undefined && result.kind === "match" ? supposedMatch(result, supposes) : result;
}

/** Makes a match of a supposed reading an open one, however much is known. */
function supposedMatch(result: RuleResult & { kind: "match" }, supposes: string): RuleResult {
  const unknown = [`what ${supposes} is`, ...(result.unsure?.unknown ?? [])];
  return { ...result, unsure: { grade: "open", unknown, waiver: false } };
}

function conditionsOf(linked: LinkedCondition, view: View, frame: Frame): RuleResult {
  if (!linked.matchesTool(view.event.tool?.name)) return no;
  if (linked.needs && view.facts.understanding === "unknown") return no;
  const graded = gradedOf(linked, view.facts);
  if (graded) return gradedResult(linked, graded, frame);
  const { each } = linked;
  if (!each || !linked.list) return judge(linked, frame, undefined);
  const list = linked.list(frame);
  if (list instanceof EvaluationError) return { kind: "error", error: list };
  if (!Array.isArray(list)) return { kind: "error", error: noList };
  return judgeElements(linked, frame, each, list);
}

/** Lists the elements of `each` that match and are not waived, or returns the first error. An `allow` covers all of them. */
export function matchingElements(linked: LinkedRule, view: View): readonly Value[] | EvaluationError {
  const { each } = linked.rule;
  const frame = frameOf(view);
  const graded = gradedOf(linked, view.facts);
  if (graded) return each ? sureElements(linked, graded, frame, isWaivable) : [];
  const list = linked.list?.(frame);
  if (list instanceof EvaluationError) return list;
  if (!each || !Array.isArray(list)) return [];
  const found: Value[] = [];
  for (let i = 0; i < list.length; i++) {
    frame.slots[each.slot] = list[i] as Value;
    const result = judge(linked, frame, i);
    if (result.kind === "error") return result.error;
    if (result.kind === "match") found.push(list[i] as Value);
  }
  spendSteps(frame);
  return found;
}

/** Makes a frame with every field present from the start, so that all frames share one layout. */
export function frameOf(view: View): Frame {
  const { event, facts, files, regex, session } = view;
  return {
    event,
    facts,
    files,
    regex,
    session,
    forms: "any",
    bothWays: false,
    loosens: false,
    slots: [],
    steps: limits.steps,
    captured: undefined,
    match: undefined,
    revision: view,
    memo: undefined,
    waiving: undefined,
  };
}

/** Resets the frame of a rule that said `no`, and so kept nothing of it. */
export function refresh(frame: Frame): void {
  frame.forms = "any";
  if (frame.slots.length > 0) frame.slots.length = 0;
  frame.steps = limits.steps;
  frame.captured = undefined;
  frame.match = undefined;
}

function gradedResult(linked: LinkedCondition, graded: GradedConditions, frame: Frame): RuleResult {
  const result = judgeGraded(linked, graded, frame, isWaivable);
  if (result.kind !== "match") return result;
  const { index, unsure } = result;
  if (linked.rule.captures) frame.match = captured(graded, frame);
  const element = index === undefined ? undefined : `${listName(linked)}[${index}]`;
  return unsure ? { kind: "match", frame, element, unsure } : { kind: "match", frame, element };
}

function isWaivable(element: Value | undefined): boolean {
  return !isOnlyPossible(element);
}

function judgeElements(
  linked: LinkedCondition,
  frame: Frame,
  each: { name: string; slot: number; list: unknown },
  list: readonly Value[],
): RuleResult {
  let failed: RuleResult = no;
  for (let i = 0; i < list.length; i++) {
    frame.slots[each.slot] = list[i] as Value;
    const result = judge(linked, frame, i);
    if (result.kind === "match") return result;
    if (result.kind === "error" && failed.kind === "no") failed = result;
  }
  return failed;
}

function judge(linked: LinkedCondition, frame: Frame, index: number | undefined): RuleResult {
  const held = linked.when ? linked.when(frame) : true;
  if (held instanceof EvaluationError) return { kind: "error", error: held };
  if (held !== true) return no;
  const element = index === undefined ? undefined : frame.slots[linked.each?.slot ?? 0];
  if (waived(linked, frame, element)) return no;
  if (linked.rule.captures) frame.match = captured(linked, frame);
  const name = index === undefined ? undefined : `${listName(linked)}[${index}]`;
  return { kind: "match", frame, element: name };
}

/**
 * Collects the groups of the first `matches` that holds. The condition is evaluated again with an empty memo, so that values
 * cached by other rules cannot change the cited text. Only rules with such a text pay for it.
 */
function captured(linked: Pick<LinkedCondition, "when">, frame: Frame): Captured {
  const found: Captured = {};
  linked.when?.({ ...frame, slots: [...frame.slots], steps: limits.steps, memo: new Map(), captured: found });
  return found;
}

function listName(linked: LinkedCondition): string {
  const list = linked.rule.each?.list;
  return list?.k === "root" ? list.name : (linked.rule.each?.name ?? "");
}

/** `unless` and exceptions. An error in them does not waive, nor does an element that is only possible. */
function waived(linked: LinkedCondition, frame: Frame, element: Value | undefined): boolean {
  if (!linked.unless && linked.exceptions.length === 0) return false;
  frame.waiving = waivingOf(linked, frame);
  const held = !isOnlyPossible(element) && isWaived(linked, frame);
  frame.waiving = undefined;
  return held;
}

function isWaived(linked: Waivers, frame: Frame): boolean {
  if (linked.unless && linked.unless(frame) === true) return true;
  return linked.exceptions.some((exception) => applies(exception, frame));
}

function applies(exception: LinkedException, frame: Frame): boolean {
  if (exception.expires !== undefined && frame.event.time >= exception.expires) return false;
  return exception.when === undefined || exception.when(frame) === true;
}

/** True for an element that may happen but need not, at a place that need not be its: nothing waives it. */
export function isOnlyPossible(element: unknown): boolean {
  if (typeof element !== "object" || element === null || !Object.hasOwn(element, "certain")) return false;
  const { certain, placed, written } = element as { certain: unknown; placed?: unknown; written?: unknown };
  return certain === false && placed !== true && written !== true;
}
