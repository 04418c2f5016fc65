import type { Engine } from "../../runtime.ts";
import type { ToolContext } from "./tool-judge.ts";
import { type Tools, wrapTools } from "./wrap-tools.ts";

/**
 * Puts an engine in front of the tools of a Mastra agent (hosts page others, section 5). Its `afterToolCall` hook only sees
 * results, so `execute` itself is wrapped. An `ask` goes to `context.approve`; a tool's own `requireApproval` stays.
 */
export function mastraTools<T extends Tools>(tools: T, engine: Engine, context: ToolContext = {}): T {
  return wrapTools(tools, engine, { host: "mastra", ...context });
}
