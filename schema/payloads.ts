import type { EventName } from "./event-kinds.ts";

/**
 * Type of a payload field, as the schema checks it and conditions see it. `text` is a string or a list of strings,
 * `result` what a tool answered (`ToolResult`), `message` one message of the conversation.
 */
export type FieldType =
  | "string"
  | "text"
  | "path"
  | "int"
  | "bool"
  | "object"
  | "result"
  | "message"
  | "list(message)"
  | "list(string)"
  | "list(dyn)"
  | "dyn";

/** One field of an event's payload on the wire (`snake_case`; hosts' own spellings are their adapters' business). */
export interface PayloadField {
  readonly type: FieldType;
  /** True if an event without it does not fit. */
  readonly required?: boolean;
  /** Value of an absent field; a field with a default is always there for conditions. */
  readonly default?: boolean;
  /** The only texts that the field may have. */
  readonly values?: readonly string[];
  /** The texts that hosts give, where they may give others one day. */
  readonly usual?: UsualValues;
  /** Root under which conditions see the field; `fields.<name>` if there is none. */
  readonly root?: string;
  readonly doc: string;
}

/** Texts that hosts give for a field. */
export interface UsualValues {
  readonly texts: readonly string[];
  /** Other words for one of them. */
  readonly others?: Readonly<Record<string, string>>;
  /** True if the hosts have names of their own beside these, which no table holds. */
  readonly more?: true;
}

/** The payload of one event: its fields by name. */
export type PayloadShape = Readonly<Record<string, PayloadField>>;

const field = (type: FieldType, doc: string): PayloadField => ({ type, doc });
const needed = (type: FieldType, doc: string): PayloadField => ({ type, doc, required: true });
const choice = (values: readonly string[], doc: string): PayloadField => ({
  type: "string",
  values,
  required: true,
  doc,
});
const usually = (usual: UsualValues, doc: string): PayloadField => ({ type: "string", usual, doc });
const seen = (root: string, given: PayloadField): PayloadField => ({ ...given, root });

const call = {
  tool: seen("tool", needed("string", "Canonical tool name or the host's own.")),
  server: seen("tool", field("string", "MCP server, with `tool: mcp`.")),
  name: seen("tool", field("string", "MCP tool, with `tool: mcp`.")),
  call_id: seen("event", field("string", "Id of the tool call; in records only.")),
  args: seen("args", field("object", "Arguments of the call.")),
};
const definition = {
  definition: seen("definition", field("object", "Definition of an MCP tool, as far as the host gives it.")),
};
const messages = (doc: string): PayloadShape => ({ messages: seen("messages", needed("list(message)", doc)) });
const message = (doc: string): PayloadShape => ({ message: needed("message", doc) });
const cwd = { cwd: field("path", "Working directory.") };
const excluded = {
  exclude_from_context: { type: "bool", default: false, doc: "True if the model is not to see it (`!!`)." },
} as const;
const images = { images: field("list(dyn)", "Images beside the text.") };
const turn = { turn_index: needed("int", "Number of the turn within its run, from 0.") };
const previous = { previous_session_file: field("path", "File of the session that was left.") };

/**
 * The payload of every event. A host's unknown fields are ignored, a suite's are errors; a field of another type does not fit,
 * and the event gets its closed outcome. Sources: events page; seed pi-hook-reference, and omp-hooks for what omp alone has; a
 * field is not required if some host with this event cannot give it.
 */
