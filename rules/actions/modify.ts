import { type ActionCode, type ActionContext, EvaluationError, type Payload } from "../../schema/ports.ts";
import { field, texts } from "./parameters.ts";

/** Keys that would reach an object's prototype; never set, whatever a policy or a plan says. */
const forbidden: ReadonlySet<string> = new Set(["__proto__", "prototype", "constructor"]);

/**
 * Sets and removes arguments, or the prompt and system prompt: shallow, and never the tool's name or the call's id, which
 * are no part of the payload. The result is judged again like any payload. Source: semantics section 2.
 */
export const modify: ActionCode = {
  name: "modify",
  kind: "transform",
  transform: (payload, parameters, context) => {
    const values = valuesOf(parameters, context);
    if (values instanceof EvaluationError) return values;
    const removed = texts(parameters, "unset").filter((key) => !forbidden.has(key));
    if (payload.args) {
      const args = changed(payload.args, values, removed);
      return args === payload.args ? payload : { ...payload, args };
    }
    return withFields(payload, values);
  },
};

/** The values to set: constants as they stand, texts with what they interpolate, whole and unmasked. */
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
  for (const key of forbidden) values.delete(key);
  return values;
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

/** Texts of an event that is no call: only those that it has. */
function withFields(payload: Payload, values: ReadonlyMap<string, unknown>): Payload | EvaluationError {
  let next = payload;
  for (const key of ["prompt", "system_prompt", "text", "command"] as const) {
    const value = values.get(key);
    if (value === undefined || payload[key] === undefined || value === payload[key]) continue;
    if (typeof value !== "string") return new EvaluationError("HW502", `\`${key}\` can be set to text only`);
    next = { ...next, [key]: value };
  }
  return next;
}
