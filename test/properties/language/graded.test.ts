import { describe, expect, it } from "vitest";
import { evaluateRule } from "../../../engine/evaluate-rule.ts";
import { createGradedLinker } from "../../../engine/graded-link.ts";
import { createLinker } from "../../../engine/link.ts";
import { type LinkedRule, linkPlan } from "../../../engine/link-plan.ts";
import { normalise } from "../../../engine/normalise.ts";
import type { Ir, Plan } from "../../../engine/plan.ts";
import { SessionState } from "../../../engine/session-state.ts";
import { facts } from "../../../facts/facts.ts";
import { hermeticFiles } from "../../../facts/paths/files.ts";
import { createRegexEngine } from "../../../facts/regex.ts";
import { functions } from "../../../rules/vocabulary.ts";
import { vocabularyFor } from "../../../runtime.ts";
import { shownText } from "../../../schema/approximation.ts";
import type { FactSet, PushEffect } from "../../../schema/facts.ts";
import { limits } from "../../../schema/limits.ts";
import { EvaluationError } from "../../../schema/ports.ts";
import { bash, planOf } from "../../engine/actions/engine.ts";
import { randomText } from "../../facts/approximate/texts.ts";
import { answersOf } from "../../reference/enumerate.ts";
import type { World } from "../../reference/interpret.ts";
import { rounds, seed } from "../seed.ts";
import { randomEvent } from "./events.ts";
import { compileSet } from "./oracle.ts";
import { randomPolicies } from "./policies.ts";
import { Random } from "./random.ts";

const regex = createRegexEngine();
const vocabulary = vocabularyFor(regex);

/** A random condition on a push whose branch is known in part. */
function randomCondition(random: Random, depth: number): string {
  const branch = "p.target.branch";
  const text = (): string => JSON.stringify(random.pick(["", "a", "b", "ab", "a/b", "/", "b/a"]));
  const glob = (): string =>
    JSON.stringify(random.pick(["*", "**", "a*", "*/b", "**/a", "{a,b}", "?", "a/**", "[ab]*"]));
  if (depth === 0 || random.chance(0.2))
    return random.pick([
      () => `${branch} == ${text()}`,
      () => `${branch} != ${text()}`,
      () => `${branch}.glob(${glob()})`,
      () => `${branch}.glob([${glob()}, ${glob()}])`,
      () => `${branch}.contains(${text()})`,
      () => `${branch}.startsWith(${text()})`,
      () => `${branch}.endsWith(${text()})`,
      () => `${branch}.matches("^a|b$")`,
      () => `${branch} in [${text()}, ${text()}]`,
      () => `[${branch}, ${text()}].exists(x, x == ${text()})`,
      () => `[${branch}, ${text()}].all(x, x != ${text()})`,
      () => `[${branch}, ${text()}].filter(x, x == ${text()}).size() > 0`,
      () => `[${branch}, ${text()}].exists_one(x, x == ${text()})`,
      () => `${text()} in [${branch}, ${text()}]`,
      () => `${branch}.upperAscii().lowerAscii() == ${text()}`,
      () => `${branch} + ${text()} == ${text()}`,
      () => `(${branch} + "x").endsWith("bx")`,
      () => `size(${branch}) > 1`,
      () => `${branch} == p.remote`,
      () => `has(p.target.branch) && p.forced`,
      () => "p.forced",
      () => `{"k": ${branch}}["k"] == ${text()}`,
      () => `p.target.?branch.orValue("") == ${text()}`,
    ])();
  const inner = (): string => `(${randomCondition(random, depth - 1)})`;
  return random.pick([
    () => `${inner()} && ${inner()}`,
    () => `${inner()} || ${inner()}`,
    () => `!${inner()}`,
    () => `(${inner()} ? ${inner()} : ${inner()})`,
  ])();
}

