import { type HostRow, on } from "./row.ts";

const decided = { block: "full", ask: "full", allow: "full" } as const;

/** Claude Code. Source: hosts page others, sections 1 and 2. */
export const claudeCode: HostRow = {
  title: "Claude Code",
  versions: ["2.1.330"],
  evidence: "run",
  kind: "command",
  ask: { by: "host prompt", headless: "blocks" },
  fails: { crash: "open", timeout: "open", malformed: "open" },
  events: {
    tool_call: on(
      "PreToolUse",
      { ...decided, redact: "full", modify: "full", inject_message: "full" },
      { note: "exit 2 with text on standard error blocks; `continue: false` is too late, the tool has run" },
    ),
    tool_result: on(
      ["PostToolUse", "PostToolUseFailure"],
      { redact: "not_failures", truncate: "not_failures", inject_append: "not_failures", inject_message: "full" },
      { note: "the new result must have the tool's own shape, or the raw one goes through" },
    ),
    input: on(
      "UserPromptSubmit",
      { block: "full", ask: "blocks", allow: "full", inject_message: "full" },
      {
        note: "the prompt cannot be rewritten",
      },
    ),
    session_start: on("SessionStart", { inject_message: "full" }),
    session_shutdown: on("SessionEnd"),
    stop: on("Stop", { block: "full" }),
    subagent_start: on("SubagentStart"),
    subagent_stop: on("SubagentStop", { block: "full" }),
    session_before_compact: on("PreCompact", { block: "full", ask: "blocks", allow: "full" }),
    session_compact: on("PostCompact"),
    model_select: on("PostModelSwitch"),
  },
  tools: {
    bash: ["Bash"],
    read: ["Read"],
    write: ["Write"],
    edit: ["Edit"],
    task: ["Agent"],
    fetch: ["WebFetch"],
  },
  notes: [
    "hooks of one event run in parallel and rewrites race: one policy hook, not one per rule",
    "also delivers, unmapped: `PermissionRequest`, `Notification`, `PostToolBatch`, `Elicitation` and others",
  ],
};

const { session_compact: _compacted, model_select: _model, ...sdkEvents } = claudeCode.events;

/** The Claude Agent SDK, by hooks that are functions of the application. Source: hosts page others, section 5. */
export const claudeAgentSdk: HostRow = {
  ...claudeCode,
  title: "Claude Agent SDK",
  versions: ["0.3.330"],
  kind: "in process",
  fails: { crash: "unknown", timeout: "unknown", malformed: "unknown" },
  events: sdkEvents,
  notes: [
    "`settingSources: []` keeps hooks of settings files out",
    "an `ask` goes to the application's `canUseTool`; without one the call does not run",
    "rules and records know it as `claude-code`, whose events and tools it has",
  ],
};

/** Codex CLI. Source: hosts page others, sections 1 and 2. */
export const codex: HostRow = {
  title: "Codex CLI",
  versions: ["0.169.0"],
  evidence: "run",
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
        redact: "skips_host_prompt",
        modify: "skips_host_prompt",
        inject_message: "full",
      },
      { note: "a deny needs a reason, and an unknown key makes the host drop the whole answer: both are open" },
    ),
    tool_result: on(
      "PostToolUse",
      { redact: "as_failure", truncate: "as_failure", inject_append: "as_failure", inject_message: "full" },
      { note: "not fired for a call that leaves a process running; the JSON stream carries raw output" },
    ),
    input: on(
      "UserPromptSubmit",
      { block: "full", ask: "blocks", allow: "full", inject_message: "full" },
      { note: "`codex exec` does not print why a prompt was refused" },
    ),
    session_start: on("SessionStart", { inject_message: "full" }),
    session_shutdown: on("SessionEnd", {}, { note: "the host shortens the time-out to 3 seconds" }),
    stop: on("Stop", { block: "full" }),
    subagent_start: on("SubagentStart"),
    subagent_stop: on("SubagentStop", { block: "full" }),
    session_before_compact: on("PreCompact", { block: "unproven", ask: "blocks", allow: "full" }),
    session_compact: on("PostCompact"),
  },
  tools: { bash: ["Bash", "exec_command"], edit: ["apply_patch"] },
  notes: [
    "text written to a shell that already runs (`write_stdin`) fires no hook: deny interactive shells",
    "hooks that nobody reviewed are skipped without a word in `codex exec`",
    "also delivers, unmapped: `PermissionRequest`, `Interrupt`",
  ],
};

