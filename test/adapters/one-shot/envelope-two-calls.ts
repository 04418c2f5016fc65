import type { Payload } from "../../../adapters/one-shot/dialect.ts";

/** What a payload of a sound call has besides, so that two readers could take it for two calls, or for no call. */
export interface TwoCalls {
  readonly host: string;
  readonly fault: string;
  /** The payload, made of that of a sound call. */
  made(sound: Payload): Payload;
}

const other = { command: "touch OTHER" };
const row = (host: string, fault: string, made: TwoCalls["made"]): TwoCalls => ({ host, fault, made });
const beside = (host: string, field: string, value: unknown): TwoCalls =>
  row(host, `\`${field}\` beside the call`, (sound) => ({ ...sound, [field]: value }));
const within = (host: string, holder: string, field: string, value: unknown): TwoCalls =>
  row(host, `\`${field}\` in \`${holder}\``, (sound) => ({
    ...sound,
    [holder]: { ...(sound[holder] as Payload), [field]: value },
  }));

const shell = { hook_event_name: "beforeShellExecution", conversation_id: "c", command: "touch CONTROL", cwd: "/w" };
const older = { toolName: "execute_command", parameters: { command: "touch CONTROL" } };
const mcp = { mcp_server_name: "s", mcp_tool_name: "t", mcp_tool_arguments: other };

/** Each of the parts of a call, or of a result, under a further name. */
export const twoCalls: readonly TwoCalls[] = [
  ...[
    ["tool_input", other],
    ["tool_name", "Shell"],
    ["output", "x"],
    ["result_json", "{}"],
    ["file_path", "a"],
    ["toolInput", other],
  ].map(([field, value]) =>
    row("cursor", `\`${String(field)}\` beside the command of a shell`, () => ({ ...shell, [String(field)]: value })),
  ),
  ...["command", "file_path", "output", "result_json"].map((field) => beside("cursor", field, "touch OTHER")),
  row("cursor", "arguments as a JSON text that does not end", (sound) => ({
    ...sound,
    tool_input: '{"command":"touch OTHER"',
  })),
  row("copilot", "arguments as a JSON text that does not end", (sound) => ({
    ...sound,
    toolArgs: '{"command":"touch OTHER"',
  })),
  beside("copilot", "toolInput", other),
  beside("copilot", "tool_input", other),
  beside("copilot", "tool_args", other),
  beside("copilot", "hookEventName", "postToolUse"),
  beside("copilot", "hookEventName", "PostToolUse"),
  beside("claude-code", "hookEventName", "Stop"),
  beside("gemini", "hookEventName", "AfterTool"),
  beside("vscode", "hook_event_name", "PostToolUse"),
  ...["file_path", "mcp_tool_name", "mcp_tool_arguments", "command", "tool_name", "input", "user_prompt"].map((field) =>
    within("windsurf", "tool_info", field, field === "mcp_tool_arguments" ? other : "x"),
  ),
  within("windsurf", "tool_info", "output", "x"),
  row("windsurf", "the command of a shell in a call of a server", (sound) => ({
    ...sound,
    agent_action_name: "pre_mcp_tool_use",
    tool_info: { ...mcp, command_line: "touch OTHER" },
  })),
  row("windsurf", "arguments of a server's tool that are a list", (sound) => ({
    ...sound,
    agent_action_name: "pre_mcp_tool_use",
    tool_info: { ...mcp, mcp_tool_arguments: [other] },
  })),
  row("windsurf", "arguments of a server's tool as a JSON text that does not end", (sound) => ({
    ...sound,
    agent_action_name: "pre_mcp_tool_use",
    tool_info: { ...mcp, mcp_tool_arguments: '{"command":"touch OTHER"' },
  })),
  ...["tool", "tool_name", "toolName", "parameters", "args", "arguments", "tool_input", "params"].map((field) =>
    within("cline", "tool_call", field, field.startsWith("tool") && field !== "tool_input" ? "read_file" : other),
  ),
  ...["output", "result", "error"].map((field) => within("cline", "tool_call", field, "x")),
  ...[
    ["tool", "read_file"],
    ["name", "read_file"],
    ["input", other],
    ["args", other],
    ["result", "x"],
    ["output", "x"],
    ["success", true],
  ].map(([field, value]) =>
    row("cline", `\`${String(field)}\` in the older form`, (sound) => ({
      ...sound,
      preToolUse: { ...older, [String(field)]: value },
    })),
  ),
  row("cline", "the older form under other names, and no newer one", ({ tool_call: _, ...sound }) => ({
    ...sound,
    preToolUse: { tool: "execute_command", input: other },
  })),
];
