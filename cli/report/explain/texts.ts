import { visible } from "../../../diagnostics/render.ts";
import type { Source } from "../../../diagnostics/source.ts";
import { canonicalJson } from "../../../engine/canonical.ts";
import type { ExplainedRule, Explanation } from "../../../engine/explain.ts";
import type { ExplainedNode, ExplainedValue } from "../../../engine/explain-node.ts";
import type { Standing } from "../../../engine/explain-standing.ts";
import type { Json, Plan } from "../../../engine/plan.ts";
import type { Decision } from "../../../schema/generated.ts";

/** Input of all reports of `explain`. `sources` holds the policy files by the id of their policy. */
export interface ExplanationReport {
  readonly explanation: Explanation;
  readonly decision: Decision;
  readonly plan: Plan;
  readonly sources: ReadonlyMap<string, Source>;
}

/** Returns the rules shown to people. Built-in rules are in every plan, and are shown only with a result. */
export function toldRules({ explanation, plan }: ExplanationReport): readonly ExplainedRule[] {
  return explanation.rules.filter((rule) => plan.policies[rule.policy]?.scope !== "builtin" || rule.result !== "no");
}

/** Columns of a screen, to which text is cut. */
export const width = 100;

/** Returns the standing of a rule that matched, in words; empty if there is nothing to report. */
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
    case "open":
      return "it did nothing, since it is not known whether it applies";
    case "monitor":
      return "it decides nothing";
    case "acted":
      return "it has no outcome of its own";
    default:
      return "";
  }
}

/** True for two nodes that the author wrote as one. */
export function samePlace(a: ExplainedNode, b: ExplainedNode): boolean {
  return (
    a.policy === b.policy && a.at !== undefined && b.at !== undefined && a.at[0] === b.at[0] && a.at[1] === b.at[1]
  );
}

/** Returns the author's text of a node, on one line; its label if it has none. */
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

/** Returns the file of a policy, by its id. */
export function sourceOf(policy: string, report: ExplanationReport): Source | undefined {
  return report.sources.get(policy);
}

/** Returns a value, or its error, on one line. */
export function valueText(result: ExplainedValue): string {
  return visible("error" in result ? result.error : canonicalJson(result.value));
}

/** Returns an element of `each` in short: a command as its text, an effect without the fields that every effect has. */
export function elementText(result: ExplainedValue): string {
  if ("error" in result || typeof result.value !== "object" || result.value === null || Array.isArray(result.value))
    return valueText(result);
  const { certain, command: _, via: __, ...rest } = result.value as { readonly [key: string]: Json };
  const text =
    "program" in rest && typeof rest["text"] === "string" ? visible(rest["text"]) : valueText({ value: rest });
  return certain === false ? `${text} (possible)` : text;
}

/** Returns an element of `each` in few words: a command as its text, an effect as its texts and true fields. */
export function shortElement(result: ExplainedValue): string {
  if ("error" in result || typeof result.value !== "object" || result.value === null || Array.isArray(result.value))
    return valueText(result);
  const fields = result.value as { readonly [key: string]: Json };
  if ("program" in fields) return elementText(result);
  const { path, url, via: _, command: __, certain, ...rest } = fields;
  const words = [
    path,
    url,
    ...Object.entries(rest).flatMap(([key, value]) => (value === true ? [key] : wordsOf(value))),
  ];
  const text = words.filter((word) => typeof word === "string" && word !== "").join(", ");
  return `${visible(text)}${certain === false ? " (possible)" : ""}`;
}

/** Returns the texts of a value, and of its fields. */
function wordsOf(value: Json): readonly Json[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [value];
  return Object.values(value).filter((inner) => typeof inner === "string");
}

/** Cuts a line to the width of a screen. */
export function fit(text: string, columns: number = width): string {
  return text.length > columns ? `${text.slice(0, columns - 1)}…` : text;
}
