import type { Declarations, Standing } from "../schema/declarations.ts";
import { type EffectBase, type Effects, effectKinds, type FactSet } from "../schema/facts.ts";
import type { View } from "./evaluate-rule.ts";

/** A program or tool of the call that policies declare. */
export interface ExplainedDeclaration {
  readonly of: "program" | "tool";
  readonly name: string;
  /** `known`: its declaration is believed. `possible`: it comes from the project, and only adds what is possible. */
  readonly standing: Standing;
}

/** Declarations of policies for a call, and further effects by declarations of a project's policies. */
export interface DeclaredPart {
  readonly declared?: readonly ExplainedDeclaration[];
  readonly further?: Effects;
}

/** Returns the declarations that apply to a call; empty for a plan without any. */
export function declaredPart(views: readonly View[], declared: Declarations | undefined): DeclaredPart {
  if (!declared) return {};
  const [first] = views;
  const names = new Set(
    views.flatMap(
      ({ facts }) => facts.shell?.commands.flatMap(({ program, wrappers }) => [program, ...wrappers]) ?? [],
    ),
  );
  const tools = new Set(views.map(({ event }) => event.tool?.name));
  const found: ExplainedDeclaration[] = [
    ...declared.programs
      .filter(({ name, aliases }) => [name, ...aliases].some((one) => names.has(one)))
      .map(({ name, standing }) => ({ of: "program" as const, name, standing })),
    ...declared.tools
      .filter(({ name }) => tools.has(name))
      .map(({ name, standing }) => ({ of: "tool" as const, name, standing })),
  ];
  const further = first?.facts.further && added(first.facts, first.facts.further);
  return { ...(found.length > 0 && { declared: found }), ...(further && { further }) };
}

/** Returns the effects of one reading that another does not have. */
function added(base: FactSet, further: FactSet): Effects | undefined {
  const effects = further.effects;
  if (!effects) return undefined;
  const without = effectKinds.map((kind) => {
    const before = new Set(base.effects?.[kind].map(textOf));
    return [kind, effects[kind].filter((effect) => !before.has(textOf(effect)))] as const;
  });
  return without.some(([, list]) => list.length > 0) ? (Object.fromEntries(without) as unknown as Effects) : undefined;
}

function textOf({ command: _, ...effect }: EffectBase): string {
  return JSON.stringify(effect);
}
