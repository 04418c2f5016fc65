import { readYaml } from "../../compiler/read.ts";
import { child, text, type YamlNode } from "../../compiler/yaml-node.ts";
import type { Source, Span } from "../../diagnostics/source.ts";
import type { Ir, Plan, PlanAction, PlanRule } from "../../engine/plan.ts";
import { nodeChanges } from "./condition-mutants.ts";
import { fileMutants } from "./file-mutants.ts";
import { partsOf, shapeOf, withParts } from "./ir-tree.ts";
import type { Mutant } from "./mutant.ts";
import { ruleChanges } from "./rule-mutants.ts";
import { listOf, type SuiteFile } from "./suite-file.ts";
import { shortName, TestedPolicies } from "./tested-policies.ts";

/**
 * Returns every mutant of the policies that a suite tests, in the order of their text. Mutants that mean the same as the
 * policy, or as an earlier one, are left out as far as their plans show it. A place of the text that occurs several times in
 * the plan (a named condition, a built-in policy) is broken everywhere at once.
 */
export function mutantsOf(file: SuiteFile): Mutant[] {
  const found = [...new ConditionMutants(file).all(), ...ruleMutants(file), ...fileMutants(file)];
  const seen = new Set([changedPart(file.plan, file.plan)]);
  const different = found.filter(({ plan }) => {
    const key = changedPart(file.plan, plan);
    return seen.has(key) ? false : seen.add(key);
  });
  return different
    .map((mutant, i) => [mutant, i] as const)
    .sort(([a, i], [b, j]) => compare(a.source, b.source) || a.span.start - b.span.start || i - j)
    .map(([mutant]) => mutant);
}

/** Returns the differences of a plan from another, as one text that is equal for plans that mean the same. */
function changedPart(base: Plan, plan: Plan): string {
  const rules = plan.rules.flatMap((rule, i) => {
    const shape = rule === base.rules[i] ? "" : shapeOf(rule);
    return shape === "" || shape === shapeOf(base.rules[i]) ? [] : [[i, shape]];
  });
  const conditions = Object.entries(plan.conditions).flatMap(([name, ir]) =>
    ir === base.conditions[name] || shapeOf(ir) === shapeOf(base.conditions[name]) ? [] : [[name, shapeOf(ir)]],
  );
  const settings = plan.policies.map((one) => [one.id, one.scope, one.mode, one.default, one.unknown]);
  return JSON.stringify([rules, conditions, settings, plan.rules.length]);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A condition in the plan. */
interface Tree {
  readonly of: string;
  readonly source: Source;
  readonly ir: Ir;
}

/** Mutants inside conditions, found by the place and shape of a node and applied to every node of that place and shape. */
class ConditionMutants {
  readonly #plan: Plan;
  readonly #tested: TestedPolicies;
  /** Names in the text of the parameters that the suite sets: the content of their lists is the suite's, not the policy's. */
  readonly #given: ReadonlySet<string>;

  constructor(file: SuiteFile) {
    this.#plan = file.plan;
    this.#tested = new TestedPolicies(file);
    this.#given = new Set(
      Object.keys(file.suite.set ?? {}).flatMap((name) => [`$${name}`, `parameters.${name}`, name]),
    );
  }

  *all(): Generator<Mutant> {
    const seen = new Set<string>();
    for (const { of, source, ir } of this.#trees()) {
      for (const part of partsOf(ir)) {
        const key = keyOf(part.ir, source);
        if (key === undefined || seen.has(key)) continue;
        seen.add(key);
        for (const change of nodeChanges(part)) {
          const [start, end] = (change.place ?? part.ir).at ?? part.ir.at ?? [0, 0];
          const before = source.text.slice(start, end);
          if (change.isElement && this.#given.has(before)) continue;
          yield {
            operator: change.operator,
            of: shortName(of),
            source: source.name,
            span: { start, end },
            before,
            after: change.after(before),
            plan: this.#planWith(key, change.id),
          };
        }
      }
    }
  }

  #trees(): Tree[] {
    const rules = this.#plan.rules.flatMap((rule): Tree[] => {
      const source = this.#tested.ofRule(rule);
      if (!source) return [];
      const exceptions = this.#tested.ownExceptions(rule, source);
      const others = rule.exceptions.flatMap(({ when }) => (when && !exceptions.includes(when) ? [when] : []));
      return conditionsOf(rule)
        .filter((ir) => !others.includes(ir))
        .map((ir) => ({ of: rule.id, source, ir }));
    });
    const named = this.#tested.conditionsOf(this.#plan).map(({ name, ir, source }) => ({ of: name, source, ir }));
    return [...rules, ...named];
  }

  /** Returns the plan with one change at every node of a key. */
  #planWith(key: string, id: string): Plan {
    const inSource = (source: Source) => {
      const change = (ir: Ir, isTest: boolean): Ir => {
        if (keyOf(ir, source) === key) return nodeChanges({ ir, isTest }).find((one) => one.id === id)?.ir ?? ir;
        const tests = new Set(
          partsOf(ir, isTest)
            .filter((part) => part.isTest)
            .map((part) => part.ir),
        );
        return withParts(ir, (part) => change(part, tests.has(part)));
      };
      return (ir: Ir): Ir => change(ir, true);
    };
    const rules = this.#plan.rules.map((rule) => {
      const source = this.#tested.ofRule(rule);
      return source ? withConditions(rule, inSource(source)) : rule;
    });
    let conditions = this.#plan.conditions;
    for (const { name, ir, source } of this.#tested.conditionsOf(this.#plan)) {
      const made = inSource(source)(ir);
      if (made !== ir) conditions = { ...conditions, [name]: made };
    }
    return { ...this.#plan, rules, conditions };
  }
}

