import type { WireEvent } from "../../schema/generated.ts";
import { callOf, framed, listed, repeated, resultOf, type Shape, textResult } from "./shape.ts";
import { jsonTexts, type TextKind, textKinds, value } from "./texts.ts";

/** Values in a payload, as many as it may have, without their names. */
const mostValues = 490_000;

const texts: readonly TextKind[] = [...textKinds, ...jsonTexts];

/** One text in a result, and in the argument of a tool that nobody knows. */
const inResults: readonly Shape[] = texts.map(({ name, text }) => ({
  name: `result: ${name}`,
  event: (units) => textResult(text(units)),
}));
const inArguments: readonly Shape[] = texts.map(({ name, text }) => ({
  name: `argument: ${name}`,
  event: (units) => callOf("mcp", { text: text(units) }, { server: "x", name: "y" }),
}));
const inPrompts: readonly Shape[] = texts.map(({ name, text }) => ({
  name: `prompt: ${name}`,
  event: (units) => framed({ event: "before_agent_start", prompt: text(units) } as unknown as WireEvent),
}));

/** Payloads whose form is what is large. */
const forms: readonly { readonly name: string; make(units: number): unknown }[] = [
  { name: "short strings", make: (units) => capped(units, 8, (n) => `s${n}`) },
  { name: "short strings that name secrets", make: (units) => capped(units, 20, (n) => `pw=${value(n, 10)}`) },
  { name: "numbers", make: (units) => capped(units, 8, (n) => 10_000_000 + n) },
  { name: "empty lists", make: (units) => capped(units, 3, () => []) },
  { name: "empty objects", make: (units) => capped(units, 3, () => ({})) },
  {
    name: "keys",
    make: (units) =>
      keyed(
        units,
        14,
        (n) => `k${n}`,
        (n) => `v${n}`,
      ),
  },
  {
    name: "keys of paths",
    make: (units) =>
      keyed(
        units,
        22,
        (n) => `path${n}`,
        (n) => `/a/b${n}`,
      ),
  },
  {
    name: "keys that name secrets",
    make: (units) =>
      keyed(
        units,
        40,
        (n) => `password${n}`,
        (n) => value(n, 16),
      ),
  },
  {
    name: "keys that are secrets",
    make: (units) =>
      keyed(
        units,
        50,
        (n) => `ghp_${value(n, 36)}`,
        () => 1,
      ),
  },
  {
    name: "keys of 1,000 characters",
    make: (units) =>
      keyed(
        units,
        1_010,
        (n) => `${n}${"k".repeat(1_000)}`,
        () => 1,
      ),
  },
  {
    name: "one deep list of strings",
    make: (units) =>
      nested(
        capped(units, 8, (n) => `s${n}`),
        110,
      ),
  },
  { name: "many deep lists", make: (units) => capped(units, 230, () => nested([], 110), 115) },
  { name: "many deep objects", make: (units) => capped(units, 690, () => nestedObject(100), 105) },
  {
    name: "media",
    make: (units) => capped(units, 80, (n) => ({ type: "image", data: value(n, 40), mimeType: "image/png" }), 4),
  },
  { name: "texts of JSON", make: (units) => capped(units, 40, (n) => JSON.stringify({ password: value(n, 12) })) },
  { name: "texts of 64 units", make: (units) => capped(units, 68, (n) => `api_key: ${value(n, 55)}`) },
  { name: "texts of 600 units", make: (units) => capped(units, 604, (n) => `api_key: ${value(n, 55)} `.repeat(9)) },
];

const inStructures: readonly Shape[] = forms.flatMap(({ name, make }) => [
  { name: `details: ${name}`, event: (units) => resultOf([{ type: "text", text: "done" }], make(units)) },
  { name: `arguments: ${name}`, event: (units) => callOf("mcp", argumentsOf(make(units)), { server: "x", name: "y" }) },
]);

/** Conversations, each turn of which is looked at. */
const conversations: readonly Shape[] = [
  { name: "messages: short", event: (units) => context(capped(units, 60, (n) => message(`message ${n}`), 4)) },
  {
    name: "messages: passwords",
    event: (units) =>
      context(capped(units, 600, (n) => message(repeated(560, (i) => `password=${value(n * 99 + i, 12)} `)), 4)),
  },
  {
    name: "messages: many parts",
    event: (units) =>
      context([{ role: "user", content: capped(units, 40, (n) => ({ type: "text", text: `t${n}` }), 4) }]),
  },
];

/** Calls of known tools. */
const calls: readonly Shape[] = [
  {
    name: "write: passwords",
    event: (units) =>
      callOf("write", { path: "a.txt", content: repeated(units, (n) => `password = "${value(n, 24)}"\n`) }),
  },
  {
    name: "edit: many edits",
    event: (units) =>
      callOf("edit", {
        path: "a.txt",
        edits: capped(units, 60, (n) => ({ old_text: `a${n}`, new_text: value(n, 12) }), 4),
      }),
  },
];

/** Inputs that are large for what the engine itself does with them: reading, walking, looking for secrets, records. */
export const engineShapes: readonly Shape[] = [
  ...inResults,
  ...inArguments,
  ...inPrompts,
  ...inStructures,
  ...conversations,
  ...calls,
];

function message(text: string): unknown {
  return { role: "user", content: [{ type: "text", text }] };
}

function context(messages: readonly unknown[]): WireEvent {
  return framed({ event: "context", messages } as unknown as WireEvent);
}

/** A list of values, no more than a payload may have. */
function capped<T>(units: number, each: number, make: (n: number) => T, values = 1): T[] {
  return listed(Math.min(units, (mostValues / values) * each), each, make);
}

function keyed(
  units: number,
  each: number,
  key: (n: number) => string,
  make: (n: number) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(capped(units, each, (n) => [key(n), make(n)]));
}

function argumentsOf(made: unknown): unknown {
  return Array.isArray(made) ? { values: made } : made;
}

function nested(inner: unknown, depth: number): unknown {
  let made = inner;
  for (let n = 0; n < depth; n++) made = [made];
  return made;
}

function nestedObject(depth: number): unknown {
  let made: unknown = { a: 1 };
  for (let n = 0; n < depth; n++) made = { a: made };
  return made;
}
