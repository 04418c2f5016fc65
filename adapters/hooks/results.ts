import type { AgentMessage, ContentPart, HookMessage, ImageContent } from "./messages.ts";

/** pi's answer to `input`. Omitted `images` keep the original ones. Source: seed pi-hook-reference, section 1. */
export type InputActionResult =
  | { action: "continue" }
  | { action: "transform"; text: string; images?: ImageContent[] }
  | { action: "handled" };

/** omp's answer to `input`. Source: hosts page, section 3. */
export interface InputHandledResult {
  handled?: boolean;
  text?: string;
  images?: ImageContent[];
}

/** A handler's answer to `input`, in either host's form. */
export type InputEventResult = InputActionResult | InputHandledResult;

/** `systemPrompt` replaces the prompt for this run; it is a list in the profile `omp`. */
export interface BeforeAgentStartEventResult {
  message?: HookMessage;
  systemPrompt?: string | string[];
}

/** Messages that the model gets instead of the event's; the session keeps its own. */
export interface ContextEventResult {
  messages?: AgentMessage[];
}

/** The first `block: true` ends the chain; `input` replaces the arguments in the profile `omp` alone. */
export interface ToolCallEventResult {
  block?: boolean;
  reason?: string;
  input?: Record<string, unknown>;
}

/** Replacements for parts of a tool's result. `isError` is applied in `pi` and `omp` only. */
export interface ToolResultEventResult {
  content?: ContentPart[];
  details?: unknown;
  structuredContent?: unknown;
  isError?: boolean;
}

/** Result of a command that a handler ran itself. */
export interface UserBashResult {
  output: string;
  exitCode: number | undefined;
  cancelled: boolean;
  truncated: boolean;
}

/**
 * Another way of running the human's command, for example over SSH. `execute` returns a text, a result, or the streams and
 * exit code of a program. `exec` is pi's own form and gives the output through `onData`. One of the two is required.
 */
export interface BashOperations {
  execute?(command: string, ...rest: unknown[]): unknown;
  exec?(command: string, cwd: string, options: { onData(data: Uint8Array): void; signal: AbortSignal }): unknown;
}

/** Another way to run the human's command, or the result in place of running it. */
export interface UserBashEventResult {
  operations?: BashOperations;
  result?: UserBashResult;
}

/** The result in place of running the human's code. */
export interface UserPythonEventResult {
  result?: UserBashResult;
}

/** With `cancel`, the present session stays. */
export interface SessionBeforeSwitchResult {
  cancel?: boolean;
}

/** With `cancel`, no fork is made. */
export interface SessionBeforeForkResult {
  cancel?: boolean;
  /** Fork without bringing the messages back. */
  skipConversationRestore?: boolean;
}

/** A compaction that a handler made itself. */
export interface CompactionResult {
  summary: string;
  firstKeptEntryId: string;
  tokensBefore: number;
  details?: unknown;
}

/** Cancels compaction, or gives the summary in place of the model's. */
export interface SessionBeforeCompactResult {
  cancel?: boolean;
  compaction?: CompactionResult;
}

/** Additions to the compaction prompt. Source: seed omp-hooks, "Session events". */
export interface SessionCompactingResult {
  context?: string[];
  prompt?: string;
  preserveData?: Record<string, unknown>;
}

/** Cancels the move, or gives the summary of the branch left and a label for it. */
export interface SessionBeforeTreeResult {
  cancel?: boolean;
  summary?: { summary: string; details?: unknown };
  label?: string;
}

/** Paths of files or folders that the host loads besides its own. */
export interface ResourcesDiscoverResult {
  skillPaths?: string[];
  promptPaths?: string[];
  themePaths?: string[];
}

/** Result of `emitToolCall`. The host must run `input`, the judged arguments, and never its own copy. */
export interface ToolCallOutcome {
  readonly block: boolean;
  readonly reason?: string;
  readonly input: Record<string, unknown>;
  /** Text of the policy for the model, to stand after the tool's result. */
  readonly additionalContext?: string;
  /** The last answer of a handler that did not block. */
  readonly result?: ToolCallEventResult;
}

/** Result of `emitBeforeAgentStart`: messages in order, those of the policy last. */
export interface BeforeAgentStartOutcome {
  readonly messages: readonly HookMessage[];
  /** Prompt of this run; undefined means the base prompt. */
  readonly systemPrompt?: string | string[];
}

/** Result of `emitInput` and `submit`, the same for every profile. */
export interface InputOutcome {
  readonly action: "continue" | "transform" | "handled";
  readonly text: string;
  readonly images?: ImageContent[];
  /** Messages of the policy, to stand after the text. */
  readonly messages?: readonly HookMessage[];
  /** Why the policy or a module's fault swallowed the text. */
  readonly reason?: string;
  /** The extension command that took the text, in `submit`. */
  readonly command?: string;
}

/** Result of `emitUserBash` and `emitUserPython`. `command` is the judged text that may run. */
export interface UserCommandOutcome {
  readonly command: string;
  readonly operations?: BashOperations;
  /** When given, the command does not run and this is its result. */
  readonly result?: UserBashResult;
}
