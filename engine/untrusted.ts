import { untrustedStanding } from "../schema/untrusted-policies.ts";
import type { GuardHit } from "./combine.ts";
import { evaluateRule, type View } from "./evaluate-rule.ts";
import type { Findings } from "./findings.ts";
import type { LinkedAction, LinkedRule } from "./link-plan.ts";
import { ownView } from "./project-labels.ts";
import { applyTransform, type TransformPorts } from "./transform.ts";

/** True for an action that may rewrite the event: any action of a trusted policy, and a few of untrusted ones. */
export function rewrites(linked: LinkedRule, action: LinkedAction, { event }: View): boolean {
  if (linked.policy.untrusted !== true) return true;
  const standing = untrustedStanding(action.code.name, event.event);
  return standing === "works" || standing === "token";
}

/** True if a rule of an untrusted policy has transforms; such a rule may rewrite the event only by a token. */
export function hasUntrusted(rules: readonly LinkedRule[]): boolean {
  return rules.some(({ policy, transforms }) => policy.untrusted === true && transforms.length > 0);
}

/**
 * Asks a human where an untrusted policy would redact a call: the rewritten call would be a different one, of the
 * repository's choice. Each reading of the call counts.
 */
export function questions(
  rules: readonly LinkedRule[],
  views: readonly View[],
  findings: Findings,
  ports: TransformPorts,
): GuardHit[] {
  const hits: GuardHit[] = [];
  for (const linked of rules) {
    if (linked.policy.untrusted !== true || linked.transforms.length === 0) continue;
    for (const view of views) hits.push(...asked(linked, ownView(linked.policy, view), findings, ports));
  }
  return hits;
}

function asked(linked: LinkedRule, view: View, findings: Findings, ports: TransformPorts): GuardHit[] {
  const asks = (action: LinkedAction): boolean => untrustedStanding(action.code.name, view.event.event) === "asks";
  const actions = linked.transforms.filter(asks);
  const result = actions.length > 0 ? evaluateRule(linked, view) : undefined;
  if (!result || result.kind === "no") return [];
  const monitored = linked.rule.mode === "monitor";
  if (result.kind === "error") {
    if (monitored) findings.note(linked, "error", undefined);
    else findings.fail(result.error, linked);
    return [];
  }
  return actions.flatMap((action): GuardHit[] => {
    const { view: after, failed } = applyTransform(linked, action, view, result.frame, ports);
    if (failed && !monitored) findings.fail(failed, linked);
    if (failed || after === view) return [];
    findings.note(linked, "ask", result.element, result.unsure);
    return monitored ? [] : [{ linked, outcome: "ask", frame: result.frame, element: result.element, by: "redaction" }];
  });
}
