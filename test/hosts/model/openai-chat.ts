import type { ScriptedCall } from "../stand-ins.ts";
import { type Body, eventStream, type HostCall, type HostTurn, itemsOf, type ModelApi } from "./server.ts";

/** OpenAI chat completions, streaming or whole. `call` says what the host's model calls a stand-in; a request with tools is a turn. */
export function openaiChat(call: (scripted: ScriptedCall) => HostCall): ModelApi {
  return {
    isTurn: (path, body) =>
      path.split("?")[0]?.endsWith("/chat/completions") === true && itemsOf(body, "tools").length > 0,
    answered: (body) => itemsOf(body, "messages").filter(({ role }) => role === "assistant").length,
    call,
    response,
  };
}

function response(turn: HostTurn, _path: string, body: Body, id: number): { type: string; text: string } {
  const finish = "call" in turn ? "tool_calls" : "stop";
  const message = messageOf(turn, id);
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const base = { id: `chatcmpl-${id}`, created: 0, model: body["model"] };
  if (body["stream"] !== true) {
    const whole = {
      ...base,
      object: "chat.completion",
      choices: [{ index: 0, message, finish_reason: finish }],
      usage,
    };
    return { type: "application/json", text: JSON.stringify(whole) };
  }
  const chunk = (delta: object, finish_reason: string | null) => ({
    ...base,
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason }],
  });
  const events: object[] = [
    chunk(message, null),
    chunk({}, finish),
    { ...base, object: "chat.completion.chunk", choices: [], usage },
  ];
  const stream = eventStream(events.map((event) => [undefined, event] as const));
  return { type: stream.type, text: `${stream.text}data: [DONE]\n\n` };
}

function messageOf(turn: HostTurn, id: number): object {
  if (!("call" in turn)) return { role: "assistant", content: turn.text };
  const { name, args } = turn.call;
  const call = { index: 0, id: `call_${id}`, type: "function", function: { name, arguments: JSON.stringify(args) } };
  return { role: "assistant", content: null, tool_calls: [call] };
}
