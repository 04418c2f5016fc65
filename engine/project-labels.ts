import type { View } from "./evaluate-rule.ts";
import type { PlanPolicy } from "./plan.ts";

/**
 * A revision as the rules of a policy see it: those of a project that nobody has trusted see the labels that such rules
 * gave, and nobody else does. The user's own rules may pass a call by a label that is there.
 */
export function ownView(policy: PlanPolicy, view: View): View {
  const { labels, projectLabels } = view.session;
  if (policy.untrusted !== true || projectLabels.length === 0) return view;
  return { ...view, session: { ...view.session, labels: [...new Set([...labels, ...projectLabels])] } };
}
