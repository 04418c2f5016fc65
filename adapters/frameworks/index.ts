/**
 * `hookwarden/frameworks`: an engine in front of the tools of an agent that an application builds itself. `wrapTools` serves
 * any tools with an `execute`; each other function fits one framework, by structure, with no dependency on any.
 */

export { liveSecretValues } from "../secret-values.ts";
export { type AiSdkGuard, aiSdkGuard, type ToolApproval } from "./ai-sdk.ts";
export { type AgentHooks, claudeAgentHooks, type HookCallback } from "./claude-agent-sdk.ts";
export { langchainMiddleware, type ToolCallRequest, type ToolMessageClass, type ToolMiddleware } from "./langchain.ts";
export { mastraTools } from "./mastra.ts";
export { openSessions, type StoredSessions, type StoredSessionsOptions } from "./open-sessions.ts";
export { openaiAgentsTools } from "./openai-agents.ts";
export type { ToolContext } from "./tool-judge.ts";
export { type Tools, wrapTools } from "./wrap-tools.ts";
