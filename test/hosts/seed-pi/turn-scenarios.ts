import type { Answers, Hands, HostEvent, Message } from "./pi-api.ts";

const messages = (event: HostEvent): readonly Message[] => event["messages"] as readonly Message[];
const says = (message: Message, words: string): boolean => JSON.stringify(message.content ?? "").includes(words);
const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }], timestamp: 1 });

/** What an event that only tells must not heed. */
const unheeded = { block: true, cancel: true, reason: "not heeded", action: "handled", systemPrompt: "Not heeded." };

/** Writes down when the agent is idle again, which pi fires no event for in every version. */
function whenIdle(_event: HostEvent, { ctx, note }: Hands): void {
  const look = setInterval(() => {
    if (ctx.isIdle?.() !== true) return;
    clearInterval(look);
    note({ type: "idle" });
  }, 10);
}

/** Turns, the context and messages. */
export const turnScenarios: Readonly<Record<string, Readonly<Record<string, Answers>>>> = {
  "answers to what only tells": {
    a: Object.fromEntries(
      [
        "agent_start",
        "agent_end",
        "turn_start",
        "message_start",
        "message_update",
        "tool_execution_start",
        "tool_execution_update",
        "tool_execution_end",
      ].map((event) => [event, () => unheeded]),
    ),
  },
  "context changed": {
    a: {
      context: (event) => ({
        messages: [...messages(event).filter((message) => !says(message, "forget-me")), user("words of the context")],
      }),
    },
    b: { context: (event, { note }) => note({ type: "seen by b", messages: messages(event) }) },
  },
  "context in place": {
    a: {
      context: (event) => {
        const list = messages(event) as Message[];
        for (const message of list) if (says(message, "keep-me")) Object.assign(message, user("edited in place"));
      },
    },
  },
  steer: {
    a: {
      tool_execution_start: (_event, { pi }) => {
        pi.sendUserMessage("words that steer", { deliverAs: "steer" });
        pi.sendUserMessage("words that follow", { deliverAs: "followUp" });
      },
    },
  },
  typed: {
    a: {
      agent_end: whenIdle,
      input: (_event, { ctx, note }) =>
        note({ type: "themes", names: ctx.ui?.getAllThemes?.().map(({ name }) => name) }),
    },
  },
  "typed into a command": {
    a: { agent_end: whenIdle, input: () => ({ action: "transform", text: "/new" }) },
  },
  "fewer tools": { a: { command: (_event, { pi }) => pi.setActiveTools(["read"]) } },
  "all tools": {
    a: { command: (_event, { pi }) => pi.setActiveTools(["read", "bash", "edit", "write", "seed_tool"]) },
  },
};
