import { visible } from "../../../diagnostics/render.ts";
import type { ExplainedNode } from "../../../engine/explain-node.ts";
import type { DecidingTest } from "../../../engine/explain-why-not.ts";
import { type ExplanationReport, fit, samePlace, sourceText, valueText } from "./texts.ts";

/** Maximum values shown with one test; a test with more is clearer by its own text. */
const mostValues = 2;
/** Maximum columns of a value on the line of its test. */
const longestValue = 40;

/** Returns the parts of a test that show its values, without parts that the author wrote as one with it. */
export function seenParts(node: ExplainedNode): readonly ExplainedNode[] {
  return node.parts.flatMap((part) => (isOneWith(part, node) ? seenParts(part) : [part]));
}

/** True for a part at the same place as its node, and for one that the compiler added; elements have no place either. */
function isOneWith(part: ExplainedNode, node: ExplainedNode): boolean {
  return samePlace(part, node) || (part.at === undefined && part.kind !== "slot");
}

/**
 * Returns a test on one line of a screen: a word for its result, its text, and its values. `own` is the policy whose file
 * the test is from, if the test names no other.
 */
export function testLine(
  { node, policy }: DecidingTest,
  word: string,
  pad: string,
  own: string,
  report: ExplanationReport,
): string {
  const file = policy ?? own;
  const seen = seenText(node, file, report);
  const text = sourceText(node, file, report);
  return fit(`${pad}${word} ${fit(text, Math.max(40, 96 - pad.length - word.length - seen.length))}${seen}`);
}

function seenText(node: ExplainedNode, file: string, report: ExplanationReport): string {
  if ("error" in node.result) return `: ${fit(visible(node.result.error), longestValue)}`;
  if (node.kind === "has") return node.result.value === true ? "" : ", which is absent";
  const parts = seenParts(node).filter((part) => !isBoolean(part));
  const isPlain = parts.every((part) => part.parts.length === 0) && parts.length <= mostValues;
  const values = isPlain ? parts.map((part) => valueOf(part, file, report)) : [];
  if (typeof node.result.value !== "boolean") values.unshift(fit(valueText(node.result), longestValue));
  return values.length > 0 ? `  (${values.join(", ")})` : "";
}

function valueOf(part: ExplainedNode, file: string, report: ExplanationReport): string {
  const name = fit(sourceText(part, part.policy ?? file, report), longestValue);
  return `${name} = ${fit(valueText(part.result), longestValue)}`;
}

/** True for a boolean result: the test's word already shows it. */
function isBoolean({ result }: ExplainedNode): boolean {
  return "value" in result && typeof result.value === "boolean";
}
