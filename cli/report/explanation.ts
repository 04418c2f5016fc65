import { type Palette, visible } from "../../diagnostics/render.ts";
import type { Source } from "../../diagnostics/source.ts";
import { canonicalJson } from "../../engine/canonical.ts";
import type { Attempt, ExplainedRule, Explanation } from "../../engine/explain.ts";
import type { ExplainedNode, ExplainedValue } from "../../engine/explain-node.ts";
import { type Standing, standingOf } from "../../engine/explain-standing.ts";
import type { Json, Plan } from "../../engine/plan.ts";
import type { Decision } from "../../schema/generated.ts";
import { factLines } from "./facts.ts";
import { jsonLine } from "./json.ts";
import { count, palette } from "./pretty.ts";

/** What both reports of `explain` are made from. `sources` holds the policy files by the id of their policy. */
export interface ExplanationReport {
  readonly explanation: Explanation;
  readonly decision: Decision;
  readonly plan: Plan;
  readonly sources: ReadonlyMap<string, Source>;
}

/** Columns of a screen that text is fitted to. */
const width = 100;

/** The explanation for programs: one object on one line. Nodes carry their source text and where it stands. */
export function jsonExplanation(report: ExplanationReport): string {
  const { explanation, decision, plan } = report;
  const { facts, event, readings, declared, further, uncovered } = explanation;
  const { understanding, doubts, shell, effects, secrets, text } = facts;
  const rules = explanation.rules.map((rule) => ({
    ...rule,
    standing: standingOf(rule, decision),
    attempts: rule.attempts.map((attempt) => jsonAttempt(attempt, plan.policies[rule.policy]?.id ?? "", report)),
  }));
  return jsonLine({
    event,
    readings,
    facts: { understanding, doubts, shell, effects, secrets, text },
    rules,
    ...(declared && { declared }),
    ...(further && { further }),
    ...(uncovered && { uncovered }),
    decision,
  });
}

function jsonAttempt(attempt: Attempt, policy: string, report: ExplanationReport): object {
  const node = (n: ExplainedNode | undefined): object | undefined => n && jsonNode(n, policy, report);
  return {
    ...attempt,
    when: node(attempt.when),
    unless: node(attempt.unless),
    exceptions: attempt.exceptions.map((e) => ({ ...e, when: node(e.when) })),
  };
}

/** A node for programs, with its place and text in the file of its policy. */
export function jsonNode(node: ExplainedNode, policy: string, report: ExplanationReport): object {
  const own = node.policy ?? policy;
  const source = sourceOf(own, report);
  const place =
    node.at && source
      ? {
          source: source.name,
          from: source.position(node.at[0]),
          to: source.position(node.at[1]),
          text: source.text.slice(...node.at),
        }
      : {};
  return {
    kind: node.kind,
    label: node.label,
    result: node.result,
    ...place,
    parts: node.parts.map((part) => jsonNode(part, own, report)),
  };
}

