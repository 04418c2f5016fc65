import type { InputEvent } from "./events.ts";
import type { AgentMessage, AssistantMessage, ImageContent, ToolCallContent, ToolResultMessage } from "./messages.ts";
import type { InputOutcome } from "./results.ts";
import type { HookRunner } from "./runner.ts";
import { type AgentTool, type AgentToolResult, HookToolWrapper } from "./tool-wrapper.ts";

/** One call of the model. */
export interface ModelRequest {
  readonly systemPrompt: string | readonly string[];
  readonly messages: readonly AgentMessage[];
  /** Tells the message so far, with the host's own token event. */
  update(partial: AssistantMessage, token: unknown): Promise<void>;
}

/** What an agent brings to the loop. */
export interface AgentLoopPorts {
  readonly tools: readonly AgentTool[];
  /** The prompt that every run starts from, asked for anew in each; parts where the profile has them. */
  systemPrompt(): string | string[];
  model(request: ModelRequest): Promise<AssistantMessage>;
  /** A built-in command of the host; true when the text was one and is done. */
  builtIn?(text: string): Promise<boolean> | boolean;
  /** Expands skills and templates. */
  expand?(text: string): string;
  /** Keeps a message in the session. */
  save?(message: AgentMessage): void;
  /** Milliseconds since the epoch, for `turn_start`. */
  now?(): number;
}

/** How a submitted text ended: taken by a command or handler, or run, with the messages that the run made. */
export type PromptOutcome =
  | { readonly ran: false; readonly by: "command" | "input" | "builtin"; readonly reason?: string }
  | { readonly ran: true; readonly messages: readonly AgentMessage[] };

/** Calls of the model in one run, at most: a loop that never ends is a fault of its model. */
const longestRun = 1_000;

/** Times that `stop` may send one run on: a rule that never lets the agent stop must not run it for ever. */
const mostSentOn = 10;

/**
 * An agent loop that fires every event at its moment: extension command, `input`, built-in command, expansion,
 * `before_agent_start`, `agent_start`; per turn `turn_start`, `context`, the model, the tools, `turn_end`; `agent_end`
 * with the messages of this run alone. An agent of one's own may run through it, or take the order from it.
 * Source: seed pi-hook-reference, sections 1 to 4.
 */
export class AgentLoop {
  readonly #runner: HookRunner;
  readonly #ports: AgentLoopPorts;
  readonly #tools: ReadonlyMap<string, AgentTool>;
  /** The whole conversation; a run adds to it. */
  readonly history: AgentMessage[] = [];
  readonly #steering: AgentMessage[] = [];

  constructor(runner: HookRunner, ports: AgentLoopPorts) {
    this.#runner = runner;
    this.#ports = ports;
    this.#tools = new Map(ports.tools.map((tool) => [tool.name, new HookToolWrapper(tool, runner)]));
  }

  /** Adds a message to the running turn's successor: it becomes the input of the next turn, and the run goes on for it. */
  steer(message: AgentMessage): void {
    this.#steering.push(message);
  }

