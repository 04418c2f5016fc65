import { canonicalJson } from "../../engine/canonical.ts";
import type { Decision } from "../../schema/generated.ts";

/** Keys in the order of the events page, so that people can read a line from left to right. */
const order = [
  "id",
  "outcome",
  "answered",
  "rule",
  "reason",
  "guidance",
  "matched",
  "would",
  "changes",
  "errors",
  "doubts",
  "policy_digest",
];
const matchOrder = ["rule", "outcome", "element"];
const errorOrder = ["code", "message", "rule"];

/** A decision as one line of JSON: fixed order of its own keys, canonical JSON inside. Equal decisions give equal bytes. */
export function decisionLine(decision: Decision): string {
  return `${ordered({ ...decision }, order, {
    matched: (value) => list(value, matchOrder),
    would: (value) => list(value, matchOrder),
    errors: (value) => list(value, errorOrder),
  })}\n`;
}

function list(value: unknown, keys: readonly string[]): string {
  return `[${(value as Record<string, unknown>[]).map((item) => ordered(item, keys, {})).join(",")}]`;
}

/** Known keys first in their order, then any others sorted. */
function ordered(
  object: Record<string, unknown>,
  keys: readonly string[],
  writers: Record<string, (value: unknown) => string>,
): string {
  const given = Object.keys(object).filter((key) => object[key] !== undefined);
  const others = given.filter((key) => !keys.includes(key)).sort();
  const parts = [...keys.filter((key) => given.includes(key)), ...others].map((key) => {
    const write = Object.hasOwn(writers, key) ? writers[key] : undefined;
    return `${canonicalJson(key)}:${(write ?? canonicalJson)(object[key])}`;
  });
  return `{${parts.join(",")}}`;
}
