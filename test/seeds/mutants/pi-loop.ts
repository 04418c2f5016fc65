import { type Mutant, mutantsOf } from "./mutant.ts";

const turnStart = 'await runner.emit({ type: "turn_start",';
const contextOf = "runner.emitContext(history)";
const messageEnd = 'await this.#runner.emit({ type: "message_end", message });';

/** Mutants of the agent loop, for the rows of the pi seed: turns, the context, messages and calls of tools. */
export const piLoopMutants: readonly Mutant[] = [
  ...mutantsOf("adapters/hooks/agent-run.ts", [
    ["pi-turn-start-index", 'type: "turn_start", turnIndex,', 'type: "turn_start", turnIndex: turnIndex + 1,'],
    ["pi-turn-start-when", turnStart, `if (turnIndex === 0) ${turnStart}`],
    ["pi-turn-start-timestamp", "ports.now?.() ?? Date.now()", "0"],
    [
      "pi-turn-end-when",
      "for (const call of callsOf(message)) {",
      'if (callsOf(message).length > 0) await runner.emit({ type: "turn_end", turnIndex, message, toolResults: turn.toolResults }); for (const call of callsOf(message)) {',
    ],
    [
      "pi-turn-end-payload",
      '{ type: "turn_end", turnIndex, message, toolResults }',
      '{ type: "turn_end", turnIndex, message, toolResults: [] }',
    ],
    ["pi-turn-end-payload", '{ type: "turn_end", turnIndex,', '{ type: "turn_end", turnIndex: 0,'],
    ["pi-context-when", turnStart, `await runner.emitContext(transcript.history); ${turnStart}`],
    [
      "pi-context-every-turn",
      `(await ${contextOf})`,
      `(history.at(-1)?.role === "toolResult" ? undefined : await ${contextOf})`,
    ],
    ["pi-context-last-word", `(await ${contextOf})`, `(await ${contextOf}, undefined)`],
    ["pi-context-roles", contextOf, 'runner.emitContext(history.filter(({ role }) => role !== "bashExecution"))'],
    [
      "pi-context-prompt",
      contextOf,
      'runner.emitContext(history.filter((one) => one !== history.findLast(({ role }) => role === "user")))',
    ],
    ["pi-context-injected", contextOf, 'runner.emitContext(history.filter(({ role }) => role !== "custom"))'],
    ["pi-context-results", contextOf, 'runner.emitContext(history.filter(({ role }) => role !== "toolResult"))'],
    [
      "pi-context-history",
      contextOf,
      'runner.emitContext(history.slice(history.findLastIndex(({ role }) => role === "user")))',
    ],
    [
      "pi-context-no-system-prompt",
      contextOf,
      'runner.emitContext([{ role: "user", content: String(systemPrompt) }, ...history])',
    ],
    [
      "pi-context-no-tools",
      contextOf,
      'runner.emitContext([{ role: "user", content: [...this.#parts.tools().keys()].join() }, ...history])',
    ],
    [
      "pi-message-update-payload",
      "message: partial, assistantMessageEvent: token",
      "message: partial, assistantMessageEvent: undefined",
    ],
    [
      "pi-execution-start",
      '{ type: "tool_execution_start", ...head, args: call.arguments }',
      '{ type: "tool_execution_start", ...head, args: {} }',
    ],
    [
      "pi-execution-update",
      "args: call.arguments, partialResult }",
      "args: call.arguments, partialResult: undefined }",
    ],
    [
      "pi-execution-end",
      '{ type: "tool_execution_end", ...head, result, isError }',
      '{ type: "tool_execution_end", ...head, result: undefined, isError: !isError }',
    ],
    [
      "pi-call-block-is-error",
      '{ content: [{ type: "text", text: errorText(error) }], isError: true }',
      '{ content: [{ type: "text", text: errorText(error) }], isError: false }',
    ],
    ["pi-start-llm-role", "convertToLlm(context)", "context"],
    ["pi-context-steering", "await transcript.add(next);", "await transcript.begin(next);"],
  ]),
  ...mutantsOf("adapters/hooks/transcript.ts", [
    ["pi-message-lifecycle", messageEnd, `if (message.role !== "custom") ${messageEnd}`],
    [
      "pi-message-update",
      messageEnd,
      `await this.#runner.emit({ type: "message_update", message: message as never, assistantMessageEvent: {} }); ${messageEnd}`,
    ],
    [
      "pi-message-end-saved",
      "async begin(message: AgentMessage): Promise<void> {",
      "async begin(message: AgentMessage): Promise<void> { this.#save?.(message);",
    ],
  ]),
  ...mutantsOf("adapters/hooks/llm-messages.ts", [
    ["pi-bash-when", "return message.excludeFromContext !== true;", "return true;"],
  ]),
  ...mutantsOf("adapters/hooks/run-command.ts", [
    ["pi-bash-operations", "if (judged.operations !== undefined)", "if (false)"],
  ]),
];
