import {
  agentEvents,
  changes,
  loader,
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

const seed = "omp-authoring-hooks";

/** What an author of hook modules is promised. */
export const ompAuthoringRequirements: readonly Requirement[] = [
  ...requirements(seed, "Authoring Hooks", [
    [
      "author-handlers",
      "a module registers handlers beside the agent loop",
      toolCall("handlers run in hooks array order, then registration order (omp-hooks, Runtime handler order)"),
    ],
    [
      "author-powers",
      "handlers can block calls, override results and rewrite the context",
      toolCall("the first block short-circuits: no handler runs after it (omp-hooks, Ordering and conflict behavior)"),
      toolResult("content and details replace those of the result (omp-authoring-hooks, Post-tool override contract)"),
      agentEvents(
        "each handler receives the output of the previous one (omp-authoring-hooks, Context modification contract)",
      ),
    ],
    [
      "author-superset",
      "the extension API has the hook events and more",
      profile("extensionEvents.known"),
      profile("extensionEvents.unknown"),
    ],
  ]),
  ...requirements(seed, "Factory signature", [
    [
      "author-factory-plain",
      "the default export is a plain function, not async",
      loader("omp-hookapi refuses async factories and says why (omp-authoring-hooks, Factory signature)"),
      profile("factory.async"),
      profile("factory.promise"),
    ],
    [
      "author-factory-class",
      "nor a class",
      loader("errors are collected with their path and loading goes on (omp-hooks, Load-time)"),
      profile("factory.class"),
    ],
    [
      "author-factory-api",
      "it gets the API",
      loader("loads .js, .mjs and .cjs by absolute, home and relative path, in the order given"),
    ],
    ["author-factory-synchronous", "it registers all handlers while it runs", profile("lateOn.registers")],
    [
      "author-factory-extension",
      "a module may take the extension API in its place",
      profile("factory.async"),
      loader("pi and omp wait for async factories (hosts page, section 2)"),
    ],
  ]),
  ...requirements(seed, "Event catalog", [
    [
      "author-tool-call",
      "`tool_call` fires before every tool",
      loop("tool events: execution start, tool_call, update, tool_result, execution end, with their fields"),
    ],
    [
      "author-tool-result",
      "`tool_result` fires after every tool",
      loop("tool events: execution start, tool_call, update, tool_result, execution end, with their fields"),
      toolResult("a failed tool emits tool_result with isError true and the error text (omp-hooks, Post-execution)"),
    ],
    [
      "author-session-start",
      "`session_start` fires when the session is first loaded",
      changes("session_start at startup and after a reload, session_shutdown at the end"),
    ],
    [
      "author-switch",
      "a switch has an event before, which can cancel, and one after",
      changes("a switch: before, the host's work, after, then session_start; the target only for resume"),
      changes("cancel in %s: the host does nothing and no event follows"),
    ],
    [
      "author-branch",
      "so has a branch, which can also skip the messages",
      changes("a fork: the host's own event names, the entry, skipConversationRestore, then session_start"),
      sessionEvents("session_before_fork may skip the restoring of messages (pi-hook-reference section 5)"),
    ],
    [
      "author-compact",
      "compaction has one before, one while it runs and one after",
      changes("compaction: its payload, then session.compacting, the host's work and session_compact"),
    ],
    [
      "author-compacting",
      "the one while it runs can add context, a prompt and data to keep",
      sessionEvents("session.compacting: the latest returned result wins (omp-hooks, Runtime handler order)"),
      changes("compaction: its payload, then session.compacting, the host's work and session_compact"),
    ],
    [
      "author-tree",
      "a move in the tree has one before and one after",
      changes("a tree move: summary and label of a handler, then session_tree with both leaves"),
    ],
    [
      "author-shutdown",
      "the end of the session is told",
      changes("session_start at startup and after a reload, session_shutdown at the end"),
    ],
    [
      "author-start",
      "`before_agent_start` fires before a run and can give a message, also with attribution",
      agentEvents("delivers the message with its fields (pi-hook-reference section 2)"),
      loop("a prompt: input, before_agent_start, agent_start, turns, agent_end, each once per run"),
    ],
    [
      "author-agent",
      "start and end of a run are told",
      loop("a prompt: input, before_agent_start, agent_start, turns, agent_end, each once per run"),
    ],
    [
      "author-turn",
      "start and end of a turn are told",
      loop("a prompt: input, before_agent_start, agent_start, turns, agent_end, each once per run"),
    ],
    [
      "author-context",
      "`context` fires before each model call",
      loop("context fires before every model call: three calls that loop back make four"),
    ],
    [
      "author-auto",
      "automatic compaction and retries are told at start and end",
      payloads("%s, %s: every field of the seed"),
    ],
    ["author-notices", "`ttsr_triggered` and `todo_reminder` are told", payloads("%s, %s: every field of the seed")],
    [
      "author-extension-only",
      "execution events, `input`, `user_bash` and `user_python` need an extension",
      loader("omp-hookapi refuses extension-only events and names them (omp-authoring-hooks, Event catalog)"),
      profile("extensionEvents.known"),
    ],
  ]),
  ...requirements(seed, "Pre-tool blocking contract", [
    [
      "author-block-stops",
      "any block stops the call at once",
      toolCall("the first block short-circuits: no handler runs after it (omp-hooks, Ordering and conflict behavior)"),
      profile("tool_call.block-stops"),
    ],
    [
      "author-block-reason",
      "the model gets the reason as the tool's error",
      toolCall("returned reason becomes the thrown error text and the tool does not run (omp-hooks, Pre-execution)"),
      loop("a blocked call reaches the model as an error result with the reason, and the run goes on"),
      profile("tool_call.block-is-error"),
    ],
    [
      "author-block-throw",
      "a handler that throws blocks too",
      toolCall("a handler that throws blocks the tool (omp-authoring-hooks, Pre-tool blocking contract)"),
      profile("tool_call.throw"),
    ],
    [
      "author-block-last",
      "of answers that do not block the last holds; the first block stops",
      toolCall("the last non-blocking return wins (omp-authoring-hooks, Pre-tool blocking contract)"),
      profile("tool_call.last"),
    ],
  ]),
  ...requirements(seed, "Post-tool override contract", [
    [
      "author-result-order",
      "handlers run in the order of registration",
      toolResult("no short-circuit: every handler runs (omp-hooks, Runtime handler order)"),
      profile("tool_call.order"),
    ],
    [
      "author-result-original",
      "each gets the original event, and the last override holds",
      profile("toolResult.chain"),
      profile("toolResult.in-place"),
      profile("toolResult.fields"),
    ],
    [
      "author-result-content",
      "content replaces all content",
      toolResult("content and details replace those of the result (omp-authoring-hooks, Post-tool override contract)"),
    ],
    [
      "author-result-details",
      "details replace the details",
      toolResult("content and details replace those of the result (omp-authoring-hooks, Post-tool override contract)"),
    ],
    ["author-result-is-error", "`isError` does not reach a successful result", profile("isErrorApplied.fine")],
    [
      "author-result-rethrow",
      "after a failure the original error is thrown when handlers are done",
      profile("isErrorApplied.failed"),
      profile("failedTool.replaced"),
      profile("failedTool.own-error"),
    ],
    [
      "author-result-failed",
      "a failure is emitted with `isError: true`",
      toolResult("a failed tool emits tool_result with isError true and the error text (omp-hooks, Post-execution)"),
      profile("tool_result.failed"),
    ],
  ]),
  ...requirements(seed, "Context modification contract", [
    [
      "author-context-current",
      "the event has the messages as they are now",
      agentEvents(
        "each handler receives the output of the previous one (omp-authoring-hooks, Context modification contract)",
      ),
    ],
    [
      "author-context-chain",
      "handlers run in order, each with the output of the one before",
      agentEvents(
        "each handler receives the output of the previous one (omp-authoring-hooks, Context modification contract)",
      ),
      profile("context.chain"),
    ],
    [
      "author-context-nothing",
      "undefined passes them unchanged",
      agentEvents(
        "undefined passes messages through and nothing is returned when nothing changed (omp-authoring-hooks, Context)",
      ),
      profile("context.undefined"),
    ],
  ]),
  ...requirements(seed, "Three complete examples", [
    [
      "author-example-guard",
      "a guard blocks, and lets the human allow where there is a UI",
      surface("a guard blocks without UI, and asks with one"),
    ],
    [
      "author-example-redactor",
      "a redactor answers only when something changed",
      surface("a redactor changes what the model sees"),
      toolResult(
        "nothing returned passes through: nothing changed is undefined (pi-hook-reference section 4, tool_result)",
      ),
    ],
    [
      "author-example-filter",
      "a filter shortens long tool results in the context",
      surface("a filter takes debug messages out of the context and shortens results"),
    ],
  ]),
  ...requirements(seed, "UI methods in hook context", [
    [
      "author-ui-methods",
      "all methods of the table are there with their parameters",
      ui("%s reaches the host with its arguments and answers what the host answers"),
    ],
    [
      "author-ui-status",
      "status texts have keys and are sorted by them",
      ui("is stored per key, sorted by key, joined; undefined removes a key"),
      ui("setStatus of several modules makes one line: sorted by key, sanitised, joined, truncated"),
    ],
    [
      "author-ui-editor",
      "the editor takes prefill, a signal and its style",
      ui("passes every argument on: prefill, signal and promptStyle (omp-authoring-hooks, UI methods)"),
      ui("%s reaches the host with its arguments and answers what the host answers"),
    ],
    [
      "author-ui-prompt-style",
      "with `promptStyle` Enter submits; the option reaches the host's editor, whose keys they are",
      ui("passes every argument on: prefill, signal and promptStyle (omp-authoring-hooks, UI methods)"),
    ],
    ["author-ui-theme", "`theme` is the present theme", ui("theme is the host's theme as it is now")],
    [
      "author-ui-headless",
      "`hasUI` is false in headless, print and sub-agent mode",
      ui("hasUI is false in print and sub-agent mode, although a UI stands behind it"),
      ui("select, input, editor and custom answer undefined; confirm answers false"),
    ],
  ]),
];