  /** Text of the human, a program or an extension. */
  async submit(
    text: string,
    images?: ImageContent[],
    source: InputEvent["source"] = "interactive",
  ): Promise<PromptOutcome> {
    const given = images === undefined ? {} : { images };
    const input = await this.#runner.submit({ type: "input", text, source, ...given });
    if (input.action === "handled") {
      const reason = input.reason === undefined ? {} : { reason: input.reason };
      return { ran: false, by: input.command === undefined ? "input" : "command", ...reason };
    }
    if (await this.#ports.builtIn?.(input.text)) return { ran: false, by: "builtin" };
    return { ran: true, messages: await this.#run(input) };
  }

  async #run(input: InputOutcome): Promise<readonly AgentMessage[]> {
    const prompt = this.#ports.expand?.(input.text) ?? input.text;
    const images = input.images === undefined ? {} : { images: input.images };
    const systemPrompt = this.#ports.systemPrompt();
    const start = await this.#runner.emitBeforeAgentStart({
      type: "before_agent_start",
      prompt,
      ...images,
      systemPrompt,
    });
    const first = this.history.length;
    await this.#runner.emit({ type: "agent_start" });
    const content = input.images === undefined ? prompt : [{ type: "text" as const, text: prompt }, ...input.images];
    await this.#add({ role: "user", content });
    for (const message of [...(input.messages ?? []), ...start.messages])
      await this.#add({ role: "custom", ...message });
    await this.#turns(start.systemPrompt ?? systemPrompt);
    const messages = this.history.slice(first);
    await this.#runner.emit({ type: "agent_end", messages });
    return messages;
  }

  async #turns(systemPrompt: string | string[]): Promise<void> {
    let sentOn = 0;
    for (let turnIndex = 0; turnIndex < longestRun; turnIndex += 1) {
      await this.#runner.emit({ type: "turn_start", turnIndex, timestamp: this.#ports.now?.() ?? Date.now() });
      for (const message of this.#steering.splice(0)) await this.#add(message);
      const message = await this.#answer(systemPrompt);
      const calls = message.content.filter((part): part is ToolCallContent => part.type === "toolCall");
      const toolResults: ToolResultMessage[] = [];
      for (const call of calls) toolResults.push(await this.#call(call));
      await this.#runner.emit({ type: "turn_end", turnIndex, message, toolResults });
      if (calls.length > 0 || this.#steering.length > 0) continue;
      const answer = await this.#runner.emit({ type: "stop", last_message: textOf(message), active: sentOn > 0 });
      if (answer?.["continue"] !== true || sentOn >= mostSentOn) return;
      sentOn += 1;
      this.steer({ role: "user", content: String(answer["reason"] ?? "Go on.") });
    }
  }

  async #answer(systemPrompt: string | string[]): Promise<AssistantMessage> {
    const messages = (await this.#runner.emitContext(this.history)) ?? [...this.history];
    let begun = false;
    const begin = async (message: AssistantMessage): Promise<void> => {
      if (!begun) await this.#runner.emit({ type: "message_start", message });
      begun = true;
    };
    const update = async (partial: AssistantMessage, token: unknown): Promise<void> => {
      await begin(partial);
      await this.#runner.emit({ type: "message_update", message: partial, assistantMessageEvent: token });
    };
    const message = await this.#ports.model({ systemPrompt, messages, update });
    await begin(message);
    await this.#end(message);
    return message;
  }

  /** One tool call. What blocks it, and what its tool throws, reaches the model as an error result. */
  async #call(call: ToolCallContent): Promise<ToolResultMessage> {
    const head = { toolCallId: call.id, toolName: call.name };
    await this.#runner.emit({ type: "tool_execution_start", ...head, args: call.arguments });
    const result = await this.#execute(call);
    const isError = result.isError === true;
    await this.#runner.emit({ type: "tool_execution_end", ...head, result, isError });
    const { content, details } = result;
    const message: ToolResultMessage = { role: "toolResult", ...head, content, details, isError };
    await this.#add(message);
    return message;
  }

  async #execute(call: ToolCallContent): Promise<AgentToolResult> {
    const head = { toolCallId: call.id, toolName: call.name };
    const updates: Promise<unknown>[] = [];
    const update = (partialResult: AgentToolResult): void => {
      updates.push(this.#runner.emit({ type: "tool_execution_update", ...head, args: call.arguments, partialResult }));
    };
    try {
      const tool = this.#tools.get(call.name);
      if (tool === undefined) throw new Error(`there is no tool \`${call.name}\``);
      return await tool.execute(call.id, call.arguments, undefined, update);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      return { content: [{ type: "text", text }], isError: true };
    } finally {
      await Promise.all(updates);
    }
  }

  async #add(message: AgentMessage): Promise<void> {
    await this.#runner.emit({ type: "message_start", message });
    await this.#end(message);
  }

  /** A message is kept at its end (seed pi-hook-reference, section 3). */
  async #end(message: AgentMessage): Promise<void> {
    this.history.push(message);
    this.#ports.save?.(message);
    await this.#runner.emit({ type: "message_end", message });
  }
}

function textOf(message: AssistantMessage): string {
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
}
