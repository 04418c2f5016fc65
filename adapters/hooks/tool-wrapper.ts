import { errorText, policyPath } from "./chain.ts";
import { shownText } from "./emit/tool-call.ts";
import { judgeToolResult, runToolResultHandlers, type ToolResult, type ToolResultOutcome } from "./emit/tool-result.ts";
import type { ToolResultEvent } from "./events.ts";
import type { ContentPart } from "./messages.ts";
import type { ToolCallOutcome } from "./results.ts";
import type { HookRunner } from "./runner.ts";
import { snapshot } from "./snapshot.ts";

/** Result of a tool. */
export interface AgentToolResult {
  content: ContentPart[];
  details?: unknown;
  structuredContent?: unknown;
  isError?: boolean;
}

/** Callback with which a running tool reports progress: the whole partial result so far, not the difference. */
export type ToolUpdate = (partialResult: AgentToolResult) => void;

/** A tool as the agent runs it; other properties of a host's tools are kept. */
export interface AgentTool {
  readonly name: string;
  execute(
    toolCallId: string,
    params: Record<string, unknown>,
    signal?: AbortSignal,
    onUpdate?: ToolUpdate,
  ): Promise<AgentToolResult>;
}

/**
 * A tool with `tool_call` before it and `tool_result` after it. If a module, a module's error or the policy blocks the call,
 * `execute` throws an Error with the reason and the tool does not run. The tool gets a private copy of the judged arguments.
 * Under a policy only content, details, structured content and error state of a result pass: other fields cannot be judged.
 * Source: seed omp-hooks, "Execution model and mutation semantics".
 */
export class HookToolWrapper implements AgentTool {
  readonly name: string;
  readonly #tool: AgentTool;
  readonly #runner: HookRunner;

  constructor(tool: AgentTool, runner: HookRunner) {
    this.name = tool.name;
    this.#tool = tool;
    this.#runner = runner;
    for (const key of Object.keys(tool)) {
      if (key === "name" || key === "execute") continue;
      Object.defineProperty(this, key, { get: () => tool[key as keyof AgentTool], enumerable: true });
    }
  }

  async execute(
    toolCallId: string,
    params: Record<string, unknown>,
    signal?: AbortSignal,
    onUpdate?: ToolUpdate,
  ): Promise<AgentToolResult> {
    const call = await this.#judge(toolCallId, params);
    const event = { type: "tool_result" as const, toolCallId, toolName: this.name, input: call.input };
    const update = onUpdate === undefined ? undefined : this.#gatedUpdate(toolCallId, onUpdate);
    let result: AgentToolResult;
    try {
      result = await this.#tool.execute(toolCallId, this.#privateCopy(call.input), signal, update);
    } catch (error) {
      return this.#failed(event, error, call);
    }
    return this.#succeeded(event, result, call);
  }

  async #judge(toolCallId: string, params: Record<string, unknown>): Promise<ToolCallOutcome> {
    let call: ToolCallOutcome;
    try {
      call = await this.#runner.emitToolCall({ type: "tool_call", toolCallId, toolName: this.name, input: params });
    } catch (error) {
      throw new Error(
        `a hook module failed, so the call is blocked: ${shownText(this.#runner.chain, errorText(error))}`,
      );
    }
    if (call.block) throw new Error(call.reason ?? "the call was blocked by a hook module");
    return call;
  }

  /** Copies the judged arguments for the tool, which may write to them; no module can see or change this copy. */
  #privateCopy(input: Record<string, unknown>): Record<string, unknown> {
    const { policy, profile } = this.#runner.chain;
    if (policy === undefined && profile.input === "mutable") return input;
    const taken = snapshot(input, { unfit: "refuse" });
    if (!taken.ok) throw new Error(`the arguments cannot be copied: ${taken.reason}`);
    return taken.value as Record<string, unknown>;
  }

  async #succeeded(
    event: Pick<ToolResultEvent, "type" | "toolCallId" | "toolName" | "input">,
    result: AgentToolResult,
    call: ToolCallOutcome,
  ): Promise<AgentToolResult> {
    const { chain } = this.#runner;
    const given: ToolResultEvent = {
      ...event,
      content: result.content,
      details: result.details,
      isError: result.isError ?? false,
      ...(Object.hasOwn(result, "structuredContent") ? { structuredContent: result.structuredContent } : {}),
    };
    const outcome = await judgeToolResult(chain, given, await runToolResultHandlers(chain, given));
    const { structuredContent: _structured, ...rest } = result;
    const final = chain.policy === undefined ? { ...rest, ...outcome.result } : { ...outcome.result };
    if (result.isError === undefined && !final.isError) delete (final as AgentToolResult).isError;
    return withContext(final, call.additionalContext);
  }

  /**
   * Handles a failed tool: handlers see an error result. `omp-hookapi` rethrows the original error; other profiles return the
   * handlers' result instead, if they gave one. Either way the policy judges the text that reaches the model.
   */
  async #failed(
    event: Pick<ToolResultEvent, "type" | "toolCallId" | "toolName" | "input">,
    error: unknown,
    call: ToolCallOutcome,
  ): Promise<AgentToolResult> {
    const { chain } = this.#runner;
    const text = errorText(error);
    const given: ToolResultEvent = { ...event, content: [{ type: "text", text }], details: undefined, isError: true };
    const handled = await runToolResultHandlers(chain, given);
    const replaced = chain.profile.failedTool === "replaced" && handled.changed;
    const base: ToolResultOutcome = replaced ? handled : { result: untouched(given), changed: false };
    const final = await judgeToolResult(chain, given, base);
    if (replaced) return withContext({ ...final.result }, call.additionalContext);
    const shown = withContext({ ...final.result }, call.additionalContext);
    const message = shown.content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
    if (message === text) throw error;
    throw cleanError(error, message);
  }

  /** Wraps the progress callback so that the policy redacts each partial result; one is dropped when the policy fails. */
  #gatedUpdate(toolCallId: string, onUpdate: ToolUpdate): ToolUpdate {
    const { chain } = this.#runner;
    const gate = chain.policy?.toolUpdate;
    if (gate === undefined) return onUpdate;
    return (partialResult) => {
      const taken = snapshot(partialResult, { unfit: "withhold" });
      if (!taken.ok) return;
      let shown: unknown;
      try {
        shown = gate.call(chain.policy, { toolCallId, toolName: this.name, partialResult: taken.value });
      } catch (error) {
        chain.report(policyPath, "tool_execution_update", error);
        return;
      }
      if (shown !== undefined) onUpdate(shown as AgentToolResult);
    };
  }
}

function untouched(event: ToolResultEvent): ToolResult {
  return { content: event.content, details: event.details, isError: event.isError };
}

/** Appends the policy's text for the model to the final result. */
function withContext(result: AgentToolResult, text: string | undefined): AgentToolResult {
  return text === undefined ? result : { ...result, content: [...result.content, { type: "text", text }] };
}

/** Makes an error with the redacted text and the original's name only, because the original's stack and cause hold the raw text. */
function cleanError(error: unknown, message: string): Error {
  const clean = new Error(message);
  if (error instanceof Error) clean.name = error.name;
  return clean;
}
