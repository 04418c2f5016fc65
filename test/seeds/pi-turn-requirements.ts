import { agentEvents, loop, payloads, profile, type Requirement, requirements, surface } from "./requirement.ts";

const seed = "pi-hook-reference";

/** Turns, the context and messages. */
export const piTurnRequirements: readonly Requirement[] = [
  ...requirements(seed, "3 turn_start", [
    [
      "pi-turn-start-when",
      "fires at the start of each turn, before the model call",
      loop("a prompt: input, before_agent_start, agent_start, turns, agent_end, each once per run"),
    ],
    [
      "pi-turn-start-index",
      "its index counts from 0 within the run",
      loop("turns count from 0 in each run and carry when they began"),
    ],
    [
      "pi-turn-start-timestamp",
      "it carries when the turn began",
      loop("turns count from 0 in each run and carry when they began"),
      payloads("%s, %s: every field of the seed"),
    ],
  ]),
  ...requirements(seed, "3 context", [
    [
      "pi-context-when",
      "fires before each model call, after the turn began",
      loop("a prompt: input, before_agent_start, agent_start, turns, agent_end, each once per run"),
      loop("context fires before every model call: three calls that loop back make four"),
    ],
    [
      "pi-context-every-turn",
      "a run that calls tools three times has it four times",
      loop("context fires before every model call: three calls that loop back make four"),
    ],
    [
      "pi-context-last-word",
      "is the last place to change what the model sees",
      loop("what a context handler changes reaches this model call and no other, and the session keeps its own"),
    ],
    [
      "pi-context-chain",
      "handlers run in order, each with the output of the one before",
      agentEvents(
        "each handler receives the output of the previous one (omp-authoring-hooks, Context modification contract)",
      ),
      profile("context.chain"),
    ],
    [
      "pi-context-copy",
      "the first handler gets a deep copy of the agent's messages",
      agentEvents(
        "the first handler gets a deep copy: the host's messages are never written to (pi-hook-reference section 3)",
      ),
      profile("context.copy"),
    ],
    [
      "pi-context-mutable",
      "the copy may be changed in place",
      agentEvents(
        "the first handler gets a deep copy: the host's messages are never written to (pi-hook-reference section 3)",
      ),
      profile("contextInPlace.emptied"),
    ],
    [
      "pi-context-filter",
      "returned messages may leave some out",
      surface("a filter takes debug messages out of the context and shortens results"),
      agentEvents("tens of thousands of messages pass in bounded time (issue of step 4, Bad input)"),
    ],
    [
      "pi-context-inject",
      "returned messages may have more",
      agentEvents(
        "each handler receives the output of the previous one (omp-authoring-hooks, Context modification contract)",
      ),
    ],
    [
      "pi-context-nothing",
      "no answer passes the messages unchanged",
      agentEvents(
        "undefined passes messages through and nothing is returned when nothing changed (omp-authoring-hooks, Context)",
      ),
      profile("context.undefined"),
      profile("context.unchanged"),
    ],
    [
      "pi-context-roles",
      "it holds messages of every role: user, assistant, toolResult, custom, bashExecution and both summaries",
      loop("the context holds the history, the prompt, injected messages and earlier results, and no system prompt"),
      payloads("commands of the human and summaries too; the model's own roles stay"),
    ],
    [
      "pi-context-prompt",
      "it holds the message of the current prompt",
      loop("the context holds the history, the prompt, injected messages and earlier results, and no system prompt"),
    ],
    [
      "pi-context-injected",
      "it holds what `before_agent_start` injected",
      loop("the context holds the history, the prompt, injected messages and earlier results, and no system prompt"),
      loop(
        "messages of before_agent_start stand after the user message, each one custom message; `display` hides none from the model",
      ),
    ],
    [
      "pi-context-results",
      "it holds the results of earlier turns of the run",
      loop("the context holds the history, the prompt, injected messages and earlier results, and no system prompt"),
    ],
    [
      "pi-context-steering",
      "it holds steering and follow-up messages that became input",
      loop("a steering message becomes the input of the next turn, and the run goes on for it"),
    ],
    [
      "pi-context-history",
      "it holds earlier messages of the session",
      loop("the context holds the history, the prompt, injected messages and earlier results, and no system prompt"),
    ],
    [
      "pi-context-no-system-prompt",
      "it does not hold the system prompt",
      loop("the context holds the history, the prompt, injected messages and earlier results, and no system prompt"),
    ],
    [
      "pi-context-no-tools",
      "it does not hold definitions of tools",
      loop("the context holds the history, the prompt, injected messages and earlier results, and no system prompt"),
    ],
  ]),
  ...requirements(seed, "3 turn_end", [
    [
      "pi-turn-end-when",
      "fires after the answer and all its tool calls",
      loop("turn_end comes after every tool of the turn and carries the answer and the results"),
    ],
    [
      "pi-turn-end-payload",
      "carries the turn's index, the assistant's message and the tool results",
      loop("turn_end comes after every tool of the turn and carries the answer and the results"),
      payloads("%s, %s: every field of the seed"),
    ],
  ]),
  ...requirements(seed, "3 message_start, message_update, message_end", [
    [
      "pi-message-lifecycle",
      "each message has a start and an end: user, assistant, tool result and custom",
      loop(
        "message_start and message_end frame every message, update only the streaming answer; at its end a message is saved",
      ),
    ],
    [
      "pi-message-update",
      "only a streaming answer of the assistant has updates",
      loop(
        "message_start and message_end frame every message, update only the streaming answer; at its end a message is saved",
      ),
    ],
    [
      "pi-message-update-payload",
      "an update carries the partial message and the token event",
      loop(
        "message_start and message_end frame every message, update only the streaming answer; at its end a message is saved",
      ),
      payloads("%s, %s: every field of the seed"),
    ],
    [
      "pi-message-end-saved",
      "at its end a message goes to the session file",
      loop(
        "message_start and message_end frame every message, update only the streaming answer; at its end a message is saved",
      ),
    ],
  ]),
];
