import { type ChildProcessByStdio, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { cleanEnvironment, sdkModule } from "./mcp-client.ts";
import type { Scratch } from "./scratch.ts";

interface HttpTransport {
  sessionId?: string;
  onmessage?: (message: { readonly id?: string | number; readonly method?: string }) => void;
  onclose?: () => void;
  start(): Promise<void>;
  send(message: object, options?: { readonly relatedRequestId?: string | number }): Promise<void>;
  close(): Promise<void>;
  handleRequest(request: IncomingMessage, response: ServerResponse, body?: unknown): Promise<void>;
}

/** A stdio server behind HTTP on loopback, for tools that speak HTTP alone. It is the same for a server and for a proxy. */
export interface Bridge {
  readonly url: string;
  close(): Promise<void>;
}

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** Starts a bridge: each HTTP session gets a process of its own. */
export async function startBridge(scratch: Scratch, command: readonly string[]): Promise<Bridge> {
  const { StreamableHTTPServerTransport } = await sdkModule<{
    StreamableHTTPServerTransport: new (options: object) => HttpTransport;
  }>("server/streamableHttp.js");
  const sessions = new Map<string, HttpTransport>();
  const children: Child[] = [];
  const opened = async (): Promise<HttpTransport> => {
    const transport: HttpTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id: string) => void sessions.set(id, transport),
    });
    const child = startServer(scratch, command);
    children.push(child);
    join(transport, child);
    await transport.start();
    return transport;
  };
  const server = createServer((request, response) => {
    const id = request.headers["mcp-session-id"];
    const known = typeof id === "string" ? sessions.get(id) : undefined;
    void Promise.resolve(known ?? opened())
      .then((transport) => transport.handleRequest(request, response))
      .catch(() => response.destroy());
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close: async () => {
      for (const child of children) child.stdin.end();
      await Promise.all(children.map(ended));
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function startServer(scratch: Scratch, command: readonly string[]): Child {
  const [file = "", ...args] = command;
  return spawn(file, args, { cwd: scratch.project, env: cleanEnvironment(scratch), stdio: ["pipe", "pipe", "ignore"] });
}

/** A server's own messages belong to the request that is open: that is where clients listen. */
function join(transport: HttpTransport, child: Child): void {
  const open: (string | number)[] = [];
  transport.onmessage = (message) => {
    if (message.method !== undefined && message.id !== undefined) open.push(message.id);
    child.stdin.write(`${JSON.stringify(message)}\n`);
  };
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line) as { id?: string | number; method?: string };
    const answered = message.method === undefined ? open.indexOf(message.id ?? "") : -1;
    if (answered >= 0) open.splice(answered, 1);
    const related = message.method === undefined ? undefined : open.at(-1);
    void transport.send(message, related === undefined ? {} : { relatedRequestId: related }).catch(() => undefined);
  });
}

/** Waits for a process that we started; one that does not end is ended. */
function ended(child: Child): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((done) => {
    const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
    child.once("exit", () => {
      clearTimeout(timer);
      done();
    });
  });
}
