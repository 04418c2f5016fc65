import type { AuditBody } from "../../schema/generated.ts";

/** Kinds of differences between an answer and the previous one, the gravest first. */
export const changeKinds = [
  "newly_blocked",
  "newly_asked",
  "no_longer_blocked",
  "no_longer_asked",
  "reason_changed",
  "rewritten_differently",
] as const;

/** One of `changeKinds`. */
export type ChangeKind = (typeof changeKinds)[number];

/** The compared parts of a decision: the answer, who gave it and why, and the rules' changes of the payload. */
export interface Answer {
  readonly outcome: AuditBody["outcome"];
  readonly answered: AuditBody["answered"];
  readonly rule?: string;
  readonly reason?: string;
  /** Rule and action of every rewrite and injected text, in order; their results differ by the keys of an installation. */
  readonly rewrites: readonly string[];
}

/** The answer without any policy, for an event without a decision on record. */
export const noPolicy: Answer = { outcome: "allow", answered: "none", rewrites: [] };

/** Returns the answer in a record's body. */
export function answerOf({ outcome, answered, rule, reason, transforms, delivered = [] }: AuditBody): Answer {
  return {
    outcome,
    answered,
    ...(rule !== undefined && { rule }),
    ...(reason !== undefined && { reason }),
    rewrites: [...transforms.map((t) => `${t.rule} ${t.action}`), ...delivered.map((d) => `${d.rule} inject`)],
  };
}

/** A difference, and the rule that causes it: the one that answers now, or that answered before and no longer does. */
export interface Change {
  readonly kind: ChangeKind;
  readonly rule: string;
}

/**
 * Returns the difference between an answer and the previous one; undefined if there is none. The reason of a plain allow
 * does not count.
 */
export function changeBetween(before: Answer, after: Answer): Change | undefined {
  if (after.outcome !== before.outcome) {
    if (after.outcome === "block") return { kind: "newly_blocked", rule: byWhom(after) };
    if (before.outcome === "block") return { kind: "no_longer_blocked", rule: byWhom(before) };
    return after.outcome === "ask"
      ? { kind: "newly_asked", rule: byWhom(after) }
      : { kind: "no_longer_asked", rule: byWhom(before) };
  }
  if (after.outcome !== "allow" && (after.rule !== before.rule || plainReason(after) !== plainReason(before)))
    return { kind: "reason_changed", rule: byWhom(after) };
  const rewrite = differing(before.rewrites, after.rewrites);
  return rewrite === undefined
    ? undefined
    : { kind: "rewritten_differently", rule: rewrite.slice(0, rewrite.indexOf(" ")) };
}

/** Returns a reason without the digits of a secret's token: they depend on a key that a replay does not have. */
function plainReason({ reason }: Answer): string | undefined {
  return reason?.replace(/(\[REDACTED:[\w.-]{1,64}):[\w-]{1,64}\]/g, "$1]");
}

/** Returns the first rewrite that only one side has; the very first if only the order differs. */
function differing(before: readonly string[], after: readonly string[]): string | undefined {
  const at = Math.max(before.length, after.length);
  for (let i = 0; i < at; i++) {
    if (before[i] === after[i]) continue;
    const fresh = after.find((one) => !before.includes(one)) ?? before.find((one) => !after.includes(one));
    return fresh ?? after[i] ?? before[i];
  }
  return undefined;
}

/** Names of who answered, if no rule did. */
const others: Readonly<Record<Answer["answered"], string>> = {
  rule: "(a rule)",
  default: "(default)",
  unknown: "(unknown calls)",
  error: "(error)",
  none: "(nobody)",
};

function byWhom({ rule, answered }: Answer): string {
  return rule ?? others[answered] ?? others.none;
}
