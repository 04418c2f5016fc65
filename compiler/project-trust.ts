import type { Code } from "../diagnostics/codes.ts";
import type { Span } from "../diagnostics/source.ts";
import type { Json, PlanAction, PlanPolicy } from "../engine/plan.ts";
import type { PolicyDraft, RuleDraft } from "./policy-draft.ts";

/** Actions that a project's policy may take before a human trusts it: they only tighten, mark or write down. */
const tightening: ReadonlySet<string> = new Set(["block", "ask", "redact", "label", "record"]);

/**
 * Parameters that loosen something about an action that only tightens: redaction in front of the guards hides from other
 * policies what was asked for, and an answer that clears labels clears those of others.
 */
const loosening: Readonly<Record<string, readonly string[]>> = { redact: ["before_guards"], ask: ["clears"] };

type Report = (code: Code, span: Span, message: string, help: string) => void;

/**
 * What is left of a rule's actions in a project's policy that no human has trusted (semantics section 3, "Scopes"): such a
 * policy comes with the repository, hence from anyone. What has no effect is a finding that names the rule.
 */
export function withoutTrust(draft: RuleDraft, actions: readonly PlanAction[], report: Report): PlanAction[] {
  for (const { name, span, parameters } of draft.actions) {
    if (!tightening.has(name)) report("HW606", span, `\`${name}\` of rule \`${draft.id}\` ${inert}`, help);
    for (const parameter of parameters?.entries ?? [])
      if (loosening[name]?.includes(parameter.key))
        report("HW606", parameter.keySpan, `\`${parameter.key}\` of rule \`${draft.id}\` ${inert}`, help);
  }
  return actions.filter(({ action }) => tightening.has(action)).map(strictly);
}

/**
 * How a project's policy that no human has trusted is audited: it may ask for a stricter trail, but of several policies
 * the one that keeps least decides, and the repository must not choose to leave out what others want to read later.
 */
export function auditWithoutTrust(audit: PlanPolicy["audit"]): PlanPolicy["audit"] {
  return audit.keep === "digests" ? { ...audit, keep: "views" } : audit;
}

/** Reports what a project's policy says about records that has no effect before a human trusts it. */
export function reportAuditWithoutTrust({ audit, keepSpan, span }: PolicyDraft, report: Report): void {
  if (audit.keep === "digests") report("HW606", keepSpan ?? span, `\`keep: digests\` ${inert}`, help);
}

const inert = "has no effect before a human trusts the project's policy";
const help = "look at the policy, then run `hookwarden trust` on it";

function strictly(action: PlanAction): PlanAction {
  const dropped = loosening[action.action];
  const given = action.parameters;
  if (!dropped || typeof given !== "object" || given === null || Array.isArray(given)) return action;
  const kept = Object.entries(given as Readonly<Record<string, Json>>).filter(([key]) => !dropped.includes(key));
  return { ...action, parameters: Object.fromEntries(kept) };
}
