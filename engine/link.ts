import type { CallContext, FunctionCode, RegexEngine, Value, Vocabulary } from "../schema/ports.ts";
import { Double, EvaluationError, Optional } from "../schema/ports.ts";
import { fieldReader, fusedField, linkField, linkHas, linkIndex } from "./evaluate-fields.ts";
import { linkBound, linkLoop } from "./evaluate-loops.ts";
import { rootReader } from "./evaluate-roots.ts";
import { exhausted, failed, mapOf, truth } from "./evaluate-values.ts";
import type { Frame, LinkContext, Linked, ObserveNode } from "./frame.ts";
import { readsOuterSlot } from "./free-slots.ts";
import type { Ir, Json } from "./plan.ts";
import { remembered } from "./remembered.ts";
import { sureName } from "./sure-names.ts";

export type { Frame, Linked, Memo, ObserveNode } from "./frame.ts";

/** Turns IR into closures. A named condition is linked once for all its uses. */
export interface Linker {
  link(ir: Ir): Linked;
}

/**
 * Makes a linker over the code of a vocabulary (language section 3, "Budget"). Each IR node takes one step when it is evaluated,
 * before its parts, left to right; a node that is not evaluated takes none. With no step left, this node and every later one
 * gives the HW503 error value, so an exhausted rule always ends in it. A plan that names an unknown function, root or condition
 * gives an error value where it is evaluated. With `observe` each node can be watched; without it, observation costs nothing at
 * run time.
 */
export function createLinker(
  vocabulary: Vocabulary,
  regex: RegexEngine,
  conditions: (name: string) => Ir | undefined,
  observe?: ObserveNode,
): Linker {
  const linked = new Map<string, Linked>();
  const linking = new Set<string>();
  const context: LinkContext = {
    vocabulary,
    regex,
    observe,
    link: (ir) => linkNode(ir, context),
    condition: (name) => {
      const known = linked.get(name);
      if (known) return known;
      const ir = conditions(name);
      if (!ir || linking.has(name))
        return () => failed(ir ? `condition \`${name}\` refers to itself` : `no condition \`${name}\``);
      linking.add(name);
      const body = context.link(ir);
      const made = readsOuterSlot(ir) ? body : remembered(body, () => name);
      linking.delete(name);
      linked.set(name, made);
      return made;
    },
  };
  return { link: context.link };
}

/** Links one separate piece of IR; a dispatcher with many rules uses `createLinker`. */
export function link(
  ir: Ir,
  vocabulary: Vocabulary,
  regex: RegexEngine,
  conditions: (name: string) => Ir | undefined,
): Linked {
  return createLinker(vocabulary, regex, conditions).link(ir);
}

/** Wraps a node so that it takes a step before it runs. */
function stepped(run: Linked): Linked {
  return (frame) => {
    if (frame.steps <= 0) return exhausted;
    frame.steps--;
    return run(frame);
  };
}

function linkNode(ir: Ir, context: LinkContext): Linked {
  if (context.observe) return context.observe(ir, stepping(ir, context) ?? stepped(linkKind(ir, context)));
  return fusedField(ir) ?? stepping(ir, context) ?? stepped(linkKind(ir, context));
}

/** Links the most frequent kinds of nodes. Their closures count their step themselves, since nested closures cost time. */
function stepping(ir: Ir, context: LinkContext): Linked | undefined {
  switch (ir.k) {
    case "const":
      return linkConstant(constant(ir, context));
    case "slot":
      return linkSlot(ir.slot, failed(`\`${ir.name}\` is not bound`));
    case "call":
      return linkCall(ir, context);
    case "and":
    case "or":
      return linkLogic(ir.k === "or", ir.args.map(context.link));
    default:
      return undefined;
  }
}

function linkKind(ir: Ir, context: LinkContext): Linked {
  switch (ir.k) {
    case "root":
      return rootReader(ir.name, ir.certain === true) ?? (() => failed(`no root \`${ir.name}\``));
    case "field":
      if (ir.forms) return linkSureField(ir, context);
      return linkField(context.link(ir.of), fieldReader(ir.name, ir.optional === true));
    case "has":
      return linkHas(ir.name, context.link(ir.of));
    case "index":
      return linkBound(ir, context) ?? linkIndex(context.link(ir.of), context.link(ir.index), ir.optional === true);
    case "not":
      return linkNot(context.link(ir.arg));
    case "if":
      return linkIf(context.link(ir.test), context.link(ir.then), context.link(ir.else));
    case "list":
      return linkList(
        ir.items.map(({ value, optional }) => ({ value: context.link(value), optional: optional === true })),
      );
    case "map":
      return linkMap(
        ir.entries.map((e) => ({
          key: context.link(e.key),
          value: context.link(e.value),
          optional: e.optional === true,
        })),
      );
    case "loop":
      return linkLoop(ir, context);
    case "condition":
      return context.condition(ir.name);
    default:
      return () => failed(`no node \`${ir.k}\``);
  }
}

