import { createRegistrar, type HookAPI, type LoadedHook } from "../../../adapters/hooks/api.ts";
import type { HookError } from "../../../adapters/hooks/chain.ts";
import type { HostPorts } from "../../../adapters/hooks/context.ts";
import type { PolicyGate } from "../../../adapters/hooks/policy-gate.ts";
import { type ProfileName, profiles } from "../../../adapters/hooks/profiles.ts";
import { HookRunner, type HookRunnerOptions } from "../../../adapters/hooks/runner.ts";

/** A factory that may register any event name and return anything: what untyped JavaScript does. */
export type LooseFactory = (api: LooseApi) => void;
export interface LooseApi extends Omit<HookAPI, "on"> {
  // biome-ignore lint/suspicious/noExplicitAny: stands for modules written without types
  on(event: string, handler: (event: any, ctx: any) => unknown): () => void;
}

export const profileNames: readonly ProfileName[] = ["pi", "omp-hookapi", "omp"];

/** Loads a factory as if it were the module `/hooks/<n>.js`. */
export function moduleOf(profile: ProfileName, factory: LooseFactory, path: string): LoadedHook {
  const registrar = createRegistrar(path, path, "/work", profiles[profile]);
  factory(registrar.api as LooseApi);
  registrar.close();
  return registrar.hook;
}

export interface Setup extends Partial<HookRunnerOptions> {
  readonly ports?: HostPorts;
}

export interface Ran {
  readonly runner: HookRunner;
  readonly errors: HookError[];
}

/** A runner over factories, and the faults it reported. */
export function runnerOf(profile: ProfileName, factories: readonly LooseFactory[], setup: Setup = {}): Ran {
  const hooks = factories.map((factory, index) => moduleOf(profile, factory, `/hooks/${index}.js`));
  const { ports, ...options } = setup;
  const runner = new HookRunner(hooks, { cwd: "/work", ...options, profile });
  const errors: HookError[] = [];
  runner.onError((error) => errors.push(error));
  runner.initialize(ports ?? {});
  return { runner, errors };
}

/** A module with one handler. */
export function on(event: string, handler: (event: never, ctx: never) => unknown): LooseFactory {
  return (api) => void api.on(event, handler as (event: unknown, ctx: unknown) => unknown);
}

/** A gate that lets all pass, with some methods replaced. */
export function gate(methods: Partial<PolicyGate> = {}): PolicyGate {
  return {
    toolCall: () => undefined,
    toolResult: () => undefined,
    context: (messages) => messages,
    beforeAgentStart: () => undefined,
    userBash: () => undefined,
    ...methods,
  };
}

export const call = (input: Record<string, unknown> = { path: "a" }, toolName = "read") => ({
  type: "tool_call" as const,
  toolCallId: "c1",
  toolName,
  input,
});

export const text = (value: string) => ({ type: "text" as const, text: value });

export const result = (value = "raw", more: object = {}) => ({
  type: "tool_result" as const,
  toolCallId: "c1",
  toolName: "read",
  input: { path: "a" },
  content: [text(value)],
  details: undefined as unknown,
  isError: false,
  ...more,
});

export const custom = (content: string, customType = "note") => ({ customType, content, display: true });
