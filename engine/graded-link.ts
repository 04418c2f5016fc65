import { spend } from "../facts/meter.ts";
import { Approximation, anyText, isSeveral, knownParts, severalTexts, Unsure } from "../schema/approximation.ts";
import { contrary, type Graded, stronger, weaker } from "../schema/grades.ts";
import {
  type CallContext,
  EvaluationError,
  Optional,
  type RegexEngine,
  type Value,
  type Vocabulary,
} from "../schema/ports.ts";
import { fieldReader, linkHas, linkIndex } from "./evaluate-fields.ts";
import { exhausted, failed, fieldOf, mapOf } from "./evaluate-values.ts";
import type { Frame, LinkContext, Linked, ObserveNode } from "./frame.ts";
import { readsOuterSlot } from "./free-slots.ts";
import { linkGradedLoop } from "./graded-loops.ts";
import {
  bothWays,
  causesOf,
  eitherValue,
  gradedTruth,
  holdsSeveral,
  isPartlyKnown,
  isUnknown,
  mayBeAbsent,
  unknownOf,
} from "./graded-values.ts";
import { createLinker, type Linker, prepared, spread, sureField } from "./link.ts";
import type { Ir } from "./plan.ts";
import { remembered } from "./remembered.ts";

/**
 * Makes a linker whose closures give grades (decision 25). Where facts hold values that are known in part, a condition gives true,
 * false, or an `Unsure`. On exact values it gives the same as a closure of `createLinker`, in as many steps.
 */
export function createGradedLinker(
  vocabulary: Vocabulary,
  regex: RegexEngine,
  conditions: (name: string) => Ir | undefined,
  observe?: ObserveNode,
): Linker {
  const plain = createLinker(vocabulary, regex, conditions, observe);
  const known = new Map<string, Linked>();
  const linking = new Set<string>();
  const context: LinkContext = {
    vocabulary,
    regex,
    observe,
    link: (ir) => {
      if (ir.k === "const" || ir.k === "slot" || ir.k === "root") return plain.link(ir);
      const made = stepping(ir, context) ?? stepped(linkKind(ir, context));
      return observe ? observe(ir, made) : made;
    },
    condition: (name) => {
      const made = known.get(name);
      if (made) return made;
      const ir = conditions(name);
      if (!ir || linking.has(name)) return plain.link({ k: "condition", name });
      linking.add(name);
      const body = context.link(ir);
      const linked = readsOuterSlot(ir) ? body : remembered(body, gradedKey(name));
      linking.delete(name);
      known.set(name, linked);
      return linked;
    },
  };
  return { link: context.link };
}

function stepped(run: Linked): Linked {
  return (frame) => {
    if (frame.steps <= 0) return exhausted;
    frame.steps--;
    return run(frame);
  };
}

/** Links the most frequent kinds of nodes, whose closures count their step themselves. */
function stepping(ir: Ir, context: LinkContext): Linked | undefined {
  switch (ir.k) {
    case "call":
      return linkCall(ir, context);
    case "and":
    case "or":
      return linkLogic(ir.k === "or", ir.args.map(context.link));
    case "field":
      return ofKnown(context.link(ir.of), fieldReader(ir.name, ir.optional === true), ir.forms !== undefined);
    default:
      return undefined;
  }
}

function linkKind(ir: Ir, context: LinkContext): Linked {
  const { link } = context;
  switch (ir.k) {
    case "not":
      return linkNot(link(ir.arg));
    case "if":
      return linkIf(bothWays(link(ir.test)), link(ir.then), link(ir.else));
    case "has":
      return linkKnownHas(ir.name, link(ir.of));
    case "index":
      return linkKnownIndex(ir, context);
    case "list":
      return linkList(ir.items.map(({ value, optional }) => ({ value: link(value), optional: optional === true })));
    case "map":
      return linkMap(ir, context);
    case "loop":
      return linkGradedLoop(ir, context);
    case "condition":
      return context.condition(ir.name);
    default:
      return () => failed(`no node \`${ir.k}\``);
  }
}

