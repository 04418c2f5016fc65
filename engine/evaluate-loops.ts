import type { Value } from "../schema/ports.ts";
import { EvaluationError } from "../schema/ports.ts";
import { elementsOf, outOfSteps, truth } from "./evaluate-values.ts";
import type { Frame, LinkContext, Linked } from "./frame.ts";
import type { Ir } from "./plan.ts";

type Loop = Extract<Ir, { k: "loop" }>;

/** Runs over the elements of one list with the slot bound to each; the slot gets its earlier value back. */
type Over = (elements: readonly Value[], frame: Frame) => Value | EvaluationError;

/** A macro over a list, or over the keys of a map (language section 3). */
export function linkLoop(ir: Loop, context: LinkContext): Linked {
  const list = context.link(ir.list);
  const over = overOf(ir, context);
  return (frame) => {
    const elements = elementsOf(list(frame));
    if (elements instanceof EvaluationError) return elements;
    const before = frame.slots[ir.slot];
    const result = over(elements, frame);
    if (before !== undefined) frame.slots[ir.slot] = before;
    return result;
  };
}

/**
 * Links a bound value (`cel.bind`, macros over keys and values), which is item 0 of a map over a list of one; undefined for any
 * other index. It makes no lists, but takes the steps of their nodes.
 */
export function linkBound(
  { of, index, optional }: Extract<Ir, { k: "index" }>,
  context: LinkContext,
): Linked | undefined {
  if (optional || of.k !== "loop" || of.loop !== "map" || of.where || of.list.k !== "list") return undefined;
  const [item, ...more] = of.list.items;
  if (!item || item.optional || more.length > 0 || index.k !== "const" || index.value !== 0) return undefined;
  const value = context.link(item.value);
  const body = context.link(of.body);
  const { slot } = of;
  return (frame) => {
    // The nodes of the loop and of its list; the index has taken its step already.
    if (frame.steps < 2) return outOfSteps(frame);
    frame.steps -= 2;
    const given = value(frame);
    if (given instanceof EvaluationError) return given;
    const before = frame.slots[slot];
    frame.slots[slot] = given;
    const result = body(frame);
    if (before !== undefined) frame.slots[slot] = before;
    if (result instanceof EvaluationError) return result;
    // The node of the constant 0.
    if (frame.steps < 1) return outOfSteps(frame);
    frame.steps--;
    return result;
  };
}

function overOf(ir: Loop, context: LinkContext): Over {
  const body = context.link(ir.body);
  const where = ir.where ? context.link(ir.where) : undefined;
  switch (ir.loop) {
    case "all":
      return quantified(ir.slot, false, body);
    case "exists":
      return quantified(ir.slot, true, body);
    case "exists_one":
      return existsOne(ir.slot, body);
    case "filter":
      return filter(ir.slot, body);
    case "map":
      return map(ir.slot, where, body);
  }
}

/** `exists` (deciding value true) and `all` (false): an error counts only if no later element decides. */
function quantified(slot: number, deciding: boolean, body: Linked): Over {
  return (elements, frame) => {
    let error: EvaluationError | undefined;
    for (let i = 0; i < elements.length; i++) {
      frame.slots[slot] = elements[i] as Value;
      const value = truth(body(frame));
      if (value === deciding) return deciding;
      if (value instanceof EvaluationError) {
        if (value.code === "HW503") return value;
        error ??= value;
      }
    }
    return error ?? !deciding;
  };
}

function existsOne(slot: number, body: Linked): Over {
  return (elements, frame) => {
    let found = 0;
    for (let i = 0; i < elements.length; i++) {
      frame.slots[slot] = elements[i] as Value;
      const value = truth(body(frame));
      if (value instanceof EvaluationError) return value;
      if (value) found++;
    }
    return found === 1;
  };
}

function filter(slot: number, body: Linked): Over {
  return (elements, frame) => {
    const kept: Value[] = [];
    for (const element of elements) {
      frame.slots[slot] = element;
      const value = truth(body(frame));
      if (value instanceof EvaluationError) return value;
      if (value) kept.push(element);
    }
    return kept;
  };
}

function map(slot: number, where: Linked | undefined, body: Linked): Over {
  return (elements, frame) => {
    const made: Value[] = [];
    for (const element of elements) {
      frame.slots[slot] = element;
      const keep = where ? truth(where(frame)) : true;
      if (keep instanceof EvaluationError) return keep;
      if (!keep) continue;
      const value = body(frame);
      if (value instanceof EvaluationError) return value;
      made.push(value);
    }
    return made;
  };
}
