import crypto from "node:crypto";

/** Work left to do: an object or list to write, or text to write as it is, which may end an object or list. */
type Task = { readonly value: object } | { readonly text: string; readonly ends?: object };

/**
 * Canonical JSON in the style of RFC 8785: no white space, keys sorted by UTF-16 units, shortest numbers. Lone surrogates become
 * U+FFFD, so the result is always well-formed Unicode on one line. `undefined` and functions are dropped (null inside lists),
 * numbers without a JSON form are null, an object inside itself is `"(circular)"`. Total for plain data of any depth: deep data
 * is written with an explicit stack. Source: threats page section 3.2.
 */
export function canonicalJson(value: unknown): string {
  if (isContainer(value) && isWritten(value, shallowDepth)) return JSON.stringify(value);
  return shallow(value, shallowDepth) ?? stacked(value);
}

/**
 * True for data that the platform writes as we do, which is faster: plain objects whose keys are in order, texts that are
 * well-formed, no number that has to be text. Judged events are made that way.
 */
function isWritten(value: unknown, levels: number): boolean {
  switch (typeof value) {
    case "string":
      return value.isWellFormed();
    case "object":
      return value === null || (levels > 0 && isPlain(value) && isWrittenWithin(value, levels - 1));
    default:
      return typeof value === "number" || typeof value === "boolean" || value === undefined;
  }
}

function isWrittenWithin(value: object, levels: number): boolean {
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[]) if (!isWritten(item, levels)) return false;
    return true;
  }
  let last = "";
  for (const key of Object.keys(value)) {
    if (key < last || !key.isWellFormed() || !isWritten((value as Record<string, unknown>)[key], levels)) return false;
    last = key;
  }
  return true;
}

/** True for a plain list or mapping without its own `toJSON`. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  const usual = Array.isArray(value)
    ? prototype === Array.prototype
    : prototype === Object.prototype || prototype === null;
  return usual && (value as { toJSON?: unknown }).toJSON === undefined;
}

/** Levels that calls inside one another go down; nearly all data has less. */
const shallowDepth = 32;

/** Writes data of few levels; undefined for deeper data, and so for an object inside itself. */
function shallow(value: unknown, levels: number): string | undefined {
  if (!isContainer(value)) return scalar(value);
  if (levels === 0) return undefined;
  return Array.isArray(value)
    ? shallowList(value, levels - 1)
    : shallowObject(value as Readonly<Record<string, unknown>>, levels - 1);
}

function shallowList(list: readonly unknown[], levels: number): string | undefined {
  let text = "[";
  for (let i = 0; i < list.length; i++) {
    const item = itemOf(list[i], levels);
    if (item === undefined) return undefined;
    text += i > 0 ? `,${item}` : item;
  }
  return `${text}]`;
}

/** Deeply constant values, with their JSON once they were written inside another value. */
const constants = new WeakMap<object, string | undefined>();

/** Longest text that is remembered. */
const rememberedText = 4_096;

/**
 * Declares that neither a value nor anything in it ever changes. Its JSON is written once, however many lists or objects hold
 * it: messages of a conversation come again at every turn.
 */
export function keepConstant(value: object): void {
  if (!constants.has(value)) constants.set(value, undefined);
}

function itemOf(value: unknown, levels: number): string | undefined {
  if (!isContainer(value)) return scalar(value);
  const known = constants.get(value);
  if (known !== undefined) return known;
  const text = shallow(value, levels);
  if (text !== undefined && text.length <= rememberedText && constants.has(value)) constants.set(value, text);
  return text;
}

function shallowObject(object: Readonly<Record<string, unknown>>, levels: number): string | undefined {
  const keys = Object.keys(object);
  if (!isSorted(keys)) keys.sort();
  let text = "{";
  let first = true;
  for (const key of keys) {
    // Names that become equal when made well-formed count as one; the slow path handles that.
    if (!key.isWellFormed()) return undefined;
    const value = object[key];
    if (!isData(value)) continue;
    const item = itemOf(value, levels);
    if (item === undefined) return undefined;
    text += first ? `${jsonText(key)}:${item}` : `,${jsonText(key)}:${item}`;
    first = false;
  }
  return `${text}}`;
}

