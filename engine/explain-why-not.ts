import type { Attempt, ExplainedRule, Explanation } from "./explain.ts";
import type { ExplainedNode } from "./explain-node.ts";

/** A part of a condition that decided, with its policy if that is not the rule's own. */
export interface DecidingTest {
  readonly node: ExplainedNode;
  readonly policy: string | undefined;
}

/**
 * One reason why a rule did not fire. `event`, `tool`: it is for another event or tool. `facts`: the call is not understood.
 * `index`: no condition was evaluated, because the index showed that none can hold. `no_element`: the list of `each` is empty.
 * `condition`: these tests do not hold, for this element. `unless`, `exception`: it would have fired and was waived. `sequence`:
 * its earlier items have not happened. `budget`: it is not used up. `error`: it could not be evaluated.
 */
export type WhyNot =
  | { readonly kind: "event" | "tool"; readonly given: string; readonly wanted: readonly string[] }
  | { readonly kind: "facts" | "index" | "sequence" }
  | { readonly kind: "no_element"; readonly list: string }
  | { readonly kind: "budget"; readonly limit: number; readonly left: number; readonly takes: number }
  | { readonly kind: "error"; readonly message: string }
  | {
      readonly kind: "condition" | "unless" | "exception";
      readonly element: Attempt["element"];
      /** The reason that the exception gives. */
      readonly reason?: string;
      readonly tests: readonly DecidingTest[];
    };

/** Returns every reason why a rule did not fire, in the order of judging; empty for a rule that fired. */
export function whyNot(rule: ExplainedRule, { event }: Explanation): readonly WhyNot[] {
  if (rule.notAsked === "event") return [{ kind: "event", given: event.event, wanted: rule.events }];
  if (rule.notAsked === "tool") return [{ kind: "tool", given: event.tool?.name ?? "", wanted: rule.tools }];
  if (rule.notAsked === "facts") return [{ kind: "facts" }];
  if (rule.result === "match") return [];
  if (rule.result === "error") return [{ kind: "error", message: rule.error ?? "" }];
  const reasons: WhyNot[] = rule.leftOut ? [{ kind: "index" }] : [];
  if (rule.sequence === false) reasons.push({ kind: "sequence" });
  if (rule.list !== undefined && rule.attempts.length === 0) reasons.push({ kind: "no_element", list: rule.list });
  const failing = rule.attempts.map(reasonOf);
  for (const reason of failing) if (reason) reasons.push(reason);
  const held = rule.attempts.length > 0 && failing.includes(undefined);
  if (rule.budget && held && rule.budget.takes <= rule.budget.left) reasons.push({ kind: "budget", ...rule.budget });
  return reasons;
}

/** Returns why one element, or the call, did not make the rule fire; undefined if it would have. */
export function reasonOf({ element, when, unless, exceptions, certain }: Attempt): WhyNot | undefined {
  if (when && !holds(when)) return { kind: "condition", element, tests: deciding(when, false, undefined) };
  if (!certain) return undefined;
  if (unless && holds(unless)) return { kind: "unless", element, tests: deciding(unless, true, undefined) };
  const waiver = exceptions.find((e) => !e.expired && (e.when === undefined || holds(e.when)));
  if (!waiver) return undefined;
  const tests = waiver.when ? deciding(waiver.when, true, undefined) : [];
  return { kind: "exception", element, reason: waiver.reason, tests };
}

/** True for a node that is surely true; a node in error or of unknown value does not hold. */
export function holds(node: ExplainedNode): boolean {
  return "value" in node.result && node.result.value === true;
}

/**
 * Lists the tests that decide the value of a condition. A false AND is decided by its false parts, a false OR by all of its
 * parts; a true one the other way round. A part in error decides like a false one. The negation of one test is a test
 * itself, as in `x: { not_equals: … }`.
 */
export function deciding(node: ExplainedNode, is: boolean, policy: string | undefined): readonly DecidingTest[] {
  const own = node.policy ?? policy;
  const inner = (parts: readonly ExplainedNode[], as: boolean): readonly DecidingTest[] => {
    const found = parts.filter((part) => ("value" in part.result ? part.result.value === as : !as));
    return found.flatMap((part) => deciding(part, as, own));
  };
  const parts = isJoined(node)
    ? inner(node.parts, is)
    : node.kind === "not" && node.parts.some((part) => isJoined(part) || part.kind === "not")
      ? inner(node.parts, !is)
      : [];
  return parts.length > 0 ? parts : [{ node, policy: own }];
}

function isJoined({ kind }: ExplainedNode): boolean {
  return kind === "and" || kind === "or" || kind === "condition";
}
