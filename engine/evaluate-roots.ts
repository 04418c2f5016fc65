import { effectKinds } from "../schema/facts.ts";
import { ownFields } from "../schema/payloads.ts";
import type { Value } from "../schema/ports.ts";
import { EvaluationError, Timestamp } from "../schema/ports.ts";
import { failed, fieldOf, isKeyed } from "./evaluate-values.ts";
import { type Frame, memoOf } from "./frame.ts";

/** Reads one root of a condition (language section 4) out of the event or its facts. */
export type RootReader = (frame: Frame) => Value | EvaluationError;

const nothing: Value = Object.freeze(Object.create(null) as Record<string, unknown>);
const none: readonly Value[] = Object.freeze([]);
const unknownShell = failed("shell of this call is not known");
const unknownEffects = failed("effects of this call are not known");

/** A record of the contracts as a value: plain data with own fields. */
function asValue(record: unknown): Value {
  return record as Value;
}

/** Makes the reader of a root that other kinds of events do not have. */
function orAbsent(name: string, read: (frame: Frame) => unknown): RootReader {
  const absent = failed(`this event has no \`${name}\``);
  return (frame) => {
    const value = read(frame);
    return value === undefined ? absent : asValue(value);
  };
}

/** Remembers the value of a root for as long as the payload stays the same. */
function remembered(name: string, read: RootReader): RootReader {
  const key = `root ${name}`;
  return (frame) => {
    const memo = memoOf(frame);
    const known = memo.get(key);
    if (known) return known.value;
    const value = read(frame);
    memo.set(key, { value, cost: 0 });
    return value;
  };
}

/** All text parts of a content, joined by line breaks. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const texts: string[] = [];
  for (const part of content) {
    const text = typeof part === "string" ? part : fieldOf(part, "text");
    if (typeof text === "string") texts.push(text);
  }
  return texts.join("\n");
}

/** Views of messages, by the message: those of a conversation come again at every turn. */
const views = new WeakMap<object, Value>();

/** A message of any host as the language sees it. */
export function messageView(message: unknown): Value {
  if (typeof message !== "object" || message === null) return viewOf(message);
  const known = views.get(message) ?? viewOf(message);
  views.set(message, known);
  return known;
}

function viewOf(message: unknown): Value {
  const first = (...names: string[]): Value | undefined => {
    for (const name of names) {
      const value = fieldOf(message, name);
      if (value !== undefined) return value;
    }
    return undefined;
  };
  const content = first("content");
  const whole = first("text", "output", "summary");
  const text = typeof whole === "string" && content === undefined ? whole : textOf(content);
  const role = first("role");
  return {
    role: typeof role === "string" ? role : "",
    text,
    content,
    tool_name: first("tool_name", "toolName"),
    custom_type: first("custom_type", "customType"),
  };
}

/** Returns the commands of a call without shell facts: an error if the call is not understood, otherwise none. */
function noShell({ facts }: Frame): readonly Value[] | EvaluationError {
  return facts.understanding === "unknown" ? unknownShell : none;
}

function commandsOf(frame: Frame): readonly unknown[] | EvaluationError {
  return frame.facts.shell?.commands ?? noShell(frame);
}

function pipelinesOf(frame: Frame): Value | EvaluationError {
  const shell = frame.facts.shell;
  if (!shell) return noShell(frame);
  return asValue(
    shell.pipelines.map((line) =>
      line.map((index) => shell.commands[index]).filter((command) => command !== undefined),
    ),
  );
}

/** Returns the session as conditions see it: its id from the event, and its state from the records before. */
function sessionOf({ event, session }: Frame): Value {
  const { labels, turn, asked } = session;
  return asValue({ id: event.session.id, labels, turn, asked });
}

/** The event's own fields, with messages as the language sees them. */
function payloadFields({ event }: Frame): Value {
  const fields: Record<string, unknown> = Object.create(null);
  for (const [name, { type }] of Object.entries(ownFields(event.event))) {
    const value = event.fields[name];
    if (value === undefined) continue;
    if (type === "message") fields[name] = messageView(value);
    else fields[name] = type === "list(message)" ? (value as readonly unknown[]).map(messageView) : value;
  }
  return asValue(fields);
}

