/**
 * The part of OpenCode's plugin API that the guard uses, by structure alone: no package of the host is imported.
 * Source: hosts page others, section 2; payloads seen in a run of 1.18.33.
 */

/** A part of a message: `text`, `reasoning`, `tool`, `file`, `step-start`, or one of a newer host. */
export interface Part {
  type: string;
  [field: string]: unknown;
}

/** A message of the conversation with its parts. A call and its result are one `tool` part of the assistant's message. */
export interface SessionMessage {
  info: { role: string; sessionID?: string; [field: string]: unknown };
  parts: Part[];
}

/** A tool's result: `output` of the host's own tools, `content` of MCP tools. */
export interface ToolOutput {
  title?: string;
  output?: unknown;
  content?: unknown;
  metadata?: unknown;
  [field: string]: unknown;
}

/** The call of a tool hook. */
export interface ToolCall {
  tool: string;
  sessionID: string;
  callID: string;
}

/** The plugin hooks that the guard provides. A hook that throws stops the call or prompt. */
export interface Hooks {
  "tool.execute.before"(call: ToolCall, output: { args: Record<string, unknown> }): Promise<void>;
  "tool.execute.after"(call: ToolCall & { args?: unknown }, output: ToolOutput): Promise<void>;
  "chat.message"(input: { sessionID: string; agent?: string }, output: { parts: Part[] }): Promise<void>;
  "command.execute.before"(
    input: { command: string; sessionID: string; arguments: string },
    output: { parts: Part[] },
  ): Promise<void>;
  "experimental.chat.messages.transform"(input: object, output: { messages: SessionMessage[] }): Promise<void>;
  "experimental.chat.system.transform"(input: { sessionID?: string }, output: { system: string[] }): Promise<void>;
  "experimental.session.compacting"(input: { sessionID: string }, output: { context: string[] }): Promise<void>;
  config(config: { mcp?: Record<string, unknown> }): Promise<void>;
  event(input: { event: { type: string; properties?: unknown } }): Promise<void>;
}

/** The host's argument to a plugin. */
export interface PluginInput {
  directory: string;
  client?: { tui?: { showToast?(options: { body: { message: string; variant: string } }): unknown } };
}

/** A plugin: the type of every function that its module exports. */
export type Plugin = (input: PluginInput) => Promise<Hooks>;
