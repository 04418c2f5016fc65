import type { Fallback, Plan, PlanRule, Scope } from "../../engine/plan.ts";
import type { FactSet } from "../../schema/facts.ts";
import type { Value } from "../../schema/ports.ts";
import { isAllowed } from "./cover.ts";

/** A guard that answered, in judging order; of an `allow` what it speaks for, and in which reading. */
export interface Hit {
  readonly rule: PlanRule;
  readonly outcome: Fallback;
  readonly reading: number;
  /** The whole call, or these commands and effects. */
  readonly allows?: "all" | readonly Value[];
  /** `opaque: true`. */
  readonly opaque?: boolean;
}

/** Who answered a call, and what. */
export interface Answer {
  readonly outcome: Fallback;
  readonly answered: string;
  readonly rule: string | undefined;
  /** What a scope asks that the asking rules do not speak for. */
  readonly also?: string;
}

const strictness: readonly Fallback[] = ["allow", "ask", "block"];
const scopes: readonly Scope[] = ["builtin", "managed", "user", "project"];

/** Block over ask over allow. */
export function strictest(answers: readonly Fallback[]): Fallback {
  return answers.reduce((a, b) => (strictness.indexOf(b) > strictness.indexOf(a) ? b : a), "allow");
}

/** The strictest guard, or what is stricter of the defaults and `unknown` of scopes that got no answer. */
export function combined(plan: Plan, hits: readonly Hit[], readings: readonly FactSet[], isCall: boolean): Answer {
  const given = strictest(hits.map((hit) => hit.outcome));
  const cited = hits.find((hit) => hit.outcome === given)?.rule.id;
  const open = isCall ? fallbacksOf(plan, hits, readings) : ({ default: "allow", unknown: "allow" } as const);
  const fallback = strictest([open.default, open.unknown]);
  const also = open.unknown === "ask" ? "unknown" : "default";
  const asksToo = given === "ask" && [open.default, open.unknown].includes("ask");
  if (cited !== undefined && strictest([given, fallback]) === given)
    return { outcome: given, answered: "rule", rule: cited, ...(asksToo && { also }) };
  const isDefault = open.unknown !== fallback || fallback === "allow";
  return { outcome: fallback, answered: isCall ? (isDefault ? "default" : "unknown") : "none", rule: undefined };
}

/** The strictest default and `unknown` among the files whose scope, or one above, did not answer. */
function fallbacksOf(
  plan: Plan,
  hits: readonly Hit[],
  readings: readonly FactSet[],
): { readonly default: Fallback; readonly unknown: Fallback } {
  const isUnknown = readings.some(({ understanding }) => understanding === "unknown");
  const enforcing = plan.policies.filter(({ mode }) => mode === "enforce");
  const able = (scope: Scope): readonly Hit[] =>
    hits.filter(({ rule }) => scopes.indexOf(plan.policies[rule.policy]?.scope ?? "user") <= scopes.indexOf(scope));
  const denied = (scope: Scope): boolean => able(scope).some(({ outcome }) => outcome !== "allow");
  const allowed = (scope: Scope): boolean =>
    able(scope).length > 0 &&
    readings.every((facts, i) =>
      isAllowed(
        able(scope)
          .filter((hit) => hit.reading === i)
          .map(({ rule, allows, opaque }) => ({
            rule,
            elements: allows === "all" ? undefined : (allows ?? []),
            opaque: opaque === true,
          })),
        facts,
        plan,
      ),
    );
  const unanswered = enforcing.filter(({ scope }) => !denied(scope) && !allowed(scope));
  const undenied = enforcing.filter(({ scope }) => !denied(scope));
  return {
    default: strictest(unanswered.map((policy) => policy.default)),
    // An `allow` never answers an unknown call.
    unknown: isUnknown ? strictest(undenied.map((policy) => policy.unknown)) : "allow",
  };
}
