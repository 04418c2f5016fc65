import type { ExplainedRule } from "../../../engine/explain.ts";
import { nearMisses } from "../../../engine/explain-nearly.ts";
import { standingOf } from "../../../engine/explain-standing.ts";
import { count, palette } from "../pretty.ts";
import { answerLines } from "./answer.ts";
import { factLines, few } from "./facts.ts";
import { matchedLines, openLines } from "./matched.ts";
import { nearLines } from "./nearly.ts";
import { type ExplanationReport, toldRules } from "./texts.ts";

/** Maximum lines of an explanation. */
const longest = 40;
/** Minimum lines for the rules that matched, whatever comes before them; and for those that nearly did. */
const leastMatched = 6;
const leastNear = 4;

/** The rules shown to people, by their results. */
interface Sorted {
  readonly matched: readonly ExplainedRule[];
  /** Rules that may match, for lack of facts, and did nothing. */
  readonly open: readonly ExplainedRule[];
  readonly failed: readonly ExplainedRule[];
  readonly rest: readonly ExplainedRule[];
}

/**
 * Returns the explanation for people, on one screen: the answer, the call's effects, the rules that matched and those that
 * nearly did, and the number of the others.
 */
export function prettyBrief(report: ExplanationReport, color: boolean): string {
  const colors = palette(color);
  const sorted = sort(report);
  const lines = [...answerLines(report, colors), "", ...factLines(report.explanation, colors, few)];
  const near = nearMisses(report.explanation, policiesOf(sorted));
  const open = openLines(sorted.open, report, colors);
  // Each part has an empty line and a heading before it; the last line has an empty one.
  const kept = (near.length > 0 ? leastNear + 2 : 0) + open.length;
  const room = Math.max(leastMatched, longest - lines.length - 4 - kept);
  const fired = [...matchedLines([...sorted.matched, ...sorted.failed], report, room, colors), ...open];
  if (fired.length > 0) lines.push("", colors.strong(headingOf(sorted)), ...fired);
  const almost = nearLines(near, report, longest - lines.length - 4, colors);
  if (almost.length > 0) lines.push("", colors.strong("nearly matched"), ...almost);
  lines.push("", lastLine(sorted));
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

function headingOf({ matched, open, failed }: Sorted): string {
  if (open.length === 0) return "matched";
  return matched.length + failed.length > 0 ? "matched, or may match" : "may match";
}

function sort(report: ExplanationReport): Sorted {
  const told = toldRules(report);
  const isOpen = (rule: ExplainedRule): boolean => standingOf(rule, report.decision).kind === "open";
  return {
    matched: told.filter((rule) => rule.result === "match" && !isOpen(rule)),
    open: told.filter((rule) => rule.result === "match" && isOpen(rule)),
    failed: told.filter(({ result }) => result === "error"),
    rest: told.filter(({ result }) => result === "no"),
  };
}

/** Returns the policies of the rules that decide something here; if there are none, of all rules shown. */
function policiesOf({ matched, failed, open, rest }: Sorted): ReadonlySet<number> {
  const deciding = [...matched, ...failed].filter(({ actions }) => actions.some((action) => guards.has(action)));
  return new Set((deciding.length > 0 ? deciding : [...matched, ...open, ...rest]).map(({ policy }) => policy));
}

const guards: ReadonlySet<string> = new Set(["block", "ask", "allow"]);

function lastLine({ matched, open, failed, rest }: Sorted): string {
  const parts = [
    `${count(matched.length, "rule")} matched`,
    ...(open.length > 0 ? [`${open.length} may match`] : []),
    ...(failed.length > 0 ? [`${failed.length} could not be evaluated`] : []),
    `${rest.length} did not`,
  ];
  return `${parts.join(", ")}; \`--all\` shows every condition`;
}
