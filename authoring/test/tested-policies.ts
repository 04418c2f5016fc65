import { readYaml } from "../../compiler/read.ts";
import { sourceDigest } from "../../compiler/resolve.ts";
import { child } from "../../compiler/yaml-node.ts";
import type { Source, Span } from "../../diagnostics/source.ts";
import type { Ir, Plan, PlanRule } from "../../engine/plan.ts";
import type { SuiteFile } from "./suite-file.ts";

/**
 * The parts of a plan from the policies that a suite tests. A policy may occur twice in a plan (the built-in one, when it is
 * tested itself). Both copies have one text, so results at a place of the text hold for both.
 */
export class TestedPolicies {
  readonly #byPolicy: ReadonlyMap<number, Source>;
  readonly #byName: ReadonlyMap<string, Source>;

  /** Spans of the exceptions of a policy. */
  readonly #exceptions: ReadonlyMap<Source, Span>;

  constructor({ policies, plan }: Pick<SuiteFile, "policies" | "plan">) {
    const texts = new Map(policies.map(({ file, source }) => [sourceDigest(file.bytes), source]));
    this.#exceptions = new Map(
      policies.flatMap(({ file, source }) => {
        const node = child(readYaml(file.name, file.bytes).root, "exceptions");
        return node ? [[source, node.span] as const] : [];
      }),
    );
    const found = plan.policies.map(({ source }, i) => [i, texts.get(source)] as const);
    this.#byPolicy = new Map(found.flatMap(([i, source]) => (source ? [[i, source]] : [])));
    this.#byName = new Map(
      found.flatMap(([i, source]) => (source ? [[plan.policies[i]?.id ?? "", source] as const] : [])),
    );
  }

  /** Returns the conditions of the exceptions in the rule's own text; another policy may waive it too. */
  ownExceptions(rule: PlanRule, source: Source): readonly Ir[] {
    const own = this.#exceptions.get(source);
    return rule.exceptions.flatMap(({ when }) =>
      own && when?.at && own.start <= when.at[0] && when.at[1] <= own.end ? [when] : [],
    );
  }

  /** Returns the text of a policy by its index in the plan; undefined for one that is not tested. */
  ofPolicy(index: number): Source | undefined {
    return this.#byPolicy.get(index);
  }

  /** Returns the text of a rule; undefined for a rule that is not tested. */
  ofRule(rule: PlanRule): Source | undefined {
    return this.ofPolicy(rule.policy);
  }

  /** Returns the text of a named condition (`policy/name`). */
  ofCondition(name: string): Source | undefined {
    return this.#byName.get(name.slice(0, name.indexOf("/")));
  }

  /** Returns the tested conditions, sorted by name. */
  conditionsOf(plan: Plan): { readonly name: string; readonly ir: Ir; readonly source: Source }[] {
    return Object.entries(plan.conditions).flatMap(([name, ir]) => {
      const source = this.ofCondition(name);
      return source ? [{ name, ir, source }] : [];
    });
  }
}

/** Returns a rule's id or a condition's name without its policy, and without the number of the compiler's variant. */
export function shortName(name: string): string {
  return name.slice(name.indexOf("/") + 1).replace(/#.*$/, "");
}
