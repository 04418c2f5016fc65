import type { View } from "./evaluate-rule.ts";
import type { PlanPolicy } from "./plan.ts";

/**
 * Returns a revision as the rules of a policy see it. Only rules of a project's untrusted policies see the labels that such
 * rules set: a rule of the user may let a call pass because a label is present.
 */
export function ownView(policy: PlanPolicy, view: View): View {
  const { labels, projectLabels } = view.session;
  if (policy.untrusted !== true || projectLabels.length === 0) return view;
  return { ...view, session: { ...view.session, labels: [...new Set([...labels, ...projectLabels])] } };
}
