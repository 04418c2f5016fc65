import type { Attempt, ExplainedRule, Explanation } from "./explain.ts";
import type { ExplainedNode } from "./explain-node.ts";
import { type DecidingTest, deciding, holds, reasonOf, type WhyNot } from "./explain-why-not.ts";

/** A rule that nearly matched, and the one thing that it failed by. */
export interface NearMiss {
  readonly rule: ExplainedRule;
  /** `condition` with one test; `unless` and `exception` with those that waive; `sequence`, `budget`. */
  readonly reason: WhyNot;
}

/** How far a condition is from holding: the tests that fail, and how many hold that say what a call is. */
interface Distance {
  readonly tests: readonly DecidingTest[];
  readonly holding: number;
}

/** A near miss with its rank: all of the conditions hold (`Infinity`), or so many tests beside the one that fails. */
interface Ranked extends NearMiss {
  readonly holding: number;
}

/**
 * The rules of some policies (indexes into the plan's; all where it is not given) that nearly matched, the nearest first.
 * Nearly means that one thing is missing. A rule whose conditions hold was waived by `unless` or an exception, or waits
 * for its sequence, or has something left of its budget. Any other rule fails by one test beside tests that hold; a test
 * that only says what a call is not is no such test, since it holds of nearly every call. Rules that were not asked, that
 * have no element to judge, that match, or that could not be evaluated are never near.
 */
export function nearMisses({ rules }: Explanation, policies?: ReadonlySet<number>): readonly NearMiss[] {
  const found = rules.flatMap((rule): Ranked[] => {
    if (rule.notAsked !== undefined || rule.result !== "no" || (policies && !policies.has(rule.policy))) return [];
    const near = rule.attempts.flatMap((attempt) => missOf(rule, attempt));
    const nearest = near.reduce<Ranked | undefined>((a, b) => (a && a.holding >= b.holding ? a : b), undefined);
    return nearest ? [nearest] : [];
  });
  // The sort is stable, so that rules as near as each other stay in judging order.
  return found.sort((a, b) => (a.holding === b.holding ? 0 : b.holding - a.holding));
}

function missOf(rule: ExplainedRule, attempt: Attempt): Ranked[] {
  const reason = reasonOf(attempt);
  if (rule.sequence === false) return reason ? [] : [{ rule, reason: { kind: "sequence" }, holding: Infinity }];
  if (!reason) return rule.budget ? [{ rule, reason: { kind: "budget", ...rule.budget }, holding: Infinity }] : [];
  if (reason.kind !== "condition" || !attempt.when) return [{ rule, reason, holding: Infinity }];
  const { tests, holding } = distanceOf(attempt.when, undefined);
  return tests.length === 1 && holding > 0 ? [{ rule, reason: { ...reason, tests }, holding }] : [];
}

/** How far a condition that does not hold is from holding: an OR is as far as the nearest of its parts. */
function distanceOf(node: ExplainedNode, policy: string | undefined): Distance {
  const own = node.policy ?? policy;
  const itself: Distance = { tests: [{ node, policy: own }], holding: 0 };
  if (holds(node)) return { tests: [], holding: saying(node) };
  switch (node.kind) {
    case "condition":
    case "and":
      return node.parts.length > 0 ? together(node.parts, own) : itself;
    case "or":
      return nearestOf(node.parts, own) ?? itself;
    case "not": {
      const tests = deciding(node, false, policy);
      return tests.length === 1 ? { tests, holding: 0 } : itself;
    }
    default:
      return itself;
  }
}

function together(parts: readonly ExplainedNode[], policy: string | undefined): Distance {
  const all = withoutGuarded(parts).map((part) => distanceOf(part, policy));
  return {
    tests: all.flatMap(({ tests }) => tests),
    holding: all.reduce((sum, { holding }) => sum + holding, 0),
  };
}

function nearestOf(parts: readonly ExplainedNode[], policy: string | undefined): Distance | undefined {
  const near = parts
    .map((part) => distanceOf(part, policy))
    .filter(({ tests, holding }) => tests.length === 1 && holding > 0);
  return near.reduce<Distance | undefined>((a, b) => (a && a.holding >= b.holding ? a : b), undefined);
}

/** A test of a field that is absent fails with its guard: both are the one test that an author wrote. */
function withoutGuarded(parts: readonly ExplainedNode[]): readonly ExplainedNode[] {
  const absent = parts.filter((part) => part.kind === "has" && !holds(part));
  return parts.filter((part) => !("error" in part.result && absent.some((guard) => isInside(guard, part))));
}

function isInside({ at: inner, policy: a }: ExplainedNode, { at: outer, policy: b }: ExplainedNode): boolean {
  return a === b && inner !== undefined && outer !== undefined && outer[0] <= inner[0] && inner[1] <= outer[1];
}

/** How many tests of a condition that holds say what the call is: a negation and a guard say it of nearly any. */
function saying(node: ExplainedNode): number {
  if (!holds(node)) return 0;
  switch (node.kind) {
    case "and":
    case "condition":
      return node.parts.reduce((sum, part) => sum + saying(part), 0);
    case "or":
      return Math.max(0, ...node.parts.map(saying));
    case "not":
    case "has":
      return 0;
    default:
      return 1;
  }
}

/** The attempt that made a rule match: that of the element which its decision names, else the first that holds. */
export function matchingAttempt(rule: ExplainedRule, element: string | undefined): Attempt | undefined {
  const named = element === undefined ? undefined : rule.attempts.find((one) => one.element?.name === element);
  return named ?? rule.attempts.find((one) => reasonOf(one) === undefined) ?? rule.attempts.find(isPossible);
}

/** Its condition is not known to be false, which is enough for a match that is not sure. */
function isPossible({ when }: Attempt): boolean {
  return !when || ("value" in when.result && when.result.value !== false);
}