const readers: ReadonlyMap<string, RootReader> = new Map<string, RootReader>([
  ["event", ({ event }) => event.event],
  ["host", ({ event }) => event.host],
  ["agent", ({ event }) => asValue(event.agent)],
  ["environment", ({ event }) => asValue(event.environment)],
  ["session", remembered("session", sessionOf)],
  // Labels are asked for by path, through a function; the root itself holds nothing.
  ["paths", () => nothing],
  ["now", remembered("now", ({ event }) => timeOf(event.time))],
  ["tool", orAbsent("tool", ({ event }) => event.tool)],
  ["args", ({ event }) => asValue(event.args ?? nothing)],
  ["args_raw", ({ event }) => asValue(event.args_raw ?? event.args ?? nothing)],
  ["definition", ({ event }) => asValue(event.definition ?? nothing)],
  ["result", orAbsent("result", ({ event }) => event.result)],
  ["result.text", remembered("result.text", ({ event }) => textOf(event.result?.content))],
  ["messages", remembered("messages", ({ event }) => (event.messages ?? []).map(messageView))],
  ["prompt", orAbsent("prompt", ({ event }) => event.prompt)],
  ["system_prompt", orAbsent("system_prompt", ({ event }) => event.system_prompt)],
  ["input", orAbsent("input", ({ event }) => event.input)],
  ["command", orAbsent("command", ({ event }) => event.command)],
  ["code", orAbsent("code", ({ event }) => event.code)],
  ["fields", remembered("fields", payloadFields)],
  ["secrets", ({ facts }) => told(facts, "secrets")],
  ["text", ({ facts }) => told(facts, "text")],
  ["shell", ({ facts }) => asValue(facts.shell ?? nothing)],
  ["effects", ({ facts }) => asValue(facts.effects ?? nothing)],
  ["shell.commands", (frame) => asOrError(commandsOf(frame))],
  ["shell.pipelines", remembered("shell.pipelines", pipelinesOf)],
  ...effectKinds.map((kind): [string, RootReader] => [
    `effects.${kind}`,
    ({ facts }) => asOrError(facts.effects?.[kind] ?? noEffects(facts)),
  ]),
]);

/** Returns facts about an event's text. Those that took too much work are an error, so that no rule takes them for empty. */
function told(facts: Frame["facts"], name: "secrets" | "text"): Value | EvaluationError {
  const value = facts[name];
  return facts.untold?.has(name) ? untold : asValue(value);
}

const untold = new EvaluationError(
  "HW516",
  "looking at the text of the event takes more work than one event may; do it in smaller parts",
);

/** Returns the effects of an event without effect facts: an error if its call is not understood, otherwise none. */
function noEffects(facts: Frame["facts"]): readonly Value[] | EvaluationError {
  return facts.understanding === "unknown" ? unknownEffects : none;
}

function asOrError(value: unknown): Value | EvaluationError {
  return value instanceof EvaluationError ? value : asValue(value);
}

/** Event time in milliseconds as a timestamp. */
function timeOf(milliseconds: number): Timestamp {
  const seconds = Math.floor(milliseconds / 1000);
  return new Timestamp(seconds, Math.round((milliseconds - seconds * 1000) * 1_000_000));
}

function isCertain(element: unknown): boolean {
  if (Array.isArray(element)) return element.every(isCertain);
  return isKeyed(element) && (fieldOf(element, "certain") === true || fieldOf(element, "reachable") === true);
}

/** Returns only the certain elements; the list itself if all are. A pipeline is certain if all its commands are. */
function certainOf(value: Value | EvaluationError): Value | EvaluationError {
  if (!Array.isArray(value) || value.every(isCertain)) return value;
  return value.filter(isCertain) as Value;
}

/** Returns the reader of a root; undefined for an unknown name. */
export function rootReader(name: string, certain: boolean): RootReader | undefined {
  const read = readers.get(name);
  if (!read || !certain) return read;
  return remembered(`${name} certain`, (frame) => certainOf(read(frame)));
}
