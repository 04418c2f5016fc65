import type { Ir } from "../../engine/plan.ts";
import { Approximation } from "../../schema/approximation.ts";
import { limits } from "../../schema/limits.ts";
import { EvaluationError, type Value } from "../../schema/ports.ts";
import { valuesOf } from "../facts/approximate/texts.ts";
import { interpret, type World } from "./interpret.ts";

/**
 * What a condition comes to for each value that an element may have: every partly known text in it is replaced by each text over the
 * small alphabet that it may be. The element is bound to the slot of `each`.
 */
export function answersOf(ir: Ir, world: World, slot: number, element: unknown): ReadonlySet<unknown> {
  const answers = new Set<unknown>();
  for (const exact of concrete(element)) {
    const value = interpret(ir, world, new Map([[slot, exact as Value]]), { left: limits.steps });
    answers.add(value instanceof EvaluationError ? value.code : value);
  }
  return answers;
}

/** A value with each of the texts that its partly known ones may be. */
function concrete(value: unknown): readonly unknown[] {
  if (value instanceof Approximation) return [...new Set(value.members.flatMap(valuesOf))];
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [value];
  return Object.entries(value).reduce<readonly object[]>(
    (made, [key, field]) => concrete(field).flatMap((one) => made.map((each) => ({ ...each, [key]: one }))),
    [{}],
  );
}
