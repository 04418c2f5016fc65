import type { Ir } from "../engine/plan.ts";
import type { Expression } from "../rules/ast.ts";
import type { Environment, NamedCondition } from "../rules/environment.ts";
import type { ConditionUse, Polarity } from "./check/check.ts";
import { childrenOf } from "./parse/depth.ts";
import type { PolicyDraft } from "./policy-draft.ts";

type Check = (
  expression: Expression,
  environment: Environment,
  polarity: Polarity,
  negated: boolean,
) => { readonly ir: Ir | undefined };

/**
 * The named conditions of one policy. A condition is checked anew in every environment, polarity and sense in which it
 * is used, since names and path forms may mean different things there; each variant has a name of its own in the plan.
 * A circle of conditions is found by `findCircle` and gives no plan.
 */
export class ConditionTable {
  /** Checked variants by their name in the plan. */
  readonly checked = new Map<string, Ir>();
  readonly #draft: PolicyDraft;
  readonly #check: Check;
  readonly #environments: string[] = [];
  readonly #started = new Set<string>();
  readonly #used = new Set<string>();

  constructor(draft: PolicyDraft, check: Check) {
    this.#draft = draft;
    this.#check = check;
  }

  /** The conditions as one environment sees them; `key` tells environments apart. */
  named(key: string): ReadonlyMap<string, NamedCondition> {
    if (!this.#environments.includes(key)) this.#environments.push(key);
    const index = this.#environments.indexOf(key);
    const suffix = index === 0 ? "" : `#${index + 1}`;
    const names = [...this.#draft.conditions.keys()];
    return new Map(
      names.map((name) => [name, { id: `${this.#draft.id}/${name}${suffix}`, needs: this.#needs(name, new Set()) }]),
    );
  }

  /** Checks every variant that is used and not yet checked. A circle ends here, since a variant is started once. */
  require(uses: readonly ConditionUse[], environment: Environment): void {
    for (const { name, ir, polarity, negated } of uses) {
      this.#used.add(name);
      const condition = this.#draft.conditions.get(name);
      if (!condition || this.#started.has(ir)) continue;
      this.#started.add(ir);
      const result = this.#check(condition.expression, environment, polarity, negated);
      if (result.ir) this.checked.set(ir, result.ir);
    }
  }

  isUsed(name: string): boolean {
    return this.#used.has(name);
  }

  /** The first condition that leads back to itself, with the condition that closes the circle. */
  findCircle(): { readonly name: string } | undefined {
    for (const name of this.#draft.conditions.keys()) if (this.#reaches(name, name, new Set())) return { name };
    return undefined;
  }

  #reaches(from: string, wanted: string, seen: Set<string>): boolean {
    for (const next of this.#references(from)) {
      if (next === wanted) return true;
      if (seen.has(next)) continue;
      seen.add(next);
      if (this.#reaches(next, wanted, seen)) return true;
    }
    return false;
  }

  #references(name: string): string[] {
    const expression = this.#draft.conditions.get(name)?.expression;
    return expression ? [...walk(expression)].flatMap((e) => conditionName(e) ?? []) : [];
  }

  #needs(name: string, seen: Set<string>): boolean {
    if (seen.has(name)) return false;
    seen.add(name);
    const expression = this.#draft.conditions.get(name)?.expression;
    if (!expression) return false;
    const named = [...walk(expression)].some((e) => e.kind === "name" && (e.name === "shell" || e.name === "effects"));
    return named || this.#references(name).some((next) => this.#needs(next, seen));
  }
}

function conditionName(e: Expression): string | undefined {
  if (e.kind === "condition") return e.name;
  return e.kind === "member" && e.of.kind === "name" && e.of.name === "conditions" ? e.field : undefined;
}

function* walk(expression: Expression): Generator<Expression> {
  const open = [expression];
  for (let next = open.pop(); next; next = open.pop()) {
    yield next;
    open.push(...childrenOf(next));
  }
}
