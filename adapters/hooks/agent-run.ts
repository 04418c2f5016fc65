import type { AgentLoopPorts } from "./agent-ports.ts";
import { errorText } from "./chain.ts";
import { shownText } from "./emit/tool-call.ts";
import { convertToLlm, isForModel } from "./llm-messages.ts";
import type { AgentMessage, AssistantMessage, ToolCallContent, ToolResultMessage } from "./messages.ts";
import type { HookRunner } from "./runner.ts";
import type { AgentTool, AgentToolResult } from "./tool-wrapper.ts";
import type { Transcript } from "./transcript.ts";
import { unlessAborted } from "./unless-aborted.ts";

/** Maximum number of model calls in one run, so that a model cannot loop for ever. */
const longestRun = 1_000;

/** Maximum number of times that `stop` may continue one run, so that a rule cannot keep the agent running for ever. */
const mostSentOn = 10;

/** Everything that an `AgentRun` works with. */
export interface RunParts {
  readonly runner: HookRunner;
  readonly ports: AgentLoopPorts;
  readonly transcript: Transcript;
  /** Tools that the model is offered now, by name, wrapped. */
  tools(): ReadonlyMap<string, AgentTool>;
  /** Messages for the next turn; those that come during the run are added here. */
  readonly steering: AgentMessage[];
  /** Messages for when the agent would stop. */
  readonly followUps: AgentMessage[];
  /** Called at the moment when the queues are empty and the run ends; later messages belong to another run. */
  ended(): void;
  readonly signal: AbortSignal;
  readonly systemPrompt: string | string[];
}

/** Results of one turn; `message` is the assistant's. */
interface Turn {
  message: AssistantMessage | undefined;
  readonly toolResults: ToolResultMessage[];
}

/**
 * The turns of one run: `turn_start`, the queued messages, `context`, the model, the tools, `turn_end`. After a fault every
 * started turn and message still gets its end event; then the fault goes on to the caller.
 */
export class AgentRun {
  readonly #parts: RunParts;

  constructor(parts: RunParts) {
    this.#parts = parts;
  }

  /** Runs turns until the agent stops. `first` are the messages that start the run. */
  async turns(first: readonly AgentMessage[]): Promise<void> {
    const { steering, followUps, signal } = this.#parts;
    let sentOn = 0;
    for (let turnIndex = 0; turnIndex < longestRun; turnIndex += 1) {
      const message = await this.#turn(turnIndex, turnIndex === 0 ? first : []);
      if (signal.aborted) return;
      if (callsOf(message).length > 0 || steering.length > 0) continue;
      if (followUps.length > 0) {
        steering.push(...followUps.splice(0));
        continue;
      }
      const stop = { type: "stop", last_message: textOf(message), active: sentOn > 0 };
      const answer = await this.#parts.runner.emit(stop);
      if (answer?.["continue"] === true && sentOn < mostSentOn) {
        sentOn += 1;
        steering.push({ role: "user", content: String(answer["reason"] ?? "Go on.") });
      }
      if (steering.length === 0 && followUps.length === 0) return this.#parts.ended();
      steering.push(...followUps.splice(0));
    }
  }

  async #turn(turnIndex: number, given: readonly AgentMessage[]): Promise<AssistantMessage> {
    const { runner, ports, transcript, steering, signal } = this.#parts;
    const turn: Turn = { message: undefined, toolResults: [] };
    await runner.emit({ type: "turn_start", turnIndex, timestamp: ports.now?.() ?? Date.now() });
    try {
      for (const message of given) await transcript.add(message);
      for (let next = steering.shift(); next !== undefined; next = steering.shift()) await transcript.add(next);
      const message = await this.#answer(turn);
      for (const call of callsOf(message)) {
        if (signal.aborted) await this.#unrun(turn, call);
        else await this.#call(turn, call);
      }
      return message;
    } catch (error) {
      for (const call of callsOf(turn.message).slice(turn.toolResults.length)) await this.#unrun(turn, call);
      turn.message ??= this.#failed(error);
      throw error;
    } finally {
      const { message = this.#failed(undefined), toolResults } = turn;
      await runner.emit({ type: "turn_end", turnIndex, message, toolResults });
    }
  }

  /** Asks the model and fires the events of its answer. A failed answer becomes a failed message, which no model is ever sent. */
  async #answer(turn: Turn): Promise<AssistantMessage> {
    const { runner, ports, transcript, signal, systemPrompt } = this.#parts;
    const telling = new Telling(runner, transcript);
    let message: AssistantMessage;
    try {
      const history = transcript.history.filter(isForModel);
      const context = (await runner.emitContext(history)) ?? history;
      const messages = ports.rawMessages === true ? context.filter(isForModel) : convertToLlm(context);
      const tools = [...this.#parts.tools().values()];
      signal.throwIfAborted();
      message = await unlessAborted(
        signal,
        ports.model({ systemPrompt, messages, tools, signal, update: telling.update }),
      );
      if (!isMessage(message)) throw new Error("the model's answer has no list of content parts");
    } catch (error) {
      turn.message = this.#failed(error, telling.partial);
      await telling.end(turn.message, (failed) => transcript.endAfterFault(failed));
      if (signal.aborted) return turn.message;
      throw error;
    }
    turn.message = message;
    await telling.end(message, (whole) => transcript.end(whole));
    return message;
  }

