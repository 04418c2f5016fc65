import { type HostRow, on } from "./row.ts";

/** OpenCode. Source: hosts page others, sections 1 and 2. */
export const opencode: HostRow = {
  title: "OpenCode",
  versions: ["1.18.33"],
  evidence: "run",
  kind: "in process",
  ask: { by: "none", headless: "blocks" },
  fails: { crash: "closed", timeout: "hangs", malformed: "none" },
  events: {
    tool_call: on(
      "tool.execute.before",
      {
        block: "full",
        ask: "blocks",
        allow: "host_prompt_stays",
        redact: "full",
        modify: "full",
        inject_message: "beside_result",
      },
      { note: "a throw blocks; `permission.ask` is typed, and never called" },
    ),
    tool_result: on(
      "tool.execute.after",
      { redact: "full", truncate: "full", inject_append: "full", inject_message: "beside_result" },
      { note: "reads keep copies in `metadata`; MCP results have `content`, not `output`" },
    ),
    input: on(
      ["chat.message", "command.execute.before"],
      { block: "full", ask: "blocks", allow: "full", redact: "full", modify: "full", inject_message: "full" },
      { note: "a slash command can be refused, not rewritten; its expansion comes as a message" },
    ),
    context: on("experimental.chat.messages.transform", {
      redact: "full",
      truncate: "full",
      drop: "full",
      inject_message: "full",
    }),
    before_agent_start: on(
      "experimental.chat.system.transform",
      { redact: "full", modify: "full", inject_message: "full", inject_system: "full" },
      { note: "judged with the prompt; the system prompt can be added to, the host's own text of it is not seen" },
    ),
    session_compacting: on("experimental.session.compacting", { inject_message: "full" }),
    session_start: on("session.created"),
    session_shutdown: on("session.deleted"),
    agent_end: on("session.idle"),
  },
  tools: {
    bash: ["bash"],
    read: ["read"],
    write: ["write"],
    edit: ["edit"],
    glob: ["glob"],
    grep: ["grep"],
    fetch: ["webfetch"],
    task: ["task"],
  },
  notes: [
    "a plugin that fails to load is skipped in silence",
    "the model that makes titles gets the prompt too",
    "what a running command prints stands in the host's own database before any hook sees it",
    "also delivers, unmapped: `experimental.text.complete`, `tool.definition`, `chat.params`, `shell.env` and others",
  ],
};

/** GitHub Copilot CLI. Source: hosts page others, sections 1 and 2. */
export const copilot: HostRow = {
  title: "Copilot CLI",
  versions: ["1.0.102"],
  evidence: "run",
  kind: "command",
  ask: { by: "host prompt", headless: "blocks" },
  fails: { crash: "closed", timeout: "open", malformed: "open" },
  events: {
    tool_call: on("preToolUse", {
      block: "full",
      ask: "full",
      allow: "full",
      redact: "full",
      modify: "full",
      inject_message: "full",
    }),
    tool_result: on(
      ["postToolUse", "postToolUseFailure"],
      { redact: "not_failures", truncate: "not_failures", inject_append: "not_failures", inject_message: "full" },
      { fails: { crash: "unknown" } },
    ),
    input: on(
      "userPromptSubmitted",
      { block: "full", ask: "blocks", allow: "full", redact: "full", modify: "full", inject_message: "full" },
      { fails: { crash: "open" }, note: "exit 2 refuses no prompt: only a document does" },
    ),
    before_agent_start: on(
      "userPromptTransformed",
      { redact: "full", modify: "full", inject_message: "full" },
      { fails: { crash: "unknown" } },
    ),
    session_start: on(
      "sessionStart",
      { inject_message: "full" },
      {
        note: "the payload holds the raw first prompt",
      },
    ),
    session_shutdown: on("sessionEnd"),
    stop: on("agentStop", { block: "full" }, { note: "at most 8 times" }),
    subagent_start: on("subagentStart"),
    subagent_stop: on("subagentStop", { block: "full" }),
    session_before_compact: on("preCompact"),
    error: on("errorOccurred"),
  },
  tools: {
    bash: ["bash"],
    read: ["view"],
    write: ["create"],
    edit: ["edit"],
    grep: ["grep"],
    glob: ["glob"],
    fetch: ["web_fetch"],
    task: ["task"],
  },
  notes: [
    "reads Claude Code's settings too, so a hook can fire twice; it is judged once",
    "in the cloud `ask` is a deny",
    "names in PascalCase switch the payload to Claude Code's spelling",
    "also delivers, unmapped: `permissionRequest`, `notification`",
  ],
};

