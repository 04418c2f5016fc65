import { metered } from "../facts/meter.ts";
import type { DecisionError } from "../schema/generated.ts";
import { limits } from "../schema/limits.ts";
import type { Candidates } from "./candidates.ts";
import { evaluateRule, type View } from "./evaluate-rule.ts";
import type { Findings } from "./findings.ts";
import { guards } from "./guards.ts";
import { settle } from "./settle.ts";
import type { TransformPorts } from "./transform.ts";
import { questions } from "./untrusted.ts";

/**
 * Judges a shadow of the event by rules in monitor mode: only they see each other's changes and labels. Their work is
 * counted separately, since it must not close an event: beyond its limit the record says that not all of them were asked.
 */
export function shadow(
  candidates: Candidates,
  views: readonly View[],
  findings: Findings,
  ports: TransformPorts,
): void {
  metered(
    limits.monitorWork,
    () => judgeShadow(candidates, views, findings, ports),
    () => findings.record(overworked),
  );
}

const overworked: DecisionError = {
  code: "HW516",
  message: "rules in monitor mode take more work than one event may, so that not all of them were asked",
};

function judgeShadow(
  { monitored, watching, paying }: Candidates,
  views: readonly View[],
  findings: Findings,
  ports: TransformPorts,
): void {
  const [first, ...others] = views.map(shadowOf) as [View, ...View[]];
  const settled = settle(monitored, first, () => true, findings, ports);
  questions(monitored, [settled, ...others], findings, ports);
  for (const view of [settled, ...others]) guards(watching(view), view, 0, findings, paying?.watching(view));
  for (const linked of monitored)
    if (linked.programs.length > 0 && evaluateRule(linked, settled).kind === "match")
      findings.note(linked, "run", undefined);
}

/** Returns a revision as rules in monitor mode see it: with the labels that such rules set. */
export function shadowOf(view: View): View {
  const { labels, shadowLabels } = view.session;
  if (shadowLabels.length === 0) return view;
  return { ...view, session: { ...view.session, labels: [...new Set([...labels, ...shadowLabels])] } };
}
