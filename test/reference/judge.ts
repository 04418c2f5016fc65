import type { PlanRule } from "../../engine/plan.ts";
import { limits } from "../../schema/limits.ts";
import { EvaluationError, type Value } from "../../schema/ports.ts";
import { namedByWaivers } from "./cover.ts";
import { entryAt } from "./data.ts";
import { type Bound, type Budget, interpret, type World } from "./interpret.ts";

/** What one rule says of one reading of an event; of a match also what was bound in it. */
export type Judged =
  | { readonly kind: "no" }
  | { readonly kind: "match"; readonly element: number | undefined; readonly bound: Bound }
  | { readonly kind: "error"; readonly error: EvaluationError };

/** Facts hold what is known in part, which this interpreter of exact values does not judge (`enumerate.ts` does, a condition at a time). */
export class KnownInPart extends Error {}

const no: Judged = { kind: "no" };

/** How a decision names what matched: the list and the index in it, or nothing without `each`. */
export function elementName({ each }: PlanRule, index: number | undefined): string {
  if (index === undefined) return "";
  return ` ${each?.list.k === "root" ? each.list.name : each?.name}[${index}]`;
}

/** Every element of `each` that matches and is not waived; the first error instead, where there is one. */
export function matchingElements(rule: PlanRule, world: World): readonly Value[] | EvaluationError {
  if (!rule.each) return [];
  const budget = { left: limits.steps };
  const list = interpret(rule.each.list, world, new Map(), budget);
  if (list instanceof EvaluationError) return list;
  const found: Value[] = [];
  for (const element of list as readonly Value[]) {
    const result = judgeElement(rule, world, element, 0, budget);
    if (result.kind === "error") return result.error;
    if (result.kind === "match") found.push(element);
  }
  return found;
}

/** Conditions of a rule, or of an item of a sequence. */
export type Conditions = Pick<PlanRule, "tools" | "needs"> &
  Partial<Pick<PlanRule, "when" | "each" | "unless" | "exceptions">>;

/** One rule on one reading: its sequence has happened, its conditions hold, and its budget is used up (language section 5). */
export function judgeRule(rule: PlanRule, world: World, steps: Budget = { left: limits.steps }): Judged {
  if (rule.sequence && !world.session.sequenceHolds(rule.id)) return no;
  const result = judgeConditions(rule, world, steps);
  if (result.kind !== "match" || !rule.budget) return result;
  const amount = amountOf(rule, result.bound, world, steps);
  if (amount instanceof EvaluationError) return { kind: "error", error: amount };
  return amount > world.session.budgetLeft(rule.id, bucketOf(rule, world)) ? result : no;
}

/** What a match takes from the rule's budget: 1, the length of a list, or an int that is no less than 0. */
export function amountOf({ budget }: PlanRule, bound: Bound, world: World, steps: Budget): number | EvaluationError {
  if (!budget?.of) return 1;
  // A list that is known in part may be longer than what it holds.
  if (world.facts.approximate) throw new KnownInPart();
  const value = interpret(budget.of, world, bound, steps);
  if (value instanceof EvaluationError) return value;
  if (Array.isArray(value)) return value.length;
  return typeof value === "number" && Number.isSafeInteger(value)
    ? Math.max(0, value)
    : new EvaluationError("HW502", "neither list nor int");
}

/** The session, agent, tool or turn that an event takes from a budget for. */
export function bucketOf({ budget }: PlanRule, { event, session }: World): string {
  const buckets = { session: "", agent: event.agent.id, tool: event.tool?.name ?? "", turn: String(session.turn) };
  return `${budget?.per} ${buckets[budget?.per ?? "session"]}`;
}

/** Conditions on one reading: the tool, what they need, then every element by itself (language section 2). */
export function judgeConditions(rule: Conditions, world: World, budget: Budget = { left: limits.steps }): Judged {
  if (!matchesTool(rule.tools, world.event.tool?.name)) return no;
  if (rule.needs && world.facts.understanding === "unknown") return no;
  if (rule.needs && world.facts.approximate) throw new KnownInPart();
  if (!rule.each) return judgeElement(rule, world, undefined, undefined, budget);
  const list = interpret(rule.each.list, world, new Map(), budget);
  if (list instanceof EvaluationError) return { kind: "error", error: list };
  if (!Array.isArray(list)) return { kind: "error", error: new EvaluationError("HW502", "`each` needs a list") };
  let failed: Judged = no;
  for (const [i, element] of (list as readonly Value[]).entries()) {
    const result = judgeElement(rule, world, element, i, budget);
    if (result.kind === "match") return result;
    if (result.kind === "error" && failed.kind === "no") failed = result;
  }
  return failed;
}

function judgeElement(
  rule: Conditions,
  world: World,
  element: Value | undefined,
  index: number | undefined,
  budget: Budget,
): Judged {
  const bound: Bound = element === undefined || !rule.each ? new Map() : new Map([[rule.each.slot, element]]);
  const holds = rule.when ? interpret(rule.when, world, bound, budget) : true;
  if (holds instanceof EvaluationError) return { kind: "error", error: holds };
  if (holds !== true) return no;
  if (entryAt(element, "certain") !== false || ["placed", "written"].some((mark) => entryAt(element, mark) === true))
    return isWaived(rule, world, bound, budget) ? no : { kind: "match", element: index, bound };
  return { kind: "match", element: index, bound };
}

function isWaived(rule: Conditions, given: World, bound: Bound, budget: Budget): boolean {
  const waivers = [rule.unless, ...(rule.exceptions ?? []).map(({ when }) => when)];
  const world = { ...given, waiver: namedByWaivers(waivers, given) };
  if (rule.unless && interpret(rule.unless, world, bound, budget) === true) return true;
  return (rule.exceptions ?? []).some(({ when, expires }) => {
    if (expires !== undefined && world.event.time >= expires) return false;
    return when === undefined || interpret(when, world, bound, budget) === true;
  });
}

/** Canonical names and globs; none at all is any tool, or none. */
export function matchesTool(patterns: readonly string[], tool: string | undefined): boolean {
  if (patterns.length === 0) return true;
  if (tool === undefined) return false;
  return patterns.some((pattern) => {
    const parts = pattern
      .replace(/[.+^${}()|[\]\\]/g, "\\$&")
      .replaceAll("*", ".*")
      .replaceAll("?", ".");
    return new RegExp(`^${parts}$`, "s").test(tool);
  });
}

/** The reading that says most: a match, else an error. */
export function worst(results: readonly (readonly [Judged, World])[]): readonly [Judged, World] {
  const found = results.find(([{ kind }]) => kind === "match") ?? results.find(([{ kind }]) => kind === "error");
  return found ?? (results[0] as readonly [Judged, World]);
}

/** The world with the labels that rules in monitor mode gave. */
export function withShadow(world: World): World {
  const { labels, shadowLabels } = world.session;
  return { ...world, session: { ...world.session, labels: [...new Set([...labels, ...shadowLabels])] } };
}
