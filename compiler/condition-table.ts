import type { Ir } from "../engine/plan.ts";
import { spend } from "../facts/meter.ts";
import type { Expression } from "../rules/ast.ts";
import type { Environment, NamedCondition } from "../rules/environment.ts";
import type { ConditionUse, Polarity } from "./check/check.ts";
import { ConditionGraph, conditionName, partsOf } from "./condition-graph.ts";
import type { PolicyDraft } from "./policy-draft.ts";

type Check = (
  expression: Expression,
  environment: Environment,
  polarity: Polarity,
  negated: boolean,
) => { readonly ir: Ir | undefined; readonly seen: Ir };

/**
 * The named conditions of one policy. A condition is checked anew in every environment, polarity and sense in which it
 * is used, since names and path forms may mean different things there. Each variant has a separate name in the plan.
 * A circle of conditions is found by `findCircle`, a chain that is too long by `findTooDeep`; both give no plan.
 */
export class ConditionTable {
  /** Checked variants by their name in the plan. */
  readonly checked = new Map<string, Ir>();
  /** The same with a constant in place of every part that has an error. */
  readonly seen = new Map<string, Ir>();
  readonly #draft: PolicyDraft;
  readonly #name: string;
  readonly #graph: ConditionGraph;
  readonly #check: Check;
  readonly #environments = new Map<string, ReadonlyMap<string, NamedCondition>>();
  readonly #started = new Set<string>();

  /** `name` is what the policy is called in the plan. */
  constructor(draft: PolicyDraft, check: Check, name: string) {
    this.#draft = draft;
    this.#name = name;
    this.#graph = new ConditionGraph(
      new Map([...draft.conditions].map(([name, { expression }]) => [name, expression])),
    );
    this.#check = check;
  }

  /** Returns the conditions as one environment sees them; `key` identifies the environment. */
  named(key: string): ReadonlyMap<string, NamedCondition> {
    const known = this.#environments.get(key);
    if (known) return known;
    const suffix = this.#environments.size === 0 ? "" : `#${this.#environments.size + 1}`;
    const names = [...this.#draft.conditions.keys()];
    spend(names.length);
    const named = new Map(
      names.map((name) => [name, { id: `${this.#name}/${name}${suffix}`, needs: this.#graph.needs(name) }]),
    );
    this.#environments.set(key, named);
    return named;
  }

  /** Checks every variant that is used and not yet checked. What leads into a circle or nests too deep is left out; there is no plan then. */
  require(uses: readonly ConditionUse[], environment: Environment): void {
    for (const { name, ir, polarity, negated } of uses) {
      const condition = this.#draft.conditions.get(name);
      if (!condition || this.#started.has(ir)) continue;
      this.#started.add(ir);
      if (!this.#graph.isSound(name)) continue;
      const result = this.#check(condition.expression, environment, polarity, negated);
      this.seen.set(ir, result.seen);
      if (result.ir) this.checked.set(ir, result.ir);
    }
  }

  /** The parts of an expression and of every condition that it uses, itself or through others; in no order. */
  partsOf(expression: Expression): Expression[] {
    const parts = partsOf(expression);
    const seen = new Set<string>();
    for (const part of parts) {
      spend(1);
      const name = conditionName(part);
      const named = name === undefined || seen.has(name) ? undefined : this.#draft.conditions.get(name);
      if (name !== undefined) seen.add(name);
      if (named) for (const inner of partsOf(named.expression)) parts.push(inner);
    }
    return parts;
  }

  /** Returns the first condition that refers to itself, directly or not. */
  findCircle(): string | undefined {
    return this.#graph.circle;
  }

  /** Finds the first condition that nests too deep, including the conditions it refers to. It is not checked, and there is no plan. */
  findTooDeep(): string | undefined {
    return [...this.#draft.conditions.keys()].find((name) => this.#graph.isTooDeep(name));
  }
}
