import type { SessionEntry } from "./context.ts";
import type { AgentMessage, AssistantMessage } from "./messages.ts";
import type { CommandPort } from "./run-command.ts";
import type { AgentTool } from "./tool-wrapper.ts";

/** One call of the model. */
export interface ModelRequest {
  readonly systemPrompt: string | readonly string[];
  /** In the roles that a model knows, unless the loop's `rawMessages` says otherwise. */
  readonly messages: readonly AgentMessage[];
  /** The tools that the model is offered: those that are active. */
  readonly tools: readonly AgentTool[];
  /** Ends the call, when the human or a module ends the run. */
  readonly signal: AbortSignal;
  /** Tells the message so far, with the host's own token event. */
  update(partial: AssistantMessage, token: unknown): Promise<void>;
}

/** What an agent brings to the loop. */
export interface AgentLoopPorts {
  readonly tools: readonly AgentTool[];
  /** The prompt that every run starts from, asked for anew in each; parts where the profile has them. */
  systemPrompt(): string | string[];
  model(request: ModelRequest): Promise<AssistantMessage>;
  /** True: the model's port gets messages of every role and converts them itself. What no model may see stays out. */
  readonly rawMessages?: boolean;
  /** A built-in command of the host; true when the text was one and is done. */
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
