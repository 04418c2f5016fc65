import { type HostRow, on, seen } from "./row.ts";

const cancel = { block: "full", ask: "full", allow: "full" } as const;
const open = { crash: "open" } as const;

/** pi, from 0.73 to 1.5. Source: hosts page pi-and-omp, sections 1, 2 and 4. */
export const pi: HostRow = {
  title: "pi",
  versions: ["0.73.1", "0.87.1", "1.5.2"],
  evidence: "run",
  kind: "in process",
  ask: { by: "ui port", headless: "blocks" },
  fails: { crash: "closed", timeout: "hangs", malformed: "open" },
  events: {
    tool_call: on(
      "tool_call",
      { ...cancel, redact: "full", modify: "full", inject_message: "beside_result" },
      {
        note: "arguments are changed in place and not validated again; the transcript keeps the model's own",
      },
    ),
    input: on(
      "input",
      { ...cancel, redact: "full", modify: "full", inject_message: "later" },
      { fails: open, note: "comes after commands of extensions and before those of the host" },
    ),
    user_bash: on(
      "user_bash",
      { ...cancel, redact: "unproven", modify: "unproven" },
      { note: "a throw is passed on, so the command does not run" },
    ),
    session_before_switch: on("session_before_switch", cancel, { fails: open }),
    session_before_fork: on("session_before_fork", cancel, { fails: open }),
    session_before_compact: on("session_before_compact", cancel, { fails: open }),
    session_before_tree: on("session_before_tree", cancel, { fails: open }),
    stop: on("agent_before_settle", { block: "full" }, { fails: open, note: "0.87.1 and later" }),
    tool_result: on(
      "tool_result",
      { redact: "full", truncate: "full", inject_append: "full", inject_message: "beside_result" },
      {
        fails: open,
        note: "a blocked call has no result event; `tool_execution_update` in the JSON stream still carries raw output",
      },
    ),
    context: on(
      "context",
      { redact: "full", truncate: "full", drop: "full", inject_message: "full" },
      { fails: open, note: "before each call of the model, on a deep copy; not kept in the session" },
    ),
    before_agent_start: on(
      "before_agent_start",
      { redact: "in_context", modify: "in_context", inject_message: "full", inject_system: "full" },
      { fails: open, note: "messages accumulate; the system prompt chains and is reset each run" },
    ),
    resources_discover: on("resources_discover", {}, { fails: open }),
    session_start: on("session_start", { inject_message: "later" }, { fails: open }),
    session_switch: on("session_switch", {}, { note: "made of `session_start` with reason new or resume" }),
    session_fork: on("session_fork", {}, { note: "made of `session_start` with reason fork" }),
    ...seen("session_compact", "session_tree", "session_shutdown", "agent_start", "agent_end", "turn_end"),
    turn_start: on("turn_start", { inject_message: "later" }, { fails: open }),
    ...seen("message_start", "message_update", "message_end", "model_select"),
    ...seen("tool_execution_update", "tool_execution_end"),
    tool_execution_start: on("tool_execution_start", {}, { note: "fires before `tool_call`" }),
  },
  tools: {
    bash: ["bash"],
    powershell: ["powershell"],
    read: ["read"],
    write: ["write"],
    edit: ["edit"],
    grep: ["grep"],
    glob: ["find"],
    list: ["ls"],
    eval: ["codemode"],
  },
  notes: [
    "a handler that throws blocks in `tool_call` alone; in most other events it is skipped",
    "from 0.79 on, extensions of a project load only with `--approve` or trust, and are skipped in silence when headless",
    "an extension that loads later can change arguments after they were judged",
    "also delivers, unmapped: `project_trust`, `context_with_system`, `before_provider_request`, `cache_warming_decision`",
  ],
};
