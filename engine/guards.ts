import { unmetered } from "../facts/meter.ts";
import { isCallEvent } from "../schema/events.ts";
import { EvaluationError } from "../schema/ports.ts";
import type { GuardHit } from "./combine.ts";
import { coverOf } from "./coverage.ts";
import { evaluateRule, frameOf, type RuleResult, refresh, spendSteps, type View } from "./evaluate-rule.ts";
import { errorOf, type Findings } from "./findings.ts";
import type { Frame } from "./link.ts";
import type { LinkedRule } from "./link-plan.ts";
import { ownView } from "./project-labels.ts";
import { stanceOf, type UnsureMatch } from "./stance.ts";

/**
 * Judges one revision by every guard. An error closes the event, with two exceptions: an `allow` in error does not apply, and a
 * human is asked if a call used up a rule's steps. `paying` are the rules whose work counts; default all.
 */
export function guards(
  rules: readonly LinkedRule[],
  view: View,
  index: number,
  findings: Findings,
  paying?: readonly LinkedRule[],
): GuardHit[] {
  if (view.session.projectLabels.length === 0) return judgeAll(rules, view, index, findings, paying);
  // A frame has one view: untrusted rules, which see other labels, are judged separately, after those of stronger scopes.
  const isTrusted = ({ policy }: LinkedRule): boolean => policy.untrusted !== true;
  const [trusted, own] = [rules.filter(isTrusted), rules.filter((rule) => !isTrusted(rule))];
  const judge = (list: readonly LinkedRule[]): GuardHit[] =>
    list[0] ? judgeAll(list, ownView(list[0].policy, view), index, findings, paying) : [];
  return [...judge(trusted), ...judge(own)];
}

function judgeAll(
  rules: readonly LinkedRule[],
  view: View,
  index: number,
  findings: Findings,
  paying?: readonly LinkedRule[],
): GuardHit[] {
  const free = paying && new Set(rules.filter((linked) => !paying.includes(linked)));
  const hits: GuardHit[] = [];
  let frame = frameOf(view);
  for (const linked of rules) {
    // A supposed reading adds nothing to a rule that already matched.
    if (view.facts.supposes !== undefined && findings.matches(linked)) continue;
    const { plain } = linked;
    if (plain !== undefined) {
      const held = free?.has(linked) ? unmetered(() => plain(frame)) : plain(frame);
      if (!free?.has(linked)) spendSteps(frame);
      refresh(frame);
      if (held === false) continue;
    } else if (linked.guards.length === 0) continue;
    const result: RuleResult = free?.has(linked)
      ? unmetered(() => evaluateRule(linked, view, frame))
      : evaluateRule(linked, view, frame);
    if (result.kind === "no") {
      refresh(frame);
      continue;
    }
    frame = frameOf(view);
    for (const { code } of linked.guards) {
      const wanted = code.name as GuardHit["outcome"];
      if (result.kind === "error") {
        if (linked.rule.mode === "monitor") findings.note(linked, "error", undefined);
        else if (wanted === "allow") findings.record(errorOf(result.error, linked));
        else if (result.error.code === "HW503" && isCallEvent(view.event.event)) {
          findings.record(errorOf(result.error, linked));
          hits.push(unfinished(linked, wanted, frame, findings));
        } else findings.fail(result.error, linked);
        continue;
      }
      const { unsure } = result;
      // An `allow` counts only where its match is sure.
      if (unsure && wanted === "allow") continue;
      const stance = stanceOf(linked.rule, unsure, "guard");
      const outcome = stance === "ask" ? "ask" : wanted;
      findings.note(linked, outcome, result.element, unsure, stance !== "nothing");
      if (stance === "nothing") continue;
      const cover = outcome === "allow" ? coverOf(linked, view) : undefined;
      if (cover instanceof EvaluationError) findings.record(errorOf(cover, linked));
      else if (outcome !== "allow" || cover)
        hits.push({
          linked,
          outcome,
          frame: result.frame,
          element: result.element,
          ...(unsure && { unsure }),
          ...(cover && { cover: { of: cover, view: index } }),
        });
    }
  }
  return hits;
}

/** A rule that used up its steps may hold. To ignore that would let an attacker make a call long enough. */
const spent: UnsureMatch = { grade: "open", unknown: ["what takes more steps than a rule has"], waiver: true };

/** Returns the answer of a rule that used up its steps: a human can allow a call that is merely long, which closing it would prevent. */
function unfinished(linked: LinkedRule, wanted: GuardHit["outcome"], frame: Frame, findings: Findings): GuardHit {
  const outcome = stanceOf(linked.rule, spent, "guard") === "ask" ? "ask" : wanted;
  findings.note(linked, outcome, undefined, spent);
  return { linked, outcome, frame, element: undefined, unsure: spent };
}
