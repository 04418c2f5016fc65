import type { FactSet } from "../schema/facts.ts";
import type { JudgedEvent } from "../schema/judged-event.ts";
import { limits } from "../schema/limits.ts";
import { type Captured, EvaluationError, type FileSystem, type RegexEngine, type Value } from "../schema/ports.ts";
import type { Frame } from "./link.ts";
import type { LinkedException, LinkedRule } from "./link-plan.ts";

/** One payload revision as rules see it: the event, and facts that are computed when first asked for. */
export interface View {
  readonly event: JudgedEvent;
  readonly facts: FactSet;
  readonly files: FileSystem;
  readonly regex: RegexEngine;
}

/** What one rule says of one revision. A match keeps its frame, so that texts can cite the element. */
export type RuleResult =
  | { readonly kind: "no" }
  | { readonly kind: "match"; readonly frame: Frame; readonly element: string | undefined }
  | { readonly kind: "error"; readonly error: EvaluationError };

const no: RuleResult = { kind: "no" };
const noList = new EvaluationError("HW502", "`each` goes through lists only");

/**
 * Judges one rule. With `each`, the rule fires if any element matches and is not waived; the first such element is
 * cited (language section 2). An error that no element decides is the rule's answer. A rule that needs parsed facts
 * does not apply to a call that is unknown (language section 4).
 */
export function evaluateRule(linked: LinkedRule, view: View): RuleResult {
  if (!linked.matchesTool(view.event.tool?.name)) return no;
  if (linked.rule.needs && view.facts.understanding === "unknown") return no;
  const frame = frameOf(view);
  const { each } = linked.rule;
  if (!each || !linked.list) return judge(linked, frame, undefined);
  const list = linked.list(frame);
  if (list instanceof EvaluationError) return { kind: "error", error: list };
  if (!Array.isArray(list)) return { kind: "error", error: noList };
  return judgeElements(linked, frame, each, list);
}

/** A fresh frame, with every field there from the start, so that all frames have one layout. */
function frameOf({ event, facts, files, regex }: View): Frame {
  return {
    event,
    facts,
    files,
    regex,
    forms: "any",
    slots: [],
    steps: limits.steps,
    captured: undefined,
    match: undefined,
    memo: undefined,
  };
}

function judgeElements(
  linked: LinkedRule,
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

function judge(linked: LinkedRule, frame: Frame, index: number | undefined): RuleResult {
  const held = linked.when ? linked.when(frame) : true;
  if (held instanceof EvaluationError) return { kind: "error", error: held };
  if (held !== true) return no;
  const element = index === undefined ? undefined : frame.slots[linked.rule.each?.slot ?? 0];
  if (waived(linked, frame, element)) return no;
  if (linked.rule.captures) frame.match = captured(linked, frame);
  const name = index === undefined ? undefined : `${listName(linked)}[${index}]`;
  return { kind: "match", frame, element: name };
}

/**
 * Groups of the first `matches` that holds. The condition is evaluated once more, as if nothing had been asked of this
 * revision before: what other rules asked or remembered cannot change what a text cites, and only rules with such a text
 * pay for it.
 */
function captured(linked: LinkedRule, frame: Frame): Captured {
  const found: Captured = {};
  linked.when?.({ ...frame, slots: [...frame.slots], steps: limits.steps, memo: new Map(), captured: found });
  return found;
}

function listName(linked: LinkedRule): string {
  const list = linked.rule.each?.list;
  return list?.k === "root" ? list.name : (linked.rule.each?.name ?? "");
}

/** `unless` and exceptions. An error in them does not waive, nor does an element that is only possible. */
function waived(linked: LinkedRule, frame: Frame, element: Value | undefined): boolean {
  if (!linked.unless && linked.exceptions.length === 0) return false;
  if (isOnlyPossible(element)) return false;
  if (linked.unless && linked.unless(frame) === true) return true;
  return linked.exceptions.some((exception) => applies(exception, frame));
}

function applies(exception: LinkedException, frame: Frame): boolean {
  if (exception.expires !== undefined && frame.event.time >= exception.expires) return false;
  return exception.when === undefined || exception.when(frame) === true;
}

function isOnlyPossible(element: unknown): boolean {
  return (
    typeof element === "object" &&
    element !== null &&
    Object.hasOwn(element, "certain") &&
    (element as { certain: unknown }).certain === false
  );
}
