/**
 * The hook runtime, with which a JavaScript agent runs hook modules under a policy.
 * Source: seed omp-hooks, "Export surface"; seed pi-hook-reference, section 4 (`isToolCallEventType`).
 */

export type { GuardOptions, Judge, SessionContext } from "../pi/session.ts";
export type { AgentLoopPorts, ModelRequest, PromptOutcome } from "./agent-loop.ts";
export { AgentLoop } from "./agent-loop.ts";
export type {
  ExtensionAPI,
  HookAPI,
  HookFactory,
  HookHandler,
  HookMessageRenderer,
  LoadedHook,
  RegisteredCommand,
} from "./api.ts";
export type { HookError, HookErrorListener, HookFaults } from "./chain.ts";
export type {
  HookCommandContext,
  HookContext,
  HostPorts,
  NewSessionOptions,
  SendMessageOptions,
  SendUserMessageOptions,
  SessionEntry,
  SessionManager,
  ToolInfo,
  WritableSession,
} from "./context.ts";
export type { DiscoveredHook, HookFile, HookProvider, HookType } from "./discovery.ts";
export { hookProviders } from "./discovery.ts";
export { engineGate } from "./engine-gate.ts";
export type * from "./events.ts";
export { isToolCallEventType } from "./events.ts";
export type { ExecOptions, ExecResult } from "./exec.ts";
export { execCommand } from "./exec.ts";
export type { HookFaultAudit } from "./fault-record.ts";
export { hookFaultAudit } from "./fault-record.ts";
export type { LlmMessage } from "./llm-messages.ts";
export { convertToLlm } from "./llm-messages.ts";
export type {
  DiscoverHooksResult,
  DiscoverOptions,
  LoadError,
  LoadHooksOptions,
  LoadHooksResult,
  LoadWarning,
} from "./loader.ts";
export { discoverAndLoadHooks, loadHooks } from "./loader.ts";
export type * from "./messages.ts";
export type * from "./policy-gate.ts";
export type { ModuleFolders, Profile, ProfileName } from "./profiles.ts";
export { profiles } from "./profiles.ts";
export type * from "./results.ts";
export type { CommandPlace, CommandPort, TypedCommand } from "./run-command.ts";
export type { HookRunnerOptions } from "./runner.ts";
export { HookRunner } from "./runner.ts";
export type {
  CompactRequest,
  CompactWork,
  EndedProcess,
  EndSignal,
  ModelChange,
  SessionChange,
  SessionEnd,
  SwitchRequest,
} from "./session-changes.ts";
export { SessionChanges } from "./session-changes.ts";
export { StatusLine } from "./status-line.ts";
export type { AgentTool, AgentToolResult, ToolUpdate } from "./tool-wrapper.ts";
export { HookToolWrapper } from "./tool-wrapper.ts";
export type { DialogOptions, EditorOptions, HookTheme, HookUIContext } from "./ui.ts";
export { noUI, plainTheme } from "./ui.ts";
