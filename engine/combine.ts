import type { Cover } from "./coverage.ts";
import type { Frame } from "./link.ts";
import type { LinkedRule } from "./link-plan.ts";
import type { Fallback, PlanPolicy, Scope } from "./plan.ts";
import type { UnsureMatch } from "./stance.ts";
import { UsualAnswer } from "./usual-answer.ts";

/** One guard's answer to a call. */
export interface GuardHit {
  readonly linked: LinkedRule;
  readonly outcome: Fallback;
  readonly frame: Frame;
  readonly element: string | undefined;
  /** The part of the call that an `allow` covers, and in which reading of the call. */
  readonly cover?: { readonly of: Cover; readonly view: number };
  /** Set where a program answered for the rule, with the reason that it gave, or where the rule may not redact what it found. */
  readonly by?: "program" | "redaction";
  readonly reason?: string;
  /** Set if it is unsure whether the rule applies. */
  readonly unsure?: UnsureMatch | undefined;
  /** Set for a reading with a project's declarations: it can make an answer stricter, but does not replace a default. */
  readonly beside?: true;
}

/** The combined answer: who answered, and the rule that is cited. */
export interface Combined {
  readonly outcome: Fallback;
  readonly answered: "rule" | "default" | "unknown" | "none";
  readonly cited: GuardHit | undefined;
  /** Set where a rule asks, and so does the default or `unknown` of a policy for which that rule does not answer. */
  readonly also?: "default" | "unknown";
  /** True for an answer that comes only from untrusted policies of a project. */
  readonly untrusted?: true;
}

const strictness: Readonly<Record<Fallback, number>> = { allow: 0, ask: 1, block: 2 };
const rank: Readonly<Record<Scope, number>> = { builtin: 0, managed: 1, user: 2, project: 3 };

const usual = new UsualAnswer<Combined>();

/** True if `a` is stricter than `b`: block over ask over allow. */
export function stricter(a: Fallback, b: Fallback): boolean {
  return strictness[a] > strictness[b];
}

/** Returns the strictest of some answers; of equal ones the last, which belongs to the payload that would run. */
export function strictest(answers: readonly Combined[]): Combined {
  return answers.reduce((one, other) => (stricter(one.outcome, other.outcome) ? one : other));
}

/**
 * Combines the guards' answers (semantics section 3, step 5): the strictest wins, the first in judging order is cited. A policy
 * whose scope, or a higher one, did not answer adds its default, and its `unknown` for a call that was not understood
 * (`isUnknown`, called only if it matters). An `allow` answers only a call that it covers in full, which `isCovered` decides.
 * `call` is false for events without a default.
 */
export function combine(
  hits: readonly GuardHit[],
  policies: readonly PlanPolicy[],
  call: boolean,
  isUnknown: () => boolean,
  isCovered: (allows: readonly GuardHit[]) => boolean,
): Combined {
  let best: Combined = { outcome: "allow", answered: "none", cited: undefined };
  for (const hit of hits) {
    if (best.cited === undefined || stricter(hit.outcome, best.outcome))
      best = { outcome: hit.outcome, answered: "rule", cited: hit };
  }
  if (!call) return best;
  const of = (own: () => boolean): Combined => withPolicies(best, hits, policies, own, isCovered);
  return hits.length === 0 ? usual.of(policies, isUnknown, (is) => of(() => is)) : of(isUnknown);
}

function withPolicies(
  answered: Combined,
  hits: readonly GuardHit[],
  policies: readonly PlanPolicy[],
  isUnknown: () => boolean,
  isCovered: (allows: readonly GuardHit[]) => boolean,
): Combined {
  let best = answered;
  for (const policy of policies) {
    if (policy.mode === "monitor") continue;
    if (!answers(hits, policy, isCovered)) best = withFallback(best, policy, policy.default, "default");
    if (policy.unknown !== "allow" && !answers(hits, policy, undefined) && isUnknown())
      best = withFallback(best, policy, policy.unknown, "unknown");
  }
  return best.answered === "none" ? { ...best, answered: "default" } : best;
}

/**
 * True if guards of the policy's scope or a higher one answer for it. An unsure match does not replace the default, because the
 * default answers where the rule does not apply. An `allow` never answers an unknown call (without `isCovered`), and any other
 * call only if all allows together cover it.
 */
function answers(
  hits: readonly GuardHit[],
  policy: PlanPolicy,
  isCovered: ((allows: readonly GuardHit[]) => boolean) | undefined,
): boolean {
  if (hits.length === 0) return false;
  const able = hits.filter((hit) => rank[hit.linked.policy.scope] <= rank[policy.scope]);
  if (able.some((hit) => hit.outcome !== "allow" && isSure(hit))) return true;
  return able.length > 0 && isCovered?.(able) === true;
}

function isSure({ unsure, beside }: GuardHit): boolean {
  return beside === undefined && (unsure === undefined || unsure.grade === "all");
}

function withFallback(
  best: Combined,
  { untrusted }: PlanPolicy,
  outcome: Fallback,
  answered: "default" | "unknown",
): Combined {
  if (outcome === "ask" && best.outcome === "ask" && best.answered === "rule") return { ...best, also: answered };
  const isStricter = stricter(outcome, best.outcome);
  const better = isStricter || (outcome === best.outcome && best.answered === "default" && outcome !== "allow");
  if (better)
    return { outcome, answered, cited: undefined, ...(untrusted && (isStricter || best.untrusted) && { untrusted }) };
  const { untrusted: _, ...shared } = best;
  return best.untrusted && !untrusted && outcome === best.outcome ? shared : best;
}