/** Links a read of a program's name that gives its sure form where a test loosens. */
function linkSureField(ir: Extract<Ir, { k: "field" }>, context: LinkContext): Linked {
  const of = context.link(ir.of);
  const read = fieldReader(ir.name, ir.optional === true);
  return (frame) => {
    const given = of(frame);
    if (given instanceof EvaluationError) return given;
    return sureField(given, read(given), frame);
  };
}

/** Returns a field read from a command or effect in its sure form (`sureName`). */
export function sureField(
  given: Value,
  found: Value | EvaluationError,
  { facts, waiving }: Frame,
): Value | EvaluationError {
  if (found instanceof EvaluationError) return found;
  const inner = given instanceof Optional ? given.value : given;
  if (inner === undefined) return found;
  if (!(found instanceof Optional)) return sureName(inner, found, facts, waiving);
  return found.value === undefined ? found : new Optional(sureName(inner, found.value, facts, waiving));
}

/** Returns the value of a constant. The vocabulary's own conversions read durations and timestamps. */
export function constant(ir: Extract<Ir, { k: "const" }>, { vocabulary }: LinkContext): Value | EvaluationError {
  if (ir.type === undefined) return ir.value as Exclude<Json, never> as Value;
  if (ir.type === "double") return doubleOf(ir.value);
  const code = vocabulary.functions.get(`${ir.type}.from_string`);
  // The conversion of a text reads nothing from the event.
  return code
    ? code.run([ir.value as Value], undefined as unknown as CallContext)
    : failed(`no constant of type ${ir.type}`);
}

/** Reads a double. JSON has no infinities, NaN or negative zero, so these are texts. */
function doubleOf(value: Json): Value | EvaluationError {
  const number = typeof value === "string" ? Number(value) : value;
  if (typeof number !== "number") return failed("constant is not a double");
  return Number.isSafeInteger(number) ? new Double(number) : number;
}

function linkConstant(value: Value | EvaluationError): Linked {
  return (frame) => {
    if (frame.steps <= 0) return exhausted;
    frame.steps--;
    return value;
  };
}

function linkSlot(slot: number, unbound: EvaluationError): Linked {
  return (frame) => {
    if (frame.steps <= 0) return exhausted;
    frame.steps--;
    const value = frame.slots[slot];
    return value === undefined ? unbound : value;
  };
}

function linkCall(ir: Extract<Ir, { k: "call" }>, context: LinkContext): Linked {
  const code = context.vocabulary.functions.get(ir.fn);
  if (!code) return stepped(() => failed(`no function \`${ir.fn}\``));
  const run = prepared(code, ir.args, context);
  if (run instanceof EvaluationError) return stepped(() => run);
  const forms = ir.forms ?? "any";
  const [first, second] = ir.args;
  if (first && second?.k === "const" && ir.args.length === 2 && !context.observe && !code.decide)
    return linkTest(context.link(first), constant(second, context), run, forms);
  const args = ir.args.map(context.link);
  if (args.length === 1 && !code.decide) return linkUnary(args[0] as Linked, run, forms);
  // One array for the arguments of this node: code does not keep it, and a node never runs inside itself.
  const values: Value[] = new Array<Value>(args.length).fill(null);
  return (frame) => {
    if (frame.steps <= 0) return exhausted;
    frame.steps--;
    for (let i = 0; i < args.length; i++) {
      const value = (args[i] as Linked)(frame);
      if (value instanceof EvaluationError) {
        clear(values);
        return value;
      }
      if (i === 0 && code.decide) {
        const early = code.decide(value);
        if (early !== undefined) return early;
      }
      values[i] = value;
    }
    frame.forms = forms;
    const result = run(values, frame as CallContext);
    clear(values);
    return result;
  };
}

/** Forgets arguments, so that no value outlives its event. */
function clear(values: Value[]): void {
  for (let i = 0; i < values.length; i++) values[i] = null;
}

