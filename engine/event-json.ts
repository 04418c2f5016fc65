import type { JudgedEvent } from "../schema/judged-event.ts";
import { canonicalJson, jsonText } from "./canonical.ts";

interface EventTexts {
  readonly json: string;
  /** The platform's JSON of the event with empty surroundings; undefined where its order of keys may differ. */
  readonly bare: string | undefined;
}

/**
 * Returns the canonical JSON of an event, byte for byte as `canonicalJson`, assembled from its parts. Surroundings of an earlier
 * event are not written again, nor are arguments that already have their canonical names.
 */
export function eventTexts(event: JudgedEvent): EventTexts {
  const { before, after } = partsOf(event);
  return {
    json: `${before}${constantJson(event.environment)}${after}`,
    bare: isUsual(event) ? `${before}{}${after}` : undefined,
  };
}

/** True where the platform's order of names is the canonical one: most calls have one argument, a text. */
function isUsual({ args, args_raw, code, definition, fields, ignored, input, messages, result }: JudgedEvent): boolean {
  if (args !== args_raw || code !== undefined || definition || ignored || input || messages || result) return false;
  for (const _ in fields) return false;
  if (!args) return true;
  let count = 0;
  for (const name in args) {
    count += 1;
    if (count > 1 || typeof args[name] !== "string") return false;
  }
  return true;
}

/** Returns the text before and after the surroundings. */
function partsOf(event: JudgedEvent): { readonly before: string; readonly after: string } {
  const args = event.args && argumentsJson(event.args);
  const raw = event.args_raw === event.args ? args : event.args_raw && argumentsJson(event.args_raw);
  // Names in their order: the agent is always there and has no comma before it.
  const before =
    `{"agent":${constantJson(event.agent)}${written("args", args)}${written("args_raw", raw)}` +
    `${textField("call_id", event.call_id)}${textField("code", event.code)}${textField("command", event.command)}` +
    `${field("definition", event.definition)},"environment":`;
  const { fields, ignored, input, messages, prompt, result, session, system_prompt, time, tool } = event;
  const after =
    `,"event":"${event.event}","exclude_from_context":${event.exclude_from_context}` +
    `,"fields":${constantJson(fields)}${textField("host", event.host)}${textField("id", event.id)}` +
    `${field("ignored", ignored)}${field("input", input)}${field("messages", messages)}${textField("prompt", prompt)}` +
    `${field("result", result)},"session":${sessionJson(session)}${textField("system_prompt", system_prompt)}` +
    `,"time":${canonicalJson(time)}${tool === undefined ? "" : `,"tool":${constantJson(tool)}`}}`;
  return { before, after };
}

function field(name: keyof JudgedEvent, value: unknown): string {
  return value === undefined ? "" : `,"${name}":${canonicalJson(value)}`;
}

/** Most calls have one argument, a text. */
function argumentsJson(args: Readonly<Record<string, unknown>>): string {
  const keys = Object.keys(args);
  const key = keys[0] as string;
  const value = keys.length === 1 ? args[key] : undefined;
  const isOne = typeof value === "string" && key.isWellFormed();
  return isOne ? `{${jsonText(key)}:${jsonText(value)}}` : canonicalJson(args);
}

function textField(name: keyof JudgedEvent, text: string | undefined): string {
  return text === undefined ? "" : `,"${name}":${jsonText(text)}`;
}

function sessionJson({ id, labels, parent, turn }: JudgedEvent["session"]): string {
  const marks = labels.length === 0 ? "[]" : canonicalJson(labels);
  const from = parent === undefined ? "" : `,"parent":${jsonText(parent)}`;
  return `{"id":${jsonText(id)},"labels":${marks}${from},"turn":${canonicalJson(turn)}}`;
}

function written(name: keyof JudgedEvent, json: string | undefined): string {
  return json === undefined ? "" : `,"${name}":${json}`;
}

/** JSON of frozen parts, by the part. */
const known = new WeakMap<object, string>();

/** Returns the JSON of a part; that of a frozen part, which comes again with later events, is remembered. */
function constantJson(part: object): string {
  if (!Object.isFrozen(part)) return canonicalJson(part);
  const found = known.get(part);
  if (found !== undefined) return found;
  const made = canonicalJson(part);
  known.set(part, made);
  return made;
}
