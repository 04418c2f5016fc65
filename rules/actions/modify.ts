import type { EventName } from "../../schema/events.ts";
import { type ActionCode, type ActionContext, EvaluationError, type Payload } from "../../schema/ports.ts";
import { argumentNames } from "../../schema/tools.ts";
import { field, texts } from "./parameters.ts";

/** Texts that `modify` can set, by event; of a tool call these are its arguments. */
export const modifiableFields: Readonly<
  Partial<Record<EventName, readonly ("prompt" | "system_prompt" | "text" | "command" | "code")[]>>
> = {
  input: ["text"],
  user_bash: ["command"],
  user_python: ["code"],
  before_agent_start: ["prompt", "system_prompt"],
};

/** Keys that would reach an object's prototype; no policy or plan can set them. */
export const forbiddenKeys: ReadonlySet<string> = new Set(["__proto__", "prototype", "constructor"]);

/**
 * Sets and removes arguments, or the prompt and system prompt: shallow, and never the tool's name or the call's id, which are not
 * part of the payload. An argument is changed under all its names in the call, so that the host reads the judged value. The
 * result is judged again like any payload. Source: semantics section 2.
 */
export const modify: ActionCode = {
  name: "modify",
  kind: "transform",
  transform: (payload, parameters, context) => {
    const values = valuesOf(parameters, context);
    if (values instanceof EvaluationError) return values;
    const removed = texts(parameters, "unset").filter((key) => isSound(key, context));
    if (!payload.args) return withFields(payload, values, context);
    const tool = context.event.tool?.name;
    const named = new Map(
      [...values].flatMap(([key, value]) => namesIn(payload.args, tool, key).map((n) => [n, value])),
    );
    const gone = removed.flatMap((key) => argumentNames(tool, key));
    const args = changed(payload.args, named, gone);
    return args === payload.args ? payload : { ...payload, args };
  },
};

/** Returns the names of an argument in the call; the given name if the call does not have it. */
function namesIn(args: Payload["args"], tool: string | undefined, key: string): readonly string[] {
  const present = argumentNames(tool, key).filter((name) => args && Object.hasOwn(args, name));
  return present.length > 0 ? present : [key];
}

/** False for a key that would reach a prototype, which is put on record. */
function isSound(key: string, context: ActionContext): boolean {
  if (!forbiddenKeys.has(key)) return true;
  context.ignored(`\`${key}\` is never set or taken out`);
  return false;
}

/** Returns the values to set: constants unchanged, and texts with their interpolated values, whole and unmasked. */
function valuesOf(parameters: unknown, context: ActionContext): ReadonlyMap<string, unknown> | EvaluationError {
  const constants = field(parameters, "set");
  const values = new Map<string, unknown>(
    typeof constants === "object" && constants !== null ? Object.entries(constants) : [],
  );
  for (const name of context.names("set")) {
    const value = context.value(name);
    if (value instanceof EvaluationError) return value;
    values.set(name.slice("set.".length), value);
  }
  return new Map([...values].filter(([key]) => isSound(key, context)));
}

function changed(
  args: Readonly<Record<string, unknown>>,
  values: ReadonlyMap<string, unknown>,
  removed: readonly string[],
): Readonly<Record<string, unknown>> {
  const differs = [...values].some(([key, value]) => !Object.hasOwn(args, key) || !same(args[key], value));
  const gone = removed.filter((key) => Object.hasOwn(args, key));
  if (!differs && gone.length === 0) return args;
  const entries = [...Object.entries(args).filter(([key]) => !gone.includes(key)), ...values];
  return Object.fromEntries(entries);
}

function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** Changes the texts of an event that is no call, if its kind has them. */
function withFields(
  payload: Payload,
  values: ReadonlyMap<string, unknown>,
  { event }: ActionContext,
): Payload | EvaluationError {
  let next = payload;
  for (const key of modifiableFields[event.event] ?? []) {
    const value = values.get(key);
    if (value === undefined || value === payload[key]) continue;
    if (typeof value !== "string") return new EvaluationError("HW502", `\`${key}\` can be set to text only`);
    next = { ...next, [key]: value };
  }
  return next;
}
