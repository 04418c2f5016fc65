import type { PartlyKnownPath, PartlyKnownUrl } from "../schema/facts.ts";
import type { Value } from "../schema/ports.ts";
import { EvaluationError, Optional } from "../schema/ports.ts";
import { rootReader } from "./evaluate-roots.ts";
import { failed, fieldOf, isKeyed, itemOf, keyedField, outOfSteps } from "./evaluate-values.ts";
import type { Linked } from "./frame.ts";
import type { Ir } from "./plan.ts";

/** Absence is the common case: one optional serves all. */
const none = new Optional();

/** Links reading a field from the value of another node. */
export function linkField(of: Linked, read: (given: Value) => Value | EvaluationError): Linked {
  return (frame) => {
    const given = of(frame);
    return given instanceof EvaluationError ? given : read(given);
  };
}

/** Fields of paths and addresses, whose text may be known in part. */
const partsKnown: ReadonlySet<string> = new Set("text lexical real scheme host port path query userinfo".split(" "));

/** Reads one field of values; an optional of it where `optional`, or where the value is one itself. */
export function fieldReader(name: string, optional: boolean): (given: Value) => Value | EvaluationError {
  const absent = failed(`no field \`${name}\``);
  const wrong = failed(`no field \`${name}\` on a value that is no map`);
  const mayBePart = partsKnown.has(name);
  return (given) => {
    if (mayBePart) {
      const part = knownPart(given, name);
      if (part !== undefined) return optional ? new Optional(part) : part;
    }
    // Nearly all values are plain records, which need no further checks.
    if (isRecord(given)) {
      const found = Object.hasOwn(given, name) ? (given[name] as Value | undefined) : undefined;
      if (found === undefined) return optional ? none : absent;
      return optional ? new Optional(found) : found;
    }
    const chained = given instanceof Optional;
    const value = chained ? given.value : given;
    if (value === undefined) return given;
    if (!isKeyed(value)) return wrong;
    const found = keyedField(value, name);
    if (chained || optional) return found === undefined ? none : new Optional(found);
    return found === undefined ? absent : found;
  };
}

/** Returns the only readable text of a partly known path or address. */
function knownPart(given: Value, name: string): Value | undefined {
  if (typeof given !== "object" || given === null || !Object.hasOwn(given, "partly")) return undefined;
  const { partly } = given as unknown as { readonly partly: PartlyKnownPath | PartlyKnownUrl };
  if ("host" in partly) return Object.hasOwn(partly, name) ? partly[name as keyof PartlyKnownUrl] : undefined;
  if (name === "real") return partly.real;
  return name === "lexical" || name === "text" ? partly.lexical : undefined;
}

/** True for an object literal, or one without a prototype: no list, no map, no value of a class. */
function isRecord(value: Value): value is Value & Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Links a test for a field: false for an absent field, and for a value that has no fields. */
export function linkHas(name: string, of: Linked): Linked {
  return (frame) => {
    const given = of(frame);
    if (given instanceof EvaluationError) return given;
    return fieldOf(given instanceof Optional ? given.value : given, name) !== undefined;
  };
}

/** An item of a list, or an entry of a map. */
export function linkIndex(of: Linked, index: Linked, optional: boolean): Linked {
  const absent = failed("no such item");
  return (frame) => {
    const given = of(frame);
    if (given instanceof EvaluationError) return given;
    const at = index(frame);
    if (at instanceof EvaluationError) return at;
    const chained = given instanceof Optional;
    const value = chained ? given.value : given;
    if (value === undefined) return given;
    const found = itemOf(value, at);
    if (found instanceof EvaluationError) return found;
    if (chained || optional) return found === undefined ? none : new Optional(found);
    return found === undefined ? absent : found;
  };
}

/** Links a field of a bound variable or a root as one closure that takes both nodes' steps; only where nodes are not watched. */
export function fusedField(ir: Ir): Linked | undefined {
  if (ir.k !== "field" || ir.forms) return undefined;
  if (ir.of.k === "root") return fieldOfRoot(ir.of, fieldReader(ir.name, ir.optional === true));
  if (ir.of.k !== "slot") return undefined;
  const { slot } = ir.of;
  const unbound = failed(`\`${ir.of.name}\` is not bound`);
  const read = fieldReader(ir.name, ir.optional === true);
  return (frame) => {
    if (frame.steps < 2) return outOfSteps(frame);
    frame.steps -= 2;
    const given = frame.slots[slot];
    return given === undefined ? unbound : read(given);
  };
}

function fieldOfRoot(
  { name, certain }: Extract<Ir, { k: "root" }>,
  read: (given: Value) => Value | EvaluationError,
): Linked | undefined {
  const root = rootReader(name, certain === true);
  if (!root) return undefined;
  return (frame) => {
    if (frame.steps < 2) return outOfSteps(frame);
    frame.steps -= 2;
    const given = root(frame);
    return given instanceof EvaluationError ? given : read(given);
  };
}
