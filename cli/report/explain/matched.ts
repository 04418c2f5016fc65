import { type Palette, visible } from "../../../diagnostics/render.ts";
import type { Attempt, ExplainedRule } from "../../../engine/explain.ts";
import { matchingAttempt } from "../../../engine/explain-nearly.ts";
import { standingOf } from "../../../engine/explain-standing.ts";
import { type DecidingTest, deciding, holds } from "../../../engine/explain-why-not.ts";
import type { PlanPolicy } from "../../../engine/plan.ts";
import { testLine } from "./tests.ts";
import { type ExplanationReport, fit, shortElement, standingText } from "./texts.ts";

/** Maximum tests of `when` shown of one rule: those that hold, and those that must not hold. */
const mostTests = 6;
const mostNegated = 2;
/** Maximum tests of `unless` shown of one rule. */
const mostWaivers = 2;
/** Minimum lines of the cited rule, before any other. */
const leastCited = 8;
/** Maximum columns of a rule's first line. */
const longestHead = 116;
/** Maximum rules named of those that may match. */
const mostOpen = 2;

/**
 * Returns the rules that matched or could not be evaluated, the cited one first. Each has its result and, for the element
 * that matched, the deciding tests. At most `room` lines; every rule gets one as long as there are any left.
 */
export function matchedLines(
  rules: readonly ExplainedRule[],
  report: ExplanationReport,
  room: number,
  colors: Palette,
): string[] {
  const { rule: cited } = report.decision;
  const sorted = [...rules].sort((a, b) => Number(b.id === cited) - Number(a.id === cited));
  const lines: string[] = [];
  sorted.forEach((rule, i) => {
    const after = sorted.length - 1 - i;
    const left = room - lines.length;
    if (left < 1 || (left === 1 && after > 0)) return;
    lines.push(...cutLines(ruleLines(rule, report, colors), Math.max(i === 0 ? leastCited : 1, left - after)));
  });
  const told = lines.filter((line) => /^ {2}\S/.test(line)).length;
  return told < sorted.length ? [...lines, `  … ${sorted.length - told} more`] : lines;
}

/** Returns the rules that may match and therefore did nothing: one line each, and few of them. */
export function openLines(rules: readonly ExplainedRule[], report: ExplanationReport, colors: Palette): string[] {
  const shown = rules.slice(0, mostOpen).map((rule) => headOf(rule, report, colors));
  const more = rules.length - shown.length;
  return more > 0 ? [...shown, `  … ${more} more`] : shown;
}

function cutLines(lines: readonly string[], most: number): readonly string[] {
  if (lines.length <= most) return lines;
  return most < 2 ? lines.slice(0, 1) : [...lines.slice(0, most - 1), "    … more with `--all`"];
}

function headOf(rule: ExplainedRule, report: ExplanationReport, colors: Palette): string {
  const mode = rule.mode === "monitor" ? ", in monitor mode" : "";
  const standing = standingOf(rule, report.decision);
  const fate =
    rule.result === "error" ? "could not be evaluated" : standingText(standing).replace(/^lost: /, "lost, since ");
  const doubt = rule.unsure ? `; ${rule.unsure.unknown.map(visible).join(", ")} is not known` : "";
  const text = `(${rule.actions.join(", ")}${mode}): ${standing.kind === "open" ? "did nothing" : fate}${doubt}`;
  return `  ${colors.strong(rule.id)} ${fit(text, longestHead - rule.id.length)}`;
}

function ruleLines(rule: ExplainedRule, report: ExplanationReport, colors: Palette): string[] {
  const lines = [headOf(rule, report, colors)];
  if (rule.error !== undefined) return [...lines, fit(`    ${visible(rule.error)}`)];
  const { matched, would } = report.decision;
  const element = [...matched, ...would].find((match) => match.rule === rule.id)?.element;
  const attempt = matchingAttempt(rule, element);
  const policy = report.plan.policies[rule.policy];
  if (attempt) lines.push(...attemptLines(attempt, policy, report, colors));
  if (rule.budget)
    lines.push(`    budget of ${rule.budget.limit}: ${rule.budget.left} left, this takes ${rule.budget.takes}`);
  return lines;
}

function attemptLines(
  { element, when, unless, certain }: Attempt,
  policy: PlanPolicy | undefined,
  report: ExplanationReport,
  colors: Palette,
): string[] {
  const lines = element ? [fit(`    ${element.name} = ${shortElement(element.value)}`)] : [];
  // The text of a built-in policy is not available, and nobody could change it.
  if (!policy || policy.scope === "builtin") return lines;
  const pad = element ? "      " : "    ";
  const lineOf = (test: DecidingTest): string => testLine(test, wordOf(test, colors), pad, policy.id, report);
  if (when) {
    const tests = deciding(when, true, undefined).filter(({ node }) => node.kind !== "has");
    const [held, others] = [tests.filter(({ node }) => holds(node)), tests.filter(({ node }) => !holds(node))];
    const shown = [
      ...distinct(held.map(lineOf)).slice(0, mostTests),
      ...distinct(others.map(lineOf)).slice(0, mostNegated),
    ];
    const more = distinct(tests.map(lineOf)).length - shown.length;
    lines.push(...shown, ...(more > 0 ? [`${pad}… ${more} more`] : []));
  }
  if (!unless) return lines;
  if (!certain) return [...lines, `${pad}only possible: no \`unless\` waives it`];
  const waivers = distinct(deciding(unless, false, undefined).map(lineOf));
  const more = waivers.length - mostWaivers;
  return [
    ...lines,
    `${pad}${colors.quiet("unless")}`,
    ...waivers.slice(0, mostWaivers),
    ...(more > 0 ? [`${pad}… ${more} more`] : []),
  ];
}

function distinct(lines: readonly string[]): readonly string[] {
  return lines.filter((line, i) => lines.indexOf(line) === i);
}

function wordOf({ node: { result } }: DecidingTest, colors: Palette): string {
  if ("error" in result) return colors.warning("error");
  if (typeof result.value !== "boolean") return colors.warning("open ");
  return result.value ? colors.info("true ") : colors.quiet("false");
}
