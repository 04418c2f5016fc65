import { describe, expect, it } from "vitest";
import type { Ir } from "../../engine/plan.ts";
import { functions } from "../../rules/vocabulary.ts";
import { EvaluationError, type Value } from "../../schema/ports.ts";
import { interpret } from "../reference/interpret.ts";
import { anyTool, check, frameOf, run } from "../rules/evaluate.ts";

const outcome = (value: Value | EvaluationError): unknown => (value instanceof EvaluationError ? value.code : value);

/** Value and steps left, of the linked plan and of the tree-walking reference. */
function both(ir: Ir, steps: number): readonly unknown[] {
  const frame = frameOf({ steps });
  const linked = [outcome(run(ir, frame)), frame.steps];
  const budget = { left: steps };
  const world = { ...frameOf(), functions, conditions: {} };
  return [linked, [outcome(interpret(ir, world, new Map(), budget)), budget.left]];
}

describe("a bound value", () => {
  it.each([
    "cel.bind(x, 1 + 1, x * x)",
    "cel.bind(x, 1 / 0, 2)",
    "cel.bind(x, 1, x / 0)",
    "cel.bind(x, [1, 2], cel.bind(y, x[0], x.exists(z, z > y)))",
    "cel.bind(x, 1, cel.bind(x, x + 1, x) + x)",
    "[3, 1].all(i, v, v > i || 1 / i == 0)",
    "{'a': 1}.transformMap(k, v, v + 1)",
    "[[1, 2]].exists(i, row, row.exists(j, v, v == 2 && i < j))",
  ])("comes to what the reference says with any budget: %s", (text) => {
    const { ir } = check(text, anyTool);
    for (let steps = 0; steps <= 80; steps++) {
      const [linked, reference] = both(ir as Ir, steps);
      expect(linked, `with ${steps} steps`).toEqual(reference);
    }
  });
});

describe("an absent optional field", () => {
  it("is one value, not a new one for each event", () => {
    const { ir } = check("args.?nothing", anyTool);
    expect(run(ir as Ir)).toBe(run(ir as Ir));
  });
});
