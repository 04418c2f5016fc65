import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ModelServer, ScriptedTurn } from "../model-server.ts";
import { assertHarmless, type ScriptedCall } from "../stand-ins.ts";

/** A tool call as a host's model names it. */
export interface HostCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** One model API as a scripted server speaks it. */
export interface ModelApi {
  /** True for a request of the conversation itself; others (titles, classifiers) get a plain text. */
  isTurn(path: string, body: Body): boolean;
  /** How many answers the conversation in this request has had: the number of the turn to give. `said` are the script's texts. */
  answered(body: Body, said: ReadonlySet<string>): number;
  /** What the script calls `bash` and `read`, as this request's tools name it. */
  call(call: ScriptedCall, body: Body): HostCall;
  /** Content type and body of the response. */
  response(turn: HostTurn, path: string, body: Body, id: number): { readonly type: string; readonly text: string };
}

/** A request's body: JSON. */
export type Body = Readonly<Record<string, unknown>>;

/** One answer: a call, or a text that ends the run. */
export type HostTurn = { readonly call: HostCall } | { readonly text: string };

/**
 * Starts a scripted model on 127.0.0.1, on a free port, that speaks the given API. The script holds harmless stand-ins and
 * nothing else, or it is refused; what comes after its end is a closing text. `requests` are those of the conversation.
 */
export async function startScriptedModel(api: ModelApi, turns: readonly ScriptedTurn[]): Promise<ModelServer> {
  for (const turn of turns) if ("calls" in turn) turn.calls.forEach(assertHarmless);
  const requests: string[] = [];
  const server = createServer((request, response) => {
    answer(api, turns, requests, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, close: () => closed(server) };
}

async function answer(
  api: ModelApi,
  turns: readonly ScriptedTurn[],
  requests: string[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  const text = Buffer.concat(chunks).toString("utf8");
  const path = request.url ?? "";
  if (request.method !== "POST" || text === "") {
    response.writeHead(404, { "content-type": "application/json" }).end("{}");
    return;
  }
  const body = JSON.parse(text) as Body;
  let turn: HostTurn = { text: "ok" };
  if (api.isTurn(path, body)) {
    requests.push(text);
    const scripted = turns[api.answered(body, texts(turns))] ?? { text: "All done." };
    const call = "calls" in scripted ? scripted.calls[0] : undefined;
    turn = call ? { call: api.call(call, body) } : { text: "text" in scripted ? scripted.text : "All done." };
  }
  const reply = api.response(turn, path, body, requests.length);
  response.writeHead(200, { "content-type": reply.type, "cache-control": "no-cache" }).end(reply.text);
}

function texts(turns: readonly ScriptedTurn[]): ReadonlySet<string> {
  return new Set(turns.flatMap((turn) => ("text" in turn ? [turn.text] : [])));
}

/** Server-sent events, each with its name where the API has names. */
export function eventStream(events: readonly (readonly [name: string | undefined, data: object])[]): {
  type: string;
  text: string;
} {
  const text = events
    .map(([name, data]) => `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`)
    .join("");
  return { type: "text/event-stream", text };
}

/** Items of a list in a body. */
export function itemsOf(body: Body, name: string): readonly Body[] {
  const value = body[name];
  return Array.isArray(value) ? (value as Body[]) : [];
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
