import {
  agentEvents,
  changes,
  loop,
  payloads,
  profile,
  type Requirement,
  requirements,
  sessionEvents,
  surface,
  toolCall,
  toolResult,
  ui,
} from "./requirement.ts";

const seed = "omp-hooks";

/** Events, interception and examples of the HookAPI. */
export const ompEventRequirements: readonly Requirement[] = [
  ...requirements(seed, "Session events", [
    [
      "omp-session-start",
      "`session_start` is told",
      payloads("%s, %s: every field of the seed"),
      changes("session_start at startup and after a reload, session_shutdown at the end"),
    ],
    [
      "omp-before-switch",
      "`session_before_switch` can be cancelled",
      payloads("%s, %s: every field of the seed"),
      sessionEvents("cancel: true short-circuits %s immediately (omp-hooks, Runtime handler order)"),
      changes("cancel in %s: the host does nothing and no event follows"),
    ],
    [
      "omp-switch",
      "`session_switch` is told",
      payloads("%s, %s: every field of the seed"),
      changes("a switch: before, the host's work, after, then session_start; the target only for resume"),
    ],
    [
      "omp-before-branch",
      "`session_before_branch` can be cancelled, or skip the messages",
      sessionEvents("%s and %s are one event; a handler gets the name it registered (hosts page section 3)"),
      sessionEvents("session_before_fork may skip the restoring of messages (pi-hook-reference section 5)"),
      changes("a fork: the host's own event names, the entry, skipConversationRestore, then session_start"),
    ],
    [
      "omp-branch",
      "`session_branch` is told",
      sessionEvents("%s and %s are one event; a handler gets the name it registered (hosts page section 3)"),
      changes("a fork: the host's own event names, the entry, skipConversationRestore, then session_start"),
      profile("names.own"),
    ],
    [
      "omp-before-compact",
      "`session_before_compact` can be cancelled, or answered with a compaction",
      sessionEvents("session_before_*: the latest result is kept (omp-hooks, Runtime handler order)"),
      changes("a compaction that a handler gives stands in place of the model's"),
    ],
    [
      "omp-compacting",
      "`session.compacting` can be answered with context, prompt and data to keep",
      sessionEvents("session.compacting: the latest returned result wins (omp-hooks, Runtime handler order)"),
      changes("compaction: its payload, then session.compacting, the host's work and session_compact"),
    ],
    [
      "omp-compact",
      "`session_compact` is told",
      payloads("%s, %s: every field of the seed"),
      changes("compaction: its payload, then session.compacting, the host's work and session_compact"),
    ],
    [
      "omp-before-tree",
      "`session_before_tree` can be cancelled, or answered with a summary and its details",
      sessionEvents("session_before_tree may give a summary and a label (pi-hook-reference section 5)"),
      changes("a tree move: summary and label of a handler, then session_tree with both leaves"),
    ],
    [
      "omp-tree",
      "`session_tree` is told",
      payloads("%s, %s: every field of the seed"),
      changes("a tree move: summary and label of a handler, then session_tree with both leaves"),
    ],
    [
      "omp-shutdown",
      "`session_shutdown` is told",
      payloads("%s, %s: every field of the seed"),
      changes("session_start at startup and after a reload, session_shutdown at the end"),
    ],
  ]),
  ...requirements(seed, "Agent and context events", [
    [
      "omp-context",
      "`context` can be answered with messages",
      agentEvents(
        "each handler receives the output of the previous one (omp-authoring-hooks, Context modification contract)",
      ),
    ],
    [
      "omp-before-agent-start",
      "`before_agent_start` can be answered with a message: type, content, display, details",
      agentEvents("delivers the message with its fields (pi-hook-reference section 2)"),
    ],
    ["omp-agent-events", "`agent_start` and `agent_end` are told", payloads("%s, %s: every field of the seed")],
    ["omp-turn-events", "`turn_start` and `turn_end` are told", payloads("%s, %s: every field of the seed")],
    [
      "omp-auto-compaction",
      "`auto_compaction_start` and `auto_compaction_end` are told",
      payloads("%s, %s: every field of the seed"),
    ],
    ["omp-auto-retry", "`auto_retry_start` and `auto_retry_end` are told", payloads("%s, %s: every field of the seed")],
    ["omp-notices", "`ttsr_triggered` and `todo_reminder` are told", payloads("%s, %s: every field of the seed")],
  ]),
  ...requirements(seed, "Tool events", [
    [
      "omp-tool-call-answer",
      "`tool_call` can be answered with a block and its reason",
      toolCall("the first block short-circuits: no handler runs after it (omp-hooks, Ordering and conflict behavior)"),
    ],
    [
      "omp-tool-result-answer",
      "`tool_result` can be answered with content, details and error state",
      toolResult("content and details replace those of the result (omp-authoring-hooks, Post-tool override contract)"),
      profile("isErrorApplied.fine"),
    ],
    [
      "omp-flow-block",
      "a block throws and the tool does not run",
      toolCall("returned reason becomes the thrown error text and the tool does not run (omp-hooks, Pre-execution)"),
    ],
    [
      "omp-flow-success",
      "after a success handlers can override content and details",
      toolResult("content and details replace those of the result (omp-authoring-hooks, Post-tool override contract)"),
    ],
    [
      "omp-flow-error",
      "after an error `tool_result` is emitted and the original error is thrown on",
      toolResult("a failed tool emits tool_result with isError true and the error text (omp-hooks, Post-execution)"),
      profile("failedTool.replaced"),
      profile("failedTool.own-error"),
    ],
  ]),
  ...requirements(seed, "Execution model", [
    [
      "omp-pre-before",
      "`tool_call` is emitted before the tool runs",
      toolCall("returned reason becomes the thrown error text and the tool does not run (omp-hooks, Pre-execution)"),
      loop("tool events: execution start, tool_call, update, tool_result, execution end, with their fields"),
    ],
    [
      "omp-pre-block",
      "any block stops the execution",
      toolCall("the first block short-circuits: no handler runs after it (omp-hooks, Ordering and conflict behavior)"),
    ],
    [
      "omp-pre-throw",
      "a handler that throws blocks",
      toolCall("a handler that throws blocks the tool (omp-authoring-hooks, Pre-tool blocking contract)"),
      profile("tool_call.throw"),
    ],
    [
      "omp-pre-reason",
      "the reason is the text of the error",
      toolCall("returned reason becomes the thrown error text and the tool does not run (omp-hooks, Pre-execution)"),
      profile("tool_call.block-is-error"),
    ],
    [
      "omp-run",
      "a call that is not blocked runs as ever",
      loop("tool events: execution start, tool_call, update, tool_result, execution end, with their fields"),
      toolCall("passes id, signal and updates on"),
    ],
    [
      "omp-post-payload",
      "after a success: tool, call id, arguments, content, details and `isError: false`",
      toolResult("the event of a success has isError false, content and details (omp-hooks, Post-execution)"),
      payloads("tool_call carries id, tool and input; tool_result also content, details and isError"),
    ],
    [
      "omp-post-content",
      "returned content replaces that of the result",
      toolResult("content and details replace those of the result (omp-authoring-hooks, Post-tool override contract)"),
    ],
    [
      "omp-post-details",
      "returned details replace those of the result",
      toolResult("content and details replace those of the result (omp-authoring-hooks, Post-tool override contract)"),
    ],
    [
      "omp-post-failed",
      "after a failure: `isError: true`, the error's text, then the original error",
      toolResult("a failed tool emits tool_result with isError true and the error text (omp-hooks, Post-execution)"),
      profile("tool_result.failed"),
      profile("failedTool.own-error"),
    ],
    [
      "omp-can-context",
      "a module can change the context of one model call",
      loop("what a context handler changes reaches this model call and no other, and the session keeps its own"),
    ],
    [
      "omp-can-result",
      "a module can change what a successful tool gave",
      toolResult("content and details replace those of the result (omp-authoring-hooks, Post-tool override contract)"),
    ],
    [
      "omp-can-start",
      "a module can inject a message before the agent starts",
      agentEvents("delivers the message with its fields (pi-hook-reference section 2)"),
    ],
    [
      "omp-can-session",
      "a module can cancel, and shape compaction and moves in the tree",
      changes("cancel in %s: the host does nothing and no event follows"),
      changes("a compaction that a handler gives stands in place of the model's"),
      changes("a tree move: summary and label of a handler, then session_tree with both leaves"),
    ],
    [
      "omp-cannot-input",
      "a module cannot change a tool's arguments in place",
      profile("input.written"),
      profile("returnedInput.one"),
    ],
    [
      "omp-cannot-continue",
      "a module cannot make a failed tool go on",
      profile("failedTool.replaced"),
      profile("isErrorApplied.failed"),
    ],
    ["omp-cannot-status", "a returned `isError` is typed and not applied", profile("isErrorApplied.fine")],
  ]),
  ...requirements(seed, "Examples", [
    [
      "omp-example-block",
      "a guard blocks without UI and asks with one",
      surface("a guard blocks without UI, and asks with one"),
    ],
    [
      "omp-example-redact",
      "a redactor changes what the model sees of a result",
      surface("a redactor changes what the model sees"),
    ],
    [
      "omp-example-context",
      "a filter drops debug messages from the context",
      surface("a filter takes debug messages out of the context and shortens results"),
    ],
    [
      "omp-example-command",
      "a command waits until the agent is idle, starts a session from the present one and fills it",
      ui(
        "a command can wait, start a session and read the old one through the host (omp-hooks, Realistic API examples)",
      ),
    ],
  ]),
];
