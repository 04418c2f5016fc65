import { Approximation, shownPath, shownText, shownUrl, Unsure } from "../schema/approximation.ts";
import type { PathValue, UrlValue } from "../schema/facts.ts";
import { limits } from "../schema/limits.ts";
import { Double, Duration, EvaluationError, Optional, Timestamp, type Value } from "../schema/ports.ts";
import type { Hide } from "./explain-mask.ts";
import type { Frame, Linker } from "./link.ts";
import type { At, Ir, Json } from "./plan.ts";

/** A value for people and programs: plain JSON, long texts and lists cut; or an error. */
export type ExplainedValue = { readonly value: Json } | { readonly error: string };

/** One node of a condition with its own value. */
export interface ExplainedNode {
  readonly kind: Ir["k"];
  /** Place in the author's text: in the file of the policy, or of `policy` if a named condition is from another file. */
  readonly at: At | undefined;
  readonly policy?: string;
  /** Function, name or field, for nodes without a place of their own. */
  readonly label: string;
  readonly result: ExplainedValue;
  readonly parts: readonly ExplainedNode[];
}

/** Ports for explaining a node: a linker over the plan's vocabulary, and the plan's named conditions. */
export interface NodePorts {
  readonly linker: Linker;
  readonly conditions: Readonly<Record<string, Ir>>;
  /** Hides secrets in what is shown, before it is cut: a part of one would not be found any more. */
  readonly hide: Hide;
  /** Nodes that may still be explained; bounds the work of one rule. */
  readonly left: { nodes: number };
}

/** Elements of a list that are shown for one macro. */
const shownElements = 10;

/**
 * Evaluates a node and each of its parts, linked separately, so that short circuits hide nothing. Constants and the inside of
 * plain paths (`a.b.c`) are left out, because their outermost node suffices.
 */
export function explainNode(ir: Ir, frame: Frame, ports: NodePorts): ExplainedNode {
  ports.left.nodes -= 1;
  const result = evaluate(ir, frame, ports);
  const parts = ports.left.nodes > 0 ? partsOf(ir, frame, ports) : [];
  return { kind: ir.k, at: ir.at, label: labelOf(ir), result, parts };
}

function evaluate(ir: Ir, frame: Frame, ports: NodePorts): ExplainedValue {
  const value = ports.linker.link(ir)({ ...frame, slots: [...frame.slots], steps: limits.steps });
  return value instanceof EvaluationError ? failed(value, ports.hide) : shown(value, ports.hide);
}

/** An error as it is shown. */
export function failed({ code, message }: EvaluationError, hide: Hide): { readonly error: string } {
  return { error: hide(`${code}: ${message}`) };
}

function partsOf(ir: Ir, frame: Frame, ports: NodePorts): ExplainedNode[] {
  if (ir.k === "loop") return loopParts(ir, frame, ports);
  if (ir.k === "condition") {
    const named = Object.hasOwn(ports.conditions, ir.name) ? ports.conditions[ir.name] : undefined;
    return named ? [{ ...explainNode(named, frame, ports), policy: ir.name.split("/", 1)[0] as string }] : [];
  }
  return children(ir)
    .filter((child) => child.k !== "const" && ports.left.nodes > 0)
    .map((child) => explainNode(child, frame, ports));
}

/** The body of a macro once for each element, under the element's value. */
function loopParts(ir: Extract<Ir, { k: "loop" }>, frame: Frame, ports: NodePorts): ExplainedNode[] {
  const list = explainNode(ir.list, frame, ports);
  const values = ports.linker.link(ir.list)({ ...frame, slots: [...frame.slots], steps: limits.steps });
  if (!Array.isArray(values)) return [list];
  const elements = values.slice(0, shownElements).map((value: Value, i): ExplainedNode => {
    const slots = [...frame.slots];
    slots[ir.slot] = value;
    const inner = { ...frame, slots };
    const parts = (ir.where ? [ir.where, ir.body] : [ir.body]).map((part) => explainNode(part, inner, ports));
    return { kind: "slot", at: undefined, label: `[${i}]`, result: shown(value, ports.hide), parts };
  });
  return [list, ...elements];
}

