import type { Ir, Json } from "../../engine/plan.ts";
import type { Environment } from "../../rules/environment.ts";
import { path, url } from "../../rules/fact-types.ts";
import { dyn, int, string, type Type } from "../../rules/types.ts";

/** Types of bound variables by slot. */
export type Slots = Map<number, Type>;

/** Result types of calls that represent a field or convert a text to a path or URL. */
const callTypes: Readonly<Record<string, Type>> = {
  "path.of": path,
  "path.of_path": path,
  "path.parent": path,
  "path.name": string,
  "path.ext": string,
  "url.of": url,
  "url.of_url": url,
  "url.host_skeleton": string,
};

/**
 * Returns the type of typed IR, derived from roots and fields alone; dyn for anything else. The checker already determined all
 * types; this recomputes them if only the IR is available.
 */
export function typeOf(ir: Ir, environment: Environment, slots: Slots): Type {
  switch (ir.k) {
    case "root":
      return rootType(ir.name, environment);
    case "slot":
      return slots.get(ir.slot) ?? dyn;
    case "field":
      return memberType(typeOf(ir.of, environment, slots), ir.name);
    case "index": {
      const of = typeOf(ir.of, environment, slots);
      return of.kind === "list" ? of.element : of.kind === "map" ? of.value : dyn;
    }
    case "call":
      if (/\.size$|^timestamp\.(?:month|date|day_of_|hours|minutes|seconds|milliseconds)/.test(ir.fn)) return int;
      return Object.hasOwn(callTypes, ir.fn) ? (callTypes[ir.fn] as Type) : dyn;
    case "loop":
      return ir.loop === "filter" ? typeOf(ir.list, environment, slots) : dyn;
    default:
      return dyn;
  }
}

/** A root by its name; a dotted one (`effects.deletes`) is a field of the record before the dot. */
function rootType(name: string, { variables }: Environment): Type {
  const [first = "", ...fields] = name.split(".");
  return fields.reduce<Type>(memberType, variables.get(first)?.type ?? dyn);
}

function memberType(of: Type, name: string): Type {
  if (of.kind === "record") return of.fields().get(name)?.type ?? dyn;
  return of.kind === "map" ? of.value : dyn;
}

/** Record and field that IR reads, e.g. `url.host`; `path` and `url` for one as a whole. */
export function fieldOf(ir: Ir, environment: Environment, slots: Slots): string | undefined {
  if (ir.k === "call" && /^(?:path|url)\.[a-z_]+$/.test(ir.fn)) {
    if (ir.fn === "path.name" || ir.fn === "path.ext" || ir.fn === "url.host_skeleton") return ir.fn;
    return /\.(?:of|parent|of_path|of_url)$/.test(ir.fn) ? ir.fn.slice(0, ir.fn.indexOf(".")) : undefined;
  }
  const own = typeOf(ir, environment, slots);
  if (own.kind === "record" && (own.name === "path" || own.name === "url")) return own.name;
  if (ir.k === "root") return ir.name;
  if (ir.k !== "field") return undefined;
  const of = typeOf(ir.of, environment, slots);
  return of.kind === "record" ? `${of.name}.${ir.name}` : undefined;
}

/**
 * Returns the field that a value is read from, however an expression spells it: `args["path"]` is `args.path`, and so is
 * `args.?path.orValue("")` in a test that the default does not pass by itself, since it is none of the `values`.
 */
export function plainlyRead(ir: Ir, values: readonly Json[] | undefined): Ir {
  if (ir.k === "call" && ir.fn === "optional.or_value") {
    const [of, fallback] = ir.args;
    const isApart = fallback?.k === "const" && !values?.includes(fallback.value);
    return of && isApart && (of.k === "field" || isKey(of)) ? plainlyRead(of, values) : ir;
  }
  if (ir.k === "field") {
    const of = plainlyRead(ir.of, values);
    return of === ir.of && !ir.optional ? ir : { k: "field", of, name: ir.name, ...(ir.at && { at: ir.at }) };
  }
  return isKey(ir) ? { k: "field", of: ir.of, name: ir.index.value, ...(ir.at && { at: ir.at }) } : ir;
}

/** Tells whether IR reads an argument by its name in brackets. Maps of other names keep their own spelling. */
function isKey(ir: Ir): ir is Ir & { readonly k: "index"; readonly index: { readonly value: string } } {
  if (ir.k !== "index" || ir.index.k !== "const" || typeof ir.index.value !== "string") return false;
  return ir.of.k === "root" && /^(?:args|args_raw|fields)$/.test(ir.of.name) && /^[a-z_]\w*$/i.test(ir.index.value);
}

/** IR of a path as an author writes it; `…` for what is no path. */
export function writtenPath(ir: Ir): string {
  switch (ir.k) {
    case "root":
      return ir.name;
    case "slot":
      return ir.name;
    case "field":
      return `${writtenPath(ir.of)}.${ir.name}`;
    case "index":
      return ir.index.k === "const" ? `${writtenPath(ir.of)}[${JSON.stringify(ir.index.value)}]` : "…";
    case "call": {
      const [only] = ir.args;
      if (!only) return "…";
      if (/\.of(?:_path|_url)?$/.test(ir.fn)) return writtenPath(only);
      return `${writtenPath(only)}.${ir.fn.slice(ir.fn.indexOf(".") + 1)}`;
    }
    default:
      return "…";
  }
}

/** The list of a call that a value is or is taken from, and how: as a bound element, by its number, or as a whole. */
export interface Taken {
  readonly list: string | undefined;
  readonly by: "bound" | "number" | "whole" | undefined;
}

/** Returns what a value is taken from. `bound` has the lists of bound variables by slot. */
export function takenFrom(ir: Ir, bound: ReadonlyMap<number, string>): Taken {
  switch (ir.k) {
    case "root":
      return /^(?:effects\.\w+|shell\.commands|secrets)$/.test(ir.name) ? { list: ir.name, by: "whole" } : untaken;
    case "slot": {
      const list = bound.get(ir.slot);
      return list === undefined ? untaken : { list, by: "bound" };
    }
    case "field":
    case "has":
      return takenFrom(ir.of, bound);
    case "index": {
      const taken = takenFrom(ir.of, bound);
      // A number that an element has, as in `shell.commands[c.piped_from]`, names the one that is meant.
      return taken.by === "whole" ? { ...taken, by: readsElement(ir.index) ? "bound" : "number" } : taken;
    }
    case "loop":
      return ir.loop === "filter" || ir.loop === "map" ? takenFrom(ir.list, bound) : untaken;
    case "call":
      return ir.args[0] ? takenFrom(ir.args[0], bound) : untaken;
    default:
      return untaken;
  }
}

/** True for IR that reads a bound variable. */
function readsElement(ir: Ir): boolean {
  if (ir.k === "slot") return true;
  if (ir.k === "field") return readsElement(ir.of);
  return ir.k === "call" && ir.args.some(readsElement);
}

const untaken: Taken = { list: undefined, by: undefined };
