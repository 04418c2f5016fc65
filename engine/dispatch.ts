import { eventKind } from "../schema/events.ts";
import { EvaluationError } from "../schema/ports.ts";
import type { Candidates } from "./candidates.ts";
import { type Combined, combine, type GuardHit } from "./combine.ts";
import { isCovered } from "./coverage.ts";
import type { View } from "./evaluate-rule.ts";
import { Findings } from "./findings.ts";
import { guards } from "./guards.ts";
import type { LinkedAction, LinkedPlan } from "./link-plan.ts";
import { askPrograms } from "./programs.ts";
import { settle, unsettled } from "./settle.ts";
import { shadow } from "./shadow.ts";
import type { TransformPorts } from "./transform.ts";

/** What one dispatch came to: the final revision, the combined answer, and everything found on the way. */
export interface Dispatched {
  readonly view: View;
  readonly combined: Combined;
  readonly hits: readonly GuardHit[];
  readonly findings: Findings;
}

/**
 * Judges one event (semantics section 3): transforms until nothing changes, guards on what is left, late redaction,
 * guards once more, programs, combining. `views` are the readings of one call, the first being the call itself. Total
 * and deterministic: every fault is a value, nothing here looks at a clock, and answers of programs are given.
 */
export function dispatch(plan: LinkedPlan, views: readonly View[], ports: TransformPorts): Dispatched {
  const first = views[0] as View;
  const others = views.slice(1);
  const candidates = plan.candidates(first.event);
  const findings = new Findings();
  let round = judge(candidates, first, others, findings, ports);
  for (let n = 0; !round.hits.some((hit) => hit.outcome === "block") && !findings.failed; n++) {
    const asked = askPrograms(candidates.programs, round.view, findings, ports);
    if (asked.view === round.view) {
      round.hits.push(...asked.hits);
      break;
    }
    // What a program rewrote is judged from the start.
    round = judge(candidates, asked.view, [], findings, ports);
    round.hits.push(...asked.hits);
    if (n === 2) findings.fail(unsettled("programs"));
  }
  const { view, hits } = round;
  if (others.length > 0 && view.event.args !== first.event.args)
    findings.fail(new EvaluationError("HW505", "arguments that disagree cannot be rewritten"));
  // What is judged is what runs: the revision, not what it was made from.
  const judged = [view, ...others];
  if (candidates.monitored.length > 0) shadow(candidates, judged, findings, ports);
  const isCall = calls.has(view.event.event);
  const combined = combine(
    hits,
    plan.plan.policies,
    isCall,
    () => judged.some(({ facts }) => facts.understanding === "unknown"),
    (allows) => judged.every(({ facts }, i) => isCovered(coversIn(allows, i), facts)),
  );
  return { view, combined, hits, findings };
}

/** Events that have a default, and an answer for what cannot be understood. */
const calls: ReadonlySet<string> = new Set(["tool_call", "user_bash", "user_python"]);

function coversIn(allows: readonly GuardHit[], view: number): NonNullable<GuardHit["cover"]>["of"][] {
  return allows.flatMap(({ cover }) => (cover?.view === view ? [cover.of] : []));
}

/** One pass from the original payload to what would run: transforms, guards, late redaction, guards once more. */
function judge(
  candidates: Candidates,
  first: View,
  others: readonly View[],
  findings: Findings,
  ports: TransformPorts,
): { view: View; hits: GuardHit[] } {
  const deciding = eventKind(first.event.event) === "decide";
  const settled = settle(candidates.transforms, first, (action) => !deciding || !isLate(action), findings, ports);
  const hits = guards(candidates.guards(settled), settled, 0, findings);
  for (const [i, view] of others.entries()) hits.push(...guards(candidates.guards(view), view, i + 1, findings));
  const view = deciding ? settle(candidates.transforms, settled, isLate, findings, ports) : settled;
  if (view === settled) return { view, hits };
  // The redacted payload is what runs: what is allowed is judged on it, and the stricter answer holds.
  return {
    view,
    hits: [
      ...hits.filter((hit) => hit.outcome !== "allow" || hit.cover?.view !== 0),
      ...guards(candidates.guards(view), view, 0, findings),
    ],
  };
}

/** On deciding events redaction follows the guards unless the rule says otherwise (semantics section 2). */
function isLate(action: LinkedAction): boolean {
  const parameters = action.plan.parameters as { before_guards?: unknown } | null;
  return action.code.name === "redact" && parameters?.before_guards !== true;
}
