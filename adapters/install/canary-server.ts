import { createInterface } from "node:readline";

/**
 * The MCP server of the proxy's canary: one tool that does nothing and echoes its argument. For the word `garbage` it writes
 * a line that is no message. Only `doctor mcp` starts it, behind our own proxy.
 */
const send = (id: unknown, result: unknown): void => {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
};

interface Request {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly protocolVersion?: string; readonly arguments?: { readonly word?: unknown } };
}

const tool = {
  name: "say",
  description: "says nothing to anybody",
  inputSchema: { type: "object", properties: { word: { type: "string" } } },
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line) as Request;
  if (id === undefined) return;
  if (method === "initialize")
    return send(id, {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "canary", version: "1" },
    });
  if (method === "tools/list") return send(id, { tools: [tool] });
  const word = String(params?.arguments?.word);
  if (word === "garbage") process.stdout.write("{ garbage\n");
  return send(id, { content: [{ type: "text", text: `the server was asked: ${word}` }] });
});
