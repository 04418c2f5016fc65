import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { HookContext, HookEvent, HookResult } from "../../../adapters/opta/index.ts";

/** What the model asks for in one turn; no calls end the loop. */
export interface Turn {
  readonly text?: string;
  readonly calls?: readonly { readonly tool: string; readonly args: Readonly<Record<string, unknown>> }[];
  /** True if the history is compacted after this turn. */
  readonly compact?: boolean;
  /** The model fails with this message. */
  readonly fails?: string;
}

/** Hooks, or hooks and a policy. */
export interface Fires {
  fire(event: HookEvent, context: HookContext): Promise<HookResult>;
}

/** What came of a session: texts for the model in their order, and the error that ended it. */
export interface Session {
  readonly messages: readonly string[];
  readonly error?: string;
}

interface Message {
  readonly role: string;
  readonly text: string;
}

/** What `examples/opta/agent.mjs` gives; it is JavaScript, as a user has it. */
interface Example {
  runAgent(options: {
    readonly hooks: Fires;
    readonly cwd: string;
    readonly name: string;
    readonly prompt?: string;
    model(messages: readonly Message[]): Promise<Turn>;
    compact(messages: readonly Message[]): readonly Message[] | undefined;
  }): Promise<{ readonly messages: readonly Message[]; readonly error?: string }>;
}

const file = join(import.meta.dirname, "../../../examples/opta/agent.mjs");
const { runAgent: run } = (await import(pathToFileURL(file).href)) as Example;

/** The loop that is shipped, with a model that says these turns one after the other. */
export async function runAgent(hooks: Fires, cwd: string, turns: readonly Turn[], prompt?: string): Promise<Session> {
  const waiting = [...turns];
  let current: Turn = {};
  const { messages, error } = await run({
    hooks,
    cwd,
    name: "fake-1",
    ...(prompt !== undefined && { prompt }),
    model: async () => {
      current = waiting.shift() ?? {};
      if (current.fails !== undefined) throw new Error(current.fails);
      return current;
    },
    compact: (all) => (current.compact ? [...all] : undefined),
  });
  return { messages: messages.map(({ text }) => text), ...(error !== undefined && { error }) };
}
