import { anyText, isSeveral, Unsure } from "../schema/approximation.ts";
import { contrary, type Graded, stronger, weaker } from "../schema/grades.ts";
import { EvaluationError, type Value } from "../schema/ports.ts";
import { elementsOf } from "./evaluate-values.ts";
import type { Frame, LinkContext, Linked } from "./frame.ts";
import { ofUnseen, seesUnseen, unseenOf } from "./graded-unseen.ts";
import { bothWays, causesOf, gradedTruth, isUnknown, unknownOf } from "./graded-values.ts";
import type { Ir } from "./plan.ts";

type Loop = Extract<Ir, { k: "loop" }>;
type Over = (elements: readonly Value[], frame: Frame) => Value | EvaluationError;

/** Links a macro over a list whose elements, or the tested values of these, may be known only in part. */
export function linkGradedLoop(ir: Loop, context: LinkContext): Linked {
  const list = bothWays(context.link(ir.list));
  const over = overOf(ir, context);
  const body = ir.loop === "exists" && seesUnseen(ir.list) ? context.link(ir.body) : undefined;
  /** Extends a test for any effect of a kind to the possible effects of unseen code. */
  const orUnseen = (listed: Value | EvaluationError, frame: Frame): Value | EvaluationError => {
    const unseen = body && unseenOf(ir.list, frame);
    if (!body || unseen === undefined || listed === true || listed instanceof EvaluationError) return listed;
    frame.slots[ir.slot] = unseen;
    const held = gradedTruth(body(frame));
    if (held instanceof EvaluationError) return held;
    return stronger(gradedTruth(listed) as Graded, ofUnseen(held, unseen));
  };
  return (frame) => {
    const given = list(frame);
    if (isUnknown(given)) return unknownOf(given);
    const elements = elementsOf(given);
    if (elements instanceof EvaluationError) return elements;
    const before = frame.slots[ir.slot];
    const listed = over(elements, frame);
    const result = body ? orUnseen(listed, frame) : listed;
    if (before !== undefined) frame.slots[ir.slot] = before;
    return result;
  };
}

function overOf(ir: Loop, context: LinkContext): Over {
  const body = context.link(ir.body);
  const where = ir.where ? bothWays(context.link(ir.where)) : undefined;
  switch (ir.loop) {
    case "all":
      return quantified(ir.slot, false, body);
    case "exists":
      return quantified(ir.slot, true, body);
    case "exists_one":
      return existsOne(ir.slot, bothWays(body));
    case "filter":
      return collected(ir.slot, bothWays(body), undefined);
    case "map":
      return collected(ir.slot, where, body);
  }
}

/** `exists` is the strongest of its elements, `all` the weakest; an error counts as in `or` and `and`. */
function quantified(slot: number, deciding: boolean, body: Linked): Over {
  return (elements, frame) => {
    let best: Graded = !deciding;
    let error: EvaluationError | undefined;
    for (const element of elements) {
      frame.slots[slot] = element;
      const value = sureOnce(element, gradedTruth(body(frame)), !deciding);
      if (value === deciding) return deciding;
      if (value instanceof EvaluationError) {
        if (value.code === "HW503") return value;
        error ??= value;
      } else best = deciding ? stronger(best, value) : weaker(best, value);
    }
    return error ?? best;
  };
}

/** Makes a result unsure if its element may occur several times or not at all: a `true`, and with `mayMiss` also a `false`. */
function sureOnce(element: Value, value: Graded | EvaluationError, mayMiss = false): Graded | EvaluationError {
  if (typeof value !== "boolean" || !isSeveral(element) || (!value && !mayMiss)) return value;
  return new Unsure(value ? "telling" : "open", causesOfElement(element));
}

function causesOfElement(element: Value): readonly string[] {
  return isUnknown(element) ? causesOf(element) : [];
}

function existsOne(slot: number, body: Linked): Over {
  return (elements, frame) => {
    let found = 0;
    let unsure: Graded = false;
    for (const element of elements) {
      frame.slots[slot] = element;
      const value = sureOnce(element, gradedTruth(body(frame)));
      if (value instanceof EvaluationError) return value;
      if (value === true) found += 1;
      else unsure = stronger(unsure, value);
    }
    if (found > 1 || unsure === false) return found === 1;
    return found === 1 ? contrary(unsure) : new Unsure("open", (unsure as Unsure).causes);
  };
}

/** Collects the list of a `filter` or `map`. If an item may be several items or none, the whole list is unknown. */
function collected(slot: number, where: Linked | undefined, body: Linked | undefined): Over {
  return (elements, frame) => {
    const made: Value[] = [];
    const several = elements.find(isSeveral);
    if (several !== undefined) return isUnknown(several) ? unknownOf(several) : anyText("…");
    for (const element of elements) {
      frame.slots[slot] = element;
      const keep = where ? gradedTruth(where(frame)) : true;
      if (keep instanceof EvaluationError) return keep;
      if (keep instanceof Unsure) return unknownOf(keep);
      if (!keep) continue;
      const value = body ? body(frame) : element;
      if (value instanceof EvaluationError) return value;
      made.push(value);
    }
    return made;
  };
}
