import { type Checked, checkCondition, type Polarity } from "../../compiler/check/check.ts";
import type { Source } from "../../diagnostics/source.ts";
import type { Ir } from "../../engine/plan.ts";
import type { Expression } from "../../rules/ast.ts";
import type { Environment } from "../../rules/environment.ts";
import { dyn, type Type } from "../../rules/types.ts";
import type { RegexEngine } from "../../schema/ports.ts";

/** One place that judges a condition: the visible names, and which side must be strict there. */
export interface Scope {
  readonly environment: Environment;
  readonly polarity: Polarity;
  readonly negated: boolean;
  readonly source: Source;
  readonly regex: RegexEngine;
}

/** Accepts every pattern: those of a policy that compiles were checked before, and no new ones arise. */
export const triedPatterns: RegexEngine = {
  name: "re2js",
  version: "none",
  compile: (pattern) => ({ pattern, test: () => false, exec: () => undefined, matches: () => [] }),
};

/** Checks a condition in a place. */
export function checkedIn(expression: Expression, scope: Scope): Checked {
  return checkCondition(expression, scope.environment, scope);
}

/** Returns the type of a part of a condition, as far as it has one; a missing guard does not matter here. */
export function typeOf(expression: Expression, scope: Scope): Type {
  return checkCondition(expression, scope.environment, { ...scope, expect: dyn }).type;
}

/** Returns the scope under a negation. */
export function negatedScope(scope: Scope): Scope {
  return { ...scope, negated: !scope.negated };
}

/** Returns the scope with an element of a list by its name. */
export function scopeWith(scope: Scope, name: string, type: Type): Scope {
  const { environment } = scope;
  const slot = environment.slots;
  const variables = new Map(environment.variables).set(name, { name, type, doc: "", slot });
  return { ...scope, environment: { ...environment, variables, slots: slot + 1 } };
}

/**
 * Returns typed IR as text, for comparison: without places in the file, and without the names that macros give to their own
 * variables, which only people see.
 */
export function irText(ir: Ir): string {
  return JSON.stringify(ir, function (this: unknown, key: string, value: unknown) {
    const own = this as { readonly k?: string };
    if (key === "at" && typeof own.k === "string") return undefined;
    if (key === "name" && own.k === "slot") return undefined;
    return value;
  });
}
