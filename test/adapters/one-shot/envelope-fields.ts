/** What one host calls the parts of a call, as its documents and recorded payloads have them. */
export interface HostFields {
  /** Where the parts stand, if not at the top of the payload. */
  readonly inside?: string;
  readonly event: string;
  readonly tool?: string;
  readonly args?: string;
  readonly id?: string;
  readonly session: string;
  /** Fields of a result, with a value that the host could give. */
  readonly results: readonly (readonly [field: string, value: unknown])[];
  /** Another event that the host knows, which is no call. */
  readonly other: string;
}

/** The parts of a call by host. */
export const hostFields: Readonly<Record<string, HostFields>> = {
  "claude-code": {
    event: "hook_event_name",
    tool: "tool_name",
    args: "tool_input",
    id: "tool_use_id",
    session: "session_id",
    results: [
      ["tool_response", { stdout: "x" }],
      ["error", "x"],
    ],
    other: "Stop",
  },
  codex: {
    event: "hook_event_name",
    tool: "tool_name",
    args: "tool_input",
    id: "tool_use_id",
    session: "session_id",
    results: [["tool_response", "x"]],
    other: "PostToolUse",
  },
  vscode: {
    event: "hookEventName",
    tool: "tool_name",
    args: "tool_input",
    id: "tool_use_id",
    session: "sessionId",
    results: [["tool_response", "x"]],
    other: "SessionStart",
  },
  gemini: {
    event: "hook_event_name",
    tool: "tool_name",
    args: "tool_input",
    session: "session_id",
    results: [["tool_response", { llmContent: "x" }]],
    other: "AfterTool",
  },
  copilot: {
    event: "hookName",
    tool: "toolName",
    args: "toolArgs",
    session: "sessionId",
    results: [
      ["toolResult", { textResultForLlm: "x" }],
      ["tool_result", { text_result_for_llm: "x" }],
      ["error", "x"],
    ],
    other: "postToolUse",
  },
  cursor: {
    event: "hook_event_name",
    tool: "tool_name",
    args: "tool_input",
    id: "tool_use_id",
    session: "conversation_id",
    results: [
      ["tool_output", "x"],
      ["error_message", "x"],
    ],
    other: "postToolUse",
  },
  windsurf: {
    inside: "tool_info",
    event: "agent_action_name",
    tool: "command_line",
    session: "trajectory_id",
    results: [["mcp_result", "x"]],
    other: "post_run_command",
  },
  cline: {
    inside: "tool_call",
    event: "hookName",
    tool: "name",
    args: "input",
    id: "id",
    session: "taskId",
    results: [
      ["tool_result", { name: "execute_command", input: { command: "ls" }, output: "x" }],
      ["postToolUse", { toolName: "execute_command", parameters: { command: "ls" }, result: "x" }],
    ],
    other: "tool_result",
  },
  goose: {
    event: "event",
    tool: "tool_name",
    args: "tool_input",
    id: "tool_call_id",
    session: "session_id",
    results: [
      ["tool_result", "x"],
      ["tool_output", "x"],
      ["tool_response", "x"],
    ],
    other: "PostToolUse",
  },
  opta: {
    event: "OPTA_EVENT",
    tool: "OPTA_TOOL_NAME",
    args: "OPTA_TOOL_ARGS",
    session: "OPTA_SESSION_ID",
    results: [["OPTA_TOOL_RESULT", "x"]],
    other: "tool.post",
  },
};
