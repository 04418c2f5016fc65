import { checkPolicies } from "../../../authoring/lint/check-policies.ts";
import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import { policyFile } from "../../literate/policies.ts";

/** A slip beside what was meant. */
export interface Slip {
  readonly kind: string;
  /** Keys of a rule in flow style, a whole rule (`- id: …`), or a whole policy (`version: 1 …`). */
  readonly wrong: string;
  readonly right: string;
  /** An example that the right rule must match; without one the form says by itself what it must. */
  readonly call?: unknown;
  /** Texts that message and help of the finding together hold. */
  readonly names: readonly string[];
}

const defaults: readonly (readonly [key: string, text: string])[] = [
  ["event", "event: tool_call"],
  ["action", "action: block"],
  ["reason", 'reason: "no"'],
];

/** A whole policy from a form of a slip, with the call as a `match` example where there is one. */
export function policyOf(form: string, call?: unknown): string {
  if (form.startsWith("version:")) return form;
  const examples = call === undefined ? "" : `examples: { match: [${JSON.stringify(call)}] }`;
  if (form.startsWith("- ")) return `version: 1\npolicy: p\nrules:\n${form}\n${examples && `  ${examples}\n`}`;
  const isMild = /action: \{ (redact|label|notify)/.test(form);
  const keys = defaults.filter(([key]) => !form.includes(`${key}: `) && !(key === "reason" && isMild));
  const rest = [...keys.map(([, text]) => text), ...(examples ? [examples] : [])].join(", ");
  return `version: 1\npolicy: p\nrules:\n  - { id: r, ${form}, ${rest} }\n`;
}

/** Everything that `check` says of a policy in process: errors and warnings. */
export function checkedText(text: string, strict = false): readonly Diagnostic[] {
  const { diagnostics } = checkPolicies([policyFile(text)], { scope: "user", now: Date.UTC(2026, 10, 21), strict });
  return diagnostics.filter(({ severity }) => severity !== "info");
}
