import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { assertHarmless, type ScriptedCall } from "./stand-ins.ts";

/** One answer of the scripted model: tool calls, or text that ends the run. */
export type ScriptedTurn = { readonly calls: readonly ScriptedCall[] } | { readonly text: string };

/** An answer that says again all that the model was sent: what a host prints of it shows what it lets out. */
export interface EchoTurn {
  readonly echo: true;
}

/** A model on loopback that says what it was told to say and keeps what it was asked. */
export interface ModelServer {
  /** Base address for an `openai-completions` provider. */
  readonly url: string;
  /** Bodies of the requests, in order. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** How a scripted model answers. */
export interface ModelManner {
  /** Milliseconds until its first token; it answers at once when not given. */
  readonly firstToken?: number;
}

/**
 * Starts a scripted model that speaks streaming OpenAI chat completions on 127.0.0.1, on a free port. Request n gets turn n;
 * requests beyond the script get a closing text. Rejects a script that holds anything but harmless stand-ins.
 */
export async function startModelServer(
  turns: readonly (ScriptedTurn | EchoTurn)[],
  manner: ModelManner = {},
): Promise<ModelServer> {
  for (const turn of turns) if ("calls" in turn) turn.calls.forEach(assertHarmless);
  const requests: string[] = [];
  const server = createServer((request, response) => {
    void answer(request, response, requests, turns, manner);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, requests, close: () => closed(server) };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  requests: string[],
  turns: readonly (ScriptedTurn | EchoTurn)[],
  { firstToken }: ModelManner,
): Promise<void> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  if (request.method !== "POST" || !request.url?.endsWith("/chat/completions")) {
    response.writeHead(404).end();
    return;
  }
  const said = turns[requests.length] ?? { text: "All done." };
  const body = Buffer.concat(chunks).toString("utf8");
  const turn = "echo" in said ? { text: contents(body) } : said;
  const number = requests.push(body);
  if (firstToken !== undefined) await new Promise((resolve) => setTimeout(resolve, firstToken));
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const event of completion(turn, number)) response.write(`data: ${JSON.stringify(event)}\n\n`);
  response.end("data: [DONE]\n\n");
}

function contents(body: string): string {
  const { messages } = JSON.parse(body) as { messages: readonly { readonly content?: unknown }[] };
  return JSON.stringify(messages.map(({ content }) => content));
}

function completion(turn: ScriptedTurn, number: number): object[] {
  const base = { id: `chatcmpl-${number}`, object: "chat.completion.chunk", created: 0, model: "scripted" };
  const chunk = (delta: object, finish: string | null = null) => ({
    ...base,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const usage = { ...base, choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } };
  if ("text" in turn) {
    return [chunk({ role: "assistant", content: "" }), chunk({ content: turn.text }), chunk({}, "stop"), usage];
  }
  const calls = turn.calls.map((call, index) => toolCall(call, index, number));
  return [
    chunk({ role: "assistant", content: null }),
    ...calls.map((call) => chunk({ tool_calls: [call] })),
    chunk({}, "tool_calls"),
    usage,
  ];
}

function toolCall(call: ScriptedCall, index: number, number: number): object {
  const fn = { name: call.name, arguments: JSON.stringify(call.args) };
  return { index, id: `call_${number}_${index}`, type: "function", function: fn };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