/** Returns the key of a node: its source, its place and its shape. A node without a place is not the author's. */
function keyOf(ir: Ir, source: Source): string | undefined {
  return ir.at && `${source.name} ${ir.at[0]} ${ir.at[1]} ${shapeOf(ir)}`;
}

/** Returns every condition of a rule. */
function conditionsOf(rule: PlanRule): Ir[] {
  const items = (rule.sequence?.items ?? []).map(({ when }) => when);
  const exceptions = rule.exceptions.map(({ when }) => when);
  const actions = rule.actions.flatMap(({ conditions }) => Object.values(conditions ?? {}));
  const all = [rule.when, rule.unless, ...items, rule.budget?.of, ...exceptions, ...actions];
  return all.filter((ir) => ir !== undefined);
}

/** Returns a rule with every condition changed; the same object if none changed. */
function withConditions(rule: PlanRule, change: (ir: Ir) => Ir): PlanRule {
  if (conditionsOf(rule).every((ir) => change(ir) === ir)) return rule;
  const { when, unless, sequence, budget } = rule;
  return {
    ...rule,
    ...(when && { when: change(when) }),
    ...(unless && { unless: change(unless) }),
    ...(sequence && {
      sequence: {
        ...sequence,
        items: sequence.items.map((item) => ({ ...item, ...(item.when && { when: change(item.when) }) })),
      },
    }),
    ...(budget && { budget: { ...budget, ...(budget.of && { of: change(budget.of) }) } }),
    exceptions: rule.exceptions.map((one) => ({ ...one, when: one.when && change(one.when) })),
    actions: rule.actions.map((action) => (action.conditions ? withActionConditions(action, change) : action)),
  };
}

function withActionConditions(action: PlanAction, change: (ir: Ir) => Ir): PlanAction {
  const conditions = Object.entries(action.conditions ?? {}).map(([name, ir]) => [name, change(ir)]);
  return { ...action, conditions: Object.fromEntries(conditions) };
}

/** Returns mutants of whole rules; if a policy occurs twice in the plan, of both copies of a rule. */
function ruleMutants({ policies, plan }: Pick<SuiteFile, "policies" | "plan">): Mutant[] {
  const tested = new TestedPolicies({ policies, plan });
  return policies.flatMap(({ file, source }) => {
    const nodes = new Map(
      listOf(child(readYaml(file.name, file.bytes).root, "rules")).map((node) => [text(child(node, "id")), node]),
    );
    const own = plan.rules.filter((rule) => tested.ofRule(rule) === source);
    const first = new Map(own.map((rule) => [rule.at[0], rule]).reverse() as [number, PlanRule][]);
    return [...first.values()].reverse().flatMap((rule) =>
      ruleChanges(rule).map((change): Mutant => {
        const span = placeOf(nodes.get(shortName(rule.id)), change.key, rule);
        const swap = (one: PlanRule): PlanRule =>
          tested.ofRule(one) === source && one.at[0] === rule.at[0]
            ? (ruleChanges(one).find(({ id }) => id === change.id)?.rule ?? one)
            : one;
        return {
          operator: change.operator,
          of: shortName(rule.id),
          source: source.name,
          span,
          before: source.text.slice(span.start, span.end),
          after: change.after,
          plan: { ...plan, rules: plan.rules.map(swap) },
        };
      }),
    );
  });
}

/** Returns the place of a rule's field, or of its id if the field is written elsewhere. */
function placeOf(node: YamlNode | undefined, key: string, rule: PlanRule): Span {
  return (child(node, key) ?? child(node, "id"))?.span ?? { start: rule.at[0], end: rule.at[1] };
}
