import type { Ir } from "../../engine/plan.ts";
import type { TypedPolicy } from "../plan.ts";

type TypedRule = TypedPolicy["rules"][number];

/** Nodes that named conditions may add to the rules of a policy. A policy beyond it keeps their names from there on. */
const mostNodes = 200_000;

/**
 * Returns the rules with each named condition in the place of its name, so that a lint sees a test wherever it is written. The
 * places of the tests stay those of the named condition.
 */
export function rulesInPlace({ rules, conditions }: TypedPolicy): readonly TypedRule[] {
  if (conditions.size === 0) return rules;
  const known = new Map<string, Named>();
  let left = mostNodes;
  const named = (name: string): Ir | undefined => {
    const ir = conditions.get(name);
    if (!ir) return undefined;
    let found = known.get(name);
    if (!found) {
      // A condition that leads back to itself has an error of its own.
      known.set(name, { ir: { k: "condition", name }, nodes: 1 });
      const whole = inPlace(ir, named);
      found = { ir: whole, nodes: countOf(whole) };
      known.set(name, found);
    }
    left -= found.nodes;
    return left < 0 ? undefined : found.ir;
  };
  return rules.map((rule) => ruleInPlace(rule, named));
}

interface Named {
  readonly ir: Ir;
  readonly nodes: number;
}

type Lookup = (name: string) => Ir | undefined;

function ruleInPlace(rule: TypedRule, named: Lookup): TypedRule {
  const { when, unless, exceptions, sequence, budget } = rule;
  return {
    ...rule,
    ...(when && { when: inPlace(when, named) }),
    ...(unless && { unless: inPlace(unless, named) }),
    exceptions: exceptions.map((exception) => ({
      ...exception,
      when: exception.when && inPlace(exception.when, named),
    })),
    ...(budget?.of && { budget: { ...budget, of: inPlace(budget.of, named) } }),
    ...(sequence && {
      sequence: {
        ...sequence,
        items: sequence.items.map((item) => ({ ...item, ...(item.when && { when: inPlace(item.when, named) }) })),
      },
    }),
  };
}

/** A named condition is a truth: it stands in logic and in loops, which may stand in a call. */
function inPlace(ir: Ir, named: Lookup): Ir {
  const inner = (part: Ir): Ir => inPlace(part, named);
  switch (ir.k) {
    case "condition":
      return named(ir.name) ?? ir;
    case "and":
    case "or":
    case "call":
      return { ...ir, args: ir.args.map(inner) };
    case "not":
      return { ...ir, arg: inner(ir.arg) };
    case "if":
      return { ...ir, test: inner(ir.test), then: inner(ir.then), else: inner(ir.else) };
    case "loop":
      return { ...ir, list: inner(ir.list), ...(ir.where && { where: inner(ir.where) }), body: inner(ir.body) };
    default:
      return ir;
  }
}

/** Counts the nodes of logic and the tests; a list of constants counts for each of its items. */
function countOf(ir: Ir): number {
  switch (ir.k) {
    case "and":
    case "or":
    case "call":
      return ir.args.reduce((sum, arg) => sum + countOf(arg), 1);
    case "not":
      return 1 + countOf(ir.arg);
    case "if":
      return 1 + countOf(ir.test) + countOf(ir.then) + countOf(ir.else);
    case "loop":
      return 1 + countOf(ir.list) + countOf(ir.body);
    case "const":
      return Array.isArray(ir.value) ? ir.value.length : 1;
    default:
      return 1;
  }
}