  /** Makes the message of a failed answer: the parts received so far, without tool calls, since those never run. */
  #failed(error: unknown, partial?: AssistantMessage): AssistantMessage {
    const { runner, signal } = this.#parts;
    const content = (partial?.content ?? []).filter((part) => part.type !== "toolCall");
    if (signal.aborted) return { role: "assistant", content, stopReason: "aborted" };
    const errorMessage = shownText(runner.chain, errorText(error));
    return { role: "assistant", content, stopReason: "error", errorMessage };
  }

  /** Runs one tool call. A block and an error of the tool reach the model as an error result. */
  async #call(turn: Turn, call: ToolCallContent): Promise<void> {
    const { runner, transcript } = this.#parts;
    const head = { toolCallId: call.id, toolName: call.name };
    await runner.emit({ type: "tool_execution_start", ...head, args: call.arguments });
    const result = await this.#execute(call);
    const isError = result.isError === true;
    await runner.emit({ type: "tool_execution_end", ...head, result, isError });
    const { content, details } = result;
    const message: ToolResultMessage = { role: "toolResult", ...head, content, details, isError };
    turn.toolResults.push(message);
    await transcript.add(message);
  }

  /** Adds an error result for a call that will not run: a call without a result makes the conversation invalid for the model. */
  async #unrun(turn: Turn, call: ToolCallContent): Promise<void> {
    const { transcript } = this.#parts;
    const text = "the call did not run, because the run was ended before it";
    const head = { toolCallId: call.id, toolName: call.name };
    const message: ToolResultMessage = {
      role: "toolResult",
      ...head,
      content: [{ type: "text", text }],
      isError: true,
    };
    turn.toolResults.push(message);
    await transcript.begin(message);
    await transcript.endAfterFault(message);
  }

  async #execute(call: ToolCallContent): Promise<AgentToolResult> {
    const { runner, signal } = this.#parts;
    const head = { toolCallId: call.id, toolName: call.name };
    const updates: Promise<unknown>[] = [];
    let running = true;
    const update = (partialResult: AgentToolResult): void => {
      if (!running) return;
      updates.push(runner.emit({ type: "tool_execution_update", ...head, args: call.arguments, partialResult }));
    };
    try {
      const tool = this.#parts.tools().get(call.name);
      if (tool === undefined) throw new Error(`there is no tool \`${call.name}\``);
      const result = await unlessAborted(signal, tool.execute(call.id, call.arguments, signal, update));
      if (!Array.isArray(result?.content)) throw new Error(`the tool \`${call.name}\` gave no content`);
      return result;
    } catch (error) {
      return { content: [{ type: "text", text: errorText(error) }], isError: true };
    } finally {
      running = false;
      await Promise.all(updates);
    }
  }
}

/** Fires the events of one answer in sequence, even if the model's port does not await its updates. */
class Telling {
  readonly #runner: HookRunner;
  readonly #transcript: Transcript;
  #told: Promise<void> = Promise.resolve();
  #begun = false;
  #ended = false;
  /** The latest partial answer. */
  partial: AssistantMessage | undefined;

  constructor(runner: HookRunner, transcript: Transcript) {
    this.#runner = runner;
    this.#transcript = transcript;
  }

  readonly update = (partial: AssistantMessage, token: unknown): Promise<void> => {
    if (this.#ended) return this.#told;
    this.partial = partial;
    this.#told = this.#told.then(async () => {
      await this.#begin(partial);
      await this.#runner.emit({ type: "message_update", message: partial, assistantMessageEvent: token });
    });
    return this.#told;
  };

  async end(message: AssistantMessage, keep: (message: AssistantMessage) => Promise<void>): Promise<void> {
    this.#ended = true;
    await this.#told;
    await this.#begin(message);
    await keep(message);
  }

  async #begin(message: AssistantMessage): Promise<void> {
    if (this.#begun) return;
    this.#begun = true;
    await this.#transcript.begin(message);
  }
}

function isMessage(message: AssistantMessage | undefined): boolean {
  const { content } = message ?? {};
  return Array.isArray(content) && content.every((part) => typeof part === "object" && part !== null);
}

function callsOf(message: AssistantMessage | undefined): ToolCallContent[] {
  return (message?.content ?? []).filter((part): part is ToolCallContent => part.type === "toolCall");
}

function textOf(message: AssistantMessage): string {
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
}
