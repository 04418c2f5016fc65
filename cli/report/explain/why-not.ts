import { visible } from "../../../diagnostics/render.ts";
import type { ExplainedRule } from "../../../engine/explain.ts";
import type { ExplainedNode } from "../../../engine/explain-node.ts";
import { standingOf } from "../../../engine/explain-standing.ts";
import { type DecidingTest, type WhyNot, whyNot } from "../../../engine/explain-why-not.ts";
import { jsonLine } from "../json.ts";
import { palette } from "../pretty.ts";
import { answerLines } from "./answer.ts";
import { jsonNode } from "./json.ts";
import { seenParts } from "./tests.ts";
import { type ExplanationReport, elementText, fit, sourceText, standingText, valueText } from "./texts.ts";

/** Returns why one rule (`policy/rule`) did not fire, for programs: one object on one line. */
export function jsonWhyNot(report: ExplanationReport, id: string): string {
  const rule = ruleOf(report, id);
  const own = policyOf(rule, report);
  const reasons = whyNot(rule, report.explanation).map((reason) =>
    "tests" in reason ? { ...reason, tests: reason.tests.map((test) => jsonTest(test, own, report)) } : reason,
  );
  const { decision } = report;
  return jsonLine({ rule: id, result: rule.result, standing: standingOf(rule, decision), reasons, decision });
}

function jsonTest({ node, policy }: DecidingTest, own: string, report: ExplanationReport): object {
  return jsonNode(node, policy ?? own, report);
}

/** Returns why one rule did not fire, for people, after the answer to the event. */
export function prettyWhyNot(report: ExplanationReport, id: string, color: boolean): string {
  const rule = ruleOf(report, id);
  const { decision } = report;
  const colors = palette(color);
  const standing = standingText(standingOf(rule, decision));
  const fired = rule.result === "match";
  const head = fired ? `fired${standing && `; ${standing}`}` : "did not fire";
  const lines = [...answerLines(report, colors), "", `${colors.strong(id)} ${head}`];
  for (const reason of whyNot(rule, report.explanation)) lines.push(...reasonLines(reason, rule, report));
  if (rule.more > 0) lines.push(`  … and ${rule.more} more elements`);
  return `${lines.join("\n")}\n`;
}

function reasonLines(reason: WhyNot, rule: ExplainedRule, report: ExplanationReport): string[] {
  return "tests" in reason ? conditionLines(reason, policyOf(rule, report), report) : [`  ${plainReason(reason)}`];
}

/** Returns, in words, a reason that does not come from a test. */
export function plainReason(reason: Exclude<WhyNot, { readonly tests: unknown }>): string {
  switch (reason.kind) {
    case "event":
      return `it is for ${listed(reason.wanted)}; this event is ${visible(reason.given)}`;
    case "tool":
      return `it is for the tools ${listed(reason.wanted)}; this tool is ${visible(reason.given) || "none"}`;
    case "facts":
      return "it needs commands or effects, and the call is not understood: `unknown` of the policy answers";
    case "index":
      return "the index left it out: what it needs is not in this event";
    case "sequence":
      return "what its sequence begins with has not happened, or too long ago";
    case "no_element":
      return `${reason.list} is empty: there is no element to judge`;
    case "budget":
      return `its budget of ${reason.limit} is not used up: ${reason.left} left, this takes ${reason.takes}`;
    default:
      return `it could not be evaluated: ${visible(reason.message)}`;
  }
}

function conditionLines(
  reason: Extract<WhyNot, { kind: "condition" | "unless" | "exception" }>,
  own: string,
  report: ExplanationReport,
): string[] {
  const { element } = reason;
  const where = element ? [fit(`  ${element.name} = ${elementText(element.value)}`)] : [];
  const pad = element ? "    " : "  ";
  const said = {
    condition: "does not hold:",
    unless: "waived by `unless`:",
    exception: `waived by an exception (${visible(reason.reason ?? "")})${reason.tests.length > 0 ? ":" : ""}`,
  }[reason.kind];
  const tests = reason.tests.flatMap((test) => testLines(test, `${pad}  `, own, report));
  return [...where, fit(`${pad}${said}`), ...tests.filter((line, i) => tests.indexOf(line) === i)];
}

/** Returns a test, and under it its values. */
function testLines({ node, policy }: DecidingTest, pad: string, own: string, report: ExplanationReport): string[] {
  const file = policy ?? own;
  const text = sourceText(node, file, report);
  if ("error" in node.result) return [fit(`${pad}${text}: ${visible(node.result.error)}`)];
  if (node.kind === "has") return [fit(`${pad}${text}`), `${pad}  it is absent`];
  if (seenParts(node).length === 0) return [fit(`${pad}${text} = ${valueText(node.result)}`)];
  return [fit(`${pad}${text}`), ...seen(node, `${pad}  `, file, report)];
}

function seen(node: ExplainedNode, pad: string, policy: string, report: ExplanationReport): string[] {
  return seenParts(node)
    .slice(0, 8)
    .map((part) => {
      const text = sourceText(part, part.policy ?? policy, report);
      return fit(`${pad}${text} = ${valueText(part.result)}`);
    });
}

function listed(names: readonly string[]): string {
  return names.join(", ");
}

function ruleOf({ explanation }: ExplanationReport, id: string): ExplainedRule {
  const rule = explanation.rules.find((one) => one.id === id);
  if (!rule) throw new Error(`no rule ${id} in the explanation`);
  return rule;
}

function policyOf(rule: ExplainedRule, { plan }: ExplanationReport): string {
  return plan.policies[rule.policy]?.id ?? "";
}