function isSorted(keys: readonly string[]): boolean {
  for (let i = 1; i < keys.length; i++) if ((keys[i - 1] as string) > (keys[i] as string)) return false;
  return true;
}

/** The same for data of any depth. */
function stacked(value: unknown): string {
  if (!isContainer(value)) return scalar(value);
  const out: string[] = [];
  const open = new Set<object>();
  const tasks: Task[] = [{ value }];
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    if ("value" in task) container(task.value, open, out, tasks);
    else {
      out.push(task.text);
      if (task.ends) open.delete(task.ends);
    }
  }
  return out.join("");
}

/** SHA-256 of the canonical JSON of a value, as `sha256:<hex>`. */
export function digest(value: unknown): string {
  return sha256(canonicalJson(value));
}

/** SHA-256 of text in UTF-8, or of bytes, as `sha256:<hex>`. */
export function sha256(data: string | Uint8Array): string {
  return `sha256:${hexOf(data)}`;
}

/** In one call where the platform has it, which for short texts takes half the time. */
const hexOf: (data: string | Uint8Array) => string =
  typeof crypto.hash === "function"
    ? (data) => crypto.hash("sha256", data, "hex")
    : (data) => crypto.createHash("sha256").update(data).digest("hex");

/** Text with every lone surrogate replaced by U+FFFD. */
export function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

function scalar(value: unknown): string {
  if (typeof value === "string") return jsonText(value);
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "null";
  if (typeof value === "bigint") return JSON.stringify(String(value));
  return value === true ? "true" : value === false ? "false" : "null";
}

/** Matches a text that JSON contains without escapes. */
const plain = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

/** Returns a text as a canonical JSON string. Most texts in records are short and plain, for which a direct test is cheaper. */
export function jsonText(text: string): string {
  return text.length < 200 && plain.test(text) ? `"${text}"` : JSON.stringify(wellFormed(text));
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Writes a list or object: at once if it holds scalars only, else its parts go on the stack, last part first. */
function container(value: object, open: Set<object>, out: string[], tasks: Task[]): void {
  if (open.has(value)) {
    out.push('"(circular)"');
    return;
  }
  const parts: Task[] = [];
  const rest = Array.isArray(value) ? listParts(value, parts) : objectParts(value as Record<string, unknown>, parts);
  if (parts.length === 0) {
    out.push(rest);
    return;
  }
  open.add(value);
  tasks.push({ text: rest, ends: value });
  for (let i = parts.length - 1; i >= 0; i--) tasks.push(parts[i] as Task);
}

/** Adds the parts up to the last inner list or object; returns the text after it. */
function listParts(list: readonly unknown[], parts: Task[]): string {
  let text = "[";
  for (let i = 0; i < list.length; i++) {
    if (i > 0) text += ",";
    text = part(list[i], text, parts);
  }
  return `${text}]`;
}

/** As `listParts`. Keys that become equal once well-formed count as one; the last wins, as in a JSON reader. */
function objectParts(object: Readonly<Record<string, unknown>>, parts: Task[]): string {
  const keys = Object.keys(object).sort();
  const entries = keys.every((key) => key.isWellFormed()) ? undefined : wellFormedEntries(object, keys);
  let text = "{";
  let first = true;
  for (const key of entries ? [...entries.keys()].sort() : keys) {
    const value = entries ? entries.get(key) : object[key];
    if (!isData(value)) continue;
    text = part(value, `${text}${first ? "" : ","}${jsonText(key)}:`, parts);
    first = false;
  }
  return `${text}}`;
}

/** Adds a value: a scalar joins the text before it; a list or object ends that text and becomes a separate task. */
function part(value: unknown, before: string, parts: Task[]): string {
  if (!isContainer(value)) return before + scalar(value);
  parts.push({ text: before }, { value });
  return "";
}

function wellFormedEntries(object: Readonly<Record<string, unknown>>, keys: readonly string[]): Map<string, unknown> {
  const entries = new Map<string, unknown>();
  for (const key of keys) if (isData(object[key])) entries.set(wellFormed(key), object[key]);
  return entries;
}

/** True if JSON keeps the value in an object: `undefined`, functions and symbols are dropped. */
function isData(value: unknown): boolean {
  return value !== undefined && typeof value !== "function" && typeof value !== "symbol";
}
