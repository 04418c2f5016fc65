import { join } from "node:path";
import { type Body, eventStream, type HostTurn, itemsOf, type ModelApi } from "./server.ts";

/** Anthropic messages, streaming, as Claude Code uses them in a project folder. */
export function anthropicMessages(project: string): ModelApi {
  return {
    isTurn: (path, body) =>
      path.split("?")[0]?.endsWith("/messages") === true && itemsOf(body, "tools").some(({ name }) => name === "Bash"),
    answered: (body) => itemsOf(body, "messages").filter(({ role }) => role === "assistant").length,
    call: ({ name, args }) =>
      name === "bash"
        ? { name: "Bash", args: { command: args["command"], description: "a stand-in" } }
        : { name: "Read", args: { file_path: join(project, String(args["path"])) } },
    response,
  };
}

function response(turn: HostTurn, path: string, body: Body, id: number): { type: string; text: string } {
  if (path.includes("count_tokens")) return { type: "application/json", text: JSON.stringify({ input_tokens: 10 }) };
  const block =
    "call" in turn
      ? { type: "tool_use", id: `toolu_${id}`, name: turn.call.name, input: turn.call.args }
      : { type: "text", text: turn.text };
  const stop = "call" in turn ? "tool_use" : "end_turn";
  const usage = { input_tokens: 10, output_tokens: 5 };
  const message = { id: `msg_${id}`, type: "message", role: "assistant", model: body["model"], usage };
  if (body["stream"] !== true) {
    const whole = { ...message, content: [block], stop_reason: stop, stop_sequence: null };
    return { type: "application/json", text: JSON.stringify(whole) };
  }
  const [start, delta] =
    "call" in turn
      ? [
          { ...block, input: {} },
          { type: "input_json_delta", partial_json: JSON.stringify(turn.call.args) },
        ]
      : [
          { type: "text", text: "" },
          { type: "text_delta", text: turn.text },
        ];
  const named = [
    { type: "message_start", message: { ...message, content: [], stop_reason: null, stop_sequence: null } },
    { type: "content_block_start", index: 0, content_block: start },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 5 } },
    { type: "message_stop" },
  ];
  return eventStream(named.map((event) => [event.type, event] as const));
}
