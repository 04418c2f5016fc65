import { evaluateRule, type View } from "./evaluate-rule.ts";
import type { Findings } from "./findings.ts";
import { guards } from "./guards.ts";
import type { Candidates } from "./link-plan.ts";
import { settle } from "./settle.ts";
import type { TransformPorts } from "./transform.ts";

/** Rules in monitor mode judge a shadow of the event: they see each other's changes and labels, and nobody else does. */
export function shadow(
  { monitored }: Candidates,
  views: readonly View[],
  findings: Findings,
  ports: TransformPorts,
): void {
  const [first, ...others] = views.map((view) => ({ ...view, session: withShadow(view.session) })) as [View, ...View[]];
  const settled = settle(monitored, first, () => true, findings, ports);
  for (const view of [settled, ...others]) guards(monitored, view, 0, findings);
  for (const linked of monitored)
    if (linked.programs.length > 0 && evaluateRule(linked, settled).kind === "match")
      findings.note(linked, "run", undefined);
}

function withShadow(session: View["session"]): View["session"] {
  const { labels, shadowLabels } = session;
  return shadowLabels.length === 0 ? session : { ...session, labels: [...new Set([...labels, ...shadowLabels])] };
}
