import { type Body, eventStream, type HostTurn, itemsOf, type ModelApi } from "./server.ts";

/** Gemini's generateContent, streaming and not, as Gemini CLI uses it. */
export const geminiStream: ModelApi = {
  isTurn: (path, body) => path.includes(":streamGenerateContent") && itemsOf(body, "tools").length > 0,
  // The host puts words of its own into the model's mouth, so of texts those of the script count alone.
  answered: (body, said) =>
    itemsOf(body, "contents")
      .filter(({ role }) => role === "model")
      .flatMap((content) => itemsOf(content, "parts"))
      .filter((part) => "functionCall" in part || said.has(String(part["text"]))).length,
  call: ({ name, args }) =>
    name === "bash"
      ? { name: "run_shell_command", args: { command: args["command"], description: "a stand-in" } }
      : { name: "read_file", args: { file_path: args["path"] } },
  response,
};

function response(turn: HostTurn, path: string, _body: Body, id: number): { type: string; text: string } {
  const part =
    "call" in turn
      ? { functionCall: { id: `call_${id}`, name: turn.call.name, args: turn.call.args } }
      : { text: turn.text };
  const whole = {
    candidates: [{ index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
    modelVersion: "scripted",
    responseId: `r${id}`,
  };
  if (path.includes(":countTokens")) return { type: "application/json", text: JSON.stringify({ totalTokens: 10 }) };
  if (path.includes(":streamGenerateContent")) return eventStream([[undefined, whole]]);
  return { type: "application/json", text: JSON.stringify(whole) };
}
