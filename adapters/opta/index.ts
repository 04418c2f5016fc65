/** Opta's hooks, with a policy beside them. Source: seed opta-hook-system; issue of step 6, part 3. */

export type { HookScope, ScopedHook } from "./compiled.ts";
export { mergeHooks } from "./compiled.ts";
export type { HookDefinition, HookEvent, OptaConfig, OptaIssue, OptaParse } from "./config.ts";
export { defaultTimeout, hookEvents, OptaConfigError, OptaConfigSchema } from "./config.ts";
export type { HookContext, HookResult } from "./context.ts";
export { firstBytes, resultBytes } from "./context.ts";
export type { OptaGuard, OptaGuardOptions } from "./guard.ts";
export { createOptaGuard } from "./guard.ts";
export type { LoadedHooks, LoadOptions, OptaFile, OptaFinding } from "./load.ts";
export { loadOptaHooks } from "./load.ts";
export type { HookManagerOptions, HookState } from "./manager.ts";
export { HookManager, NoOpHookManager } from "./manager.ts";
export type { CommandApi, MenuUi } from "./menu.ts";
export { hooksMenu, registerHooksCommand } from "./menu.ts";
export type { PromptAnswer, PromptJudge, PromptQuestion } from "./prompt-hook.ts";
export type { HookObservation, HookPorts } from "./run-hook.ts";
