import type { Plan } from "../engine/plan.ts";
import { matchesRule } from "./check-exceptions.ts";
import { labelKinds } from "./check-session.ts";
import type { PolicyOutline } from "./outline.ts";
import type { ResolvedPolicy } from "./resolve.ts";

/**
 * Compiled policies of stronger scopes, to which those of a project are added: the user's policies always come before those of a
 * repository. Plain JSON.
 */
export interface PlanBase {
  readonly plan: Plan;
  readonly outline: readonly PolicyOutline[];
}

/**
 * True if policies of a weaker scope would change what the outlined ones compile to: an outlined policy has an exception for
 * one of their rules, or they declare a label as another kind. Then all must be compiled together.
 */
export function changesBase(base: readonly PolicyOutline[], added: readonly ResolvedPolicy[]): boolean {
  const kinds = labelKinds(base.map(({ labels }) => labels));
  return added.some(
    ({ draft }) =>
      [...draft.labels].some(([name, { kind }]) => kinds.has(name) && kinds.get(name) !== kind) ||
      draft.rules.some(({ id }) => base.some(({ waives }) => waives.some((glob) => matchesRule(glob, id)))),
  );
}