/** Lists the parts worth showing separately. A field path from a root or variable has none: its own source text shows it all. */
function children(ir: Ir): readonly Ir[] {
  switch (ir.k) {
    case "call":
    case "and":
    case "or":
      return ir.args;
    case "not":
      return [ir.arg];
    case "if":
      return [ir.test, ir.then, ir.else];
    case "index":
      return [ir.of, ir.index];
    case "list":
      return ir.items.map((item) => item.value);
    case "map":
      return ir.entries.map((entry) => entry.value);
    case "field":
    case "has":
      return isPath(ir.of) ? [] : [ir.of];
    default:
      return [];
  }
}

function isPath(ir: Ir): boolean {
  let at = ir;
  while (at.k === "field") at = at.of;
  return at.k === "root" || at.k === "slot";
}

function labelOf(ir: Ir): string {
  switch (ir.k) {
    case "call":
      return ir.fn;
    case "root":
    case "slot":
    case "condition":
      return ir.name;
    case "field":
    case "has":
      return `.${ir.name}`;
    case "loop":
      return ir.loop;
    default:
      return ir.k;
  }
}

/** A value of a condition as bounded plain JSON. */
export function shown(value: Value | undefined, hide: Hide): ExplainedValue {
  return { value: plain(value, 4, hide) };
}

const longestText = 200;
const longestList = 20;

function cutText(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text;
}

function plain(value: unknown, depth: number, hide: Hide): Json {
  if (value === undefined || value === null) return null;
  if (typeof value === "string") return cutText(hide(value));
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (value instanceof Double) return value.value;
  if (value instanceof Timestamp) return isoTime(value.seconds);
  if (value instanceof Duration) return `${value.seconds + value.nanos / 1e9}s`;
  if (value instanceof Approximation) return cutText(hide(shownText(value)));
  if (value instanceof Unsure) return cutText(hide([value.grade, ...value.causes].join(" ")));
  if (value instanceof Optional) return value.value === undefined ? "none" : plain(value.value, depth, hide);
  if (depth === 0 || typeof value !== "object") return "…";
  if (Array.isArray(value)) return cutList(value, depth, hide);
  return value instanceof Map
    ? record(
        [...value].map(([key, item]) => [String(key), item]),
        depth,
        hide,
      )
    : object(value, depth, hide);
}

function object(value: object, depth: number, hide: Hide): Json {
  const own = (key: string): unknown =>
    Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
  if (own("kind") === "path" && own("partly") !== undefined)
    return cutText(hide(shownPath(value as PathValue, "lexical")));
  if (own("kind") === "path")
    return own("lexical") === own("real")
      ? plain(own("lexical"), depth, hide)
      : cutText(`${hide(String(own("lexical")))} -> ${hide(String(own("real")))}`);
  if (own("kind") === "url") return cutText(hide(shownUrl(value as UrlValue)));
  return record(
    Object.keys(value).map((key) => [key, own(key)]),
    depth,
    hide,
  );
}

function record(entries: readonly (readonly [string, unknown])[], depth: number, hide: Hide): Json {
  const cut = entries.filter(([, item]) => item !== undefined).slice(0, longestList);
  return Object.fromEntries(cut.map(([key, item]) => [hide(key), plain(item, depth - 1, hide)]));
}

function cutList(list: readonly unknown[], depth: number, hide: Hide): Json {
  const items = list.slice(0, longestList).map((item) => plain(item, depth - 1, hide));
  return list.length > longestList ? [...items, `… ${list.length - longestList} more`] : items;
}

function isoTime(seconds: number): string {
  const time = new Date(seconds * 1000);
  return Number.isNaN(time.getTime()) ? `${seconds}s` : time.toISOString();
}
