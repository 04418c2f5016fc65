import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { installHost } from "./install.ts";
import type { Scratch } from "./scratch.ts";

/** The official SDK: the client of these tests, and the server side of their bridge. */
export const sdkVersion = {
  name: "mcp-sdk",
  version: "1.32.2",
  package: "@modelcontextprotocol/sdk",
  start: "dist/esm/client/index.js",
} as const;

/** As much of the SDK's client as the tests use. */
export interface McpClient {
  connect(transport: unknown): Promise<void>;
  close(): Promise<void>;
  setRequestHandler(schema: unknown, handler: (request: unknown) => Promise<unknown>): void;
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  listPrompts(): Promise<unknown>;
  listResources(): Promise<{ readonly resources: readonly { readonly uri: string }[] }>;
  listResourceTemplates(): Promise<unknown>;
  getPrompt(params: object): Promise<unknown>;
  readResource(params: object): Promise<unknown>;
  complete(params: object): Promise<unknown>;
  ping(): Promise<unknown>;
  callTool(params: object, schema?: undefined, options?: object): Promise<unknown>;
  getInstructions(): string | undefined;
  getServerVersion(): unknown;
  getServerCapabilities(): unknown;
}

/** A client that is connected, with what it was told meanwhile. */
export interface Connected {
  readonly client: McpClient;
  /** What the server wrote to standard error, and the proxy for people. */
  said(): string;
}

/** A module of the SDK's own file tree, as what the tests use of it. */
export async function sdkModule<T>(path: string): Promise<T> {
  const { script } = installHost(sdkVersion);
  return (await import(pathToFileURL(join(script, "../..", path)).href)) as T;
}

interface StdioTransport {
  readonly stderr: NodeJS.ReadableStream | null;
}

/** The environment of everything here: nothing of this machine but where programs are. */
export function cleanEnvironment(scratch: Scratch): Record<string, string> {
  return { PATH: "/usr/bin:/bin", HOME: scratch.home, TMPDIR: join(scratch.root, "tmp"), LANG: "C.UTF-8" };
}

/** The official client, connected to a server that this command line starts; answers sampling, elicitation and roots. */
export async function connect(scratch: Scratch, command: readonly string[]): Promise<Connected> {
  const { Client } = await sdkModule<{ Client: new (info: object, options: object) => McpClient }>("client/index.js");
  const { StdioClientTransport } = await sdkModule<{ StdioClientTransport: new (server: object) => StdioTransport }>(
    "client/stdio.js",
  );
  const types = await sdkModule<Readonly<Record<string, unknown>>>("types.js");
  const client = new Client(
    { name: "host-test", version: "1.0.0" },
    { capabilities: { sampling: {}, elicitation: {}, roots: { listChanged: true } } },
  );
  const answer = { role: "assistant", model: "none", content: { type: "text", text: "a sampled answer" } };
  client.setRequestHandler(types["CreateMessageRequestSchema"], async () => answer);
  client.setRequestHandler(types["ElicitRequestSchema"], async () => ({ action: "decline" }));
  client.setRequestHandler(types["ListRootsRequestSchema"], async () => ({
    roots: [{ uri: `file://${scratch.project}`, name: "project" }],
  }));
  const [file = "", ...args] = command;
  const transport = new StdioClientTransport({
    command: file,
    args,
    env: cleanEnvironment(scratch),
    cwd: scratch.project,
    stderr: "pipe",
  });
  let said = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    said += chunk.toString("utf8");
  });
  await client.connect(transport);
  return { client, said: () => said };
}
