import type { Value } from "../schema/ports.ts";
import type { Ir } from "./plan.ts";

/** What is certain of an element that is not, if anything: where traffic goes whose path is not known (`SureNetwork`). */
export function sureOf(element: unknown): Value | undefined {
  if (typeof element !== "object" || element === null || !Object.hasOwn(element, "surely")) return undefined;
  return (element as { readonly surely: Value }).surely;
}

const hostFields: ReadonlySet<string> = new Set(["scheme", "host", "port", "userinfo"]);

/** Functions of an address that ask for nothing but its host. */
const hostFunctions =
  /^url\.(?:is|host_in|host_in_one|lookalike_of|lookalike_of_one|host_skeleton|mixed_scripts|cidr|cidr_one)$/;

/**
 * True for a condition that asks of an element where traffic goes, and nothing else of it: then what is certain of the
 * element is enough for an answer that holds for all of it. Whatever else names the element is not told from a question
 * about the part that is not known. `named` knows the named conditions.
 */
export function namesOnlyHost(
  condition: Ir | undefined,
  slot: number,
  named: (name: string) => Ir | undefined,
): boolean {
  let asks = false;
  // A set, since conditions that name others are looked at once.
  const open = new Set<unknown>([condition]);
  for (const value of open) {
    if (typeof value !== "object" || value === null) continue;
    const ir = value as Ir;
    if (isElement(ir, slot)) return false;
    const below = belowHost(ir, slot);
    asks ||= below !== undefined;
    for (const inner of below ?? Object.values(ir)) open.add(inner);
    if (ir.k !== "condition") continue;
    const meant = named(ir.name);
    if (!meant) return false;
    open.add(meant);
  }
  return asks;
}

/** What else stands in a question about the host; undefined for any other node. */
function belowHost(ir: Ir, slot: number): readonly Ir[] | undefined {
  if (ir.k === "field" && ir.name === "direction" && isElement(ir.of, slot)) return [];
  if (ir.k === "field" && hostFields.has(ir.name) && isAddress(ir.of, slot)) return [];
  const [first, ...others] = ir.k === "call" && hostFunctions.test(ir.fn) ? ir.args : [];
  return first && isAddress(first, slot) ? others : undefined;
}

function isAddress(ir: Ir, slot: number): boolean {
  return ir.k === "field" && ir.name === "url" && isElement(ir.of, slot);
}

function isElement(ir: Ir, slot: number): boolean {
  return ir.k === "slot" && ir.slot === slot;
}
