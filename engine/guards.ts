import { EvaluationError } from "../schema/ports.ts";
import type { GuardHit } from "./combine.ts";
import { coverOf } from "./coverage.ts";
import { evaluateRule, frameOf, refresh, type View } from "./evaluate-rule.ts";
import { errorOf, type Findings } from "./findings.ts";
import type { LinkedRule } from "./link-plan.ts";

/** Judges one revision by every guard; an error closes the event, but for an `allow`, which then does not apply. */
export function guards(rules: readonly LinkedRule[], view: View, index: number, findings: Findings): GuardHit[] {
  const hits: GuardHit[] = [];
  let frame = frameOf(view);
  for (const linked of rules) {
    const { plain } = linked;
    if (plain !== undefined) {
      const held = plain(frame);
      refresh(frame);
      if (held === false) continue;
    } else if (linked.guards.length === 0) continue;
    const result = evaluateRule(linked, view, frame);
    if (result.kind === "no") {
      refresh(frame);
      continue;
    }
    frame = frameOf(view);
    for (const { code } of linked.guards) {
      const outcome = code.name as GuardHit["outcome"];
      if (result.kind === "error") {
        if (linked.rule.mode === "monitor") findings.note(linked, "error", undefined);
        else if (outcome === "allow") findings.record(errorOf(result.error, linked));
        else findings.fail(result.error, linked);
        continue;
      }
      findings.note(linked, outcome, result.element);
      const cover = outcome === "allow" ? coverOf(linked, view) : undefined;
      if (cover instanceof EvaluationError) findings.record(errorOf(cover, linked));
      else if (outcome !== "allow" || cover)
        hits.push({
          linked,
          outcome,
          frame: result.frame,
          element: result.element,
          ...(cover && { cover: { of: cover, view: index } }),
        });
    }
  }
  return hits;
}
