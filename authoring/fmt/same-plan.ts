import type { PolicyDraft } from "../../compiler/policy-draft.ts";
import type { Plan } from "../../engine/plan.ts";

/** Returns a plan as text, for comparison: without places in files, digests, and the names that macros give to their variables. */
export function planText(plan: Plan): string {
  const policies = plan.policies.map((policy) => ({ ...policy, source: "" }));
  return JSON.stringify({ ...plan, digest: "", policies }, function (this: unknown, key: string, value: unknown) {
    const own = this as { readonly k?: string; readonly actions?: unknown };
    if (key === "at" && (typeof own.k === "string" || own.actions !== undefined)) return undefined;
    if (key === "name" && own.k === "slot" && "slot" in own) return undefined;
    return value;
  });
}

const places: ReadonlySet<string> = new Set([
  "span",
  "fieldSpan",
  "nameSpan",
  "operatorSpan",
  "keySpan",
  "segments",
  "style",
  "source",
  "file",
]);

/** Returns a parsed policy as text, to compare one that does not compile: without places in the file. */
export function draftText(draft: PolicyDraft): string {
  return JSON.stringify(draft, (key, value: unknown) => {
    if (places.has(key)) return undefined;
    return value instanceof Map ? [...value] : value;
  });
}
