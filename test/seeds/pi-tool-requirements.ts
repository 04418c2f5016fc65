import {
  faults,
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
  userEvents,
} from "./requirement.ts";

const seed = "pi-hook-reference";

/** Tools and the execution order. */
export const piToolRequirements: readonly Requirement[] = [
  ...requirements(seed, "4 tool_call", [
    [
      "pi-call-when",
      "fires after the model asked for a call and before it runs",
      loop("tool events: execution start, tool_call, update, tool_result, execution end, with their fields"),
    ],
    [
      "pi-call-sequential",
      "handlers run one after another",
      toolCall("handlers run in hooks array order, then registration order (omp-hooks, Runtime handler order)"),
    ],
    [
      "pi-call-block-stops",
      "`block: true` stops at once: nothing runs behind it",
      toolCall("the first block short-circuits: no handler runs after it (omp-hooks, Ordering and conflict behavior)"),
      profile("tool_call.block-stops"),
    ],
    [
      "pi-call-block-is-error",
      "the reason becomes an error, and the model gets a result with `isError: true`",
      loop("a blocked call reaches the model as an error result with the reason, and the run goes on"),
      profile("tool_call.block-is-error"),
    ],
    [
      "pi-call-payload",
      "carries call id, tool name and arguments",
      payloads("tool_call carries id, tool and input; tool_result also content, details and isError"),
    ],
    [
      "pi-call-allow",
      "no answer lets the call run",
      toolCall("garbage that answers nothing lets the call pass: %s (issue of step 4, Bad input)"),
      loop("tool events: execution start, tool_call, update, tool_result, execution end, with their fields"),
    ],
    [
      "pi-call-narrow-known",
      "`isToolCallEventType` narrows a known tool's arguments",
      surface(
        "isToolCallEventType narrows known tools and, with types given, custom ones (pi-hook-reference section 4)",
      ),
    ],
    [
      "pi-call-narrow-custom",
      "for a custom tool the types are given",
      surface(
        "isToolCallEventType narrows known tools and, with types given, custom ones (pi-hook-reference section 4)",
      ),
    ],
  ]),
  ...requirements(seed, "4 tool_execution_start, _update, _end", [
    [
      "pi-execution-answer",
      "are for information: an answer has no effect",
      sessionEvents("events that only tell answer nothing (pi-hook-reference, agent_start: no return value)"),
      faults("%s, %s: with hookFaults closed, a handler that %s gives the event's closed outcome"),
    ],
    [
      "pi-execution-start",
      "the start carries call id, tool name and arguments",
      loop("tool events: execution start, tool_call, update, tool_result, execution end, with their fields"),
      payloads("%s, %s: every field of the seed"),
    ],
    [
      "pi-execution-update",
      "an update carries what the running tool reported",
      loop("tool events: execution start, tool_call, update, tool_result, execution end, with their fields"),
      payloads("%s, %s: every field of the seed"),
    ],
    [
      "pi-execution-end",
      "the end carries the result and whether it is an error",
      loop("tool events: execution start, tool_call, update, tool_result, execution end, with their fields"),
      payloads("%s, %s: every field of the seed"),
    ],
  ]),
  ...requirements(seed, "4 tool_result", [
    [
      "pi-result-when",
      "fires after the tool is done and before the loop gets the result",
      loop("tool events: execution start, tool_call, update, tool_result, execution end, with their fields"),
      loop("a failed tool's result can be changed before it reaches the model"),
    ],
    [
      "pi-result-sequential",
      "handlers run one after another, and every one runs",
      toolResult("no short-circuit: every handler runs (omp-hooks, Runtime handler order)"),
      profile("tool_result.no-stop"),
    ],
    ["pi-result-accumulates", "changes of several handlers add up", profile("toolResult.fields")],
    [
      "pi-result-evolving",
      "each handler sees content, details and error state as the ones before left them",
      profile("toolResult.chain"),
      profile("toolResult.in-place"),
    ],
    [
      "pi-result-payload",
      "carries call id, tool name, arguments, content, details and error state",
      payloads("tool_call carries id, tool and input; tool_result also content, details and isError"),
      toolResult("the event of a success has isError false, content and details (omp-hooks, Post-execution)"),
    ],
    [
      "pi-result-override",
      "a handler may return content, details and error state",
      toolResult("content and details replace those of the result (omp-authoring-hooks, Post-tool override contract)"),
      profile("isErrorApplied.fine"),
    ],
    [
      "pi-result-flip",
      "the error state can be flipped either way",
      profile("isErrorApplied.fine"),
      profile("isErrorApplied.failed"),
      loop("a failed tool's result can be changed before it reaches the model"),
    ],
    [
      "pi-result-nothing",
      "no answer passes the result unchanged",
      toolResult(
        "nothing returned passes through: nothing changed is undefined (pi-hook-reference section 4, tool_result)",
      ),
      profile("tool_result.unchanged"),
    ],
    [
      "pi-result-failed",
      "a tool that throws still gives `tool_result`, with `isError: true` and the error text",
      toolResult("a failed tool emits tool_result with isError true and the error text (omp-hooks, Post-execution)"),
      profile("tool_result.failed"),
    ],
    [
      "pi-result-failed-changed",
      "the result of a failed tool can be changed too",
      loop("a failed tool's result can be changed before it reaches the model"),
      profile("failedTool.replaced"),
    ],
  ]),
  ...requirements(seed, "8 user_bash", [
    [
      "pi-bash-when",
      "fires for a command of the human; `!!` keeps it from the model",
      payloads("user_bash carries the command, whether the model is kept from it, and the folder"),
    ],
    [
      "pi-bash-payload",
      "carries the command, whether the model is kept from it, and the folder",
      payloads("user_bash carries the command, whether the model is kept from it, and the folder"),
    ],
    [
      "pi-bash-operations",
      "a handler may give another way to run it",
      userEvents("operations may run the command elsewhere (pi-hook-reference section 8)"),
    ],
    [
      "pi-bash-result",
      "a handler may give the result: output, exit code, cancelled, truncated",
      userEvents("the first result wins (hosts page section 2; pi-hook-reference section 8)"),
    ],
  ]),
  ...requirements(seed, "Execution order", [
    [
      "pi-order-load",
      "extensions run in load order: of the project, of the user, then those named explicitly",
      loader("finds .omp and .claude, pre and post, in the project and the home; omp first, the project first"),
      loader("configured paths come after discovered ones, deduped by absolute path"),
    ],
    [
      "pi-order-registration",
      "handlers of one extension run in the order in which they were registered",
      toolCall("handlers run in hooks array order, then registration order (omp-hooks, Runtime handler order)"),
      profile("tool_call.order"),
    ],
    [
      "pi-order-chain",
      "where an event chains, B sees what A made",
      profile("context.chain"),
      profile("toolResult.chain"),
      profile("systemPrompt.chain"),
      userEvents("each handler sees the text of the previous transform (pi-hook-reference section 1, Chaining)"),
    ],
    [
      "pi-order-short-circuit",
      "where an event stops, the first to stop it wins and the rest is skipped",
      toolCall("the first block short-circuits: no handler runs after it (omp-hooks, Ordering and conflict behavior)"),
      userEvents("the first handled stops the chain (pi-hook-reference section 1, Chaining)"),
      sessionEvents("cancel: true short-circuits %s immediately (omp-hooks, Runtime handler order)"),
    ],
  ]),
];
