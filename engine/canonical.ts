import { createHash } from "node:crypto";

/** Work left to do: a value to write, text to write as it is, or an object that is complete. */
type Task = { readonly value: unknown } | { readonly text: string } | { readonly done: object };

/**
 * Canonical JSON in the style of RFC 8785: no white space, keys sorted by UTF-16 units, shortest numbers.
 * Lone surrogates become U+FFFD, so the result is always well-formed Unicode on one line. `undefined` and functions
 * are dropped (null inside lists), numbers that JSON cannot say are null, an object inside itself is `"(circular)"`.
 * Total for plain data of any depth: it keeps its own stack. Source: threats page section 3.2.
 */
export function canonicalJson(value: unknown): string {
  const out: string[] = [];
  const open = new Set<object>();
  const tasks: Task[] = [{ value }];
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    if ("text" in task) out.push(task.text);
    else if ("done" in task) open.delete(task.done);
    else if (typeof task.value === "object" && task.value !== null) container(task.value, open, out, tasks);
    else out.push(scalar(task.value));
  }
  return out.join("");
}

/** SHA-256 of the canonical JSON of a value, as `sha256:<hex>`. */
export function digest(value: unknown): string {
  return sha256(canonicalJson(value));
}

/** SHA-256 of text in UTF-8, as `sha256:<hex>`. */
export function sha256(text: string): string {
  return `sha256:${createHash("sha256").update(text, "utf8").digest("hex")}`;
}

/** Text with every lone surrogate replaced by U+FFFD. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}

function scalar(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(wellFormed(value));
  if (typeof value === "number") return Number.isFinite(value) ? JSON.stringify(value) : "null";
  if (typeof value === "bigint") return JSON.stringify(String(value));
  return value === true ? "true" : value === false ? "false" : "null";
}

/** Puts the parts of a list or object on the stack, last part first. */
function container(value: object, open: Set<object>, out: string[], tasks: Task[]): void {
  if (open.has(value)) {
    out.push('"(circular)"');
    return;
  }
  open.add(value);
  const parts = Array.isArray(value) ? listParts(value) : objectParts(value as Record<string, unknown>);
  tasks.push({ done: value });
  for (let i = parts.length - 1; i >= 0; i--) tasks.push(parts[i] as Task);
}

function listParts(list: readonly unknown[]): Task[] {
  const parts: Task[] = [{ text: "[" }];
  for (let i = 0; i < list.length; i++) {
    if (i > 0) parts.push({ text: "," });
    parts.push({ value: list[i] });
  }
  parts.push({ text: "]" });
  return parts;
}

/** Keys that become equal once well-formed count as one; the last wins, as in a JSON reader. */
function objectParts(object: Readonly<Record<string, unknown>>): Task[] {
  const entries = new Map<string, unknown>();
  for (const key of Object.keys(object).sort()) {
    const value = object[key];
    if (value !== undefined && typeof value !== "function" && typeof value !== "symbol")
      entries.set(wellFormed(key), value);
  }
  const parts: Task[] = [{ text: "{" }];
  for (const key of [...entries.keys()].sort()) {
    parts.push({ text: `${parts.length > 1 ? "," : ""}${JSON.stringify(key)}:` }, { value: entries.get(key) });
  }
  parts.push({ text: "}" });
  return parts;
}
