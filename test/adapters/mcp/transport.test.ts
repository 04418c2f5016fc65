import { afterEach, describe, expect, it } from "vitest";
import { serverEnvironment } from "../../../adapters/mcp/server-process.ts";
import { limits } from "../../../schema/limits.ts";
import { makePlace, type Place, Proxied, type Said } from "./proxied.ts";

const open: { place: Place; proxy: Proxied }[] = [];

function start(said: Said, more = {}): { place: Place; proxy: Proxied } {
  const place = makePlace(said);
  const started = { place, proxy: new Proxied(place, policy, more) };
  open.push(started);
  return started;
}

afterEach(async () => {
  for (const { proxy } of open) await proxy.close();
  for (const { place } of open.splice(0)) place.remove();
});

const policy = `version: 1
policy: p
rules:
  - id: no-bad-word
    event: tool_call
    when: { args.word: bad }
    action: block
    reason: the word is bad
`;
const echo = { name: "echo", inputSchema: { type: "object" } };

describe("messages", () => {
  it("pass with numbers that a double cannot hold, and methods that nobody knows", async () => {
    const { proxy } = start({ tools: [echo] });
    await proxy.hello();
    proxy.raw(
      '{"jsonrpc":"2.0", "id":99, "method":"custom/method", "params":{"n":12345678901234567890, "_meta":{"progressToken":"t"}}}\n',
    );
    await proxy.until((message) => message["id"] === 99);
    await proxy.untilSaid("custom/method");
    expect(proxy.err).toContain('"params":{"n":12345678901234567890, "_meta":{"progressToken":"t"}}}');
    expect(proxy.lines.at(-1)).toContain("progressToken");
  });

  it("with one key twice reach the server as they were judged", async () => {
    const { proxy } = start({ tools: [echo] });
    await proxy.hello();
    proxy.raw(
      '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"echo","arguments":{"word":"bad"},"arguments":{"word":"good"}}}\n',
    );
    await proxy.until((message) => message["id"] === 5);
    expect(proxy.lines.at(-1)).toContain("good");
    proxy.raw(
      '{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"echo","arguments":{"word":"good"},"arguments":{"word":"bad"}}}\n',
    );
    await proxy.until((message) => message["id"] === 6);
    expect(proxy.lines.at(-1)).toContain("the word is bad");
  });

  it.each([
    ["another spelling of a key", '{"jsonrpc":"2.0","id":5,"method":"ping","Method":"tools/call"}'],
    ["a result and an error", '{"jsonrpc":"2.0","result":{},"error":{"code":1,"message":"x"}}'],
    ["a method and a result", '{"jsonrpc":"2.0","id":5,"method":"ping","result":{}}'],
    ["an id that is an object", '{"jsonrpc":"2.0","id":{},"method":"ping"}'],
    ["parameters that are a list", '{"jsonrpc":"2.0","id":5,"method":"ping","params":[]}'],
    ["an empty batch", "[]"],
    ["a text", '"hello"'],
  ])("with %s are no messages, and go nowhere", async (_what, text) => {
    const { proxy } = start({ results: { ping: {} } });
    await proxy.hello();
    proxy.raw(`${text}\n`);
    const answer = await proxy.until((message) => message["error"] !== undefined);
    expect(answer["error"].code).toBe(-32_600);
    await proxy.ask("ping", undefined, "after");
    expect(proxy.err.split("small server: got").length).toBe(4);
  });

  it.each([
    ["is no JSON", Buffer.from('{"jsonrpc"\n')],
    ["is no UTF-8", Buffer.from([0x22, 0xff, 0x22, 0x0a])],
  ])("of the client that %s are answered with a parse error", async (_what, bytes) => {
    const { proxy } = start({ results: { ping: {} } });
    await proxy.hello();
    proxy.raw(bytes);
    const answer = await proxy.until((message) => message["error"] !== undefined);
    expect(answer).toMatchObject({ id: null, error: { code: -32_700 } });
    expect((await proxy.ask("ping"))["result"]).toEqual({});
  });

  it("of the server that are no JSON never reach the client", async () => {
    const { proxy } = start({ before: { ping: ["a line of a log", '{"half":'] }, results: { ping: {} } });
    await proxy.hello();
    expect((await proxy.ask("ping"))["result"]).toEqual({});
    expect(proxy.lines).toHaveLength(2);
    expect(proxy.err).toContain("a message of the server was not passed on");
  });

  it.each([
    ["a result that is a text", { result: "secret text" }],
    ["a result that is a list", { result: [{ type: "text", text: "secret text" }] }],
    ["an error that is a text", { error: "secret text" }],
    ["a result and an error", { error: { code: 1, message: "no" }, result: { content: "secret text" } }],
  ])("of the server with %s are no answers", async (_what, answer) => {
    const { proxy } = start({
      tools: [echo],
      results: { "tools/call echo": "hang" },
      before: { "tools/call": [{ jsonrpc: "2.0", id: 2, ...answer }] },
    });
    await proxy.hello();
    expect((await proxy.call("echo"))["error"].message).toContain("hookwarden");
    expect(proxy.lines.join("\n")).not.toContain("secret text");
  });

  it("of the server that nobody asked for never reach the client", async () => {
    const answer = { jsonrpc: "2.0", id: 999, result: { content: [] } };
    const { proxy } = start({ before: { ping: [answer] }, results: { ping: {} } });
    await proxy.hello();
    await proxy.ask("ping");
    expect(proxy.lines).toHaveLength(2);
  });

  it("that are too long are answered with an error, on both sides", async () => {
    const { proxy, place } = start({ tools: [echo] });
    await proxy.hello();
    const long = "x".repeat(limits.eventBytes);
    proxy.send({ jsonrpc: "2.0", id: "a", method: "tools/call", params: { name: "echo", arguments: { long } } });
    const refused = await proxy.until((message) => message["id"] === "a");
    expect(refused["error"].message).toContain("longer than");
    place.say({ tools: [echo], results: { "tools/call echo": { content: [{ type: "text", text: long }] } } });
    const answer = await proxy.call("echo");
    expect(answer["error"].message).toContain("longer than");
    place.say({ tools: [echo] });
    expect((await proxy.call("echo"))["result"]).toBeDefined();
  });

  it("come in pieces and several at once, and keep their order", async () => {
    const { proxy } = start({ tools: [echo] });
    await proxy.hello();
    const text = [1, 2, 3]
      .map(
        (n) =>
          `${JSON.stringify({ jsonrpc: "2.0", id: `o${n}`, method: n === 2 ? "tools/call" : "x", params: { name: "echo", arguments: { n: "é" } } })}\n`,
      )
      .join("");
    const bytes = Buffer.from(text);
    for (let i = 0; i < bytes.length; i += 7) proxy.raw(bytes.subarray(i, i + 7));
    await proxy.until((message) => message["id"] === "o3");
    expect(proxy.messages.slice(1).map((message) => message["id"])).toEqual(["o1", "o2", "o3"]);
  });

  it("in a batch are judged one by one", async () => {
    const { proxy } = start({ tools: [echo] });
    await proxy.hello();
    const call = (id: number, word: string) => ({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name: "echo", arguments: { word } },
    });
    proxy.send([call(11, "good"), call(12, "bad")]);
    await proxy.until((message) => message["id"] === 11);
    const refused = await proxy.until((message) => message["id"] === 12);
    expect(refused["result"].isError).toBe(true);
    expect(proxy.err).not.toContain('"word":"bad"');
  });

  it("of one id twice are refused while the first is open", async () => {
    const { proxy } = start({ tools: [echo], results: { "tools/call echo": "hang" } });
    await proxy.hello();
    const call = { jsonrpc: "2.0", id: 8, method: "tools/call", params: { name: "echo", arguments: {} } };
    proxy.send(call);
    proxy.send(call);
    const answer = await proxy.until((message) => message["id"] === 8);
    expect(answer["error"].message).toContain("still open");
    proxy.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 8 } });
    await proxy.untilSaid("notifications/cancelled");
  });
});

