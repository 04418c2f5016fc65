import type { Environment } from "../../rules/environment.ts";

type Declared = { readonly [K in "parameters" | "lists" | "conditions"]?: Environment[K] | undefined };

/** Returns how to refer to a parameter, list or condition of the policy that is called so; undefined if there is none. */
export function declaredHelp(environment: Declared, name: string, hasDollar = true): string | undefined {
  const { conditions, lists, parameters } = environment;
  const of = parameters?.has(name)
    ? "parameters"
    : lists?.has(name)
      ? "lists"
      : conditions?.has(name)
        ? "conditions"
        : undefined;
  if (of === undefined) return undefined;
  const own = { parameters: "a parameter", lists: "a list", conditions: "a condition" }[of];
  const way = hasDollar ? `\`$${name}\`, in expressions \`${of}.${name}\`` : `\`$${name}\``;
  return `the policy has ${own} of this name: write ${way}`;
}
