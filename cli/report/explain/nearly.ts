import { type Palette, visible } from "../../../diagnostics/render.ts";
import type { NearMiss } from "../../../engine/explain-nearly.ts";
import type { ExplainedValue } from "../../../engine/explain-node.ts";
import type { WhyNot } from "../../../engine/explain-why-not.ts";
import { testLine } from "./tests.ts";
import { type ExplanationReport, fit, shortElement } from "./texts.ts";
import { plainReason } from "./why-not.ts";

/** Maximum rules shown of those that nearly matched. */
const mostNear = 5;
/** Lines of each rule. */
const linesOfEach = 2;

/** Returns the rules that nearly matched, the nearest first, each with the one test that failed it. At most `room` lines. */
export function nearLines(
  near: readonly NearMiss[],
  report: ExplanationReport,
  room: number,
  colors: Palette,
): string[] {
  const fitting = Math.min(mostNear, Math.floor(room / linesOfEach));
  const shown = near.slice(0, fitting);
  return shown.flatMap((miss) => missLines(miss, report, colors));
}

function missLines({ rule, reason }: NearMiss, report: ExplanationReport, colors: Palette): string[] {
  const element = "element" in reason && reason.element;
  const where = element ? `, for ${element.name} = ${shortElement(element.value)}` : "";
  const mode = rule.mode === "monitor" ? ", in monitor mode" : "";
  const head = fit(`${rule.id} (${rule.actions.join(", ")}${mode})${where}`, 98).slice(rule.id.length);
  const policy = report.plan.policies[rule.policy]?.id ?? "";
  return [`  ${colors.strong(rule.id)}${head}`, whyLine(reason, policy, report)];
}

function whyLine(reason: WhyNot, policy: string, report: ExplanationReport): string {
  if (!("tests" in reason)) return fit(`    ${plainReason(reason)}`);
  const [test] = reason.tests;
  const exception = `waived by an exception (${fit(visible(reason.reason ?? ""), 40)})`;
  if (!test) return `    ${exception}`;
  const words = {
    condition: conditionWord(test.node.result),
    unless: "waived by `unless`:",
    exception: `${exception}:`,
  };
  return testLine(test, words[reason.kind], "    ", policy, report);
}

/** Returns the word for a failed condition. A true test fails it inside a negation. */
function conditionWord(result: ExplainedValue): string {
  if ("error" in result) return "cannot be evaluated:";
  if (typeof result.value !== "boolean") return "is not known:";
  return result.value ? "must not hold:" : "does not hold:";
}
