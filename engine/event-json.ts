import type { JudgedEvent } from "../schema/judged-event.ts";
import { canonicalJson } from "./canonical.ts";

/**
 * Canonical JSON of an event, byte for byte what `canonicalJson` gives, put together from its parts: surroundings that came
 * with an event before are not written again, nor arguments that the host calls by their canonical names.
 */
export function eventJson(event: JudgedEvent): string {
  const args = event.args && canonicalJson(event.args);
  const raw = event.args_raw === event.args ? args : event.args_raw && canonicalJson(event.args_raw);
  // Names in their order: the agent is always there and has no comma before it.
  const before =
    `{"agent":${constantJson(event.agent)}${written("args", args)}${written("args_raw", raw)}` +
    `${field("call_id", event.call_id)}${field("code", event.code)}${field("command", event.command)}` +
    `${field("definition", event.definition)},"environment":${constantJson(event.environment)}` +
    `,"event":"${event.event}","exclude_from_context":${event.exclude_from_context}`;
  const { fields, ignored, input, messages, prompt, result, session, system_prompt, time, tool } = event;
  return (
    `${before},"fields":${constantJson(fields)}${field("host", event.host)}${field("id", event.id)}` +
    `${field("ignored", ignored)}${field("input", input)}${field("messages", messages)}${field("prompt", prompt)}` +
    `${field("result", result)}${field("session", session)}${field("system_prompt", system_prompt)}` +
    `${field("time", time)}${tool === undefined ? "" : `,"tool":${constantJson(tool)}`}}`
  );
}

function field(name: keyof JudgedEvent, value: unknown): string {
  return value === undefined ? "" : `,"${name}":${canonicalJson(value)}`;
}

function written(name: keyof JudgedEvent, json: string | undefined): string {
  return json === undefined ? "" : `,"${name}":${json}`;
}

/** JSON of parts that nobody changes, by the part. */
const known = new WeakMap<object, string>();

/** The same for a part that comes again with the next event as long as nothing in it has changed. */
function constantJson(part: object): string {
  if (!Object.isFrozen(part)) return canonicalJson(part);
  const found = known.get(part);
  if (found !== undefined) return found;
  const made = canonicalJson(part);
  known.set(part, made);
  return made;
}
