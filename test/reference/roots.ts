import type { FactSet } from "../../schema/facts.ts";
import type { JudgedEvent } from "../../schema/judged-event.ts";
import { ownFields } from "../../schema/payloads.ts";
import { type EvaluationError, Timestamp, type Value } from "../../schema/ports.ts";
import type { SessionView } from "../../schema/session.ts";
import { entryAt, failure, isMapping } from "./data.ts";

/** What roots are read from. */
export interface Read {
  readonly event: JudgedEvent;
  readonly facts: FactSet;
  readonly session: SessionView;
}

/** Roots of conditions, read naively from the event and its facts (language section 4). */

/** The value of a root; an error where the event has none, or where its facts are not known. */
export function rootValue(name: string, certain: boolean, { event, facts, session }: Read): Value | EvaluationError {
  const [first, second] = name.split(".");
  if (second !== undefined && first !== "result") return factList(first ?? "", second, certain, facts);
  const value = name === "session" ? sessionValue(event, session) : plainRoot(name, event, facts);
  return value === undefined ? failure(`no root ${name} here`) : (value as Value);
}

function sessionValue(event: JudgedEvent, { labels, turn, asked }: SessionView): unknown {
  return { id: event.session.id, labels, turn, asked };
}

function plainRoot(name: string, event: JudgedEvent, facts: FactSet): unknown {
  switch (name) {
    case "event":
      return event.event;
    case "now":
      return timeOf(event.time);
    case "result.text":
      return texts(event.result?.content);
    case "messages":
      return (event.messages ?? []).map(asMessage);
    case "args":
    case "definition":
      return event[name] ?? {};
    case "args_raw":
      return event.args_raw ?? event.args ?? {};
    case "secrets":
    case "text":
      return facts[name];
    case "shell":
    case "effects":
      return facts[name] ?? {};
    case "host":
    case "agent":
    case "environment":
    case "tool":
    case "result":
    case "prompt":
    case "system_prompt":
    case "input":
    case "command":
    case "code":
      return event[name];
    case "fields":
      return Object.fromEntries(Object.keys(event.fields).map((key) => [key, fieldValue(event, key)]));
    case "paths":
      return {};
    default:
      return undefined;
  }
}

/** A payload field as conditions see it: messages as messages, anything else as it came. */
function fieldValue(event: JudgedEvent, name: string): unknown {
  const value = event.fields[name];
  const type = ownFields(event.event)[name]?.type;
  return type === "message" ? asMessage(value) : type === "list(message)" ? (value as unknown[]).map(asMessage) : value;
}

/** `effects.*` and `shell.*`. A call that could not be understood has no answer; an event without a call has none of them. */
function factList(root: string, name: string, certain: boolean, facts: FactSet): Value | EvaluationError {
  const holder = root === "effects" ? facts.effects : root === "shell" ? facts.shell : undefined;
  if (root !== "effects" && root !== "shell") return failure(`no root ${root}.${name}`);
  if (!holder) return facts.understanding === "unknown" ? failure("not known") : [];
  const listed = entryAt(holder, name);
  if (!Array.isArray(listed)) return failure(`no list ${root}.${name}`);
  const all = name === "pipelines" ? pipelines(facts) : (listed as readonly Value[]);
  return certain ? all.filter(isCertain) : all;
}

function pipelines({ shell }: FactSet): readonly Value[] {
  if (!shell) return [];
  return shell.pipelines.map((line) => line.flatMap((at) => shell.commands[at] ?? [])) as unknown as readonly Value[];
}

function isCertain(element: Value): boolean {
  if (Array.isArray(element)) return element.every(isCertain);
  return ["certain", "reachable"].some((mark) => entryAt(element, mark) === true);
}

/** Milliseconds since the epoch as seconds and nanoseconds. */
function timeOf(milliseconds: number): Timestamp {
  const rest = ((milliseconds % 1000) + 1000) % 1000;
  return new Timestamp((milliseconds - rest) / 1000, Math.round(rest * 1e6));
}

/** All text parts of a content, joined by line breaks. */
function texts(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? content : [];
  return parts
    .map((part: unknown) => (isMapping(part) ? entryAt(part, "text") : part))
    .filter((text) => typeof text === "string")
    .join("\n");
}

function asMessage(message: unknown): Record<string, unknown> {
  const first = (...names: string[]): unknown =>
    names.map((name) => entryAt(message, name)).find((value) => value !== undefined);
  const content = first("content");
  const whole = first("text", "output", "summary");
  const role = first("role");
  return {
    role: typeof role === "string" ? role : "",
    text: content === undefined && typeof whole === "string" ? whole : texts(content),
    content,
    tool_name: first("tool_name", "toolName"),
    custom_type: first("custom_type", "customType"),
  };
}