describe("the server", () => {
  it("gets variables of the allow-list and those that are named", () => {
    const variables = { PATH: "/bin", HOME: "/h", LC_ALL: "C", TOKEN: "t", OTHER: "o" };
    expect(serverEnvironment({ variables, env: [] })).toEqual({ PATH: "/bin", HOME: "/h", LC_ALL: "C" });
    expect(serverEnvironment({ variables, env: ["TOKEN", "A=b=c", "ABSENT"] })).toEqual({
      PATH: "/bin",
      HOME: "/h",
      LC_ALL: "C",
      TOKEN: "t",
      A: "b=c",
    });
  });

  it("has its standard error passed on", async () => {
    const { proxy } = start({});
    await proxy.untilSaid("small server: started");
  });

  it.each(["the client goes", "the proxy is told to end"])("ends with all it started when %s", async (how) => {
    const { proxy } = start({ child: true });
    await proxy.hello();
    await proxy.untilSaid("small server: child ");
    const child = Number(/child (\d+)/.exec(proxy.err)?.[1]);
    expect(isRunning(child)).toBe(true);
    if (how === "the client goes") expect(await proxy.close()).toBe(0);
    else {
      proxy.abort();
      await proxy.exit;
    }
    await expect.poll(() => isRunning(child)).toBe(false);
  });

  it("that ends leaves nobody waiting, and its exit code", async () => {
    const { proxy } = start({ tools: [echo], results: { "tools/call echo": "exit" } });
    await proxy.hello();
    expect((await proxy.call("echo"))["error"].message).toContain("has ended");
    expect(await proxy.exit).toBe(7);
  });

  it("that cannot be started is said to be so", async () => {
    const { proxy } = start({}, { command: ["/nowhere/no-such-program"] });
    expect(await proxy.exit).toBe(2);
    expect(proxy.err).toContain("cannot be started");
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
