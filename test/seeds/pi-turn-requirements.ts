import { onPiPrompts, onPiSessions, onPiTools, onPiTurns } from "./pi-host-cases.ts";
import {
  agentEvents,
  agentFaults,
  agentMessages,
  differs,
  examples,
  loop,
  payloads,
  profile,
  type Requirement,
  requirements,
  surface,
  userCommands,
} from "./requirement.ts";

const seed = "pi-hook-reference";

/** Turns, the context and messages. */
export const piTurnRequirements: readonly Requirement[] = [
  ...requirements(seed, "3 turn_start", [
    [
      "pi-turn-start-when",
      "fires at the start of each turn, before the model call",
      loop("a prompt: input, before_agent_start, agent_start, turns, agent_end, each once per run"),
      loop("turn_start comes before the messages of the turn: the human's first, later those that steer"),
      profile("turn_start.first"),
      onPiTurns("turn_start comes before the answer of the model"),
    ],
    [
      "pi-turn-start-index",
      "its index counts from 0 within the run",
      loop("turns count from 0 in each run and carry when they began"),
      onPiTurns("turn_start counts the turns from 0 within the run"),
    ],
    [
      "pi-turn-start-timestamp",
      "it carries when the turn began",
      loop("turns count from 0 in each run and carry when they began"),
      payloads("%s, %s: every field of the seed"),
      onPiTurns("turn_start says when the turn began"),
    ],
  ]),
  ...requirements(seed, "3 context", [
    [
      "pi-context-when",
      "fires before each model call, after the turn began",
      loop("a prompt: input, before_agent_start, agent_start, turns, agent_end, each once per run"),
      loop("context fires before every model call: three calls that loop back make four"),
      onPiTurns("context fires before each model call: a run of three calls has it four times"),
      onPiTurns("context fires once in each turn, from pi 0.87 on behind the handlers of turn_start"),
      differs("pi 0.73 does not wait for handlers of `turn_start`, so that `context` may fire before they begin."),
    ],
    [
      "pi-context-every-turn",
      "a run that calls tools three times has it four times",
      loop("context fires before every model call: three calls that loop back make four"),
      onPiTurns("context fires before each model call: a run of three calls has it four times"),
    ],
    [
      "pi-context-last-word",
      "is the last place to change what the model sees",
      loop("what a context handler changes reaches this model call and no other, and the session keeps its own"),
      onPiTurns("context can leave messages out"),
      onPiTurns("context can add messages"),
      onPiTurns("what context changed is gone in the next call: handlers got a copy"),
    ],
    [
      "pi-context-chain",
      "handlers run in order, each with the output of the one before",
      agentEvents(
        "each handler receives the output of the previous one (omp-authoring-hooks, Context modification contract)",
      ),
      profile("context.chain"),
      onPiTurns("the second handler of context gets what the first made"),
    ],
    [
      "pi-context-copy",
      "the first handler gets a deep copy of the agent's messages",
      agentEvents(
        "the first handler gets a deep copy: the host's messages are never written to (pi-hook-reference section 3)",
      ),
      profile("context.copy"),
      onPiTurns("what context changed is gone in the next call: handlers got a copy"),
    ],
    [
      "pi-context-mutable",
      "the copy may be changed in place",
      agentEvents(
        "the first handler gets a deep copy: the host's messages are never written to (pi-hook-reference section 3)",
      ),
      profile("contextInPlace.emptied"),
      onPiTurns("context messages can be changed in place"),
    ],
    [
      "pi-context-filter",
      "returned messages may leave some out",
      surface("a filter takes debug messages out of the context and shortens results"),
      agentEvents("tens of thousands of messages pass in bounded time"),
      examples("context takes out what is irrelevant"),
      onPiTurns("context can leave messages out"),
    ],
    [
      "pi-context-inject",
      "returned messages may have more",
      agentEvents(
        "each handler receives the output of the previous one (omp-authoring-hooks, Context modification contract)",
      ),
      onPiTurns("context can add messages"),
    ],
    [
      "pi-context-nothing",
      "no answer passes the messages unchanged",
      agentEvents(
        "undefined passes messages through and nothing is returned when nothing changed (omp-authoring-hooks, Context)",
      ),
      profile("context.undefined"),
      profile("context.unchanged"),
      onPiTurns("without an answer of context the messages pass as they are"),
    ],
    [
      "pi-context-roles",
      "it holds messages of every role: user, assistant, toolResult, custom, bashExecution and both summaries",
      loop("the context holds messages of role $role too"),
      loop("the context holds the history, the prompt, injected messages and earlier results, and no system prompt"),
      payloads("commands of the human and summaries too; the model's own roles stay"),
      userCommands("a secret in the output of `!!` is in no request of the model; that of `!` is"),
      onPiTurns("context has messages of the roles user, assistant, toolResult and custom"),
      onPiTools("context has commands of the human, of the role bashExecution"),
      onPiSessions("context has the summary of a branch, of the role branchSummary"),
      onPiSessions("context has the summary of a compaction, of the role compactionSummary"),
    ],
    [
      "pi-context-prompt",
      "it holds the message of the current prompt",
      loop("the context holds the history, the prompt, injected messages and earlier results, and no system prompt"),
      onPiTurns("context has the message of the prompt"),
    ],
    [
      "pi-context-injected",
      "it holds what `before_agent_start` injected",
      loop("the context holds the history, the prompt, injected messages and earlier results, and no system prompt"),
      loop(
        "messages of before_agent_start stand after the user message, each one custom message; `display` hides none from the model",
      ),
      onPiTurns("context has what before_agent_start injected"),
    ],
    [
      "pi-context-results",
      "it holds the results of earlier turns of the run",
      loop("the context holds the history, the prompt, injected messages and earlier results, and no system prompt"),
      onPiTurns("context has the results of earlier turns of the run"),
    ],
    [
      "pi-context-steering",
      "it holds steering and follow-up messages that became input",
      loop("a steering message becomes the input of the next turn, and the run goes on for it"),
      agentMessages("`followUp` waits until the agent would stop"),
      agentMessages("while the agent runs it steers: the message is input of the next turn"),
      onPiTurns("context has steering and follow-up messages that became input"),
      onPiTurns("words that steer are input of the next turn"),
      onPiTurns("words that follow wait until the agent would stop"),
    ],
    [
      "pi-context-history",
      "it holds earlier messages of the session",
      loop("the context holds the history, the prompt, injected messages and earlier results, and no system prompt"),
      onPiTurns("context has earlier messages of the session"),
    ],
    [
      "pi-context-no-system-prompt",
      "it does not hold the system prompt",
      loop("the context holds the history, the prompt, injected messages and earlier results, and no system prompt"),
      onPiTurns("context does not have the system prompt"),
    ],
    [
      "pi-context-no-tools",
      "it does not hold definitions of tools; `pi.setActiveTools` says which the model is offered",
      loop("the context holds the history, the prompt, injected messages and earlier results, and no system prompt"),
      agentMessages("the model is offered the active ones, from its next call on; another does not run"),
      onPiTurns("context has no definitions of tools, which the model is given all the same"),
      onPiTurns("setActiveTools says which tools the model is offered"),
    ],
  ]),
  ...requirements(seed, "3 turn_end", [
    [
      "pi-turn-end-when",
      "fires after the answer and all its tool calls",
      loop("turn_end comes after every tool of the turn and carries the answer and the results"),
      agentFaults("%s"),
      onPiTurns("turn_end comes behind the answer and its tool calls"),
    ],
    [
      "pi-turn-end-payload",
      "carries the turn's index, the assistant's message and the tool results",
      loop("turn_end comes after every tool of the turn and carries the answer and the results"),
      payloads("%s, %s: every field of the seed"),
      onPiTurns("turn_end carries its index, the answer and the results of the tools"),
    ],
  ]),
  ...requirements(seed, "3 message_start, message_update, message_end", [
    [
      "pi-message-lifecycle",
      "each message has a start and an end: user, assistant, tool result and custom",
      loop(
        "message_start and message_end frame every message, update only the streaming answer; at its end a message is saved",
      ),
      agentFaults("%s"),
      onPiTurns("each message has a start and an end"),
      onPiPrompts("its role in the session is custom"),
    ],
    [
      "pi-message-update",
      "only a streaming answer of the assistant has updates",
      loop(
        "message_start and message_end frame every message, update only the streaming answer; at its end a message is saved",
      ),
      onPiTurns("only an answer of the assistant has updates"),
    ],
    [
      "pi-message-update-payload",
      "an update carries the partial message and the token event",
      loop(
        "message_start and message_end frame every message, update only the streaming answer; at its end a message is saved",
      ),
      payloads("%s, %s: every field of the seed"),
      onPiTurns("an update carries the partial message and the token event"),
    ],
    [
      "pi-message-end-saved",
      "at its end a message goes to the session file",
      loop("a message that has begun and not ended is not in the session yet"),
      loop(
        "message_start and message_end frame every message, update only the streaming answer; at its end a message is saved",
      ),
      loop("a message is in the session before handlers hear of its end"),
      onPiTurns("a message goes to the session when the handlers of its end are done"),
      onPiTurns("messages stand in the session file"),
      differs("The message is not yet in the session when the handlers run; pi saves it when they are done."),
    ],
  ]),
];
