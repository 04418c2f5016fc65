/** One test of a canary, and whether it had the required result. */
export interface CanaryCase {
  readonly name: "block" | "pass" | "garbage" | "hang" | "hostile";
  readonly ok: boolean;
  /** The result, in words. */
  readonly found: string;
}

/** Result of a hook's process, as the canary sees it. */
export interface CanaryReply {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A host's own form of one shell call that is about to run, and how a refusal reaches that host. */
export interface CanaryForm {
  /** The event, as the host's configuration names it. */
  readonly event: string;
  payload(command: string, cwd: string): Readonly<Record<string, unknown>>;
  refused(reply: CanaryReply): boolean;
  /** True if the payload is passed in environment variables, each a string. */
  readonly byVariables?: boolean;
}

/** A harmless command that the canary policy refuses. It is judged and never run. */
export const canaryCommand = "touch HOOKWARDEN-CANARY";

/** A command that the canary policy lets through: a hook that refuses everything proves nothing. */
export const passingCommand = "touch HOOKWARDEN-PASSES";

/** Reason of the canary policy's rule, which a refusal must contain. */
export const canaryReason = "the canary is refused";

/** The policy of the canary. */
export const canaryPolicy = `version: 1
policy: canary
title: Refuses a canary
default: allow
rules:
  - { id: refuse, title: The canary, event: tool_call, tool: bash, when: { args.command: ${canaryCommand} }, action: block, reason: ${canaryReason} }
`;

/** A policy whose only rule waits for a program that does not answer. */
export function hangingPolicy(program: readonly string[], tool = "bash", timeout = "60s"): string {
  const command = JSON.stringify(program);
  return `version: 1
policy: canary
title: Waits for a program that hangs
default: allow
rules:
  - { id: wait, title: A program, event: tool_call, tool: ${tool}, action: { run: { command: ${command}, protocol: json, timeout: ${timeout} } } }
`;
}

function documentOf({ stdout }: CanaryReply): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(stdout);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function exitTwo({ code, stderr }: CanaryReply): boolean {
  return code === 2 && stderr.trim() !== "";
}

/** True if a reply refuses in Claude's form, which Codex and VS Code share. */
function claudeRefused(reply: CanaryReply): boolean {
  const specific = documentOf(reply)["hookSpecificOutput"] as Readonly<Record<string, unknown>> | undefined;
  return exitTwo(reply) || (specific?.["permissionDecision"] === "deny" && specific["permissionDecisionReason"] !== "");
}

function says(reply: CanaryReply, field: string, value: unknown): boolean {
  return documentOf(reply)[field] === value;
}

const claudePayload = (command: string, cwd: string): Record<string, unknown> => ({
  session_id: "canary",
  transcript_path: "/dev/null",
  cwd,
  permission_mode: "default",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command },
  tool_use_id: "canary",
});

/** Recorded payload shapes of the hosts whose hooks are processes, by the name that `hookwarden hook` takes. */
export const canaryForms: Readonly<Record<string, CanaryForm>> = {
  "claude-code": { event: "PreToolUse", payload: claudePayload, refused: claudeRefused },
  codex: {
    event: "PreToolUse",
    payload: (command, cwd) => ({ ...claudePayload(command, cwd), turn_id: "canary", model: "canary" }),
    refused: claudeRefused,
  },
  vscode: {
    event: "PreToolUse",
    payload: (command, cwd) => ({
      timestamp: "2026-01-01T00:00:00.000Z",
      cwd,
      sessionId: "canary",
      hookEventName: "PreToolUse",
      transcript_path: "/dev/null",
      tool_name: "runInTerminal",
      tool_input: { command },
      tool_use_id: "canary",
    }),
    refused: claudeRefused,
  },
  gemini: {
    event: "BeforeTool",
    payload: (command, cwd) => ({
      session_id: "canary",
      transcript_path: "/dev/null",
      cwd,
      hook_event_name: "BeforeTool",
      timestamp: "2026-01-01T00:00:00.000Z",
      tool_name: "run_shell_command",
      tool_input: { command },
    }),
    refused: (reply) => exitTwo(reply) || says(reply, "decision", "deny"),
  },
  copilot: {
    event: "preToolUse",
    payload: (command, cwd) => ({
      sessionId: "canary",
      timestamp: 1_767_225_600_000,
      cwd,
      toolName: "bash",
      toolArgs: { command },
    }),
    refused: (reply) => exitTwo(reply) || says(reply, "permissionDecision", "deny"),
  },
  cursor: {
    event: "preToolUse",
    payload: (command, cwd) => ({
      conversation_id: "canary",
      generation_id: "canary",
      model: "canary",
      hook_event_name: "preToolUse",
      cursor_version: "0",
      workspace_roots: [cwd],
      tool_name: "Shell",
      tool_input: { command },
      tool_use_id: "canary",
    }),
    refused: (reply) => exitTwo(reply) || says(reply, "permission", "deny"),
  },
  windsurf: {
    event: "pre_run_command",
    payload: (command, cwd) => ({
      agent_action_name: "pre_run_command",
      trajectory_id: "canary",
      execution_id: "canary",
      timestamp: "2026-01-01T00:00:00.000Z",
      tool_info: { command_line: command, cwd },
    }),
    refused: exitTwo,
  },
  cline: {
    event: "PreToolUse",
    payload: (command, cwd) => ({
      clineVersion: "0",
      hookName: "PreToolUse",
      timestamp: "1767225600000",
      taskId: "canary",
      workspaceRoots: [cwd],
      userId: "canary",
      tool_call: { id: "canary", name: "execute_command", input: { command } },
    }),
    refused: (reply) => reply.code === 0 && says(reply, "cancel", true),
  },
  goose: {
    event: "PreToolUse",
    payload: (command, cwd) => ({
      event: "PreToolUse",
      session_id: "canary",
      matcher_context: "developer__shell",
      tool_name: "developer__shell",
      tool_input: { command },
      tool_call_id: "canary",
      working_dir: cwd,
    }),
    refused: (reply) => exitTwo(reply) || says(reply, "decision", "block"),
  },
  opta: {
    event: "tool.pre",
    payload: (command, cwd) => ({
      OPTA_EVENT: "tool.pre",
      OPTA_SESSION_ID: "canary",
      OPTA_CWD: cwd,
      OPTA_MODEL: "",
      OPTA_TOOL_NAME: "run_command",
      OPTA_TOOL_ARGS: JSON.stringify({ command }),
    }),
    refused: ({ code }) => code !== 0,
    byVariables: true,
  },
};
