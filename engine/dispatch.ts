import { EvaluationError } from "../schema/ports.ts";
import type { Combined, GuardHit } from "./combine.ts";
import type { View } from "./evaluate-rule.ts";
import { Findings } from "./findings.ts";
import type { LinkedPlan } from "./link-plan.ts";
import { askPrograms } from "./programs.ts";
import { carriedPrograms, combinedOf, judge, settleCarried } from "./round.ts";
import { unsettled } from "./settle.ts";
import { shadow } from "./shadow.ts";
import type { TransformPorts } from "./transform.ts";

/** Result of one dispatch: the final revision, the combined answer, and everything found on the way. */
export interface Dispatched {
  readonly view: View;
  /** The view that texts and notices of policies read: `view` as it is without the removals of untrusted policies. */
  readonly told: View;
  readonly combined: Combined;
  readonly hits: readonly GuardHit[];
  readonly findings: Findings;
}

/**
 * Judges one event (semantics section 3): transforms until nothing changes, guards on the result, late redaction, guards again,
 * programs, combining. `views` are the readings of one call; the first is the call itself. Total and deterministic: every fault
 * is a value, no clock is read, and answers of programs are inputs.
 */
export function dispatch(plan: LinkedPlan, views: readonly View[], ports: TransformPorts): Dispatched {
  const first = views[0] as View;
  const others = views.length === 1 ? none : views.slice(1);
  const candidates = plan.candidates(first.event);
  const findings = new Findings();
  let answers = noAnswers;
  let round = judge(plan, first, others, findings, ports);
  for (let n = 0; !blocks(round.hits) && !blocks(answers) && !findings.failed; n++) {
    const asked = askPrograms(candidates.programs, round.told, findings, ports);
    if (asked.view === round.told) {
      const inside = carriedPrograms(plan, round.carried, findings, ports);
      if (asked.hits.length + inside.length > 0) answers = [...answers, ...asked.hits, ...inside];
      break;
    }
    answers = asked.hits;
    // A payload that a program rewrote is judged from the start.
    round = judge(plan, asked.view, [], findings, ports);
    if (n === 2) findings.fail(unsettled("programs"));
  }
  const { view, told, carried } = round;
  if (others.length > 0 && view.event.args !== first.event.args)
    findings.fail(new EvaluationError("HW505", "arguments that disagree cannot be rewritten"));
  // Rules in monitor mode judge what will run: the final revision, not the original.
  if (candidates.monitored.length > 0) shadow(candidates, [view, ...others, ...round.further], findings, ports);
  const hits =
    answers.length === 0 && carried.length === 0
      ? round.hits
      : [...round.hits, ...answers, ...settleCarried(plan, carried, findings, ports)];
  const combined = combinedOf(plan, round, hits, answers);
  return { view, told, combined, hits, findings };
}

const none: readonly View[] = [];
const noAnswers: readonly GuardHit[] = [];

function blocks(hits: readonly GuardHit[]): boolean {
  for (const { outcome } of hits) if (outcome === "block") return true;
  return false;
}
