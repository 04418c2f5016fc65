import { describe, expect, it } from "vitest";
import type { CompileResult } from "../../../compiler/compile.ts";
import type { Ir, Plan } from "../../../engine/plan.ts";
import { environmentOf } from "../../../rules/environment.ts";
import { printExpression } from "../../../rules/print.ts";
import { createEngine } from "../../../runtime.ts";
import type { EventName } from "../../../schema/events.ts";
import { rounds, seed } from "../seed.ts";
import { randomEvent } from "./events.ts";
import { Expressions } from "./expressions.ts";
import { compileSet, verdictOf } from "./oracle.ts";
import { Random } from "./random.ts";
import { type Tests, YamlTests } from "./tests.ts";

const events: readonly EventName[] = ["tool_call", "user_bash"];
const place = { environment: environmentOf(events, []), allow: false, named: [] };

/** A policy of one rule that blocks under a condition. */
function compiled(when: Tests): CompileResult {
  const rule = { id: "r", event: events, when, action: "block", reason: "x" };
  return compileSet([{ scope: "user", data: { version: 1, policy: "p", rules: [rule] } }]);
}

/** IR without its places in the file. */
function withoutPlaces(ir: unknown): unknown {
  if (Array.isArray(ir)) return ir.map(withoutPlaces);
  if (typeof ir !== "object" || ir === null) return ir;
  return Object.fromEntries(
    Object.entries(ir)
      .filter(([key]) => key !== "at")
      .map(([key, part]) => [key, withoutPlaces(part)]),
  );
}

const conditionOf = (plan: Plan | undefined): Ir | undefined => plan?.rules[0]?.when;

/** Compiles a condition and the expression that it prints as; both must mean the same, and decide alike. */
function expectSameWhenPrinted(condition: Tests, random: Random): boolean {
  const first = compiled(condition);
  const ast = first.stages.resolved[0]?.draft.rules[0]?.when;
  if (!first.plan || !ast) return false;
  const text = printExpression(ast);
  const second = compiled(text);
  const context = `seed ${seed}\n${JSON.stringify(condition)}\n${text}`;
  expect(
    second.diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message),
    context,
  ).toEqual([]);
  expect(withoutPlaces(conditionOf(second.plan)), context).toEqual(withoutPlaces(conditionOf(first.plan)));
  const [a, b] = [createEngine(first.plan), createEngine(second.plan)];
  for (const event of random.times(5, () => randomEvent(random)))
    expect(verdictOf(b.decide(event).decision), context).toEqual(verdictOf(a.decide(event).decision));
  return true;
}

describe(`print, then parse (seed ${seed})`, () => {
  it("an expression means the same", () => {
    const random = new Random(seed);
    const expressions = new Expressions(random.fork(), place);
    const done = random.times(rounds(100), () => expectSameWhenPrinted(expressions.condition(3), random));
    expect(done.filter(Boolean).length).toBeGreaterThan(rounds(60));
  });

  it("YAML tests of fields that are always there mean the same as an expression", () => {
    const random = new Random(seed);
    const tests = new YamlTests(random.fork(), place, { conditions: [], lists: [] }, true);
    const done = random.times(rounds(100), () => expectSameWhenPrinted(tests.condition(2), random));
    expect(done.filter(Boolean).length).toBeGreaterThan(rounds(60));
  });
});
