import type { Registration } from "./api.ts";
import type { HookContext } from "./context.ts";
import type { Injections } from "./emit/injections.ts";
import type { PolicyGate } from "./policy-gate.ts";
import { handlerKey, type Profile } from "./profiles.ts";

/** A fault in a hook module. Source: seed omp-hooks, "Event-time". */
export interface HookError {
  readonly hookPath: string;
  readonly event: string;
  readonly error: string;
}

/** Called with each fault in a hook module, for a host to show; its return value is ignored. */
export type HookErrorListener = (error: HookError) => void;

/**
 * `report`: listeners hear of a fault and the chain goes on. `closed`: the event also gets its closed outcome:
 * `tool_result` and `context` are withheld, `input`, `user_bash` and `user_python` blocked, `session_before_*`
 * cancelled. With either setting, the other transforming events (`before_agent_start`, `session_compacting`,
 * `resources_discover`) leave out the faulty handler's additions, and `tool_call` blocks.
 */
export type HookFaults = "report" | "closed";

/** The name under which faults of the policy are reported. */
export const policyPath = "policy";

/** Marks the answer of a handler that threw; no module can return this value. */
export const fault: unique symbol = Symbol("fault");

/** Everything that the emitters share: handlers in order, fault reports and the policy. */
export interface Chain {
  readonly profile: Profile;
  readonly policy: PolicyGate | undefined;
  readonly faults: HookFaults;
  readonly toolCallTimeout: number | undefined;
  /** Messages that the policy injected in this session. */
  readonly injections: Injections;
  /** Says what is wrong with arguments that a handler or the policy replaced; undefined if nothing is. */
  validateInput(toolName: string, input: Record<string, unknown>): string | undefined;
  /** A copy of the handlers of an event: hooks array order, then registration order. */
  handlers(event: string): readonly Registration[];
  context(): HookContext;
  report(hookPath: string, event: string, error: unknown): void;
}

/** Lists the handlers of an event from all modules, in order. */
export function handlersOf(
  hooks: readonly { readonly handlers: ReadonlyMap<string, readonly Registration[]> }[],
  event: string,
): readonly Registration[] {
  const key = handlerKey(event);
  return hooks.flatMap((hook) => hook.handlers.get(key) ?? []);
}

/** Returns the text of any thrown value; never throws. */
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

/** Returns a handler's answer if it is an object; undefined for primitives, null, lists and revoked proxies. */
export function answerOf(value: unknown): Record<string, unknown> | undefined {
  try {
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads the named fields of an answer once, into an object of our own. A getter that throws is a fault of its module;
 * one that would return something else later is not called again.
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
