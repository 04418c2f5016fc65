import { describe, expect, it } from "vitest";
import { evaluateRule } from "../../../engine/evaluate-rule.ts";
import type { Frame } from "../../../engine/link.ts";
import { type LinkedPlan, type LinkedRule, linkPlan } from "../../../engine/link-plan.ts";
import { normalise } from "../../../engine/normalise.ts";
import type { Plan } from "../../../engine/plan.ts";
import { SessionState } from "../../../engine/session-state.ts";
import { facts } from "../../../facts/facts.ts";
import { hermeticFiles } from "../../../facts/paths/files.ts";
import { createRegexEngine } from "../../../facts/regex.ts";
import { functions } from "../../../rules/vocabulary.ts";
import { vocabularyFor } from "../../../runtime.ts";
import { limits } from "../../../schema/limits.ts";
import { EvaluationError, type Value } from "../../../schema/ports.ts";
import { interpret, type World } from "../../reference/interpret.ts";
import { judgeRule } from "../../reference/judge.ts";
import { seed } from "../seed.ts";
import { randomEvent } from "./events.ts";
import { compileSet } from "./oracle.ts";
import { randomPolicies } from "./policies.ts";
import { Random } from "./random.ts";

const regex = createRegexEngine();
const vocabulary = vocabularyFor(regex);

interface Loaded {
  readonly plan: Plan;
  readonly linked: LinkedPlan;
  readonly worlds: readonly World[];
}

/** Plans with the worlds of some events that their rules judge. */
function* loaded(random: Random, sets: number, events: number): Generator<Loaded> {
  for (let i = 0; i < sets; i++) {
    const { plan } = compileSet(randomPolicies(random.fork()));
    const linked = plan && linkPlan(plan, vocabulary, regex);
    if (!linked || linked instanceof EvaluationError) continue;
    const worlds = random.times(events, () => worldsOf(random, plan)).flat();
    yield { plan, linked, worlds };
  }
}

function worldsOf(random: Random, plan: Plan): readonly World[] {
  const read = normalise(randomEvent(random));
  if ("code" in read) return [];
  const files = hermeticFiles(read.files);
  const worlds = read.views.map((event) => ({
    event,
    facts: facts.of(event, files),
    files,
    regex,
    session: new SessionState().view(event),
    functions,
    conditions: plan.conditions,
  }));
  // What is known in part is judged by grades, which the reference does not count.
  return worlds.filter((world) => !world.facts.approximate);
}

function rulesFor({ linked }: Loaded, world: World): readonly LinkedRule[] {
  return linked.rules.filter(({ rule }) => rule.mode === "enforce" && rule.events.includes(world.event.event));
}

function frameOf(world: World, steps: number, memo?: Frame["memo"]): Frame {
  const { event, facts: found, files, session } = world;
  return { event, facts: found, files, regex, session, slots: [], steps, ...(memo && { memo }) };
}

/** What a condition came to, for comparing: an error by its code. */
const shown = (value: Value | EvaluationError): unknown => (value instanceof EvaluationError ? value.code : value);

describe(`the step budget of a rule (seed ${seed})`, () => {
  it("is used up as the language page counts it", () => {
    let matches = 0;
    // Some seeds draw few rules that match: sets are drawn until there are enough.
    for (const each of loaded(new Random(seed), 1_000, 12)) {
      if (matches > 100) break;
      for (const world of each.worlds) {
        for (const linked of rulesFor(each, world)) {
          const budget = { left: limits.steps };
          const expected = judgeRule(linked.rule, world, budget);
          const actual = evaluateRule(linked, world);
          expect(actual.kind, linked.rule.id).toBe(expected.kind);
          if (actual.kind !== "match") continue;
          matches++;
          expect(actual.frame.steps, JSON.stringify(linked.rule)).toBe(budget.left);
        }
      }
    }
    expect(matches).toBeGreaterThan(50);
  });

  it("ends in HW503 at the same step, whatever is left", () => {
    const random = new Random(seed);
    let exhausted = 0;
    // As above: sets are drawn until there are enough.
    for (const each of loaded(random, 400, 4)) {
      if (exhausted > 40) break;
      for (const world of each.worlds) {
        for (const { rule, when } of rulesFor(each, world)) {
          if (!when || !rule.when || rule.each) continue;
          const steps = random.below(30);
          const budget = { left: steps };
          const frame = frameOf(world, steps);
          const expected = interpret(rule.when, world, new Map(), budget);
          const context = `${steps} steps: ${JSON.stringify(rule.when)}`;
          expect(shown(when(frame)), context).toEqual(shown(expected));
          expect(frame.steps, context).toBe(budget.left);
          if (expected instanceof EvaluationError && expected.code === "HW503") exhausted++;
        }
      }
    }
    expect(exhausted).toBeGreaterThan(20);
  });

  it("does not depend on the order of rules, nor on what was remembered before", () => {
    const random = new Random(seed);
    for (const each of loaded(random, 40, 6)) {
      for (const world of each.worlds) {
        const rules = rulesFor(each, world).filter(({ rule, when }) => when && !rule.each);
        const alone = new Map(rules.map((linked) => [linked.rule.id, stepsOf(linked, frameOf(world, limits.steps))]));
        for (const order of [rules, [...rules].reverse(), rules]) {
          const memo: Frame["memo"] = new Map();
          for (const linked of order)
            expect(stepsOf(linked, frameOf(world, limits.steps, memo))).toEqual(alone.get(linked.rule.id));
        }
      }
    }
  });
});

/** Steps that the condition of a rule takes, and its answer. */
function stepsOf({ when }: LinkedRule, frame: Frame): readonly [unknown, number] {
  const value = when ? when(frame) : true;
  return [shown(value), limits.steps - frame.steps];
}
