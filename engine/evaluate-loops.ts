import type { Value } from "../schema/ports.ts";
import { EvaluationError } from "../schema/ports.ts";
import { elementsOf, truth } from "./evaluate-values.ts";
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
