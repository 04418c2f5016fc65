import { type Palette, visible } from "../../../diagnostics/render.ts";
import type { Attempt, ExplainedRule } from "../../../engine/explain.ts";
import type { ExplainedNode } from "../../../engine/explain-node.ts";
import { standingOf } from "../../../engine/explain-standing.ts";
import { count, palette } from "../pretty.ts";
import { answerLines } from "./answer.ts";
import { factLines } from "./facts.ts";
import {
  type ExplanationReport,
  elementText,
  fit,
  samePlace,
  sourceText,
  standingText,
  toldRules,
  valueText,
  width,
} from "./texts.ts";

/** Returns the whole explanation for people (`--all`): the answer, the facts, and every condition of each evaluated rule. */
export function prettyWhole(report: ExplanationReport, color: boolean): string {
  const colors = palette(color);
  const told = toldRules(report);
  const asked = told.filter((rule) => rule.notAsked === undefined && !isEmpty(rule));
  const lines = [
    ...answerLines(report, colors),
    "",
    ...factLines(report.explanation, colors),
    "",
    colors.strong("rules"),
  ];
  for (const rule of asked) lines.push(...ruleLines(rule, report, colors));
  lines.push(...listed("no element to judge", told.filter(isEmpty)), ...notAskedLines(told));
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

/** True if the list of its `each` is empty, and nothing else is to be reported. */
function isEmpty(rule: ExplainedRule): boolean {
  return rule.notAsked === undefined && rule.attempts.length === 0 && rule.result === "no";
}

function ruleLines(rule: ExplainedRule, report: ExplanationReport, colors: Palette): string[] {
  const mode = rule.mode === "monitor" ? ", in monitor mode" : "";
  const said = { match: colors.error("matched"), no: "did not match", error: colors.warning("could not be evaluated") }[
    rule.result
  ];
  const doubt = rule.unsure && ` (${rule.unsure.grade}: ${rule.unsure.unknown.map(visible).join(", ")} is not known)`;
  const fate = standingText(standingOf(rule, report.decision));
  const lines = [
    `  ${colors.strong(rule.id)} (${rule.actions.join(", ")}${mode}): ${said}${doubt ?? ""}${fate && `; ${fate}`}`,
  ];
  if (rule.error !== undefined) lines.push(`    ${visible(rule.error)}`);
  const policy = report.plan.policies[rule.policy]?.id ?? "";
  for (const attempt of rule.attempts) lines.push(...attemptLines(attempt, policy, report, colors));
  if (rule.sequence === false) lines.push("    what its sequence begins with has not happened");
  if (rule.budget)
    lines.push(`    budget of ${rule.budget.limit}: ${rule.budget.left} left, this takes ${rule.budget.takes}`);
  if (rule.more > 0) lines.push(`    … ${count(rule.more, "more element")}`);
  return lines;
}

function attemptLines(attempt: Attempt, policy: string, report: ExplanationReport, colors: Palette): string[] {
  const pad = attempt.element ? "      " : "    ";
  const lines = attempt.element ? [fit(`    ${attempt.element.name} = ${elementText(attempt.element.value)}`)] : [];
  const add = (word: string, node: ExplainedNode | undefined): void => {
    if (!node) return;
    lines.push(`${pad}${colors.quiet(word)}`);
    lines.push(...nodeLines(node, undefined, policy, report, `${pad}  `, colors));
  };
  add("when", attempt.when);
  const waives = attempt.unless !== undefined || attempt.exceptions.length > 0;
  if (!attempt.certain && waives) lines.push(`${pad}only possible: nothing below waives it`);
  add("unless", attempt.unless);
  for (const e of attempt.exceptions) {
    lines.push(fit(`${pad}exception${e.expired ? " (expired)" : ""}: ${visible(e.reason)}`));
    if (e.when) lines.push(...nodeLines(e.when, undefined, policy, report, `${pad}  `, colors));
  }
  return lines;
}

/**
 * Returns one line a node, with parts indented under it. A node at the same place as the one above it says nothing new
 * (guards that the compiler adds), so its parts replace it.
 */
function nodeLines(
  node: ExplainedNode,
  above: ExplainedNode | undefined,
  policy: string,
  report: ExplanationReport,
  pad: string,
  colors: Palette,
): string[] {
  const own = node.policy ?? policy;
  const repeated = above !== undefined && (node.at === undefined ? node.kind !== "slot" : samePlace(node, above));
  const lines = repeated ? [] : [nodeLine(node, own, report, pad, colors)];
  const inner = repeated ? pad : `${pad}  `;
  const shown = repeated ? above : node;
  const parts = node.parts.flatMap((part) => nodeLines(part, shown, own, report, inner, colors));
  return [...lines, ...parts.filter((line, i) => parts.indexOf(line) === i)];
}

function nodeLine(
  node: ExplainedNode,
  policy: string,
  report: ExplanationReport,
  pad: string,
  colors: Palette,
): string {
  const text = sourceText(node, policy, report);
  if ("error" in node.result)
    return `${pad}${colors.warning("error")} ${fit(`${text}: ${visible(node.result.error)}`)}`;
  const { value } = node.result;
  if (typeof value !== "boolean") return fit(`${pad}${text} = ${valueText(node.result)}`);
  return `${pad}${value ? colors.info("true ") : colors.quiet("false")} ${fit(text, width - pad.length - 6)}`;
}

function notAskedLines(rules: readonly ExplainedRule[]): string[] {
  const words = {
    event: "for other events",
    tool: "for other tools",
    facts: "needs facts that an unknown call has not",
  } as const;
  return (["event", "tool", "facts"] as const).flatMap((why) => {
    const those = rules.filter((rule) => rule.notAsked === why);
    return listed(`not asked, ${words[why]}`, those);
  });
}

function listed(head: string, rules: readonly ExplainedRule[]): string[] {
  return rules.length > 0 ? [`  ${head}:`, ...wrapped(rules.map(({ id }) => id))] : [];
}

function wrapped(words: readonly string[]): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length + 2 <= width) lines[lines.length - 1] = `${last}, ${word}`;
    else lines.push(`    ${word}`);
  }
  return lines;
}
