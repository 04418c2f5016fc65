import type { Ir } from "../../engine/plan.ts";
import { reservedSlots } from "../../engine/plan.ts";
import type { FactSet } from "../../schema/facts.ts";
import type { JudgedEvent } from "../../schema/judged-event.ts";
import {
  type CallContext,
  Double,
  EvaluationError,
  type FileSystem,
  type FunctionCode,
  Optional,
  type RegexEngine,
  type Value,
} from "../../schema/ports.ts";
import type { SessionView } from "../../schema/session.ts";
import { elements, entryAt, failure, isMapping, itemAt, mapFrom } from "./data.ts";
import { rootValue } from "./roots.ts";

/** Bound variables, by slot. Never changed: a macro makes a new one for each element. */
export type Bound = ReadonlyMap<number, Value>;

/** What a condition of the reference may look at. */
export interface World {
  readonly event: JudgedEvent;
  readonly facts: FactSet;
  readonly files: FileSystem;
  readonly regex: RegexEngine;
  readonly functions: ReadonlyMap<string, FunctionCode>;
  readonly conditions: Readonly<Record<string, Ir>>;
  readonly session: SessionView;
  /** While a waiver is judged: what it names of that which makes another run of a command. */
  readonly waiver?: string;
}

/** The steps of one rule on one revision. */
export interface Budget {
  left: number;
}

/** Thrown where no step is left, so that nothing in between can absorb it. */
class OutOfSteps extends Error {}

type Answer = Value | EvaluationError;

/**
 * What a condition comes to, by walking its tree (language section 3): one step for each node that is looked at, before
 * its parts and from left to right; errors are values; a used-up budget is the HW503 error.
 */
export function interpret(ir: Ir, world: World, bound: Bound, budget: Budget): Answer {
  try {
    return new Walk(world, budget).value(ir, bound);
  } catch (fault) {
    if (fault instanceof OutOfSteps) return new EvaluationError("HW503", "out of steps");
    throw fault;
  }
}

class Walk {
  readonly #world: World;
  readonly #budget: Budget;

  constructor(world: World, budget: Budget) {
    this.#world = world;
    this.#budget = budget;
  }

  value(ir: Ir, bound: Bound): Answer {
    if (this.#budget.left < 1) throw new OutOfSteps();
    this.#budget.left -= 1;
    switch (ir.k) {
      case "const":
        return this.#constant(ir);
      case "root":
        return rootValue(ir.name, ir.certain === true, this.#world);
      case "slot":
        return bound.get(ir.slot) ?? (bound.has(ir.slot) ? null : failure(`${ir.name} is not bound`));
      case "field":
        return this.#field(ir, bound);
      case "has":
        return this.#has(ir, bound);
      case "index":
        return this.#index(ir, bound);
      case "call":
        return this.#call(ir, bound);
      case "and":
        return this.#logic(ir.args, false, bound);
      case "or":
        return this.#logic(ir.args, true, bound);
      case "not":
        return this.#not(ir.arg, bound);
      case "if":
        return this.#conditional(ir, bound);
      case "list":
        return this.#list(ir, bound);
      case "map":
        return this.#map(ir, bound);
      case "loop":
        return this.#loop(ir, bound);
      case "condition":
        return this.#condition(ir.name, bound);
    }
  }

  #constant(ir: Extract<Ir, { k: "const" }>): Answer {
    if (ir.type === undefined) return ir.value as Value;
    if (ir.type === "double") {
      const number = Number(ir.value);
      return Number.isSafeInteger(number) ? new Double(number) : number;
    }
    return this.#run(`${ir.type}.from_string`, [ir.value as Value], "any");
  }

  #truth(ir: Ir, bound: Bound): boolean | EvaluationError {
    const value = this.value(ir, bound);
    return typeof value === "boolean" || value instanceof EvaluationError ? value : failure("no bool");
  }

