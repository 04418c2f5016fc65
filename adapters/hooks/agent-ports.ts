import type { SessionEntry } from "./context.ts";
import type { AgentMessage, AssistantMessage } from "./messages.ts";
import type { CommandPort } from "./run-command.ts";
import type { AgentTool } from "./tool-wrapper.ts";

/** One call of the model. */
export interface ModelRequest {
  readonly systemPrompt: string | readonly string[];
  /** Only in roles that a model knows, unless the loop's `rawMessages` is true. */
  readonly messages: readonly AgentMessage[];
  /** The tools that the model is offered: those that are active. */
  readonly tools: readonly AgentTool[];
  /** Ends the call, when the human or a module ends the run. */
  readonly signal: AbortSignal;
  /** Reports the message so far, with the host's own token event. */
  update(partial: AssistantMessage, token: unknown): Promise<void>;
}

/** The agent's side of an `AgentLoop`: its tools, its model and its storage. */
export interface AgentLoopPorts {
  readonly tools: readonly AgentTool[];
  /** Returns the base system prompt; called for each run. A list of parts in profiles that use parts. */
  systemPrompt(): string | string[];
  model(request: ModelRequest): Promise<AssistantMessage>;
  /** True: `model` gets messages of every role and converts them itself. Messages that no model may see are still left out. */
  readonly rawMessages?: boolean;
  /** Runs a built-in command of the host; true if the text was one. */
  builtIn?(text: string): Promise<boolean> | boolean;
  /** Expands skills and templates. */
  expand?(text: string): string;
  /** Runs a command that the human typed behind `!` or `!!`. */
  readonly runCommand?: CommandPort;
  /** Keeps a message in the session. */
  save?(message: AgentMessage): void;
  /** Entries of a stored session, in their order: its messages begin the history, and modules find their data in it. */
  readonly entries?: readonly SessionEntry[];
  /** Keeps data of a module (`pi.appendEntry`) in the session, where the host has no `appendEntry` of its own. */
  saveEntry?(entry: SessionEntry): void;
  /** Milliseconds since the epoch, for `turn_start` and entries. */
  now?(): number;
}