/** The explanation for people: what was understood, each rule that was asked, and the decision. */
export function prettyExplanation(report: ExplanationReport, color: boolean): string {
  const { explanation, decision } = report;
  const colors = palette(color);
  // The built-in rules are in every plan; they are told of where they say something.
  const told = explanation.rules.filter(
    (rule) => report.plan.policies[rule.policy]?.scope !== "builtin" || rule.result !== "no",
  );
  const asked = told.filter((rule) => rule.notAsked === undefined);
  const lines = [...factLines(explanation, colors), "", colors.strong("rules")];
  for (const rule of asked) lines.push(...ruleLines(rule, report, colors));
  lines.push(...notAskedLines(told), "", ...decisionLines(decision, colors), ...uncoveredLines(report));
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

/** What no `allow` speaks for, where one matched and did not answer. */
function uncoveredLines({ explanation: { uncovered }, decision }: ExplanationReport): string[] {
  if (!uncovered || decision.answered === "rule") return [];
  return [`  not covered by an allow: ${visible(uncovered.what)}`, `  next: ${visible(uncovered.next)}`];
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
  if (rule.attempts.length === 0) lines.push("    there is no element to judge");
  if (rule.more > 0) lines.push(`    … ${count(rule.more, "more element")}`);
  return lines;
}

/** What became of a rule that matched, in words; empty where there is nothing to say. */
export function standingText({ kind, outcome, to }: Standing): string {
  switch (kind) {
    case "won":
      return "it won";
    case "weaker":
      return `lost: ${outcome} is weaker than the answer of ${to}`;
    case "later":
      return `lost: ${to} answers ${outcome} too, and comes first`;
    case "not_covered":
      return `lost: it does not cover the whole call, so ${to} answered`;
    case "rewritten":
      return "lost: rules changed the event before it was judged, or a program must answer first";
    case "monitor":
      return "it decides nothing";
    case "acted":
      return "it has no outcome of its own";
    default:
      return "";
  }
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
 * One line a node, parts indented under it. A node at the very place of the one above it says nothing new to a reader
 * (the guards that the compiler adds), so its parts stand in its stead.
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

function samePlace(a: ExplainedNode, b: ExplainedNode): boolean {
  return (
    a.policy === b.policy && a.at !== undefined && b.at !== undefined && a.at[0] === b.at[0] && a.at[1] === b.at[1]
  );
}

/** The author's own text of a node, on one line; its label where it has none. */
export function sourceText(node: ExplainedNode, policy: string, report: ExplanationReport): string {
  const source = node.at && sourceOf(policy, report);
  if (!node.at || !source) return node.label;
  return visible(
    source.text
      .slice(...node.at)
      .replace(/\s+/g, " ")
      .trim(),
  );
}

function sourceOf(policy: string, report: ExplanationReport): Source | undefined {
  return report.sources.get(policy);
}

/** A value, or its error, on one line. */
export function valueText(result: ExplainedValue): string {
  return visible("error" in result ? result.error : canonicalJson(result.value));
}

/** An element of `each` in short: a command as its text, an effect without what every effect has. */
export function elementText(result: ExplainedValue): string {
  if ("error" in result || typeof result.value !== "object" || result.value === null || Array.isArray(result.value))
    return valueText(result);
  const { certain, command: _, via: __, ...rest } = result.value as { readonly [key: string]: Json };
  const text =
    "program" in rest && typeof rest["text"] === "string" ? visible(rest["text"]) : valueText({ value: rest });
  return certain === false ? `${text} (possible)` : text;
}

function notAskedLines(rules: readonly ExplainedRule[]): string[] {
  const words = {
    event: "for other events",
    tool: "for other tools",
    facts: "needs facts that an unknown call has not",
  } as const;
  return (["event", "tool", "facts"] as const).flatMap((why) => {
    const ids = rules.filter((rule) => rule.notAsked === why).map((rule) => rule.id);
    return ids.length > 0 ? [`  not asked, ${words[why]}:`, ...wrapped(ids)] : [];
  });
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

function decisionLines(d: Decision, colors: Palette): string[] {
  const by = d.rule === undefined ? `answered by ${d.answered}` : `by ${d.rule}`;
  const lines = [`${colors.strong("decision")}  ${colors.strong(d.outcome)}, ${by}`];
  if (d.reason !== undefined) lines.push(`  reason: ${visible(d.reason)}`);
  if (d.guidance !== undefined) lines.push(`  guidance: ${visible(d.guidance)}`);
  const list = (matches: Decision["matched"]): string =>
    matches.map((m) => `${m.rule} (${m.outcome}${m.element === undefined ? "" : `, ${m.element}`})`).join(", ");
  const others = d.matched.filter((m) => m.rule !== d.rule);
  if (others.length > 0) lines.push(`  also matched: ${list(others)}`);
  if (d.would.length > 0) lines.push(`  monitor rules would have answered: ${list(d.would)}`);
  const changes = Object.keys(d.changes);
  if (changes.length > 0) lines.push(`  changes: ${changes.join(", ")}`);
  for (const error of d.errors) lines.push(`  ${colors.warning(error.code)}: ${visible(error.message)}`);
  return lines;
}

/** A line cut to the width of a screen. */
export function fit(text: string, columns: number = width): string {
  return text.length > columns ? `${text.slice(0, columns - 1)}…` : text;
}
