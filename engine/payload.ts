import type { Changes } from "../schema/generated.ts";
import type { JudgedEvent } from "../schema/judged-event.ts";
import type { Payload } from "../schema/ports.ts";
import { toolArguments } from "../schema/tools.ts";

/** The part of an event that actions may change. The arguments of a call that has run are history. */
export function payloadOf(event: JudgedEvent): Payload {
  const { args, result, messages, prompt, system_prompt, input, command, code } = event;
  return {
    ...(args && event.event === "tool_call" && { args }),
    ...(result && {
      content: result.content,
      details: result.details,
      structured: result.structured,
      is_error: result.is_error,
    }),
    ...(messages && { messages }),
    ...(prompt !== undefined && { prompt }),
    ...(system_prompt !== undefined && { system_prompt }),
    ...(input && { text: input.text, images: input.images }),
    ...(command !== undefined && { command }),
    ...(code !== undefined && { code }),
  };
}

/** The next revision of an event: the same event with another payload. */
export function withPayload(event: JudgedEvent, payload: Payload): JudgedEvent {
  const { args, content, messages, prompt, system_prompt, text, images, command, code } = payload;
  return {
    ...event,
    ...(args && { args }),
    ...(command !== undefined && { command, ...(event.event === "user_bash" && { args: { ...event.args, command } }) }),
    ...(code !== undefined && { code, ...(event.event === "user_python" && { args: { ...event.args, code } }) }),
    ...(event.result && {
      result: {
        content: content ?? [],
        details: payload.details,
        structured: payload.structured,
        is_error: payload.is_error ?? event.result.is_error,
      },
    }),
    ...(messages && { messages }),
    ...(prompt !== undefined && { prompt }),
    ...(system_prompt !== undefined && { system_prompt }),
    ...(event.input && text !== undefined && { input: { ...event.input, text, images: images ?? event.input.images } }),
  };
}

const fields = [
  "content",
  "details",
  "structured",
  "is_error",
  "messages",
  "prompt",
  "system_prompt",
  "text",
  "images",
  "command",
  "code",
] as const;

/** Lists the changes between two revisions of an event, in its own shape. Compares by identity, since unchanged parts are shared. */
export function changesBetween(before: JudgedEvent, after: JudgedEvent): Changes {
  if (before === after) return {};
  const from = payloadOf(before);
  const to = payloadOf(after);
  const changes: Record<string, unknown> = {};
  if (to.args && from.args !== to.args) changes["args"] = ownShape(after, to.args);
  for (const field of fields) if (from[field] !== to[field]) changes[field] = to[field] ?? null;
  return changes as Changes;
}

/** Arguments under the host's own keys: canonical names that normalising added are left out again. */
function ownShape(event: JudgedEvent, args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const shape = event.tool && toolArguments(event.tool.name);
  const raw = event.args_raw ?? {};
  const added = (key: string): boolean =>
    shape !== undefined &&
    Object.hasOwn(shape, key) &&
    !Object.hasOwn(raw, key) &&
    (shape[key]?.aliases ?? []).some((alias) => Object.hasOwn(raw, alias));
  return Object.fromEntries(Object.entries(args).filter(([key]) => !added(key)));
}
