import { type Body, eventStream, type HostCall, type HostTurn, itemsOf, type ModelApi } from "./server.ts";

/** OpenAI Responses, streaming, as Codex uses them. */
export const openaiResponses: ModelApi = {
  isTurn: (path) => path.split("?")[0]?.endsWith("/responses") === true,
  answered: (body) =>
    itemsOf(body, "input").filter(
      ({ type, role }) => type === "function_call" || type === "custom_tool_call" || role === "assistant",
    ).length,
  call: ({ args }, body) => shellCall(String(args["command"] ?? `cat ${String(args["path"])}`), body),
  response,
};

/** Codex has one shell tool, under a name and with arguments that depend on its settings. */
function shellCall(command: string, body: Body): HostCall {
  const names = itemsOf(body, "tools").map(({ name }) => name);
  if (names.includes("exec_command")) return { name: "exec_command", args: { cmd: command } };
  if (names.includes("shell_command")) return { name: "shell_command", args: { command } };
  return { name: "shell", args: { command: ["bash", "-lc", command] } };
}

function response(turn: HostTurn, _path: string, _body: Body, id: number): { type: string; text: string } {
  const item =
    "call" in turn
      ? {
          type: "function_call",
          id: `fc_${id}`,
          call_id: `call_${id}`,
          name: turn.call.name,
          arguments: JSON.stringify(turn.call.args),
          status: "completed",
        }
      : {
          type: "message",
          id: `m_${id}`,
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text: turn.text, annotations: [] }],
        };
  const usage = {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 15,
  };
  const named = [
    { type: "response.created", response: { id: `resp_${id}` } },
    { type: "response.output_item.added", output_index: 0, item: { ...item, status: "in_progress" } },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: { id: `resp_${id}`, status: "completed", output: [item], usage } },
  ];
  return eventStream(named.map((event) => [event.type, event] as const));
}
