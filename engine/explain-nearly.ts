import type { Attempt, ExplainedRule, Explanation } from "./explain.ts";
import type { ExplainedNode } from "./explain-node.ts";
import { type DecidingTest, deciding, holds, reasonOf, type WhyNot } from "./explain-why-not.ts";

/** A rule that nearly matched, and the single reason why it did not. */
export interface NearMiss {
  readonly rule: ExplainedRule;
  /** `condition` with one test; `unless` and `exception` with those that waive; `sequence`, `budget`. */
  readonly reason: WhyNot;
}

/** Distance of a condition from holding: the failing tests, the number that hold, and how many of these characterise the call. */
interface Distance {
  readonly tests: readonly DecidingTest[];
  readonly holding: number;
  readonly saying: number;
}

/** A near miss with its rank: all of the conditions hold (`Infinity`), or so much says that the rule is for such a call. */
interface Ranked extends NearMiss {
  readonly rank: number;
}

/** Lists that have an element in nearly every call; an element of any other list tells something about the call. */
const commonLists: ReadonlySet<string> = new Set([
  "shell.commands",
  "effects.reads",
  "effects.writes",
  "effects.runs",
  "effects.network",
]);

/**
 * Returns the rules of some policies (indexes into the plan's; default all) that nearly matched, nearest first. Such a rule has
 * one reason not to match. If its conditions hold, `unless` or an exception waived it, its sequence is incomplete, or its budget
 * is not used up. Otherwise a single test fails and the others hold, and at least one of these describes the call, unless an
 * element of a rare list (`effects.deletes`, `effects.pushes`, …) does. Negations and counts do not describe a call: they hold
 * for nearly every one. Rules that were not evaluated, have no element to judge, match, or are in error are never near.
 */
export function nearMisses({ rules }: Explanation, policies?: ReadonlySet<number>): readonly NearMiss[] {
  const found = rules.flatMap((rule): Ranked[] => {
    if (rule.notAsked !== undefined || rule.result !== "no" || (policies && !policies.has(rule.policy))) return [];
    const near = rule.attempts.flatMap((attempt) => missOf(rule, attempt));
    const nearest = near.reduce<Ranked | undefined>((a, b) => (a && a.rank >= b.rank ? a : b), undefined);
    return nearest ? [nearest] : [];
  });
  // The sort is stable, so that rules as near as each other stay in judging order.
  return found.sort((a, b) => (a.rank === b.rank ? 0 : b.rank - a.rank));
}

function missOf(rule: ExplainedRule, attempt: Attempt): Ranked[] {
  const reason = reasonOf(attempt);
  if (rule.sequence === false) return reason ? [] : [{ rule, reason: { kind: "sequence" }, rank: Infinity }];
  if (!reason) return rule.budget ? [{ rule, reason: { kind: "budget", ...rule.budget }, rank: Infinity }] : [];
  if (reason.kind !== "condition" || !attempt.when) return [{ rule, reason, rank: Infinity }];
  const { tests, holding, saying } = distanceOf(attempt.when, undefined);
  const rank = saying + (rule.list === undefined || commonLists.has(rule.list) ? 0 : 1);
  return tests.length === 1 && holding > 0 && rank > 0 ? [{ rule, reason: { ...reason, tests }, rank }] : [];
}

/** Returns the number of tests by which a condition fails; a false OR counts as its nearest part. */
function distanceOf(node: ExplainedNode, policy: string | undefined): Distance {
  const own = node.policy ?? policy;
  const itself: Distance = { tests: [{ node, policy: own }], holding: 0, saying: 0 };
  if (holds(node)) return { tests: [], holding: node.kind === "has" ? 0 : 1, saying: sayingOf(node) };
  switch (node.kind) {
    case "condition":
    case "and":
      return node.parts.length > 0 ? together(node.parts, own) : itself;
    case "or":
      return nearestOf(node.parts, own) ?? itself;
    case "not": {
      const tests = deciding(node, false, policy);
      return tests.length === 1 ? { ...itself, tests } : itself;
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
    saying: all.reduce((sum, { saying }) => sum + saying, 0),
  };
}

function nearestOf(parts: readonly ExplainedNode[], policy: string | undefined): Distance | undefined {
  const near = parts
    .map((part) => distanceOf(part, policy))
    .filter(({ tests, saying }) => tests.length === 1 && saying > 0);
  return near.reduce<Distance | undefined>((a, b) => (a && a.saying >= b.saying ? a : b), undefined);
}

/** Drops failing tests of a field that is absent: the guard for it fails too, and the author wrote both as one test. */
function withoutGuarded(parts: readonly ExplainedNode[]): readonly ExplainedNode[] {
  const absent = parts.filter((part) => part.kind === "has" && !holds(part));
  return parts.filter((part) => !("error" in part.result && absent.some((guard) => isInside(guard, part))));
}

function isInside({ at: inner, policy: a }: ExplainedNode, { at: outer, policy: b }: ExplainedNode): boolean {
  return a === b && inner !== undefined && outer !== undefined && outer[0] <= inner[0] && inner[1] <= outer[1];
}

/** Counts the tests of a holding condition that characterise the call. */
function sayingOf(node: ExplainedNode): number {
  if (!holds(node)) return 0;
  switch (node.kind) {
    case "and":
    case "condition":
      return node.parts.reduce((sum, part) => sum + sayingOf(part), 0);
    case "or":
      return Math.max(0, ...node.parts.map(sayingOf));
    case "not":
    case "has":
      return 0;
    default:
      return isCount(node) || isNegation(node) ? 0 : 1;
  }
}

/** `size(…) > 0`, `size(…) == 0`, and guards that compare with numbers. */
function isCount({ label, parts }: ExplainedNode): boolean {
  return label.startsWith("number.") || parts.some((part) => part.label.endsWith(".size"));
}

/** `x: false` and `x == false`. */
function isNegation({ label, parts }: ExplainedNode): boolean {
  return label === "equal" && parts.some((part) => "value" in part.result && part.result.value === false);
}

/** Returns the attempt that made a rule match: that of the element named by its decision, otherwise the first that holds. */
export function matchingAttempt(rule: ExplainedRule, element: string | undefined): Attempt | undefined {
  const named = element === undefined ? undefined : rule.attempts.find((one) => one.element?.name === element);
  return named ?? rule.attempts.find((one) => reasonOf(one) === undefined) ?? rule.attempts.find(isPossible);
}

/** Its condition is not known to be false, which is enough for a match that is not sure. */
function isPossible({ when }: Attempt): boolean {
  return !when || ("value" in when.result && when.result.value !== false);
}