function planWith(condition: string): Plan | undefined {
  const rule = `- { id: r, event: tool_call, each: { p: effects.pushes }, when: ${JSON.stringify(condition)}, action: block, reason: no }`;
  try {
    return planOf(rule);
  } catch (error) {
    expect(String(error)).toContain("HW312");
    return undefined;
  }
}

function worldOf(wire: unknown, plan: Plan, more: Partial<FactSet>): World {
  const read = normalise(wire);
  if ("code" in read) throw new Error(read.message);
  const files = hermeticFiles(read.files);
  const found = facts.of(read.event, files);
  const { understanding, doubts, shell, effects, secrets, text } = found;
  return {
    event: read.event,
    facts: { understanding, doubts, shell, effects, secrets, text, ...more },
    files,
    regex,
    session: new SessionState().view(read.event),
    functions,
    conditions: plan.conditions,
  };
}

describe(`graded conditions (seed ${seed})`, () => {
  it("are never no where some value passes, nor yes where some value fails", () => {
    const random = new Random(seed);
    const source = (): number => random.next();
    const grades = new Map<string, number>();
    for (let i = 0; i < rounds(250); i++) {
      const condition = randomCondition(random, 3);
      const plan = planWith(condition);
      // Tests that contradict each other do not load.
      if (!plan) continue;
      const linked = linkPlan(plan, vocabulary, regex);
      if (linked instanceof EvaluationError) throw linked;
      const rule = linked.rules.find((one) => one.rule.id.endsWith("/r")) as LinkedRule;
      for (let n = 0; n < 12; n++) {
        const branch = randomText(source);
        const push: PushEffect = {
          remote: random.pick(["", "a", "b"]),
          target: { branch },
          forced: random.chance(0.5),
          mirror: false,
          delete: false,
          via: "git",
          certain: true,
          command: -1,
        };
        const effects = { ...noEffects(), pushes: [push] };
        const world = worldOf(bash("true"), plan, { effects, approximate: new Set(["pushes"] as const) });
        const answers = answersOf(rule.rule.when as Ir, world, rule.rule.each?.slot ?? 0, push);
        const result = evaluateRule(rule, world);
        const said = `${condition} of ${branch.form} ${shownText(branch)}: ${JSON.stringify({ ...result, frame: 0 })}`;
        expect(result.kind, said).not.toBe("error");
        if (answers.has(true)) expect(result.kind, said).toBe("match");
        if (answers.has(false)) expect(result.kind === "match" && !result.unsure, said).toBe(false);
        const grade = result.kind === "match" ? (result.unsure?.grade ?? "yes") : "no";
        grades.set(grade, (grades.get(grade) ?? 0) + 1);
      }
    }
    expect([...grades.keys()].sort()).toEqual(["all", "no", "open", "telling", "yes"]);
  });

  it("come to what plain ones come to on exact values, in as many steps", () => {
    const random = new Random(seed + 1);
    let compared = 0;
    for (let i = 0; i < rounds(60); i++) {
      const { plan } = compileSet(randomPolicies(random.fork()));
      if (!plan) continue;
      const named = (name: string): Ir | undefined => plan.conditions[name];
      const linkers = [createLinker, createGradedLinker].map((create) => create(vocabulary, regex, named));
      for (let n = 0; n < 4; n++) {
        const wire = randomEvent(random);
        if ("code" in normalise(wire)) continue;
        const world = worldOf(wire, plan, {});
        for (const { when, each, events } of plan.rules) {
          if (!when || each || !events.includes(world.event.event)) continue;
          const seen = linkers.map(({ link }) => {
            const frame = { ...world, slots: [], steps: limits.steps };
            const value = link(when)(frame);
            return { value: value instanceof EvaluationError ? value.code : value, steps: frame.steps };
          });
          expect(seen[1], JSON.stringify(when)).toEqual(seen[0]);
          compared += 1;
        }
      }
    }
    expect(compared).toBeGreaterThan(50);
  });
});

function noEffects() {
  return { reads: [], writes: [], deletes: [], runs: [], network: [], installs: [], pushes: [], config: [], kills: [] };
}
