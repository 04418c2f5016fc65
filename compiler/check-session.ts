import type { Code } from "../diagnostics/codes.ts";
import type { Span } from "../diagnostics/source.ts";
import { didYouMean, suggest } from "../diagnostics/suggest.ts";
import type { Ir, PlanBudget, PlanItem, PlanSequence } from "../engine/plan.ts";
import type { Expression } from "../rules/ast.ts";
import { builtInLabels } from "../schema/labels.ts";
import type { BudgetDraft, SequenceDraft } from "./policy-draft.ts";

/** Context of the rule in which its sequence and budget are checked. */
export interface SessionCheck {
  report(code: Code, span: Span, message: string, help: string): void;
  /** Types the condition of an item in the item's own environment. */
  itemCondition(item: SequenceDraft["items"][number]): { readonly ir: Ir | undefined; readonly needs: boolean };
  /** Types what a budget counts in the rule's environment. */
  amount(expression: Expression): Ir | undefined;
}

/** Types the conditions of a sequence; absent parts stay absent. */
export function checkSequence(draft: SequenceDraft, check: SessionCheck): PlanSequence {
  const items = draft.items.map((item): PlanItem => {
    const { ir, needs } = item.when ? check.itemCondition(item) : { ir: undefined, needs: false };
    return { events: item.events, tools: item.tools, ...(ir && { when: ir }), needs };
  });
  return {
    items,
    ...(draft.calls !== undefined && { calls: draft.calls }),
    ...(draft.time !== undefined && { time: draft.time }),
    ...(draft.executed && { executed: true as const }),
  };
}

/** Types the amount of a budget. */
export function checkBudget(draft: BudgetDraft, check: SessionCheck): PlanBudget {
  const of = draft.of && check.amount(draft.of);
  return {
    per: draft.per,
    limit: draft.limit,
    ...(draft.within !== undefined && { within: draft.within }),
    ...(of && { of }),
    ...(draft.executed && { executed: true as const }),
  };
}

/**
 * Returns the kinds of all known labels: those that the compiled policies declare, and the engine's own (language section 1).
 * A label that any policy calls a taint is one.
 */
export function labelKinds(declared: readonly DeclaredLabels[]): ReadonlyMap<string, "taint" | "mark"> {
  const kinds = new Map(Object.entries(builtInLabels));
  for (const labels of declared)
    for (const [name, kind] of Object.entries(labels)) if (kinds.get(name) !== "taint") kinds.set(name, kind);
  return kinds;
}

/** Labels that one policy declares, each with its kind. */
export type DeclaredLabels = Readonly<Record<string, "taint" | "mark">>;

/** Reports a label that no policy declares. */
export function reportLabel(
  name: string,
  span: Span,
  declared: ReadonlyMap<string, unknown>,
  report: SessionCheck["report"],
): void {
  if (declared.has(name)) return;
  const known = [...declared.keys()];
  const isHelped = known.length > Object.keys(builtInLabels).length || suggest(name, known) !== undefined;
  report(
    "HW410",
    span,
    `no label is called \`${name}\``,
    isHelped ? didYouMean(name, known) : `declare it: \`labels: { ${name}: { kind: taint } }\``,
  );
}
