import {
  agentEvents,
  faults,
  loop,
  payloads,
  profile,
  type Requirement,
  requirements,
  sessionEvents,
  userEvents,
} from "./requirement.ts";

const seed = "pi-hook-reference";

/** Input, start and end of a run. */
export const piPromptRequirements: readonly Requirement[] = [
  ...requirements(seed, "1 input", [
    [
      "pi-input-when",
      "fires when text is submitted: by the human, over RPC, or by an extension, and says which",
      loop("input tells its source: %s, and images travel"),
    ],
    [
      "pi-input-before-expansion",
      "skills and templates are expanded after it",
      loop("extension commands come before input, built-in commands and expansion after it"),
    ],
    [
      "pi-input-extension-commands",
      "an extension command is looked for before it; when one matches, it never fires",
      userEvents("an extension command is checked before input, which then never fires"),
      loop("extension commands come before input, built-in commands and expansion after it"),
      profile("input.after-commands"),
    ],
    [
      "pi-input-built-ins",
      "built-in commands are looked for after it",
      userEvents("built-in commands are checked after: input may transform a text into one"),
      loop("extension commands come before input, built-in commands and expansion after it"),
      profile("input.before-built-ins"),
    ],
    [
      "pi-input-chain",
      "handlers run one after another over all extensions, each with the text that the one before made",
      userEvents("each handler sees the text of the previous transform (pi-hook-reference section 1, Chaining)"),
    ],
    [
      "pi-input-handled-stops",
      "the first `handled` ends the chain and everything behind it",
      userEvents("the first handled stops the chain (pi-hook-reference section 1, Chaining)"),
      profile("input.handled-stops"),
    ],
    [
      "pi-input-payload",
      "carries the current text, images if there are any, and the source",
      loop("input tells its source: %s, and images travel"),
      userEvents("each handler sees the text of the previous transform (pi-hook-reference section 1, Chaining)"),
    ],
    [
      "pi-input-continue",
      "`continue` and no answer are the same: the text passes",
      userEvents("continue and undefined pass through (pi-hook-reference section 1)"),
    ],
    [
      "pi-input-transform",
      "`transform` gives another text, and other images if it likes",
      userEvents(
        "omitted images keep the original ones, given ones replace them (pi-hook-reference section 1, Edge cases)",
      ),
      userEvents("each handler sees the text of the previous transform (pi-hook-reference section 1, Chaining)"),
      profile("inputAnswer.transform"),
    ],
    [
      "pi-input-handled",
      "`handled` swallows the text: no model call, no further handler",
      loop("an unknown tool is an error result, and a handled input calls no model"),
      userEvents("the first handled stops the chain (pi-hook-reference section 1, Chaining)"),
      profile("inputAnswer.action"),
    ],
    [
      "pi-input-into-command",
      "a text can be transformed into a built-in command",
      userEvents("built-in commands are checked after: input may transform a text into one"),
      profile("input.before-built-ins"),
    ],
    [
      "pi-input-out-of-command",
      "a built-in command can be transformed into something else",
      loop("a built-in command can be transformed into something else"),
    ],
    [
      "pi-input-images",
      "a transform that leaves images out keeps the original ones",
      userEvents(
        "omitted images keep the original ones, given ones replace them (pi-hook-reference section 1, Edge cases)",
      ),
      profile("input.images"),
    ],
  ]),
  ...requirements(seed, "2 before_agent_start", [
    [
      "pi-start-when",
      "fires after input and expansion, before the agent is prompted",
      loop("a prompt: input, before_agent_start, agent_start, turns, agent_end, each once per run"),
      loop("extension commands come before input, built-in commands and expansion after it"),
    ],
    [
      "pi-start-once",
      "fires once for a prompt and not on the later turns of its run",
      loop("before_agent_start fires once per prompt, never on later turns"),
      profile("before_agent_start.once"),
    ],
    [
      "pi-start-prompt-chains",
      "the system prompt chains: each extension sees what the one before made of it",
      profile("systemPrompt.chain"),
    ],
    [
      "pi-start-prompt-resets",
      "when nobody returns a system prompt the base prompt holds; an earlier run leaves nothing",
      loop("a system prompt holds for one run: the next starts from the base again"),
      agentEvents("the system prompt is reset each run (pi-hook-reference section 2, System prompt)"),
      profile("before_agent_start.reset"),
    ],
    ["pi-start-messages-accumulate", "the messages of all handlers are kept", profile("startMessages.both")],
    [
      "pi-start-messages-place",
      "each becomes a message of role `custom` of its own, behind the user's message",
      loop(
        "messages of before_agent_start stand after the user message, each one custom message; `display` hides none from the model",
      ),
    ],
    [
      "pi-start-payload",
      "carries the expanded prompt, its images, and the system prompt as chained so far",
      loop("extension commands come before input, built-in commands and expansion after it"),
      loop("input tells its source: %s, and images travel"),
      profile("systemPrompt.chain"),
    ],
    [
      "pi-start-message-type",
      "a message names its type",
      agentEvents("delivers the message with its fields (pi-hook-reference section 2)"),
    ],
    [
      "pi-start-message-content",
      "its content is a text or a list of text and image parts",
      agentEvents("delivers the message with its fields (pi-hook-reference section 2)"),
      loop(
        "messages of before_agent_start stand after the user message, each one custom message; `display` hides none from the model",
      ),
    ],
    [
      "pi-start-message-details",
      "its details are kept for rendering and state",
      agentEvents("delivers the message with its fields (pi-hook-reference section 2)"),
      loop(
        "messages of before_agent_start stand after the user message, each one custom message; `display` hides none from the model",
      ),
    ],
    [
      "pi-start-system-prompt",
      "a returned system prompt holds for this run",
      profile("systemPrompt.text"),
      loop("a system prompt holds for one run: the next starts from the base again"),
    ],
    [
      "pi-start-display",
      "`display` decides about the screen alone; the model always sees the message",
      loop(
        "messages of before_agent_start stand after the user message, each one custom message; `display` hides none from the model",
      ),
      payloads("custom messages become messages of the user, whether displayed or not"),
    ],
    [
      "pi-start-llm-role",
      "on the way to the model a custom message has the role of the user",
      payloads("custom messages become messages of the user, whether displayed or not"),
    ],
    [
      "pi-start-throw-reported",
      "a throw is caught and reported",
      agentEvents("a throw does not stop other handlers (pi-hook-reference section 2, Error handling)"),
      faults("%s, %s: a handler that %s is reported to listeners and audit, and the chain goes on"),
    ],
    [
      "pi-start-throw-goes-on",
      "the other handlers still run and the run goes on",
      agentEvents("a throw does not stop other handlers (pi-hook-reference section 2, Error handling)"),
      profile("before_agent_start.throw"),
    ],
  ]),
  ...requirements(seed, "2 agent_start", [
    [
      "pi-agent-start-when",
      "fires when the loop begins, after `before_agent_start`",
      loop("a prompt: input, before_agent_start, agent_start, turns, agent_end, each once per run"),
    ],
    [
      "pi-agent-start-once",
      "fires once per run, with nothing but its type",
      loop("a prompt: input, before_agent_start, agent_start, turns, agent_end, each once per run"),
      payloads("%s, %s: every field of the seed"),
    ],
    [
      "pi-agent-start-answer",
      "is for information: an answer has no effect",
      sessionEvents("events that only tell answer nothing (pi-hook-reference, agent_start: no return value)"),
      profile("observe.answers"),
    ],
  ]),
  ...requirements(seed, "2 agent_end", [
    [
      "pi-agent-end-when",
      "fires when all turns are done and nothing is queued",
      loop("a prompt: input, before_agent_start, agent_start, turns, agent_end, each once per run"),
      loop("a steering message becomes the input of the next turn, and the run goes on for it"),
    ],
    [
      "pi-agent-end-once",
      "fires once per run",
      loop("a prompt: input, before_agent_start, agent_start, turns, agent_end, each once per run"),
      profile("agent_end.new-only"),
    ],
    [
      "pi-agent-end-messages",
      "carries the messages that the run made",
      sessionEvents("agent_end carries the messages of this run as the host gave them (pi-hook-reference section 2)"),
      loop("agent_end carries the new messages of this run only; the session manager has the whole history"),
    ],
    [
      "pi-agent-end-new-only",
      "those alone, not the conversation before it",
      loop("agent_end carries the new messages of this run only; the session manager has the whole history"),
      profile("agent_end.new-only"),
    ],
    [
      "pi-agent-end-history",
      "the whole history comes from the session manager",
      payloads("state is restored from the session: getBranch gives the whole history"),
    ],
  ]),
];
