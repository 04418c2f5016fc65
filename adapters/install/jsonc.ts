import {
  type AnyNode,
  type ArrayNode,
  type MemberNode,
  type ObjectNode,
  parse,
  type ValueNode,
} from "@humanwhocodes/momoa";
import { limits } from "../../schema/limits.ts";

export type { ArrayNode, ObjectNode, ValueNode } from "@humanwhocodes/momoa";

/** The reason why a text cannot be edited: in words, and its place as an offset in UTF-16 units. */
export interface TextFault {
  readonly message: string;
  readonly at: number;
  readonly help: string;
}

/** A JSON value. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** Keys from the root to an object or list. */
export type JsonPath = readonly string[];

/** A JSON text with comments and trailing commas, as a tree with positions. */
export interface JsoncText {
  readonly text: string;
  readonly root: ValueNode;
  /** Positions of commas and comments. */
  readonly commas: readonly number[];
  readonly comments: readonly (readonly [start: number, end: number])[];
}

const noJson = "mend the file, then run this again; nothing was written";

/** Reads a JSON text as agents' settings have it: comments, trailing commas and a byte order mark are fine. Never throws. */
export function readJsonc(text: string): JsoncText | TextFault {
  if (text.length > limits.policyBytes) return { message: "it is too large for a settings file", at: 0, help: noJson };
  const body = text.startsWith("\ufeff") ? ` ${text.slice(1)}` : text;
  try {
    const document = parse(body, { mode: "jsonc", ranges: true, tokens: true, allowTrailingCommas: true });
    const tokens = document.tokens ?? [];
    return {
      text,
      root: document.body,
      commas: tokens.filter(({ type }) => type === "Comma").map((token) => token.range?.[0] ?? 0),
      comments: tokens
        .filter(({ type }) => type === "LineComment" || type === "BlockComment")
        .map((token) => token.range ?? [0, 0]),
    };
  } catch (error) {
    const at = error instanceof Error && "offset" in error ? Number(error.offset) : 0;
    const told =
      error instanceof Error ? error.message.replace(/(?<!\s)\s*\(\d+:\d+\)\.?$/, "").replace(/\.$/, "") : "";
    // The parser's quotations may hold a secret: only its words before the first quote are reported.
    const words = told.split(/["'`]/)[0]?.trim().toLowerCase() ?? "";
    return {
      message: `it is no JSON${words === "" ? "" : ` (${words})`}`,
      at: Math.min(at, text.length),
      help: noJson,
    };
  }
}

/** Returns the range of a node. */
export function rangeOf(node: AnyNode): readonly [start: number, end: number] {
  return node.range ?? [0, 0];
}

/** Returns a member of an object; the last one if several share the name, as JSON readers do. */
export function memberOf(node: ValueNode | undefined, name: string): MemberNode | undefined {
  return node?.type === "Object" ? node.members.findLast((member) => keyOf(member) === name) : undefined;
}

/** Returns the name of a member. */
export function keyOf({ name }: MemberNode): string {
  return name.type === "String" ? name.value : name.name;
}

/** Returns the value at a path of names; undefined if there is none. */
export function valueAt({ root }: JsoncText, path: JsonPath): ValueNode | undefined {
  let node: ValueNode | undefined = root;
  for (const name of path) node = memberOf(node, name)?.value;
  return node;
}

/** Returns a node as plain data. */
export function dataOf(node: ValueNode): JsonValue {
  switch (node.type) {
    case "Object": {
      const entries = node.members.map((member) => [keyOf(member), dataOf(member.value)] as const);
      return Object.fromEntries(entries);
    }
    case "Array":
      return node.elements.map(({ value }) => dataOf(value));
    case "String":
    case "Number":
    case "Boolean":
      return node.value;
    default:
      return null;
  }
}

/** A text with an addition, and the paths that are new in it, outermost first. */
export interface Added {
  readonly text: string;
  readonly made: readonly JsonPath[];
}

/** Adds a member to the object at a path, and makes missing parents. Returns a fault if the path is taken by another value. */
export function addMember(json: JsoncText, path: JsonPath, name: string, value: JsonValue): Added | TextFault {
  return add(json, path, { name, value });
}

/** Adds an item at the end of the list at a path, and makes missing parents. Returns a fault if the path is taken by another value. */
export function addItem(json: JsoncText, path: JsonPath, value: JsonValue): Added | TextFault {
  return add(json, path, { value });
}

interface Addition {
  readonly name?: string;
  readonly value: JsonValue;
}

function add(json: JsoncText, path: JsonPath, addition: Addition): Added | TextFault {
  let node: ValueNode = json.root;
  for (const [i, name] of path.entries()) {
    if (node.type !== "Object") return inTheWay(node, path.slice(0, i), "an object");
    const next = memberOf(node, name)?.value;
    if (!next) {
      const made = path.slice(i).map((_, n) => path.slice(0, i + n + 1));
      return { text: inserted(json, node, { name, value: nested(path.slice(i + 1), addition) }), made };
    }
    node = next;
  }
  const wanted = addition.name === undefined ? "Array" : "Object";
  if (node.type !== wanted) return inTheWay(node, path, wanted === "Array" ? "a list" : "an object");
  return { text: inserted(json, node as ObjectNode | ArrayNode, addition), made: [] };
}

function inTheWay(node: ValueNode, path: JsonPath, wanted: string): TextFault {
  const what = path.length === 0 ? "the file" : `\`${path.join(".")}\``;
  return { message: `${what} is not ${wanted}`, at: rangeOf(node)[0], help: noJson };
}

function nested(path: JsonPath, { name, value }: Addition): JsonValue {
  const [first, ...rest] = path;
  if (first !== undefined) return { [first]: nested(rest, name === undefined ? { value } : { name, value }) };
  return name === undefined ? [value] : { [name]: value };
}

function childrenOf(node: ObjectNode | ArrayNode): readonly AnyNode[] {
  // The elements of a list have no position of their own; their values do.
  return node.type === "Object" ? node.members : node.elements.map(({ value }) => value);
}

/** Inserts an addition after the last child, in the text's own layout. */
function inserted({ text }: JsoncText, node: ObjectNode | ArrayNode, { name, value }: Addition): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const key = name === undefined ? "" : `${JSON.stringify(name)}: `;
  const [start, end] = rangeOf(node);
  const last = childrenOf(node).at(-1);
  if (!last) {
    const outer = indentAt(text, start);
    const inner = outer + unitOf(text);
    const closing = text.slice(start + 1, end - 1).includes("\n") ? "" : eol + outer;
    const made = `${eol}${inner}${key}${laidOut(value, inner, text, eol)}${closing}`;
    return text.slice(0, start + 1) + made + text.slice(start + 1);
  }
  const [lastStart, lastEnd] = rangeOf(last);
  const inLine = !text.slice(start, lastStart).includes("\n");
  const indent = indentAt(text, lastStart);
  const made = inLine ? ` ${key}${JSON.stringify(value)}` : `${eol}${indent}${key}${laidOut(value, indent, text, eol)}`;
  // A comma that trails the last child then trails the new one.
  return `${text.slice(0, lastEnd)},${made}${text.slice(lastEnd)}`;
}

function laidOut(value: JsonValue, indent: string, text: string, eol: string): string {
  return JSON.stringify(value, null, unitOf(text)).replaceAll("\n", eol + indent);
}

/** Returns the white space at the start of an offset's line. */
function indentAt(text: string, at: number): string {
  const line = text.lastIndexOf("\n", at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(line, at))?.[0] ?? "";
}

/** Returns one level of indentation: the first one in the text. */
function unitOf(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
}

/** Returns the ranges to delete for a child, with one comma and its white space, in ascending order. */
function removal(json: JsoncText, node: ObjectNode | ArrayNode, index: number): (readonly [number, number])[] {
  const children = childrenOf(node);
  const [start, end] = rangeOf(children[index] as AnyNode);
  const before = index > 0 ? rangeOf(children[index - 1] as AnyNode)[1] : rangeOf(node)[0] + 1;
  const after = index + 1 < children.length ? rangeOf(children[index + 1] as AnyNode)[0] : rangeOf(node)[1] - 1;
  const commaBefore = json.commas.find((at) => at >= before && at < start);
  const commaAfter = json.commas.find((at) => at >= end && at < after);
  const told = json.comments.some(([from]) => from >= before && from < start);
  const lead = told ? blankBefore(json.text, start) : before;
  if (index > 0 && !told) return [[before, end]];
  if (commaAfter !== undefined)
    return [
      [lead, end],
      [commaAfter, commaAfter + 1],
    ];
  return [...(commaBefore === undefined ? [] : [[commaBefore, commaBefore + 1] as const]), [lead, end]];
}

/** Returns the start of the white space that ends at an offset. */
function blankBefore(text: string, at: number): number {
  let from = at;
  while (from > 0 && /\s/.test(text[from - 1] as string)) from--;
  return from;
}

/** Returns the text without the given children of a list or object. */
export function without(json: JsoncText, node: ObjectNode | ArrayNode, indices: readonly number[]): string {
  let { text } = json;
  // From the end, one at a time: each removal sees the neighbours that are left.
  const [index, ...rest] = [...indices].sort((a, b) => b - a);
  if (index === undefined) return text;
  for (const [from, to] of removal(json, node, index).reverse()) text = text.slice(0, from) + text.slice(to);
  const again = rest.length === 0 ? undefined : readJsonc(text);
  if (!again || "message" in again) return text;
  const same = sameNode(again, node);
  return same ? without(again, same, rest) : text;
}

/** Finds the list or object that begins at the same offset as before: the removed text was inside it. */
function sameNode({ root }: JsoncText, { range }: AnyNode): ObjectNode | ArrayNode | undefined {
  const open: ValueNode[] = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type !== "Object" && node.type !== "Array") continue;
    if (rangeOf(node)[0] === range?.[0]) return node;
    open.push(...(node.type === "Object" ? node.members : node.elements).map(({ value }) => value));
  }
  return undefined;
}

/**
 * Returns the first key that occurs twice in one object of a JSON text, as a dotted path (`hooks.PreToolUse`). Undefined if
 * no key does, or if the text is no JSON. JSON readers silently take the last of two keys; if the first held the guard, it
 * is gone.
 */
export function repeatedKey(text: string): string | undefined {
  const read = readJsonc(text);
  if ("message" in read) return undefined;
  const pending: (readonly [node: ValueNode, path: string])[] = [[read.root, ""]];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [node, path] = next;
    if (node.type === "Array") for (const { value } of node.elements) pending.push([value, path]);
    if (node.type !== "Object") continue;
    const seen = new Set<string>();
    for (const { name, value } of node.members) {
      const key = name.type === "String" ? name.value : name.name;
      const place = path === "" ? key : `${path}.${key}`;
      if (seen.has(key)) return place;
      seen.add(key);
      pending.push([value, place]);
    }
  }
  return undefined;
}
