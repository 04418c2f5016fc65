import type { Engine } from "../../runtime.ts";
import { type ToolContext, ToolJudge } from "./tool-judge.ts";
import { type Tools, wrapWith } from "./wrap-tools.ts";

/** AI SDK's type for the approval of a call. */
export type ToolApproval =
  | undefined
  | { readonly type: "denied"; readonly reason: string }
  | { readonly type: "user-approval" };

/** A guard for one agent of AI SDK. */
export interface AiSdkGuard {
  /** Returns the tools for `generateText`, `streamText` or an agent. */
  tools<T extends Tools>(tools: T): T;
  /** The option `toolApproval`: refusals reach the model with their reason, and an `ask` becomes the SDK's own request. */
  toolApproval(options: {
    readonly toolCall: { readonly toolName: string; readonly toolCallId: string; readonly input: unknown };
  }): Promise<ToolApproval>;
}

/**
 * Puts an engine in front of the tools of AI SDK 7 (hosts page others, section 5). Use both parts together: `tools` reuses
 * the decisions of `toolApproval`, so each call is judged once. A call without one, such as a call that another process was
 * asked about, is judged anew. Tools that the provider runs cannot be seen here.
 */
export function aiSdkGuard(engine: Engine, context: ToolContext = {}): AiSdkGuard {
  const judge = new ToolJudge(engine, { host: "ai-sdk", ...context });
  return {
    tools: (tools) => streaming(wrapWith(tools, judge, true), tools),
    async toolApproval({ toolCall: { toolName, toolCallId, input } }) {
      const standing = await judge.standing({ tool: toolName, args: input, id: toolCallId });
      if (standing === "run") return undefined;
      return standing === "ask" ? { type: "user-approval" } : { type: "denied", reason: standing.denied };
    },
  };
}

/**
 * Wraps tools so that a generator `execute` stays a generator: the SDK looks for an iterator at once, before it awaits
 * anything.
 */
function streaming<T extends Tools>(wrapped: T, tools: T): T {
  const entries = Object.entries(wrapped as Readonly<Record<string, object>>).map(([name, tool]) => {
    const original = (tools as Readonly<Record<string, { execute?: unknown }>>)[name]?.execute;
    const { execute } = tool as { execute?: (...given: readonly unknown[]) => Promise<AsyncIterable<unknown>> };
    if (!isGenerator(original) || !execute) return [name, tool] as const;
    return [
      name,
      Object.assign(tool, {
        execute: async function* (...given: readonly unknown[]) {
          yield* await execute(...given);
        },
      }),
    ] as const;
  });
  return Object.fromEntries(entries) as T;
}

function isGenerator(value: unknown): boolean {
  return Object.prototype.toString.call(value) === "[object AsyncGeneratorFunction]";
}
