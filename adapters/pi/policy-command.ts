import type { Engine } from "../../runtime.ts";
import { visible } from "./approval.ts";
import type { PlanChange } from "./pinned-plans.ts";
import type { RecentDecision } from "./recent-decisions.ts";

type Plan = NonNullable<Engine["plan"]>;

/** State of a session that `/policy` shows. */
export interface PolicyState {
  readonly plan: Plan | undefined;
  readonly recent: readonly RecentDecision[];
  /** State of a change on disk, as last told. */
  readonly change?: PlanChange | undefined;
  /** Digests that a human trusted; undefined if trust is unknown. */
  readonly trusted?: ReadonlySet<string> | undefined;
}

/** Counts the rules written for this installation: all but the built-in ones, which every plan has. */
export function ownRules(plan: Plan): number {
  return plan.rules.filter((rule) => plan.policies[rule.policy]?.scope !== "builtin").length;
}

/** Returns the line of the footer. `closed` is why a session is closed although it has a plan. */
export function statusText(plan: Plan | undefined, pending: boolean, closed?: string): string {
  if (plan === undefined) return "hookwarden: closed, no usable policy";
  if (closed !== undefined) return `hookwarden: closed, ${visible(closed).slice(0, 120)}`;
  const count = ownRules(plan);
  return `hookwarden: ${count} ${count === 1 ? "rule" : "rules"}${pending ? ", reload pending" : ""}`;
}

/** Returns the text of `/policy`: the session's policies, their trust, a pending change, and the last decisions with reasons. */
export function policyText({ plan, recent, change, trusted }: PolicyState): string {
  if (plan === undefined) return "hookwarden has no usable policy: every call is blocked. Run `hookwarden doctor`.";
  const lines = [`${statusText(plan, change?.kind === "reload_pending")} (plan ${short(plan.digest)})`];
  plan.policies.forEach((policy, index) => {
    const rules = plan.rules.filter((rule) => rule.policy === index).length;
    const trust = policy.scope !== "project" ? "" : trusted?.has(policy.source) ? ", trusted" : ", not trusted";
    const mode = policy.mode === "enforce" ? "" : `, ${policy.mode}`;
    const count = `${rules} ${rules === 1 ? "rule" : "rules"}`;
    lines.push(`- ${policy.id}: ${policy.scope}, ${count}${mode}${trust}, ${short(policy.source)}`);
  });
  if (change?.kind === "reload_pending") {
    const stands = change.found ?? change.policies;
    const found = stands === undefined ? (change.why ?? "they do not load") : short(stands);
    lines.push(`The policies on disk changed (${found}): \`hookwarden reload\`, or a new session, uses them.`);
  }
  lines.push(recent.length === 0 ? "No decision to tell of yet." : "Last decisions, newest first:");
  for (const { time, what, outcome, why } of recent.slice(0, 10))
    lines.push(`- ${time.slice(11, 19)} ${outcome} ${what}: ${why}`);
  return lines.map((line) => visible(line).slice(0, 500)).join("\n");
}

function short(digest: string): string {
  return digest.slice(0, "sha256:".length + 12);
}
