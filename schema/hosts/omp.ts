import { type HostEvent, type HostRow, on, seen } from "./row.ts";

const cancel = { block: "full", ask: "full", allow: "full" } as const;
const open = { crash: "open" } as const;

const before = (name: string): HostEvent => on(name, cancel, { fails: open });
const sessions = {
  session_before_switch: before("session_before_switch"),
  session_before_fork: before("session_before_branch"),
  session_before_compact: before("session_before_compact"),
  session_before_tree: before("session_before_tree"),
  session_fork: on("session_branch"),
  session_start: on("session_start", { inject_message: "later" }, { fails: open }),
  ...seen("session_switch", "session_compact", "session_tree", "session_shutdown"),
} as const;
const notices = seen(
  "agent_start",
  "agent_end",
  "turn_end",
  "auto_compaction_start",
  "auto_compaction_end",
  "auto_retry_start",
  "auto_retry_end",
  "ttsr_triggered",
  "todo_reminder",
);
const tools = {
  bash: ["bash"],
  read: ["read"],
  write: ["write"],
  edit: ["edit"],
  glob: ["glob"],
  grep: ["grep"],
  eval: ["eval"],
  task: ["task"],
  search: ["web_search"],
} as const;

/** omp through its extension runner, which serves `--hook` too. Source: hosts page pi-and-omp, sections 3 and 4. */
export const omp: HostRow = {
  title: "omp",
  versions: ["18.2.3"],
  evidence: "run",
  kind: "in process",
  ask: { by: "ui port", headless: "blocks" },
  fails: { crash: "closed", timeout: "closed", malformed: "open" },
  events: {
    tool_call: on(
      "tool_call",
      {
        ...cancel,
        allow: "host_prompt_stays",
        redact: "full",
        modify: "full",
        inject_message: "beside_result",
      },
      {
        note: "arguments that are returned replace the model's and are validated again, the last extension's count; blocked after 30 s",
      },
    ),
    input: on(
      "input",
      { ...cancel, redact: "full", modify: "full", inject_message: "later" },
      { fails: open, note: "not fired in print mode" },
    ),
    user_bash: on("user_bash", { ...cancel, redact: "unproven", modify: "unproven" }, { fails: open }),
    user_python: on("user_python", { ...cancel, redact: "unproven", modify: "unproven" }, { fails: open }),
    ...sessions,
    stop: on("session_stop", { block: "full" }, { fails: open }),
    tool_result: on(
      "tool_result",
      { redact: "full", truncate: "full", inject_append: "full", inject_message: "beside_result" },
      {
        fails: open,
        note: "details are redacted too, so the session file holds no raw text; the JSON event stream still does",
      },
    ),
    context: on("context", { redact: "full", truncate: "full", drop: "full", inject_message: "full" }, { fails: open }),
    before_agent_start: on(
      "before_agent_start",
      { redact: "in_context", modify: "in_context", inject_message: "full", inject_system: "full" },
      { fails: open, note: "the system prompt is a list of parts" },
    ),
    session_compacting: on(
      "session.compacting",
      { inject_message: "full" },
      { fails: open, note: "messages are only shown; text joins the context of the summary" },
    ),
    turn_start: on("turn_start", { inject_message: "later" }, { fails: open }),
    ...notices,
    ...seen("message_start", "message_update", "message_end"),
    ...seen("tool_execution_start", "tool_execution_update", "tool_execution_end"),
  },
  tools,
  notes: [
    "a module that fails to load is warned about, and the host runs unguarded",
    "a call that the host's own settings deny is never seen",
    "file calls inside `eval` are not seen, only `eval` itself",
    "also delivers, unmapped: `tool_approval_requested`, `tool_approval_resolved`, `goal_updated`, `mcp_notification`",
  ],
};

/** omp's HookAPI as its own documents have it. Source: seeds omp-hooks and omp-authoring-hooks. */
export const ompHookApi: HostRow = {
  title: "omp HookAPI",
  versions: ["seeds"],
  evidence: "docs",
  kind: "in process",
  ask: { by: "ui port", headless: "blocks" },
  fails: { crash: "closed", timeout: "hangs", malformed: "open" },
  events: {
    tool_call: on("tool_call", cancel, { note: "arguments cannot be changed" }),
    ...sessions,
    tool_result: on(
      "tool_result",
      { redact: "not_failures", truncate: "not_failures", inject_append: "not_failures" },
      { fails: open, note: "the error of a failed tool is thrown on whatever handlers answer" },
    ),
    context: on("context", { redact: "full", truncate: "full", drop: "full", inject_message: "full" }, { fails: open }),
    before_agent_start: on(
      "before_agent_start",
      { redact: "in_context", modify: "in_context", inject_message: "full" },
      { fails: open, note: "the first message wins; no system prompt" },
    ),
    session_compacting: on("session.compacting", { inject_message: "full" }, { fails: open }),
    turn_start: on("turn_start", { inject_message: "later" }, { fails: open }),
    ...notices,
  },
  tools,
  notes: ["the factory must be synchronous, and nothing can be registered after it has returned"],
};
