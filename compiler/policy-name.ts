import type { Scope } from "../engine/plan.ts";
import type { PolicyOutline } from "./outline.ts";
import type { ResolvedPolicy } from "./resolve.ts";

/** Place of a scope in the order of judging: 0 is the strongest (semantics section 3, "Scopes"). */
export const scopeRank: Readonly<Record<Scope, number>> = { builtin: 0, managed: 1, user: 2, project: 3 };

/**
 * Returns a policy's name in the plan. An id is unique only within its scope. Where a stronger scope has a policy of the
 * same id, the weaker one is named with its scope, so that the two are never confused: `project:shell-safety`.
 */
export function policyName(
  policy: ResolvedPolicy,
  all: readonly ResolvedPolicy[],
  base: readonly PolicyOutline[] = [],
): string {
  const { id } = policy.draft;
  const stronger = (other: { readonly scope: Scope }): boolean => scopeRank[other.scope] < scopeRank[policy.scope];
  const shared =
    all.some((other) => other.draft.id === id && stronger(other)) ||
    base.some((other) => other.id === id && stronger(other));
  return shared ? `${policy.scope}:${id}` : id;
}

/** Returns a rule's id (`policy/rule`) with the policy's name in the plan. */
export function ruleName(rule: string, name: string): string {
  return `${name}${rule.slice(rule.indexOf("/"))}`;
}

/** Sorts policies in judging order: scope, then id. */
export function inOrder(policies: readonly ResolvedPolicy[]): ResolvedPolicy[] {
  return [...policies].sort(
    (a, b) =>
      scopeRank[a.scope] - scopeRank[b.scope] ||
      (a.draft.id < b.draft.id ? -1 : a.draft.id > b.draft.id ? 1 : 0) ||
      (a.draft.file.path < b.draft.file.path ? -1 : 1),
  );
}

/** Name of the policy that replaces a project's policies if they do not load. */
export const standInName = "project-not-loaded";

/** Name of the file of that policy. */
export const standInFile = `builtin:${standInName}`;
