import { expect } from "vitest";
import type { RuleResult } from "../../../engine/evaluate-rule.ts";
import { type LinkedRule, linkPlan } from "../../../engine/link-plan.ts";
import { normalise } from "../../../engine/normalise.ts";
import { SessionState } from "../../../engine/session-state.ts";
import { facts } from "../../../facts/facts.ts";
import { hermeticFiles } from "../../../facts/paths/files.ts";
import { createRegexEngine } from "../../../facts/regex.ts";
import { functions } from "../../../rules/vocabulary.ts";
import { vocabularyFor } from "../../../runtime.ts";
import type { ApproximateKind, Effects } from "../../../schema/facts.ts";
import { EvaluationError } from "../../../schema/ports.ts";
import { bash, planOf } from "../../engine/actions/engine.ts";
import type { World } from "../../reference/interpret.ts";
import { rounds as roundsOfRun } from "../seed.ts";

export const regex = createRegexEngine();
export const vocabulary = vocabularyFor(regex);
export const files = hermeticFiles(undefined);

/** How much larger a run is than usual: `FC_SCALE=10 npm run test:seeds` draws ten times as many conditions on values known in part. */
const scale = Math.max(1, Number(process.env["FC_SCALE"] ?? 1));

/** Rounds of a property that compares values known in part. */
export const rounds = (all: number): number => roundsOfRun(all) * scale;

/** A rule that blocks an element of `list` (`d: effects.deletes`) under a condition. */
export interface RuleUnderTest {
  readonly rule: LinkedRule;
  readonly conditions: World["conditions"];
}

/** Links a rule; undefined for a condition whose tests contradict each other, because such a rule does not load. */
export function ruleOn(list: string, condition: string): RuleUnderTest | undefined {
  const text = `- { id: r, event: tool_call, each: { ${list} }, when: ${JSON.stringify(condition)}, action: block, reason: no }`;
  try {
    const plan = planOf(text);
    const linked = linkPlan(plan, vocabulary, regex);
    if (linked instanceof EvaluationError) throw linked;
    return { rule: linked.rules.find((one) => one.rule.id.endsWith("/r")) as LinkedRule, conditions: plan.conditions };
  } catch (error) {
    expect(String(error)).toMatch(/HW31/);
    return undefined;
  }
}

/** A call that does nothing but `made`; `kinds` of it are known in part. */
export function worldOf(
  made: Partial<Effects>,
  conditions: World["conditions"],
  kinds: readonly ApproximateKind[],
  environment?: object,
): World {
  const read = normalise({ ...bash("true"), ...(environment && { environment }) });
  if ("code" in read) throw new Error(read.message);
  const { understanding, doubts, shell, effects, secrets, text } = facts.of(read.event, files);
  const all = { ...(effects as NonNullable<typeof effects>), ...made };
  return {
    event: read.event,
    facts: {
      ...{ understanding, doubts, shell, secrets, text },
      effects: all,
      ...(kinds.length > 0 && { approximate: new Set(kinds) }),
    },
    files,
    regex,
    session: new SessionState().view(read.event),
    functions,
    conditions,
  };
}

/** The grade of a result; `no` and `error` by these names. */
export function gradeOf(result: RuleResult): string {
  return result.kind === "match" ? (result.unsure?.grade ?? "yes") : result.kind;
}

/** Counts grades and the pairs of a value known in part and one of its values that were compared. */
export class Compared {
  readonly #grades = new Map<string, number>();
  #pairs = 0;

  add(grade: string, pairs: number): void {
    this.#grades.set(grade, (this.#grades.get(grade) ?? 0) + 1);
    this.#pairs += pairs;
  }

  /** Every grade was seen; a larger run says how many pairs it compared. */
  expectAll(...grades: readonly string[]): void {
    if (scale > 1) console.log(`${this.#pairs} pairs compared`);
    expect([...this.#grades.keys()].filter((grade) => grade !== "error").sort()).toEqual([...grades].sort());
  }
}