/** Links a call with one argument. */
function linkUnary(of: Linked, run: FunctionCode["run"], forms: NonNullable<Frame["forms"]>): Linked {
  const values: Value[] = [null];
  return (frame) => {
    if (frame.steps <= 0) return exhausted;
    frame.steps--;
    const value = of(frame);
    if (value instanceof EvaluationError) return value;
    values[0] = value;
    frame.forms = forms;
    const result = run(values, frame as CallContext);
    values[0] = null;
    return result;
  };
}

/** Links the usual call, with a value and a constant. The constant takes a step like any node. */
function linkTest(
  of: Linked,
  operand: Value | EvaluationError,
  run: FunctionCode["run"],
  forms: NonNullable<Frame["forms"]>,
): Linked {
  if (operand instanceof EvaluationError) return linkFailing(of, operand);
  const values: Value[] = [null, operand];
  return (frame) => {
    if (frame.steps <= 0) return exhausted;
    frame.steps--;
    const value = of(frame);
    if (value instanceof EvaluationError) return value;
    if (frame.steps <= 0) return exhausted;
    frame.steps--;
    values[0] = value;
    frame.forms = forms;
    const result = run(values, frame as CallContext);
    values[0] = null;
    return result;
  };
}

/** Links a call whose constant argument is an error; the first argument is still evaluated. */
function linkFailing(of: Linked, operand: EvaluationError): Linked {
  return (frame) => {
    if (frame.steps <= 0) return exhausted;
    frame.steps--;
    const value = of(frame);
    if (value instanceof EvaluationError) return value;
    if (frame.steps <= 0) return exhausted;
    frame.steps--;
    return operand;
  };
}

/** Returns the code of a call, prepared for its constant arguments. */
export function prepared(
  code: FunctionCode,
  args: readonly Ir[],
  context: LinkContext,
): FunctionCode["run"] | EvaluationError {
  if (!code.prepare) return code.run;
  const constants = args.map((arg) => {
    const value = arg.k === "const" ? constant(arg, context) : undefined;
    return value instanceof EvaluationError ? undefined : value;
  });
  return code.prepare(constants, context.regex);
}

/** Links `and` (deciding value false) or `or` (true). An error counts only if no later term decides; exhaustion counts at once. */
function linkLogic(deciding: boolean, args: readonly Linked[]): Linked {
  const other = !deciding;
  return (frame) => {
    if (frame.steps <= 0) return exhausted;
    frame.steps--;
    let error: EvaluationError | undefined;
    for (let i = 0; i < args.length; i++) {
      const given = (args[i] as Linked)(frame);
      if (given === deciding) return deciding;
      if (given === other) continue;
      const wrong = truth(given) as EvaluationError;
      if (wrong.code === "HW503") return wrong;
      error ??= wrong;
    }
    return error ?? other;
  };
}

function linkNot(arg: Linked): Linked {
  return (frame) => {
    const given = arg(frame);
    if (given === true) return false;
    return given === false ? true : (truth(given) as EvaluationError);
  };
}

function linkIf(test: Linked, then: Linked, otherwise: Linked): Linked {
  return (frame) => {
    const value = truth(test(frame));
    if (value instanceof EvaluationError) return value;
    return value ? then(frame) : otherwise(frame);
  };
}

/** Returns the value to put in a list or map: undefined for an empty optional, an error for a missing optional. */
export function spread(value: Value, optional: boolean): Value | undefined | EvaluationError {
  if (!optional) return value;
  return value instanceof Optional ? value.value : failed("`?` needs an optional");
}

function linkList(items: readonly { readonly value: Linked; readonly optional: boolean }[]): Linked {
  return (frame) => {
    const list: Value[] = [];
    for (const item of items) {
      const given = item.value(frame);
      if (given instanceof EvaluationError) return given;
      const value = spread(given, item.optional);
      if (value instanceof EvaluationError) return value;
      if (value !== undefined) list.push(value);
    }
    return list;
  };
}

function linkMap(
  entries: readonly { readonly key: Linked; readonly value: Linked; readonly optional: boolean }[],
): Linked {
  return (frame) => {
    const made: (readonly [Value, Value])[] = [];
    for (const entry of entries) {
      const key = entry.key(frame);
      if (key instanceof EvaluationError) return key;
      const given = entry.value(frame);
      if (given instanceof EvaluationError) return given;
      const value = spread(given, entry.optional);
      if (value instanceof EvaluationError) return value;
      if (value !== undefined) made.push([key, value]);
    }
    return mapOf(made);
  };
}
