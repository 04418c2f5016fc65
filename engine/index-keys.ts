import { limits } from "../schema/limits.ts";
import type { RegexEngine } from "../schema/ports.ts";
import { countedElements, cutTo, deepest } from "./index-costs.ts";
import { requiredLiterals } from "./index-literals.ts";
import { isFactList, listsAround, type Source, some, sourceOf } from "./index-sources.ts";
import type { Ir, PlanRule } from "./plan.ts";
import { reservedSlots } from "./plan.ts";

/** Test that a source must pass: any value, an equal value, or a text that contains a literal. */
export type Key =
  | { readonly source: Source; readonly test: "some" }
  | { readonly source: Source; readonly test: "equals"; readonly value: string | number | boolean }
  | { readonly source: Source; readonly test: "text"; readonly literal: string };

/** Keys of which at least one must be found, else the condition is false. */
export type Need = readonly Key[];

/** Parts of the plan that deriving keys reads. */
export interface KeyContext {
  readonly regex: RegexEngine;
  condition(name: string): Ir | undefined;
}

/** Needs of a rule that an event must meet before the rule is judged. */
export interface RuleNeeds {
  readonly needs: readonly Need[];
  /** They rest on the facts of the call: that it is known, and that no list of it is longer than `countedElements`. */
  readonly facts: boolean;
}

/**
 * Needs of a rule, all of which must be met for it to match or err (semantics section 3, step 2). The claim: where no key
 * of one need is found, the rule says `no` and has no error. It holds since
 * - every need makes `when` false by itself: `and` is false as soon as one part is, `or` and `exists` when all are, and a
 *   part that errs counts for nothing beside a false one; negations, and whatever is not known here, give no need;
 * - `when` then takes no more steps than `limits.steps`, so that it cannot end in HW503 before: needs are those of the
 *   part of it that is evaluated first and costs no more (`cutTo`);
 * - `each` goes through a list of facts, which cannot err once the call is known, and the rule says `no` when it is not;
 * - where there is no such element, `each` has nothing to judge, whatever `when` would take;
 * - a value that is not plain, or cannot be read, counts as found (`index-match.ts`).
 * Without a claim there is no need, and the rule is always judged.
 */
export function needsOf(rule: PlanRule, context: KeyContext): RuleNeeds {
  const { each, when } = rule;
  // Facts are computed for rules that need them anyway, and for no index (a sequence may make them needless).
  const facts = rule.needs && !rule.sequence;
  const lists = new Map<number, Source["lists"]>();
  const needs: Need[] = [];
  if (each) {
    if (!facts || !isFactList(each.list)) return always;
    const elements = [{ list: each.list, slot: each.slot }];
    lists.set(each.slot, elements);
    needs.push([{ source: some(elements), test: "some" }]);
  }
  const most = Math.floor((limits.steps - 1) / (each ? countedElements : 1));
  const told = when && cutTo(when, { lists, facts, depth: 0 }, most, context.condition);
  if (told) needs.push(...new Derivation(context).needs(told, { lists, present: new Set(), depth: 0 }));
  const usable = needs.filter((need) => facts || need.every(({ source }) => source.lists.length === 0));
  return { needs: usable.sort(byWorth), facts };
}

const always: RuleNeeds = { needs: [], facts: false };

/** Needs that are met least often first: texts and names, then lists that are there at all, then yes or no. */
function byWorth(a: Need, b: Need): number {
  return worth(a) - worth(b) || a.length - b.length;
}

function worth(need: Need): number {
  return Math.max(0, ...need.map(worthOf));
}

function worthOf(key: Key): number {
  if (key.test === "some") return 1;
  if (key.test === "text") return 0;
  return typeof key.value === "string" ? 0 : 2;
}

interface Scope {
  readonly lists: ReadonlyMap<number, Source["lists"]>;
  /** Ids of values whose presence the conditions around ask for. */
  readonly present: ReadonlySet<string>;
  /** Named conditions inside one another. */
  readonly depth: number;
}

type Call = Extract<Ir, { k: "call" }>;

class Derivation {
  readonly #context: KeyContext;

  constructor(context: KeyContext) {
    this.#context = context;
  }

  /** Derives the needs of a condition: each one, when not met, makes it false without an error. */
  needs(ir: Ir, scope: Scope): readonly Need[] {
    switch (ir.k) {
      case "const":
        return ir.value === false ? [[]] : [];
      case "and":
        return this.#all(ir.args, scope);
      case "or":
        return this.#any(ir.args, scope);
      case "not":
        return ir.arg.k === "not" ? this.needs(ir.arg.arg, scope) : this.#isBool(ir.arg, false, scope);
      case "field":
      case "slot":
      case "root":
        return this.#isBool(ir, true, scope);
      case "has":
        return this.#has(ir, scope);
      case "call":
        return this.#call(ir, scope);
      case "loop":
        return this.#loop(ir, scope);
      case "condition":
        return this.#condition(ir.name, scope);
      default:
        return [];
    }
  }

