import { Unsure } from "../schema/approximation.ts";
import type { ApproximateKind, FactSet } from "../schema/facts.ts";
import { contrary, type Graded, gradeOf, stronger, weaker } from "../schema/grades.ts";
import { EvaluationError, type Value } from "../schema/ports.ts";
import { failed } from "./evaluate-values.ts";
import type { Frame } from "./frame.ts";
import { ofUnseen, unseenOf } from "./graded-unseen.ts";
import { gradedTruth } from "./graded-values.ts";
import type { GradedConditions, LinkedCondition } from "./linked.ts";
import type { Ir } from "./plan.ts";
import type { UnsureMatch } from "./stance.ts";
import { waivingOf } from "./sure-names.ts";

/** How far one element, or the call, matches. */
interface Held {
  readonly value: Graded;
  /** Grade of the conditions alone. */
  readonly when: Graded;
}

/** Result of graded conditions: the element for which they hold most surely. */
export type GradedResult =
  | { readonly kind: "no" }
  | { readonly kind: "match"; readonly index: number | undefined; readonly unsure: UnsureMatch | undefined }
  | { readonly kind: "error"; readonly error: EvaluationError };

const no: GradedResult = { kind: "no" };

/** Returns the graded conditions of a rule if the facts that they read have partly known values; otherwise undefined. */
export function gradedOf(linked: LinkedCondition, facts: FactSet): GradedConditions | undefined {
  const kinds = linked.needs ? facts.approximate : undefined;
  if (!kinds) return undefined;
  const conditions = linked.graded();
  return sees(conditions.sees, kinds) ? conditions : undefined;
}

function sees(looks: ReadonlySet<ApproximateKind>, kinds: ReadonlySet<ApproximateKind>): boolean {
  for (const kind of kinds) if (looks.has(kind)) return true;
  return false;
}

/**
 * Judges a condition by grades. Of several elements the surest match is cited, with its own waivers. A sure match wins over an error;
 * otherwise an error is the result. `isWaivable` is false for an element that need not happen, which nothing waives.
 */
export function judgeGraded(
  linked: LinkedCondition,
  graded: GradedConditions,
  frame: Frame,
  isWaivable: (element: Value | undefined) => boolean,
): GradedResult {
  const { each } = linked;
  if (!each || !graded.list) return resultOf(heldBy(linked, graded, frame, isWaivable(undefined)), undefined);
  const list = elementsOf(graded, frame);
  if (list instanceof EvaluationError) return { kind: "error", error: list };
  if (list instanceof Unsure) return resultOf({ value: list, when: list }, undefined);
  let best: Held = { value: false, when: false };
  let index = 0;
  let error: EvaluationError | undefined;
  for (let i = 0; i < list.length; i++) {
    frame.slots[each.slot] = list[i] as Value;
    const held = heldBy(linked, graded, frame, isWaivable(list[i]));
    if (held instanceof EvaluationError) {
      error ??= held;
      continue;
    }
    if (held.value === true) return { kind: "match", index: i, unsure: undefined };
    if (held.value === false || stronger(best.value, held.value) === best.value) continue;
    if (gradeOf(best.value) === gradeOf(held.value)) continue;
    best = held;
    index = i;
  }
  if (error) return { kind: "error", error };
  const unseen = unseenOf(each.list as Ir, frame);
  if (unseen !== undefined) {
    frame.slots[each.slot] = unseen;
    const held = heldBy(linked, graded, frame, false);
    if (held instanceof EvaluationError) return { kind: "error", error: held };
    const value = ofUnseen(held.value, unseen);
    if (best.value === false && value !== false) return resultOf({ value, when: value }, undefined);
  }
  if (best.value !== false) frame.slots[each.slot] = list[index] as Value;
  return resultOf(best, index);
}

/** Returns every element that surely matches, which an `allow` covers. */
export function sureElements(
  linked: LinkedCondition,
  graded: GradedConditions,
  frame: Frame,
  isWaivable: (element: Value | undefined) => boolean,
): readonly Value[] | EvaluationError {
  frame.loosens = true;
  const list = elementsOf(graded, frame);
  if (list instanceof EvaluationError) return list;
  const found: Value[] = [];
  for (const element of Array.isArray(list) ? (list as readonly Value[]) : []) {
    frame.slots[linked.each?.slot ?? 0] = element;
    const held = heldBy(linked, graded, frame, isWaivable(element));
    if (held instanceof EvaluationError) return held;
    if (held.value === true) found.push(element);
  }
  return found;
}

function elementsOf({ list }: GradedConditions, frame: Frame): readonly Value[] | Unsure | EvaluationError {
  const given = list?.(frame) ?? [];
  if (Array.isArray(given)) return given as readonly Value[];
  const truth = gradedTruth(given);
  return truth instanceof Unsure || truth instanceof EvaluationError ? truth : noList;
}

const noList = failed("`each` goes through lists only");

function heldBy(
  linked: LinkedCondition,
  graded: GradedConditions,
  frame: Frame,
  waivable: boolean,
): Held | EvaluationError {
  frame.loosens = graded.loosens;
  const when = graded.when ? gradedTruth(graded.when(frame)) : true;
  frame.loosens = false;
  if (when instanceof EvaluationError || when === false || !waivable)
    return when instanceof EvaluationError ? when : { value: when, when };
  frame.loosens = true;
  frame.waiving = waivingOf(linked, frame);
  let waiver: Graded = false;
  for (const { when: given, expires } of graded.exceptions)
    if (expires === undefined || frame.event.time < expires) waiver = stronger(waiver, waives(given, frame));
  if (graded.unless) waiver = stronger(waives(graded.unless, frame), waiver);
  frame.loosens = false;
  frame.waiving = undefined;
  return { value: weaker(when, contrary(waiver)), when };
}

/** Grades a waiver; an error in it does not waive. */
function waives(given: GradedConditions["unless"], frame: Frame): Graded {
  const value = given ? gradedTruth(given(frame)) : true;
  return value instanceof EvaluationError ? false : value;
}

function resultOf(held: Held | EvaluationError, index: number | undefined): GradedResult {
  if (held instanceof EvaluationError) return { kind: "error", error: held };
  const { value, when } = held;
  if (value === false) return no;
  if (value === true) return { kind: "match", index, unsure: undefined };
  const waiver = gradeOf(when) !== "open";
  return { kind: "match", index, unsure: { grade: value.grade, unknown: value.causes, waiver } };
}
