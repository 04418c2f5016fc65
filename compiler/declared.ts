import type { Constant, Declared } from "../rules/environment.ts";
import { dyn, type Type } from "../rules/types.ts";
import type { DeclaredEffect, ProgramClaim, ToolClaim } from "../schema/declarations.ts";
import type { PolicyOutline } from "./outline.ts";
import type { ResolvedPolicy } from "./resolve.ts";

/**
 * The parameters and lists of a policy, as its conditions see them: with the values that they have in this set. Tools and
 * managers are those that any policy of the set or of `base` declares.
 */
export function declaredBy(
  { draft, parameters }: ResolvedPolicy,
  all: readonly ResolvedPolicy[],
  base: readonly PolicyOutline[],
): Declared {
  return {
    tools: declaredTools(all, base),
    managers: declaredManagers(all, base),
    parameters: new Map(
      [...draft.parameters].map(([name, { type }]) => [
        name,
        { type: parameterTypes[type] ?? dyn, value: (parameters.get(name) ?? null) as Constant },
      ]),
    ),
    lists: draft.lists,
    listPlaces: draft.listPlaces,
  };
}

/** Declared tools, by the policies of one compilation: each of these policies asks for them. */
const known = new WeakMap<readonly ResolvedPolicy[], ReadonlySet<string>>();

/** Returns the tools that any policy of the set or of `base` declares. */
function declaredTools(all: readonly ResolvedPolicy[], base: readonly PolicyOutline[]): ReadonlySet<string> {
  const made =
    known.get(all) ??
    new Set([
      ...base.flatMap(({ tools }) => tools.map(({ name }) => name)),
      ...all.flatMap(({ draft }) => [...draft.tools.keys()]),
    ]);
  known.set(all, made);
  return made;
}

const managersOf = new WeakMap<readonly ResolvedPolicy[], ReadonlySet<string>>();

/** Returns the package managers that declarations of programs and tools name, in any policy of the set or of `base`. */
function declaredManagers(all: readonly ResolvedPolicy[], base: readonly PolicyOutline[]): ReadonlySet<string> {
  const claims = (): readonly (ProgramClaim | ToolClaim)[] => [
    ...base.flatMap(({ programs, tools }) => [...programs, ...tools]),
    ...all.flatMap(({ draft }) => [...draft.programs.values(), ...draft.tools.values()].map(({ claim }) => claim)),
  ];
  const made = managersOf.get(all) ?? new Set(claims().flatMap(({ effects }) => effects?.flatMap(managerIn) ?? []));
  managersOf.set(all, made);
  return made;
}

function managerIn(effect: DeclaredEffect): readonly string[] {
  const [only, ...others] = effect.kind === "installs" ? effect.manager : [];
  return typeof only === "string" && others.length === 0 ? [only] : [];
}

const parameterTypes: Readonly<Record<string, Type>> = {
  string: { kind: "string" },
  int: { kind: "int" },
  bool: { kind: "bool" },
  "list(string)": { kind: "list", element: { kind: "string" } },
  "list(int)": { kind: "list", element: { kind: "int" } },
};
