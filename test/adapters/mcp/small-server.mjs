// An MCP server for tests, with nothing but JSON-RPC over standard input and output. Its first argument is a JSON file with
// what it lists and answers; it is read anew for each message, so that a test can change what the server says.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [, , file] = process.argv;
const said = () => JSON.parse(readFileSync(file, "utf8"));
const send = (value) => process.stdout.write(typeof value === "string" ? `${value}\n` : `${JSON.stringify(value)}\n`);

process.stderr.write("small server: started\n");
if (said().child) {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  process.stderr.write(`small server: child ${child.pid}\n`);
}

function answer(id, method, params) {
  const { tools = [], pages, info, instructions, results = {}, before = {}, capabilities } = said();
  for (const first of before[method] ?? []) send(first);
  if (method === "initialize") {
    const serverInfo = info ?? { name: "small", version: "1.0.0" };
    const { protocolVersion } = params;
    const result = { protocolVersion, capabilities: capabilities ?? { tools: { listChanged: true } }, serverInfo };
    return send({ jsonrpc: "2.0", id, result: instructions === undefined ? result : { ...result, instructions } });
  }
  if (method === "tools/list" && pages) {
    const page = Number(params?.cursor ?? 0);
    const more = page + 1 < pages.length ? { nextCursor: String(page + 1) } : {};
    return send({ jsonrpc: "2.0", id, result: { tools: pages[page], ...more } });
  }
  if (method === "tools/list") return send({ jsonrpc: "2.0", id, result: { tools } });
  const key = method === "tools/call" ? `tools/call ${params.name}` : method;
  if (results[key] === "hang") return undefined;
  if (results[key] === "exit") process.exit(7);
  if (results[key]?.error) return send({ jsonrpc: "2.0", id, error: results[key].error });
  // What came is in the answer, so that a test sees what the server really got.
  return send({
    jsonrpc: "2.0",
    id,
    result: results[key] ?? { content: [{ type: "text", text: JSON.stringify(params ?? null) }] },
  });
}

createInterface({ input: process.stdin }).on("line", (line) => {
  let value;
  try {
    value = JSON.parse(line);
  } catch {
    process.stderr.write("small server: not JSON\n");
    return;
  }
  process.stderr.write(`small server: got ${line}\n`);
  for (const one of Array.isArray(value) ? value : [value]) {
    if (one.method !== undefined && one.id !== undefined) answer(one.id, one.method, one.params);
    for (const more of one.method === "notifications/initialized" ? (said().requests ?? []) : []) send(more);
  }
});
