import { readYaml } from "../../compiler/read.ts";
import { sourceDigest } from "../../compiler/resolve.ts";
import { child } from "../../compiler/yaml-node.ts";
import type { Source, Span } from "../../diagnostics/source.ts";
import type { Ir, Plan, PlanRule } from "../../engine/plan.ts";
import type { SuiteFile } from "./suite-file.ts";

/**
 * What of a plan came from the policies that a suite tests. A policy may stand in a plan twice (the built-in one, when it
 * is tested itself): both copies are one text, so what is said of a place of the text is said of both.
 */
export class TestedPolicies {
  readonly #byPolicy: ReadonlyMap<number, Source>;
  readonly #byName: ReadonlyMap<string, Source>;

  /** Where the exceptions of a policy stand. */
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

  /** The conditions of a rule's exceptions that stand in the rule's own text; another policy may waive it too. */
  ownExceptions(rule: PlanRule, source: Source): readonly Ir[] {
    const own = this.#exceptions.get(source);
    return rule.exceptions.flatMap(({ when }) =>
      own && when?.at && own.start <= when.at[0] && when.at[1] <= own.end ? [when] : [],
    );
  }

  /** The text of a policy by its place in the plan; undefined for one that is not tested. */
  ofPolicy(index: number): Source | undefined {
    return this.#byPolicy.get(index);
  }

  /** The text of a rule; undefined for a rule that is not tested. */
  ofRule(rule: PlanRule): Source | undefined {
    return this.ofPolicy(rule.policy);
  }

  /** The text of a named condition (`policy/name`). */
  ofCondition(name: string): Source | undefined {
    return this.#byName.get(name.slice(0, name.indexOf("/")));
  }

  /** Tested conditions in the order of their names. */
  conditionsOf(plan: Plan): { readonly name: string; readonly ir: Ir; readonly source: Source }[] {
    return Object.entries(plan.conditions).flatMap(([name, ir]) => {
      const source = this.ofCondition(name);
      return source ? [{ name, ir, source }] : [];
    });
  }
}

/** A rule's id or a condition's name without its policy, nor the number of the variant that the compiler made of it. */
export function shortName(name: string): string {
  return name.slice(name.indexOf("/") + 1).replace(/#.*$/, "");
}