/** Links reading from a value; reading from an unknown value gives an unknown one. */
function ofKnown(of: Linked, read: (given: Value) => Value | EvaluationError, sure: boolean): Linked {
  return (frame) => {
    if (frame.steps <= 0) return exhausted;
    frame.steps--;
    const given = of(frame);
    if (given instanceof EvaluationError) return given;
    if (isUnknown(given)) return unknownOf(given);
    if (given instanceof Optional && given.value !== undefined && isUnknown(given.value))
      return new Optional(unknownOf(given.value));
    return sure ? sureField(given, read(given), frame) : read(given);
  };
}

/** Links `has` for values that may be unknown: the result is then unknown too. */
function linkKnownHas(name: string, of: Linked): Linked {
  return (frame) => {
    const given = of(frame);
    if (given instanceof EvaluationError) return given;
    const inner = given instanceof Optional ? given.value : given;
    if (inner !== undefined && isUnknown(inner)) return new Unsure("open", causesOf(inner));
    const field = fieldOf(inner, name);
    if (isSeveral(field) && field instanceof Approximation)
      return new Unsure(knownParts(field) === "" ? "open" : "telling", causesOf(field));
    return linkHas(name, () => given)(frame);
  };
}

function linkKnownIndex(ir: Extract<Ir, { k: "index" }>, { link }: LinkContext): Linked {
  const [of, index] = [link(ir.of), link(ir.index)];
  return (frame) => {
    const given = of(frame);
    if (given instanceof EvaluationError) return given;
    const at = index(frame);
    if (at instanceof EvaluationError) return at;
    for (const value of [given, at, given instanceof Optional ? given.value : null])
      if (value !== undefined && isUnknown(value))
        return ir.optional ? new Optional(unknownOf(value)) : unknownOf(value);
    const several = severalBefore(given instanceof Optional ? given.value : given, at);
    if (several) return ir.optional || given instanceof Optional ? new Optional(severalTexts(several)) : several;
    return linkIndex(
      () => given,
      () => at,
      ir.optional === true,
    )(frame);
  };
}

/** Finds an item at or before an index that may be several items or none, which makes the item at the index unknown. */
function severalBefore(list: Value | undefined, at: Value): Approximation | undefined {
  if (!Array.isArray(list) || typeof at !== "number") return undefined;
  const found = list.slice(0, at + 1).find(isSeveral);
  if (found === undefined) return undefined;
  return found instanceof Approximation ? unknownOf(found) : anyText("…");
}

/** True for a value that is only read, so that it is the same for either decision. */
function isRead(ir: Ir): boolean {
  if (ir.k === "field") return isRead(ir.of);
  return ir.k === "const" || ir.k === "slot" || ir.k === "root";
}

function linkCall(ir: Extract<Ir, { k: "call" }>, context: LinkContext): Linked {
  const { vocabulary } = context;
  const code = vocabulary.functions.get(ir.fn);
  if (!code) return stepped(() => failed(`no function \`${ir.fn}\``));
  const run = prepared(code, ir.args, context);
  if (run instanceof EvaluationError) return stepped(() => run);
  const lift = vocabulary.lift?.(ir.fn);
  const forms = ir.forms ?? "any";
  const args = ir.args.map((arg) => (isRead(arg) ? context.link(arg) : bothWays(context.link(arg))));
  const constant = ir.args.map(({ k }) => k === "const");
  return (frame) => {
    if (frame.steps <= 0) return exhausted;
    frame.steps--;
    const values: Value[] = [];
    let partly = false;
    for (let i = 0; i < args.length; i++) {
      const value = (args[i] as Linked)(frame);
      if (value instanceof EvaluationError) return value;
      const early = i === 0 && !mayBeAbsent(value) ? code.decide?.(value) : undefined;
      if (early !== undefined) return early;
      partly ||= constant[i] !== true && isPartlyKnown(value);
      values.push(value);
    }
    frame.forms = forms;
    if (!partly) {
      const given = run(values, frame as CallContext);
      return given === false ? (vocabulary.unseen?.(ir.fn, values, frame as CallContext) ?? false) : given;
    }
    spend(values.length);
    if (!lift) return unknownOf(values.find(isUnknown) ?? new Unsure("open", []));
    const given = lift(values, run, frame as CallContext);
    // If a test loosens, a value of several texts may contain one that passes, so `no` is not sure.
    if (given === false && (frame.loosens || frame.bothWays) && holdsSeveral(values))
      return new Unsure(
        "open",
        values.flatMap((value) => (isUnknown(value) ? causesOf(value) : [])),
      );
    if (!frame.bothWays || typeof given !== "boolean") return given;
    frame.forms = forms === "any" ? "all" : "any";
    const loosens = frame.loosens === true;
    frame.loosens = !loosens;
    const other = lift(values, run, frame as CallContext);
    frame.loosens = loosens;
    return other instanceof Unsure ? new Unsure("open", other.causes) : given;
  };
}