export const payloads = {
  tool_call: { ...call, ...definition },
  input: {
    text: seen("input", needed("string", "Text that the user typed.")),
    source: seen("input", field("string", "Where it came from: interactive, rpc, extension.")),
    images: seen("input", images.images),
  },
  user_bash: { command: seen("command", needed("string", "Command that the user typed.")), ...excluded, ...cwd },
  user_python: { code: seen("code", needed("string", "Code that the user typed.")), ...excluded, ...cwd },
  session_before_switch: {
    reason: choice(["new", "resume", "fork"], "Why the session is left."),
    target_session_file: field("path", "File of the session to resume."),
  },
  session_before_fork: { entry_id: needed("string", "Entry that is forked from.") },
  session_before_compact: {
    preparation: field("dyn", "Plan of the compaction."),
    branch_entries: field("list(dyn)", "Entries of the session."),
    custom_instructions: field("string", "Instructions of the user for the summary."),
    trigger: usually(
      {
        texts: ["manual", "auto"],
        others: { automatic: "auto", automatically: "auto", user: "manual", human: "manual", command: "manual" },
      },
      "Who began it: manual or auto.",
    ),
  },
  session_before_tree: { preparation: field("dyn", "Where the session is about to go.") },
  stop: {
    last_message: field("string", "Last text of the assistant."),
    active: { type: "bool", default: false, doc: "True if the agent already goes on because of an earlier block." },
  },
  subagent_stop: {
    last_message: field("string", "Last text of the sub-agent."),
    active: { type: "bool", default: false, doc: "True if it already goes on because of an earlier block." },
  },
  tool_result: {
    ...call,
    ...definition,
    result: seen("result", needed("result", "Result of the tool.")),
    duration_ms: field("int", "How long the call took, in milliseconds, where the host says so."),
  },
  context: messages("Messages about to be sent to the model."),
  before_agent_start: {
    prompt: seen("prompt", field("string", "The user's prompt.")),
    ...images,
    system_prompt: seen("system_prompt", field("text", "System prompt, as text or parts.")),
    messages: seen("messages", field("list(message)", "Messages that hook modules inject.")),
  },
  session_compacting: {
    ...messages("Messages that the summary replaces."),
    session_id: field("string", "Session that is compacted."),
  },
  resources_discover: { ...cwd, reason: choice(["startup", "reload"], "Why resources are looked for.") },
  session_start: {
    reason: usually(
      {
        texts: ["startup", "reload", "new", "resume", "fork", "clear", "compact"],
        others: { start: "startup", begin: "startup", restart: "reload", continue: "resume", branch: "fork" },
      },
      "Why it starts: startup, reload, new, resume, fork, clear or compact.",
    ),
    ...previous,
  },
  session_switch: {
    reason: usually(
      { texts: ["new", "resume"], others: { continue: "resume", startup: "new" } },
      "Why: new or resume.",
    ),
    ...previous,
  },
  session_fork: { ...previous },
  session_compact: {
    compaction_entry: field("dyn", "Entry that stands for what was compacted."),
    from_hook: { type: "bool", default: false, doc: "True if a hook module gave the summary." },
  },
  session_tree: {
    new_leaf_id: field("string", "Entry at which the session stands now."),
    old_leaf_id: field("string", "Entry at which it stood."),
  },
  session_shutdown: {
    reason: usually(
      {
        texts: ["quit", "exit", "clear", "logout", "prompt_input_exit", "other", "complete", "completed", "user_close"],
        more: true,
      },
      "Why it ends, in the host's own word.",
    ),
  },
  agent_start: {},
  agent_end: { messages: seen("messages", field("list(message)", "New messages of this run alone.")) },
  turn_start: { ...turn, timestamp: field("int", "When it began, milliseconds since the epoch.") },
  turn_end: {
    ...turn,
    ...message("The assistant's answer."),
    tool_results: field("list(message)", "Results of the tools called in this turn."),
  },
  message_start: message("The message that begins."),
  message_update: {
    ...message("The assistant's message so far."),
    assistant_message_event: field("dyn", "The host's token event."),
  },
  message_end: message("The final message."),
  tool_execution_start: { ...call },
  tool_execution_update: { ...call, partial_result: field("dyn", "Progress that the tool reports.") },
  tool_execution_end: {
    ...call,
    result: seen("result", needed("result", "Result of the tool.")),
    is_error: { type: "bool", default: false, doc: "True if the tool failed." },
  },
  model_select: {
    model: needed("dyn", "The new model."),
    previous_model: field("dyn", "The model before."),
    source: choice(["set", "cycle", "restore"], "How it was chosen."),
  },
  auto_compaction_start: {
    reason: usually({ texts: ["threshold", "overflow", "idle"], more: true }, "Why the host compacts."),
  },
  auto_compaction_end: {
    compaction: field("dyn", "Result of the compaction."),
    aborted: { type: "bool", default: false, doc: "True if it was given up." },
    will_retry: { type: "bool", default: false, doc: "True if the host tries again." },
    error_message: field("string", "Error message."),
  },
  auto_retry_start: {
    attempt: field("int", "Number of the attempt."),
    max_attempts: field("int", "How many there will be at most."),
    delay_ms: field("int", "Milliseconds until it."),
    error_message: field("string", "Error message of the attempt before."),
  },
  auto_retry_end: {
    success: { type: "bool", default: false, doc: "True if the retry worked." },
    attempt: field("int", "Number of the attempt."),
    final_error: field("string", "Error message of the last attempt."),
  },
  ttsr_triggered: { rules: field("list(dyn)", "Rules of the host that fired.") },
  todo_reminder: {
    todos: field("list(dyn)", "Open to-do items."),
    attempt: field("int", "Number of the reminder."),
    max_attempts: field("int", "How many there will be at most."),
  },
  subagent_start: {
    prompt: field("string", "Task of the sub-agent."),
    agent_type: field("string", "Kind of sub-agent."),
  },
  error: { message: field("string", "Error message.") },
} as const satisfies Record<EventName, PayloadShape>;

/** The payload of one event. */
export function payloadShape(name: EventName): PayloadShape {
  return payloads[name];
}

/** Fields of an event that conditions see as `fields.<name>`. */
export function ownFields(name: EventName): PayloadShape {
  return Object.fromEntries(Object.entries(payloadShape(name)).filter(([, { root }]) => root === undefined));
}
