import type { PlanBudget } from "../../engine/plan.ts";
import type { EventName } from "../../schema/events.ts";
import { limits } from "../../schema/limits.ts";
import type { BudgetDraft, RuleDraft, SequenceDraft } from "../policy-draft.ts";
import { child, text, type YamlMap, type YamlNode } from "../yaml-node.ts";
import { parseScalarExpression } from "./condition.ts";
import { booleanOf, items, type ParseContext } from "./context.ts";

/** Functions of the rule parser that read events and tools, for the items of a sequence. */
export interface ItemReaders {
  events(context: ParseContext, node: YamlNode | undefined): EventName[];
  tools(context: ParseContext, node: YamlMap): Pick<RuleDraft, "tools" | "matchers">;
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Returns the milliseconds of a duration such as `30m`; undefined for any other text. */
export function durationOf(value: string | undefined): number | undefined {
  const parts = value === undefined ? null : /^([0-9]{1,9})(ms|s|m|h|d)$/.exec(value);
  const unit = parts?.[2] === undefined ? undefined : units[parts[2]];
  return parts?.[1] === undefined || unit === undefined ? undefined : Number(parts[1]) * unit;
}

/** Parses `sequence` of a rule (language section 5). */
export function sequenceOf(
  context: ParseContext,
  node: YamlNode | undefined,
  readers: ItemReaders,
): SequenceDraft | undefined {
  if (node?.kind !== "map") return undefined;
  const after = child(node, "after");
  const given = after?.kind === "map" ? [after] : items(after);
  if (given.length > limits.sequenceItems)
    context.report(
      "HW104",
      after?.span ?? node.span,
      `a sequence has more than ${limits.sequenceItems} items`,
      "leave out those that the others imply",
    );
  const within = child(node, "within");
  const calls = child(within, "calls");
  const time = child(within, "time");
  if (calls?.kind === "scalar" && typeof calls.value === "number" && calls.value < given.length)
    context.report(
      "HW104",
      calls.span,
      `${given.length} items never stand in the last ${calls.value} calls`,
      `write ${given.length} or more: each item is a call of its own`,
    );
  return {
    span: node.span,
    items: given.flatMap((item) => {
      if (item.kind !== "map") return [];
      const named = child(item, "event");
      return [
        {
          span: item.span,
          events: named ? readers.events(context, named) : (["tool_call"] as const),
          ...readers.tools(context, item),
          when: context.condition(child(item, "when")),
        },
      ];
    }),
    calls: calls?.kind === "scalar" && typeof calls.value === "number" ? calls.value : undefined,
    time: milliseconds(context, time),
    executed: booleanOf(child(node, "executed")) ?? false,
  };
}

/** Parses `budget` of a rule (language section 5). */
export function budgetOf(context: ParseContext, node: YamlNode | undefined): BudgetDraft | undefined {
  if (node?.kind !== "map") return undefined;
  const limit = child(node, "limit");
  const of = child(node, "of");
  let expression: BudgetDraft["of"];
  if (of?.kind === "scalar") {
    const parsed = parseScalarExpression(context.source, of);
    context.add(parsed.diagnostics);
    expression = parsed.expression;
  }
  return {
    span: node.span,
    per: (text(child(node, "per")) ?? "session") as PlanBudget["per"],
    limit: limit?.kind === "scalar" && typeof limit.value === "number" ? limit.value : 0,
    within: milliseconds(context, child(node, "within")),
    of: expression,
    executed: booleanOf(child(node, "executed")) ?? false,
  };
}

function milliseconds(context: ParseContext, node: YamlNode | undefined): number | undefined {
  if (!node) return undefined;
  const found = durationOf(text(node));
  if (found === undefined || found <= 0)
    context.report("HW104", node.span, "this is not a duration", "write it like `30s`, `10m` or `2h`");
  return found;
}
