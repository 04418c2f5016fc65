import type { Plan, PlanRule } from "../../engine/plan.ts";
import { canonicalEvent } from "../../schema/events.ts";
import { EvaluationError } from "../../schema/ports.ts";
import { exampleFailures } from "../examples.ts";
import type { Mutant } from "./mutant.ts";
import { mutantsOf } from "./mutants.ts";
import { type PlacedCase, playCase } from "./run-case.ts";
import type { RuleExamples, SuiteRun } from "./suite-run.ts";

/** Result of one mutant. `by` is the case or example that noticed it. */
export interface MutantResult extends Omit<Mutant, "plan"> {
  readonly by: string | undefined;
}

/** The share of mutants that one of several workers runs. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

const whole: Shard = { index: 0, of: 1 };

/**
 * Runs the mutants of a suite's policies against its examples and cases, each until the first that does not hold. The suite
 * itself must hold. `progress` is called with the number done; mutants in `noticed`, by their `mutantKey`, are left out.
 */
export function runMutants(
  run: SuiteRun,
  shard: Shard = whole,
  progress?: (done: number) => void,
  noticed: ReadonlySet<string> = new Set(),
): MutantResult[] {
  const mutants = mutantsOf(run.file).filter(
    (mutant, i) => i % shard.of === shard.index && !noticed.has(mutantKey(mutant)),
  );
  return mutants.map((mutant, i) => {
    const { plan: _, ...about } = mutant;
    const by = noticedBy(run, mutant);
    progress?.(i + 1);
    return { ...about, by };
  });
}

/** Returns the first test that notices a mutant. Tests about the changed rules come first, since they are likely to. */
function noticedBy(run: SuiteRun, { plan, of }: Mutant): string | undefined {
  const base = run.linked;
  if (base instanceof EvaluationError) return base.message;
  const linked = run.bench.link(plan, { index: false, reuse: base });
  if (linked instanceof EvaluationError) return `plan cannot be linked: ${linked.message}`;
  const isNear = ({ rule }: RuleExamples): boolean => rule.id.endsWith(`/${of}`);
  const near = run.rules.filter(isNear);
  const far = near.length > 0 ? [] : run.rules;
  const changed = isOnlyRules(run.file.plan, plan) ? changedRules(run, plan.rules) : undefined;
  return (
    failingExample(run, near, linked) ??
    failingCase(run, casesAbout(run, changed), linked) ??
    failingExample(run, far, linked)
  );
}

function failingExample(
  run: SuiteRun,
  rules: readonly RuleExamples[],
  linked: Exclude<SuiteRun["linked"], EvaluationError>,
): string | undefined {
  const engine = run.engine(linked);
  for (const { rule, source } of rules)
    for (const _ of exampleFailures(rule, source, engine)) return `an example of ${rule.id}`;
  return undefined;
}

function failingCase(
  run: SuiteRun,
  cases: readonly PlacedCase[],
  linked: Exclude<SuiteRun["linked"], EvaluationError>,
): string | undefined {
  for (const placed of cases)
    for (const _ of playCase(placed, run.engine(linked))) return `case \`${placed.one.name}\``;
  return undefined;
}

/** True for a mutant of single rules: conditions, settings and the number of rules are unchanged. */
function isOnlyRules(base: Plan, plan: Plan): boolean {
  return (
    plan.conditions === base.conditions && plan.policies === base.policies && plan.rules.length === base.rules.length
  );
}

/** Returns the rules that a mutant changed, in both forms. */
function changedRules(run: SuiteRun, rules: readonly PlanRule[]): PlanRule[] {
  return rules.flatMap((rule, i) => {
    const before = run.file.plan.rules[i];
    return before === undefined || before === rule ? [] : [before, rule];
  });
}

/** Returns the cases with an event of a changed rule; all cases if more than rules changed. */
function casesAbout(run: SuiteRun, changed: readonly PlanRule[] | undefined): readonly PlacedCase[] {
  if (!changed) return run.placed;
  const items = changed.flatMap(({ sequence }) => sequence?.items ?? []);
  const events = new Set<string>([...changed, ...items].flatMap((one) => one.events));
  return run.placed.filter(({ one }) =>
    one.events.some(({ event }) => events.has(canonicalEvent(event) ?? event) || event === "approval"),
  );
}

/** Returns the key of a mutant among those of several suites. */
export function mutantKey({ source, span, operator, after }: Omit<Mutant, "plan">): string {
  return `${source} ${span.start} ${span.end} ${operator} ${after}`;
}

/** Joins the mutants of several suites, in the order of the text: one suite is enough to notice a mutant. */
export function joinMutants(found: readonly (readonly MutantResult[])[]): MutantResult[] {
  const joined = new Map<string, MutantResult>();
  for (const one of found.flat()) {
    const key = mutantKey(one);
    const known = joined.get(key);
    if (known?.by === undefined) joined.set(key, one);
  }
  return [...joined.values()];
}

/** Returns the share of noticed mutants, in per cent, rounded down to a tenth; 100 if there are none. */
export function scoreOf(found: readonly MutantResult[]): number {
  const noticed = found.filter(({ by }) => by !== undefined).length;
  return found.length === 0 ? 100 : Math.floor((noticed / found.length) * 1000) / 10;
}
