import { AgentLoop, type AgentLoopPorts, type ModelRequest } from "../../../adapters/hooks/agent-loop.ts";
import type { AgentMessage, AssistantMessage } from "../../../adapters/hooks/messages.ts";
import { acceptsEvent, type ProfileName, profiles } from "../../../adapters/hooks/profiles.ts";
import type { ToolUpdate } from "../../../adapters/hooks/tool-wrapper.ts";
import { type LooseFactory, type Ran, runnerOf, type Setup, text } from "./modules.ts";

export const says = (value: string): AssistantMessage => ({ role: "assistant", content: [text(value)] });
export const calls = (...names: string[]): AssistantMessage => ({
  role: "assistant",
  content: names.map((name, at) => ({ type: "toolCall", id: `c${at}`, name, arguments: { path: "a" } })),
});

export const reading = {
  name: "read",
  execute: async (_id: string, _params: object, _signal?: AbortSignal, onUpdate?: ToolUpdate) => {
    onUpdate?.({ content: [text("half")] });
    return { content: [text("whole")], details: { n: 1 } };
  },
};
export const failing = {
  name: "fail",
  execute: async () => {
    throw new Error("broken");
  },
};

/** A loop, and all that came out of it. */
export interface Seen extends Ran {
  readonly loop: AgentLoop;
  readonly events: { type: string; [field: string]: unknown }[];
  readonly requests: ModelRequest[];
  readonly saved: AgentMessage[];
}

export const told = [
  "input",
  "before_agent_start",
  "agent_start",
  "agent_end",
  "turn_start",
  "context",
  "turn_end",
  "message_start",
  "message_update",
  "message_end",
  "tool_execution_start",
  "tool_execution_update",
  "tool_execution_end",
  "tool_call",
  "tool_result",
];

/** A loop over a scripted model, with a module that notes every event. */
export function loopOf(
  answers: AssistantMessage[],
  modules: LooseFactory[] = [],
  more: Partial<AgentLoopPorts> & Setup = {},
  profile: ProfileName = "pi",
): Seen {
  const events: Seen["events"] = [];
  const requests: ModelRequest[] = [];
  const saved: AgentMessage[] = [];
  const notes: LooseFactory = (api) => {
    for (const name of told.filter((name) => acceptsEvent(profiles[profile], name)))
      api.on(name, (event) => void events.push(event));
  };
  const { runner, errors } = runnerOf(profile, [...modules, notes], more);
  const loop = new AgentLoop(runner, {
    tools: [reading, failing],
    systemPrompt: () => "base",
    now: () => 7,
    save: (message) => void saved.push(message),
    model: async (request) => {
      requests.push(request);
      const answer = answers[requests.length - 1] ?? says("done");
      if (answer.content[0]?.type === "text") await request.update(answer, { token: "d" });
      return answer;
    },
    ...more,
  });
  return { loop, runner, errors, events, requests, saved };
}

export const types = (seen: Seen, but: RegExp = /^message_|^tool_/) =>
  seen.events.map((event) => event.type).filter((type) => !but.test(type));
export const only = (seen: Seen, type: string) => seen.events.filter((event) => event.type === type);
