import { type ApproximateKind, type EffectKind, effectKinds } from "../schema/facts.ts";
import type { Linker } from "./link.ts";
import type { GradedConditions } from "./linked.ts";
import type { Ir, PlanRule } from "./plan.ts";

/** Parts of a rule, or of an item of a sequence, that are judged by grades. */
export type GradedRule = Pick<PlanRule, "each" | "when" | "unless" | "exceptions" | "budget"> &
  Partial<Pick<PlanRule, "actions">>;

/** Links the conditions of a rule by grades. */
export function linkGraded(
  rule: GradedRule,
  { link }: Linker,
  conditions: (name: string) => Ir | undefined,
): GradedConditions {
  const { each, when, unless, exceptions, budget, actions } = rule;
  const parts = [each?.list, when, unless, budget?.of, ...exceptions.map((exception) => exception.when)];
  return {
    sees: kindsIn(parts, conditions),
    list: each && link(each.list),
    when: when && link(when),
    unless: unless && link(unless),
    spends: budget?.of && link(budget.of),
    loosens: actions?.some(({ action }) => action === "allow") === true,
    exceptions: exceptions.map((e) => ({ when: e.when && link(e.when), expires: e.expires, reason: e.reason })),
  };
}

const commandRoots: ReadonlySet<string> = new Set(["shell", "shell.commands", "shell.pipelines"]);
const everyKind: readonly ApproximateKind[] = [...effectKinds, "commands"];

/** Returns the kinds of facts that conditions read, named conditions included. */
function kindsIn(
  parts: readonly unknown[],
  conditions: (name: string) => Ir | undefined,
): ReadonlySet<ApproximateKind> {
  const found = new Set<ApproximateKind>();
  // A set, so that each referenced condition is read once.
  const open = new Set<unknown>(parts);
  for (const value of open) {
    if (typeof value !== "object" || value === null) continue;
    const ir = value as Ir;
    if (ir.k === "root" && ir.name === "effects") return new Set(everyKind);
    if (ir.k === "root" && commandRoots.has(ir.name)) found.add("commands");
    if (ir.k === "root" && ir.name.startsWith("effects.")) found.add(ir.name.slice("effects.".length) as EffectKind);
    for (const inner of Object.values(ir)) open.add(inner);
    if (ir.k === "condition") open.add(conditions(ir.name));
  }
  return found;
}
