import { type Palette, visible } from "../../../diagnostics/render.ts";
import type { Decision, RuleMatch } from "../../../schema/generated.ts";
import type { ExplanationReport } from "./texts.ts";

/** Maximum rules that one line of the answer names. */
const mostNamed = 3;

/**
 * Returns the answer to the event, for people. The first line has the outcome and who gave it. Then come reason and
 * guidance, unknown facts, other answers, parts without an `allow`, changes and errors.
 */
export function answerLines(report: ExplanationReport, colors: Palette): string[] {
  const { decision: d } = report;
  const lines = [colors.strong(headLine(d))];
  const reason = d.reason ?? reasonOf(report);
  if (reason !== undefined) lines.push(`  reason: ${visible(reason)}`);
  if (d.guidance !== undefined) lines.push(`  guidance: ${visible(d.guidance)}`);
  const others = d.matched.filter((match) => match.rule !== d.rule && match.done !== false);
  const cited = d.matched.find((match) => match.rule === d.rule);
  if (cited?.grade !== undefined) lines.push(`  unsure: ${(cited.unknown ?? []).map(visible).join(", ")} is not known`);
  if (others.length > 0) lines.push(`  also matched: ${named(others)}`);
  lines.push(...otherQuestions(d).map((prompt) => `  also asked: ${visible(prompt)}`));
  if (d.would.length > 0) lines.push(`  monitor rules would have answered: ${named(d.would)}`);
  lines.push(...uncoveredLines(report));
  const changes = Object.keys(d.changes);
  if (changes.length > 0) lines.push(`  changes: ${changes.join(", ")}`);
  for (const error of d.errors) lines.push(`  ${colors.warning(error.code)}: ${visible(error.message)}`);
  return lines;
}

/** Returns outcome and who answered, on one line: a rule by its id, or another source. */
export function headLine({ outcome, answered, rule }: Decision): string {
  return `${outcome}, ${rule === undefined ? `answered by ${answered === "none" ? "nothing" : answered}` : `by ${rule}`}`;
}

/** Returns the reason of an `allow`, since the decision itself has none. */
function reasonOf({ decision: d, explanation: { event } }: ExplanationReport): string | undefined {
  if (d.outcome !== "allow") return undefined;
  if (d.approved !== undefined) return "a human has approved this very call before";
  if (d.rule !== undefined)
    return event.tool ? "the rule matched, and it speaks for the whole call" : "the rule matched";
  const sure = d.matched.some(({ done }) => done !== false);
  const open = d.matched.length > 0 ? "no rule is known to match" : "no rule matched";
  const none = sure ? "no rule that matched blocks or asks" : open;
  return d.answered === "none" ? `${none}, and ${event.event} has no default` : `${none}, and the default is allow`;
}

/** Lists the questions of other rules than the cited one. */
function otherQuestions({ ask, reason }: Decision): readonly string[] {
  if (!ask || ask.prompts.length < 2) return [];
  return ask.prompts.filter((prompt) => prompt !== reason).slice(0, mostNamed);
}

/** Lists the parts of a call that no `allow` covers, if one matched and did not answer. */
function uncoveredLines({ explanation: { uncovered }, decision }: ExplanationReport): string[] {
  if (!uncovered || decision.answered === "rule") return [];
  return [`  not covered by an allow: ${visible(uncovered.what)}`, `  next: ${visible(uncovered.next)}`];
}

function named(matches: readonly RuleMatch[]): string {
  const texts = matches.slice(0, mostNamed).map(({ rule, outcome }) => `${rule} (${outcome})`);
  const more = matches.length - texts.length;
  return more > 0 ? `${texts.join(", ")}, … ${more} more` : texts.join(", ");
}