/** Gemini CLI. Source: hosts page others, sections 1 and 2. */
export const geminiCli: HostRow = {
  title: "Gemini CLI",
  versions: ["0.61.0"],
  evidence: "run",
  kind: "command",
  ask: { by: "host prompt", headless: "ends the run" },
  fails: { crash: "open", timeout: "open", malformed: "open" },
  events: {
    tool_call: on("BeforeTool", {
      block: "full",
      ask: "full",
      allow: "host_prompt_stays",
      redact: "merged",
      modify: "merged",
      inject_message: "later",
    }),
    tool_result: on(
      "AfterTool",
      { redact: "as_failure", truncate: "as_failure", inject_append: "beside_result", inject_message: "full" },
      { note: "`llmContent` may be a text or a list of parts" },
    ),
    input: on(
      "BeforeAgent",
      { block: "full", ask: "blocks", allow: "full", inject_message: "full" },
      { note: "the prompt cannot be rewritten: one that a rule rewrites is refused" },
    ),
    before_agent_start: on(
      "before_agent_start",
      { inject_message: "full" },
      { note: "made of `BeforeAgent`, after `input`" },
    ),
    context: on(
      "BeforeModel",
      {
        redact: "text_parts_only",
        truncate: "text_parts_only",
        drop: "text_parts_only",
        inject_message: "full",
      },
      { note: "messages are fitted by number: one that is dropped stays, without its text" },
    ),
    stop: on("AfterAgent", { block: "full" }),
    session_start: on("SessionStart", { inject_message: "full" }),
    session_shutdown: on("SessionEnd", {}, { note: "best effort" }),
    session_before_compact: on("PreCompress", {}, { note: "advisory: cannot be stopped" }),
  },
  tools: {
    bash: ["run_shell_command"],
    read: ["read_file"],
    write: ["write_file"],
    edit: ["replace"],
    grep: ["grep_search"],
    glob: ["glob"],
    fetch: ["web_fetch"],
    search: ["google_web_search"],
  },
  notes: [
    "the environment of hooks is cleaned: settings go by argument",
    "time-outs are in milliseconds",
    "also delivers, unmapped: `AfterModel`, `BeforeToolSelection`, `Notification`",
  ],
};

/** VS Code's agent hooks. Source: hosts page others, sections 1 and 2. */
export const vscode: HostRow = {
  title: "VS Code",
  versions: ["preview"],
  evidence: "docs",
  kind: "command",
  ask: { by: "host prompt", headless: "none" },
  fails: { crash: "open", timeout: "open", malformed: "open" },
  events: {
    tool_call: on(
      "PreToolUse",
      { ...decided, redact: "unproven", modify: "unproven", inject_message: "unproven" },
      { note: "matchers are parsed and ignored" },
    ),
    tool_result: on("PostToolUse", { inject_message: "unproven" }, { note: "a result cannot be replaced" }),
    input: on("UserPromptSubmit", { block: "unproven", ask: "blocks", allow: "full", inject_message: "unproven" }),
    session_start: on("SessionStart", { inject_message: "unproven" }),
    stop: on("Stop", { block: "unproven" }),
    subagent_start: on("SubagentStart"),
    subagent_stop: on("SubagentStop", { block: "unproven" }),
    session_before_compact: on("PreCompact"),
  },
  tools: {
    bash: ["runInTerminal", "runTerminalCommand"],
    write: ["create_file"],
    edit: ["replace_string_in_file", "editFiles"],
  },
  notes: ["reads Claude Code's settings and Copilot's hooks too, so a hook can fire twice; it is judged once"],
};

/** Goose. Source: hosts page others, sections 1 and 2. */
export const goose: HostRow = {
  title: "Goose",
  versions: ["docs of 2026-11"],
  evidence: "docs",
  kind: "command",
  ask: { by: "none", headless: "blocks" },
  fails: { crash: "open", timeout: "open", malformed: "open" },
  events: {
    tool_call: on(
      ["PreToolUse", "BeforeReadFile", "BeforeShellExecution"],
      { block: "full", ask: "blocks", allow: "host_prompt_stays" },
      { note: "only `PreToolUse` blocks; `on_failure: block` closes crash, time-out and bad answers" },
    ),
    tool_result: on(["PostToolUse", "PostToolUseFailure", "PreToolUseResult", "AfterFileEdit", "AfterShellExecution"]),
    input: on("UserPromptSubmit"),
    session_start: on("SessionStart"),
    session_shutdown: on("SessionEnd"),
    stop: on("Stop", { block: "full" }, { note: "capped" }),
  },
  tools: { bash: ["developer__shell"], write: ["developer__write"], edit: ["developer__edit"] },
  notes: ["a matcher `*` is invalid and its rule is dropped in silence", "events of sub-agents never fire"],
};
