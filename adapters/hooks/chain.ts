import type { Registration } from "./api.ts";
import type { HookContext } from "./context.ts";
import type { Injections } from "./emit/injections.ts";
import type { PolicyGate } from "./policy-gate.ts";
import { handlerKey, type Profile } from "./profiles.ts";

/** What went wrong in a hook module. Source: seed omp-hooks, "Event-time". */
export interface HookError {
  readonly hookPath: string;
  readonly event: string;
  readonly error: string;
}

/** Hears of each fault in a hook module, for a host to show; its answer is ignored. */
export type HookErrorListener = (error: HookError) => void;

/**
 * `report`: listeners hear of a fault and the chain goes on. `closed`: the event also gets its closed outcome:
 * `tool_result` and `context` are withheld, `input`, `user_bash` and `user_python` blocked, `session_before_*`
 * cancelled. In the other transforming events (`before_agent_start`, `session_compacting`, `resources_discover`) what
 * the faulty handler would have added is withheld in both; `tool_call` blocks in both.
 */
export type HookFaults = "report" | "closed";

/** The name under which faults of the policy are reported. */
export const policyPath = "policy";

/** Answer of a handler that threw; never a value a module could return. */
export const fault: unique symbol = Symbol("fault");

/** What the emitters of all events need: handlers in order, calls that report, and the policy. */
export interface Chain {
  readonly profile: Profile;
  readonly policy: PolicyGate | undefined;
  readonly faults: HookFaults;
  readonly toolCallTimeout: number | undefined;
  /** What the policy injected in this session. */
  readonly injections: Injections;
  /** Says what is wrong with arguments that a handler or the policy put in place of the model's. */
  validateInput(toolName: string, input: Record<string, unknown>): string | undefined;
  /** A copy of the handlers of an event: hooks array order, then registration order. */
  handlers(event: string): readonly Registration[];
  context(): HookContext;
  report(hookPath: string, event: string, error: unknown): void;
}

/** The handlers of an event over an array of modules. */
export function handlersOf(
  hooks: readonly { readonly handlers: ReadonlyMap<string, readonly Registration[]> }[],
  event: string,
): readonly Registration[] {
  const key = handlerKey(event);
  return hooks.flatMap((hook) => hook.handlers.get(key) ?? []);
}

/** Text of anything that was thrown; total. */
export function errorText(error: unknown): string {
  try {
    if (error instanceof Error) return String(error.message);
    return String(error);
  } catch {
    return "an error without text";
  }
}

/**
 * Calls one handler with its own copy of the event's outer object, under the name it registered.
 * A throw is reported and answered with `fault`; so the chain goes on.
 */
export async function attempt(chain: Chain, registration: Registration, event: object): Promise<unknown> {
  try {
    return await registration.handler({ ...event, type: registration.event }, chain.context());
  } catch (error) {
    chain.report(registration.hookPath, registration.event, error);
    return fault;
  }
}

/** A handler's answer as an object, or undefined: nothing, a primitive, a list and a revoked proxy answer nothing. */
export function answerOf(value: unknown): Record<string, unknown> | undefined {
  try {
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads some fields of an answer once, into an object of our own: a getter that throws is a fault of its module,
 * and one that changes its mind later is not asked again.
 */
export function fieldsOf<Name extends string>(
  chain: Chain,
  registration: Registration,
  value: unknown,
  names: readonly Name[],
): Partial<Record<Name, unknown>> | undefined | typeof fault {
  const answer = answerOf(value);
  if (answer === undefined) return undefined;
  const fields: Partial<Record<Name, unknown>> = {};
  try {
    for (const name of names) {
      const read = answer[name];
      if (read !== undefined) fields[name] = read;
    }
    return fields;
  } catch (error) {
    chain.report(registration.hookPath, registration.event, error);
    return fault;
  }
}
