import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { assertHarmless, type ScriptedCall } from "./stand-ins.ts";

/** One answer of the scripted model: tool calls, or text that ends the run; `tokens` says how long the request was. */
export type ScriptedTurn =
  | { readonly calls: readonly ScriptedCall[] }
  | { readonly text: string; readonly tokens?: number };

/** An answer that is none: a stream with this error in place of a text. */
export interface FailedTurn {
  readonly fails: string;
}

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

/** One whose script can be changed between two runs of a host that goes on. */
export interface PromptedModelServer extends ModelServer {
  /** Gives the answers of the requests to come, in place of what is left of the script. Throws at what is no stand-in. */
  say(turns: readonly (ScriptedTurn | FailedTurn)[]): void;
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
  script: readonly (ScriptedTurn | EchoTurn | FailedTurn)[],
  manner: ModelManner = {},
): Promise<PromptedModelServer> {
  const turns = harmless(script);
  const requests: string[] = [];
  const server = createServer((request, response) => {
    answer(request, response, requests, turns, manner).catch((fault) => response.writeHead(500).end(String(fault)));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const say = (next: readonly (ScriptedTurn | FailedTurn)[]) => {
    // Requests beyond the old script leave holes, which are answered with the closing text.
    turns.length = requests.length;
    turns.push(...harmless(next));
  };
  return { url: `http://127.0.0.1:${port}/v1`, requests, say, close: () => closed(server) };
}

/** A copy of turns, which nobody can change. Throws an Error when one asks for anything but a stand-in. */
function harmless<T extends ScriptedTurn | EchoTurn | FailedTurn>(turns: readonly T[]): T[] {
  for (const turn of turns) if ("calls" in turn) turn.calls.forEach(assertHarmless);
  return [...turns];
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  requests: string[],
  turns: readonly (ScriptedTurn | EchoTurn | FailedTurn)[],
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
  const number = requests.push(body);
  const turn = "echo" in said ? { text: contents(body) } : said;
  if (firstToken !== undefined) await new Promise((resolve) => setTimeout(resolve, firstToken));
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const events = "fails" in turn ? [{ error: { message: turn.fails } }] : completion(turn, number);
  for (const event of events) response.write(`data: ${JSON.stringify(event)}\n\n`);
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
  const length = ("tokens" in turn && turn.tokens) || 10;
  const counts = { prompt_tokens: length, completion_tokens: 5, total_tokens: length + 5 };
  const usage = { ...base, choices: [], usage: counts };
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