  /** Access on an optional goes on inside of it, and is an optional again. */
  #access(given: Answer, optional: boolean, find: (inner: Value) => Value | undefined | EvaluationError): Answer {
    if (given instanceof EvaluationError) return given;
    if (given instanceof Optional && given.value === undefined) return given;
    const found = find(given instanceof Optional ? (given.value as Value) : given);
    if (found instanceof EvaluationError) return found;
    if (optional || given instanceof Optional) return new Optional(found);
    return found ?? (found === null ? null : failure("absent"));
  }

  #field(ir: Extract<Ir, { k: "field" }>, bound: Bound): Answer {
    return this.#access(this.value(ir.of, bound), ir.optional === true, (inner) =>
      isMapping(inner) ? (ir.forms && this.#isStray(inner) ? "" : entryAt(inner, ir.name)) : failure("no fields"),
    );
  }

  /** A command that is called from elsewhere, or an effect of one: where a test loosens its program has no name. */
  #isStray(of: Value): boolean {
    const cause = entryAt(of, "command");
    const command = typeof cause === "number" ? this.#world.facts.shell?.commands[cause] : of;
    if (entryAt(command as Value | undefined, "elsewhere") === true) return true;
    const altered = entryAt(command as Value | undefined, "altered");
    const { waiver } = this.#world;
    return waiver !== undefined && Array.isArray(altered) && altered.some((by) => !waiver.includes(JSON.stringify(by)));
  }

  #has(ir: Extract<Ir, { k: "has" }>, bound: Bound): Answer {
    const given = this.value(ir.of, bound);
    if (given instanceof EvaluationError) return given;
    return entryAt(given instanceof Optional ? given.value : given, ir.name) !== undefined;
  }

  #index(ir: Extract<Ir, { k: "index" }>, bound: Bound): Answer {
    const of = this.value(ir.of, bound);
    if (of instanceof EvaluationError) return of;
    const index = this.value(ir.index, bound);
    if (index instanceof EvaluationError) return index;
    return this.#access(of, ir.optional === true, (inner) => itemAt(inner, index));
  }

  #call(ir: Extract<Ir, { k: "call" }>, bound: Bound): Answer {
    const values: Value[] = [];
    for (const arg of ir.args) {
      const value = this.value(arg, bound);
      if (value instanceof EvaluationError) return value;
      // `or` and `orValue` of an optional with a value do not look at the alternative.
      const decided = value instanceof Optional && value.value !== undefined && values.length === 0;
      if (decided && ir.fn === "optional.or_value") return value.value as Value;
      if (decided && ir.fn === "optional.or") return value;
      values.push(value);
    }
    return this.#run(ir.fn, values, ir.forms ?? "any");
  }

  #run(fn: string, values: readonly Value[], forms: CallContext["forms"]): Answer {
    const code = this.#world.functions.get(fn);
    return code ? code.run(values, { ...this.#world, forms }) : failure(`no function ${fn}`);
  }

  /** One deciding value decides, wherever errors stand; without one an error is the answer. */
  #logic(args: readonly Ir[], deciding: boolean, bound: Bound): Answer {
    const errors: EvaluationError[] = [];
    for (const arg of args) {
      const value = this.#truth(arg, bound);
      if (value === deciding) return deciding;
      if (value instanceof EvaluationError) errors.push(value);
    }
    return errors[0] ?? !deciding;
  }

  #not(arg: Ir, bound: Bound): Answer {
    const value = this.#truth(arg, bound);
    return value instanceof EvaluationError ? value : !value;
  }

  #conditional(ir: Extract<Ir, { k: "if" }>, bound: Bound): Answer {
    const test = this.#truth(ir.test, bound);
    if (test instanceof EvaluationError) return test;
    return this.value(test ? ir.then : ir.else, bound);
  }

  /** A part with `?`: what the optional holds, or nothing. */
  #part(ir: Ir, optional: boolean, bound: Bound): Answer | undefined {
    const value = this.value(ir, bound);
    if (!optional || value instanceof EvaluationError) return value;
    return value instanceof Optional ? value.value : failure("no optional");
  }

  #list(ir: Extract<Ir, { k: "list" }>, bound: Bound): Answer {
    const items: Value[] = [];
    for (const item of ir.items) {
      const value = this.#part(item.value, item.optional === true, bound);
      if (value instanceof EvaluationError) return value;
      if (value !== undefined) items.push(value);
    }
    return items;
  }

  #map(ir: Extract<Ir, { k: "map" }>, bound: Bound): Answer {
    const entries: [Value, Value][] = [];
    for (const entry of ir.entries) {
      const key = this.value(entry.key, bound);
      if (key instanceof EvaluationError) return key;
      const value = this.#part(entry.value, entry.optional === true, bound);
      if (value instanceof EvaluationError) return value;
      if (value !== undefined) entries.push([key, value]);
    }
    return mapFrom(entries);
  }

  #loop(ir: Extract<Ir, { k: "loop" }>, bound: Bound): Answer {
    const list = this.value(ir.list, bound);
    if (list instanceof EvaluationError) return list;
    const over = elements(list);
    if (over instanceof EvaluationError) return over;
    const inner = (element: Value): Bound => new Map(bound).set(ir.slot, element);
    if (ir.loop === "all" || ir.loop === "exists") return this.#quantified(ir, over, inner);
    const kept: Value[] = [];
    for (const element of over) {
      const test = ir.loop === "map" ? ir.where : ir.body;
      const holds = test ? this.#truth(test, inner(element)) : true;
      if (holds instanceof EvaluationError) return holds;
      if (!holds) continue;
      const value = ir.loop === "map" ? this.value(ir.body, inner(element)) : element;
      if (value instanceof EvaluationError) return value;
      kept.push(value);
    }
    return ir.loop === "exists_one" ? kept.length === 1 : kept;
  }

  #quantified(
    ir: Extract<Ir, { k: "loop" }>,
    over: readonly Value[],
    inner: (element: Value) => Bound,
  ): boolean | EvaluationError {
    const deciding = ir.loop === "exists";
    const errors: EvaluationError[] = [];
    for (const element of over) {
      const value = this.#truth(ir.body, inner(element));
      if (value === deciding) return deciding;
      if (value instanceof EvaluationError) errors.push(value);
    }
    return errors[0] ?? !deciding;
  }

  /** A named condition sees the element and the message of its place, but no variable of a macro around its use. */
  #condition(name: string, bound: Bound): Answer {
    const ir = Object.hasOwn(this.#world.conditions, name) ? this.#world.conditions[name] : undefined;
    if (!ir) return failure(`no condition ${name}`);
    return this.value(ir, new Map([...bound].filter(([slot]) => slot < reservedSlots.free)));
  }
}
