import type { Scope } from "../engine/plan.ts";
import type { Declarations, DeclaredProgram, DeclaredTool, ProgramClaim, ToolClaim } from "../schema/declarations.ts";
import { saysAnything } from "./check-declared.ts";
import { scopeRank } from "./policy-name.ts";
import type { ResolvedPolicy } from "./resolve.ts";

/**
 * Returns the plan's declarations, sorted by name; undefined where policies declare nothing that facts need. `ordered` is in judging
 * order, so that of two declarations of a name the stronger scope's counts; those in `base` come before all of them.
 */
export function planDeclared(
  ordered: readonly ResolvedPolicy[],
  base: Declarations | undefined,
): Declarations | undefined {
  const programs = new Map<string, DeclaredProgram>(base?.programs.map((one) => [one.name, one]));
  const tools = new Map<string, DeclaredTool>(base?.tools.map((one) => [one.name, one]));
  // The built-in scope does not count as the strongest: it restricts none of the user's own programs.
  const strongest = Math.min(...ordered.map(({ scope }) => scopeRank[scope]).filter((rank) => rank > 0));
  for (const { draft, scope } of ordered) {
    const isListed = scopeRank[scope] > strongest;
    for (const { claim } of draft.programs.values())
      if (saysAnything(claim) && !programs.has(claim.name)) programs.set(claim.name, asProgram(claim, scope, isListed));
    for (const { claim } of draft.tools.values())
      if (claim.effects && !tools.has(claim.name)) tools.set(claim.name, asTool(claim, scope));
  }
  if (programs.size === 0 && tools.size === 0) return undefined;
  return { programs: sorted(programs), tools: sorted(tools) };
}

/** Returns the standing of a scope's declarations: those of a repository only add possible effects. */
function standingOf(scope: Scope): DeclaredProgram["standing"] {
  return scope === "project" ? "possible" : "known";
}

function asProgram(claim: ProgramClaim, scope: Scope, isListed: boolean): DeclaredProgram {
  const standing = standingOf(scope);
  return { ...claim, standing, ...(standing === "known" && isListed && { listed: true as const }) };
}

function asTool(claim: ToolClaim, scope: Scope): DeclaredTool {
  return { ...claim, standing: standingOf(scope) };
}

function sorted<T>(byName: ReadonlyMap<string, T>): readonly T[] {
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}
