import type { Scope } from "../engine/plan.ts";
import type { ProgramClaim, ToolClaim } from "../schema/declarations.ts";
import type { PolicyDraft } from "./policy-draft.ts";

/** Outline of a compiled policy for policies of a weaker scope; plain JSON. */
export interface PolicyOutline {
  readonly id: string;
  readonly scope: Scope;
  readonly labels: Readonly<Record<string, "taint" | "mark">>;
  /** Programs and tools that it declares. */
  readonly programs: readonly ProgramClaim[];
  readonly tools: readonly ToolClaim[];
  /** `policy/rule` of every rule, also of those that are switched off. */
  readonly rules: readonly string[];
  readonly parameters: readonly string[];
  /** Globs of the rules that its exceptions waive. */
  readonly waives: readonly string[];
}

/** The outline of a policy. */
export function outlineOf({ draft, scope }: { readonly draft: PolicyDraft; readonly scope: Scope }): PolicyOutline {
  return {
    id: draft.id,
    scope,
    labels: Object.fromEntries([...draft.labels].map(([name, { kind }]) => [name, kind])),
    programs: [...draft.programs.values()].map(({ claim }) => claim),
    tools: [...draft.tools.values()].map(({ claim }) => claim),
    rules: draft.rules.map(({ id }) => id),
    parameters: [...draft.parameters.keys()],
    waives: draft.exceptions.flatMap(({ rules }) => rules.map(({ glob }) => glob)),
  };
}