  /** One false part is enough. A `has` beside the others answers for their absent values. */
  #all(args: readonly Ir[], scope: Scope): readonly Need[] {
    const asked = args.flatMap((arg) => {
      const field: Ir | undefined = arg.k === "has" ? { k: "field", of: arg.of, name: arg.name } : undefined;
      const id = field && sourceOf(field, { ...scope, present: new Set() })?.id;
      return id === undefined ? [] : [id];
    });
    const inner = asked.length === 0 ? scope : { ...scope, present: new Set([...scope.present, ...asked]) };
    return args.flatMap((arg) => this.needs(arg, inner));
  }

  /** All parts must be false: the best need of each, together. */
  #any(args: readonly Ir[], scope: Scope): readonly Need[] {
    const together: Key[] = [];
    for (const arg of args) {
      const [best] = [...this.needs(arg, scope)].sort(byWorth);
      if (!best) return [];
      together.push(...best);
    }
    return [together];
  }

  #isBool(ir: Ir, value: boolean, scope: Scope): readonly Need[] {
    const source = sourceOf(ir, scope);
    return source ? [[{ source, test: "equals", value }]] : [];
  }

  #has({ of, name }: Extract<Ir, { k: "has" }>, scope: Scope): readonly Need[] {
    const field: Ir = { k: "field", of, name };
    const id = sourceOf(field, { ...scope, present: new Set() })?.id;
    const source = id === undefined ? undefined : sourceOf(field, { ...scope, present: new Set([id]) });
    return source ? [[{ source, test: "some" }]] : [];
  }

  #loop(ir: Extract<Ir, { k: "loop" }>, scope: Scope): readonly Need[] {
    if (ir.loop !== "exists" && ir.loop !== "exists_one") return [];
    const around = listsAround(ir.list, scope.lists);
    if (!around) return [];
    const lists = [...around, { list: ir.list, slot: ir.slot }];
    const inner = { ...scope, lists: new Map(scope.lists).set(ir.slot, lists) };
    return [[{ source: some(lists), test: "some" }], ...this.needs(ir.body, inner)];
  }

  /** A named condition sees the element and the message of its place, but no variable of a macro around its use. */
  #condition(name: string, scope: Scope): readonly Need[] {
    const ir = this.#context.condition(name);
    if (!ir || scope.depth > deepest) return [];
    const lists = new Map([...scope.lists].filter(([slot]) => slot < reservedSlots.free));
    return this.needs(ir, { ...scope, lists, depth: scope.depth + 1 });
  }

  #call(ir: Call, scope: Scope): readonly Need[] {
    const [first, second] = ir.args;
    if (!first || !second || ir.args.length !== 2) return [];
    if (ir.fn === "equal" && first.k === "const" && first.type === undefined)
      return this.#compared(second, [first.value], "equals", scope);
    if (second.k !== "const" || second.type !== undefined) return [];
    const { value } = second;
    switch (ir.fn.replace(/^any\./, "string.")) {
      case "equal":
        return this.#compared(first, [value], "equals", scope);
      case "list.in":
      case "string.in":
        return Array.isArray(value) ? this.#compared(first, value, "equals", scope) : [];
      case "string.contains":
      case "string.starts_with":
      case "string.ends_with":
        return this.#compared(first, [value], "text", scope);
      case "string.contains_any":
        return Array.isArray(value) ? this.#compared(first, value, "text", scope) : [];
      case "string.contains_all":
        return Array.isArray(value) ? value.flatMap((one) => this.#compared(first, [one], "text", scope)) : [];
      case "string.matches":
        return this.#matched(first, value, scope);
      default:
        return [];
    }
  }

  /** A pattern that the regex engine refuses is an error of the rule, and gives no need. */
  #matched(of: Ir, pattern: unknown, scope: Scope): readonly Need[] {
    const literals = typeof pattern === "string" ? requiredLiterals(pattern) : undefined;
    if (!literals || "kind" in this.#context.regex.compile(pattern as string)) return [];
    return this.#compared(of, literals, "text", scope);
  }

  #compared(of: Ir, values: readonly unknown[], test: "equals" | "text", scope: Scope): readonly Need[] {
    const source = sourceOf(of, scope);
    if (!source) return [];
    const keys: Key[] = [];
    for (const value of values) {
      if (test === "text") {
        if (typeof value !== "string" || value.length < shortestText) return [];
        keys.push({ source, test, literal: value });
      } else {
        if (typeof value !== "string" && typeof value !== "boolean" && !Number.isSafeInteger(value)) return [];
        // A program called from elsewhere has the empty name where a test loosens, but its own name in the source.
        if (value === "") return [];
        keys.push({ source, test, value: value as string | number | boolean });
      }
    }
    // Nothing to be found would still need a value that can be read.
    return keys.length === 0 ? [] : [keys];
  }
}

/** Shorter texts are in nearly everything. */
export const shortestText = 3;
