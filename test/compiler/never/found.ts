import { lintPolicies } from "../../../compiler/lint/run.ts";
import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import { compileTexts, withHead } from "../../literate/policies.ts";

/** Everything that one round of `check` finds in a policy or its rules, with the text at each place. */
export function foundIn(text: string): readonly (Diagnostic & { readonly at: string })[] {
  const whole = withHead(text);
  const result = compileTexts({ "policy.yaml": whole });
  const all = [...result.diagnostics, ...lintPolicies(result)];
  return all.map((d) => ({ ...d, at: whole.slice(d.span.start, d.span.end) }));
}
