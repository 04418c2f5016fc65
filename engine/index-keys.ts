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

/** Keys, at least one of which must be found; otherwise the condition is false. */
export type Need = readonly Key[];

/** Parts of the plan that deriving keys reads. */
export interface KeyContext {
  readonly regex: RegexEngine;
  condition(name: string): Ir | undefined;
}

/** Needs of a rule that an event must meet before the rule is judged. */
export interface RuleNeeds {
  readonly needs: readonly Need[];
  /** True if the needs hold only for a call that is known and has no list longer than `countedElements`. */
  readonly facts: boolean;
}

/**
 * Returns the needs of a rule, all of which must be met for it to match or err (semantics section 3, step 2). The claim: if no
 * key of one need is found, the rule answers `no` without an error. Reasons:
 * - an unmet need alone makes `when` false: `and` is false if one part is, `or` and `exists` if all are, and a false part
 *   outweighs an error. Negations, and nodes not known here, give no need;
 * - `when` cannot end in HW503 first: needs come only from its leading part, which takes at most `limits.steps` steps (`cutTo`);
 * - `each` goes through a list of facts, which cannot err for a known call; for an unknown call the rule answers `no`;
 * - without a matching element, `each` has nothing to judge, whatever `when` would cost;
 * - a value that is not plain, or cannot be read, counts as found (`index-match.ts`).
 * If the claim cannot be made, there are no needs, and the rule is always judged.
 */
export function needsOf(rule: PlanRule, context: KeyContext): RuleNeeds {
  const { each, when } = rule;
  // Facts are not computed for the index alone: only rules that need them anyway use them, and a rule with a sequence may not.
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

/** Sorts the most selective needs first: texts and names, then presence, then truth values. */
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
  /** Ids of values whose presence the surrounding conditions test. */
  readonly present: ReadonlySet<string>;
  /** Nesting depth of named conditions. */
  readonly depth: number;
}

type Call = Extract<Ir, { k: "call" }>;

class Derivation {
  readonly #context: KeyContext;

  constructor(context: KeyContext) {
    this.#context = context;
  }

  /** Derives the needs of a condition; each need, if not met, makes the condition false without an error. */
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

  /** Derives the needs of `and`: those of every part. A `has` among the parts makes an absent value false for the others. */
  #all(args: readonly Ir[], scope: Scope): readonly Need[] {
    const asked = args.flatMap((arg) => {
      const field: Ir | undefined = arg.k === "has" ? { k: "field", of: arg.of, name: arg.name } : undefined;
      const id = field && sourceOf(field, { ...scope, present: new Set() })?.id;
      return id === undefined ? [] : [id];
    });
    const inner = asked.length === 0 ? scope : { ...scope, present: new Set([...scope.present, ...asked]) };
    return args.flatMap((arg) => this.needs(arg, inner));
  }

  /** Derives the need of `or`: the most selective need of each part, joined into one. */
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

  /**
   * Derives the needs of a named condition. It sees the element and the message where it is used, but no variable of a
   * surrounding macro.
   */
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
        // A program called by a path has an empty name where a test loosens, but the source still holds its name.
        if (value === "") return [];
        keys.push({ source, test, value: value as string | number | boolean });
      }
    }
    // Without keys the test is false only if its value can be read, so there is no need.
    return keys.length === 0 ? [] : [keys];
  }
}

/** Shortest text of a key; nearly every value contains shorter texts. */
export const shortestText = 3;