/** Cursor. Source: hosts page others, sections 1 and 2. */
export const cursor: HostRow = {
  title: "Cursor",
  versions: ["docs of 2026-11"],
  evidence: "docs",
  kind: "command",
  ask: { by: "none", headless: "blocks" },
  fails: { crash: "open", timeout: "open", malformed: "closed" },
  events: {
    tool_call: on(
      ["preToolUse", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile", "beforeTabFileRead"],
      { block: "full", ask: "blocks", allow: "full", redact: "unproven", modify: "unproven" },
      {
        note: "`failClosed: true` closes crash, time-out and empty answers; only `preToolUse` takes new arguments, and it comes first for every call and cannot ask",
      },
    ),
    tool_result: on(
      [
        "postToolUse",
        "postToolUseFailure",
        "afterShellExecution",
        "afterMCPExecution",
        "afterFileEdit",
        "afterTabFileEdit",
      ],
      { redact: "mcp_only", truncate: "mcp_only", inject_append: "mcp_only", inject_message: "unproven" },
    ),
    input: on("beforeSubmitPrompt", { block: "unproven", ask: "blocks", allow: "full" }),
    session_start: on("sessionStart", { inject_message: "unproven" }),
    session_shutdown: on("sessionEnd"),
    stop: on("stop", { block: "unproven" }),
    subagent_start: on("subagentStart"),
    subagent_stop: on("subagentStop", { block: "unproven" }),
    session_before_compact: on("preCompact", {}, { note: "observed only" }),
    message_end: on("afterAgentResponse"),
  },
  tools: { bash: ["Shell"], read: ["Read"], write: ["Write"], grep: ["Grep"], task: ["Task"] },
  notes: [
    "one unknown event name voids the whole file",
    "some events do not fire in the command line's print mode",
    "also delivers, unmapped: `afterAgentThought`, `workspaceOpen`",
    "reads Claude Code's settings too, so a hook can fire twice; it is judged once",
    "a shell command, a call of a server and a read come at two events: a budget counts each twice, and a read that needs approval needs it at both",
  ],
};

/** Windsurf. Source: hosts page others, sections 1 and 2. */
export const windsurf: HostRow = {
  title: "Windsurf",
  versions: ["docs of 2026-11"],
  evidence: "docs",
  kind: "command",
  ask: { by: "none", headless: "blocks" },
  fails: { crash: "open", timeout: "unknown", malformed: "none" },
  events: {
    tool_call: on(
      ["pre_read_code", "pre_write_code", "pre_run_command", "pre_mcp_tool_use"],
      { block: "full", ask: "blocks", allow: "host_prompt_stays", inject_message: "when_blocked" },
      { note: "exit codes only: 2 blocks, anything else goes on" },
    ),
    tool_result: on(["post_read_code", "post_write_code", "post_run_command", "post_mcp_tool_use"]),
    input: on("pre_user_prompt", { block: "full", ask: "blocks", allow: "full" }),
    message_end: on("post_cascade_response"),
  },
  tools: {},
  notes: [
    "no rewriting and no redaction: the MCP proxy does that for MCP tools",
    "a path that is about to be read can be a folder",
    "also delivers, unmapped: `post_setup_worktree`",
  ],
};

/** Cline. Source: hosts page others, sections 1 and 2. */
export const cline: HostRow = {
  title: "Cline",
  versions: ["SDK 0.0.86", "CLI 3.0.65"],
  evidence: "source",
  kind: "command",
  ask: { by: "none", headless: "blocks" },
  fails: { crash: "open", timeout: "open", malformed: "open" },
  events: {
    tool_call: on(
      "PreToolUse",
      {
        block: "full",
        ask: "blocks",
        allow: "host_prompt_stays",
        redact: "full",
        modify: "full",
        inject_message: "full",
      },
      { note: "exit 2 does not block: the deny leaves with exit 0, and ends the run" },
    ),
    tool_result: on("PostToolUse", { inject_message: "full" }, { note: "a result cannot be replaced" }),
    input: on("UserPromptSubmit", {}, { note: "its answer is not waited for" }),
    session_start: on(["TaskStart", "TaskResume"], {}, { note: "its answer is not waited for" }),
    agent_end: on(["TaskComplete", "TaskCancel"]),
    session_shutdown: on("SessionShutdown"),
    error: on("TaskError"),
  },
  tools: {
    bash: ["execute_command", "run_commands"],
    read: ["read_file", "read_files"],
    write: ["write_to_file"],
    edit: ["replace_in_file", "editor", "apply_patch"],
    grep: ["search_codebase"],
    fetch: ["fetch_web_content"],
  },
  notes: ["a plugin of its SDK can be set to fail closed, and is the better place"],
};
