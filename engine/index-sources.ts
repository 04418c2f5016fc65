import { effectKinds } from "../schema/facts.ts";
import type { Ir } from "./plan.ts";

/** Source of a condition's data: a value of the event, or of every element of nested lists. */
export interface Source {
  readonly id: string;
  /** Lists, outermost first, each with the slot that holds its element. The outermost is a list of facts. */
  readonly lists: readonly { readonly list: Ir; readonly slot: number }[];
  /** The value to read; without it the test is that an element exists. */
  readonly value?: Ir;
  /** Presence test of the value, if the condition includes it and is false for an absent value. */
  readonly present?: Ir;
}

/** Scope in which a source is read. */
export interface SourceScope {
  readonly lists: ReadonlyMap<number, Source["lists"]>;
  /** Ids of values whose presence the surrounding conditions test. */
  readonly present: ReadonlySet<string>;
}

const factLists: ReadonlySet<string> = new Set(["shell.commands", ...effectKinds.map((kind) => `effects.${kind}`)]);
const eventRoots: ReadonlySet<string> = new Set([
  ...["event", "host", "agent", "environment", "tool", "args", "args_raw", "definition"],
  ...["command", "code", "prompt", "input", "result.text"],
]);

/** True for a list of facts, which cannot err once the call is known. */
export function isFactList(ir: Ir): boolean {
  return ir.k === "root" && factLists.has(ir.name);
}

/** Makes the source of the lists' own elements. */
export function some(lists: Source["lists"]): Source {
  return { id: sourceId(lists, undefined), lists };
}

/** The source that a piece of IR reads: fields of a root or of an element; undefined for anything else. */
export function sourceOf(ir: Ir, scope: SourceScope): Source | undefined {
  const lists = listsOf(ir, scope.lists);
  if (!lists) return undefined;
  const id = sourceId(lists, ir);
  const guarded = ir.k === "field" && !ir.optional && scope.present.has(id);
  const value = anyForm(ir);
  return guarded
    ? { id: `${id}?`, lists, value, present: { k: "has", of: ir.of, name: ir.name } }
    : { id, lists, value };
}

/** Drops `forms`: a source has every name of a program, and a test that loosens sees one of these, or no name. */
function anyForm(ir: Ir): Ir {
  if (ir.k === "call") return { ...ir, args: ir.args.map(anyForm) };
  if (ir.k !== "field" || !ir.forms) return ir;
  const { forms: _, ...plain } = ir;
  return plain;
}

/** Returns the lists from whose elements a value is read: none for a value of the event. */
function listsOf(ir: Ir, bound: SourceScope["lists"]): Source["lists"] | undefined {
  switch (ir.k) {
    case "root":
      return eventRoots.has(ir.name) ? [] : undefined;
    case "slot":
      return bound.get(ir.slot);
    case "field":
      return listsOf(ir.of, bound);
    case "call": {
      const [of, otherwise] = ir.args;
      const isRead = ir.fn === "optional.or_value" && of?.k === "field" && otherwise?.k === "const";
      return isRead && typeof otherwise.value === "string" ? listsOf(of, bound) : undefined;
    }
    default:
      return undefined;
  }
}

/** Returns the lists around one that a loop walks: none for a list of facts, those of the element for a field of one. */
export function listsAround(list: Ir, bound: SourceScope["lists"]): Source["lists"] | undefined {
  if (isFactList(list)) return [];
  const around = list.k === "field" && !list.optional ? listsOf(list, bound) : undefined;
  return around && around.length > 0 ? around : undefined;
}

/** Returns an unambiguous name: the root `result.text` is no field of `result`. */
function plain(name: string): string {
  return /^\w+$/.test(name) ? name : JSON.stringify(name);
}

/** Returns a text that identifies nested lists, independent of their slot numbers. */
export function listsId(lists: Source["lists"]): string {
  return sourceId(lists, undefined);
}

/** Returns a text that identifies a source, independent of its slot numbers. */
function sourceId(lists: Source["lists"], value: Ir | undefined): string {
  const slots = lists.map(({ slot }) => slot);
  const name = (ir: Ir): string => {
    switch (ir.k) {
      case "root":
        return `${factLists.has(ir.name) ? ir.name : plain(ir.name)}${ir.certain ? " certain" : ""}`;
      case "slot":
        return `$${slots.lastIndexOf(ir.slot)}`;
      case "field":
        return `${name(ir.of)}${ir.optional ? ".?" : "."}${plain(ir.name)}`;
      case "call":
        return ir.args.map(name).join(" or ");
      case "const":
        return JSON.stringify(ir.value);
      default:
        return ir.k;
    }
  };
  return [...lists.map(({ list }) => name(list)), value ? name(value) : ""].join(" > ");
}