/** Links `or` as the strongest grade and `and` as the weakest. A deciding part wins over an error; otherwise an error is the result. */
function linkLogic(deciding: boolean, args: readonly Linked[]): Linked {
  return (frame) => {
    if (frame.steps <= 0) return exhausted;
    frame.steps--;
    let best: Graded = !deciding;
    let error: EvaluationError | undefined;
    for (const arg of args) {
      const given = gradedTruth(arg(frame));
      if (given === deciding) return deciding;
      if (given instanceof EvaluationError) {
        if (given.code === "HW503") return given;
        error ??= given;
      } else best = deciding ? stronger(best, given) : weaker(best, given);
    }
    return error ?? best;
  };
}

function linkNot(arg: Linked): Linked {
  return (frame) => {
    const loosens = frame.loosens === true;
    frame.loosens = true;
    const given = gradedTruth(arg(frame));
    frame.loosens = loosens;
    return given instanceof EvaluationError ? given : contrary(given);
  };
}

function linkIf(test: Linked, then: Linked, otherwise: Linked): Linked {
  return (frame) => {
    const held = gradedTruth(test(frame));
    if (held instanceof EvaluationError) return held;
    if (typeof held === "boolean") return held ? then(frame) : otherwise(frame);
    return eitherValue(held, then(frame), otherwise(frame));
  };
}

function linkList(items: readonly { readonly value: Linked; readonly optional: boolean }[]): Linked {
  return (frame) => {
    const list: Value[] = [];
    for (const item of items) {
      const given = item.value(frame);
      if (given instanceof EvaluationError) return given;
      if (item.optional && isUnknown(given)) return unknownOf(given);
      const value = spread(given, item.optional);
      if (value instanceof EvaluationError) return value;
      if (value !== undefined) list.push(value);
    }
    return list;
  };
}

function linkMap(ir: Extract<Ir, { k: "map" }>, { link }: LinkContext): Linked {
  const entries = ir.entries.map(({ key, value, optional }) => ({ key: link(key), value: link(value), optional }));
  return (frame) => {
    const made: (readonly [Value, Value])[] = [];
    for (const entry of entries) {
      const key = entry.key(frame);
      if (key instanceof EvaluationError) return key;
      const given = entry.value(frame);
      if (given instanceof EvaluationError) return given;
      if (isUnknown(key)) return unknownOf(key);
      if (entry.optional && isUnknown(given)) return unknownOf(given);
      const value = spread(given, entry.optional === true);
      if (value instanceof EvaluationError) return value;
      if (value !== undefined) made.push([key, value]);
    }
    return mapOf(made);
  };
}

/** Returns the memo key of a grade, which differs from that of plain evaluation. */
function gradedKey(name: string): (frame: Frame) => string {
  return ({ bothWays, loosens }) => `graded ${bothWays ? "both ways " : ""}${loosens ? "to loosen " : ""}${name}`;
}
