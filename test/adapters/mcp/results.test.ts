import { describe, expect, it } from "vitest";
import { fakeSecret } from "../../hosts/scratch.ts";
import { header, policy, start, textOf, tool } from "./fixtures.ts";

describe("results", () => {
  const schema = { type: "object", properties: { key: { type: "string" }, n: { type: "number" } }, required: ["key"] };

  it("are redacted in every part of a tool's answer", async () => {
    const result = {
      content: [
        { type: "text", text: `API_KEY=${fakeSecret}` },
        { type: "resource", resource: { uri: "file:///a", mimeType: "text/plain", text: `API_KEY=${fakeSecret}` } },
        { type: "resource_link", uri: "file:///b", name: "b", description: `API_KEY=${fakeSecret}` },
        { type: "image", data: "aGVsbG8=", mimeType: "image/png" },
      ],
      structuredContent: { key: fakeSecret, n: 1 },
      _meta: { note: `API_KEY=${fakeSecret}`, other: 1 },
    };
    const { proxy } = start(
      { tools: [tool("echo", { outputSchema: schema })], results: { "tools/call echo": result } },
      policy,
    );
    await proxy.hello();
    const answer = (await proxy.call("echo"))["result"];
    expect(JSON.stringify(answer)).not.toContain(fakeSecret);
    expect(answer.structuredContent.n).toBe(1);
    expect(answer.structuredContent.key).toContain("REDACTED");
    expect(answer.content[1].resource).toMatchObject({ uri: "file:///a", mimeType: "text/plain" });
    expect(answer.content[1].resource.text).toContain("REDACTED");
    expect(answer.content[2]).toMatchObject({ type: "resource_link", uri: "file:///b", name: "b" });
    expect(answer.content[3]).toEqual(result.content[3]);
    expect(answer._meta.other).toBe(1);
    expect(answer.isError).toBeUndefined();
  });

  it("lose structured content that would not fit its schema any more", async () => {
    const result = { content: [{ type: "text", text: "fine" }], structuredContent: { key: fakeSecret } };
    const strict = { type: "object", properties: { key: { type: "string", pattern: "^sk_" } } };
    const { proxy } = start(
      { tools: [tool("echo", { outputSchema: strict })], results: { "tools/call echo": result } },
      policy,
    );
    await proxy.hello();
    const answer = (await proxy.call("echo"))["result"];
    expect(answer.structuredContent).toBeUndefined();
    expect(answer.isError).toBe(true);
    expect(answer.content[0].text).toBe("fine");
    expect(answer.content[1].text).toContain("does not fit");
  });

  it("pass byte for byte where nothing is changed", async () => {
    const { proxy } = start(
      { results: { "tools/call echo": { content: [], _meta: { a: 1 } } }, tools: [tool("echo")] },
      policy,
    );
    await proxy.hello();
    await proxy.call("echo");
    expect(proxy.lines.at(-1)).toBe('{"jsonrpc":"2.0","id":2,"result":{"content":[],"_meta":{"a":1}}}');
  });

  it("of images pass, or go where a rule says so", async () => {
    const result = {
      content: [
        { type: "image", data: "aGVsbG8=", mimeType: "image/png" },
        { type: "audio", data: "aGVsbG8=", mimeType: "audio/wav" },
      ],
    };
    const said = { tools: [tool("echo")], results: { "tools/call echo": result } };
    const media = `${header}  - id: no-media\n    event: tool_result\n    action: { redact: { images: block } }\n`;
    const { proxy } = start(said, policy);
    await proxy.hello();
    expect((await proxy.call("echo"))["result"]).toEqual(result);
    const blocked = start(said, media).proxy;
    await blocked.hello();
    expect((await blocked.call("echo"))["result"].content).toEqual([
      { type: "text", text: "[withheld: image]" },
      { type: "text", text: "[withheld: audio]" },
    ]);
  });

  it("that no policy can judge are withheld", async () => {
    const result = { content: ["no part"] };
    const { proxy } = start({ tools: [tool("echo")], results: { "tools/call echo": result } }, policy);
    await proxy.hello();
    const answer = await proxy.call("echo");
    expect(answer["result"].isError).toBe(true);
    expect(JSON.stringify(answer)).not.toContain('no part"');
  });

  it("get a text that a rule adds to the call or to its result", async () => {
    const rules = `${header}
  - id: beside
    event: tool_call
    action: { inject: { content: "a note for the call" } }
  - id: behind
    event: tool_result
    tool: mcp__small__echo
    action: { inject: { content: "a note for the result", as: append } }
`;
    const { proxy } = start({ tools: [tool("echo")] }, rules);
    await proxy.hello();
    const text = textOf(await proxy.call("echo"));
    expect(text).toContain("a note for the call");
    expect(text).toContain("a note for the result");
  });

  it.each([
    [
      "resources/read",
      { uri: "file:///a" },
      {
        contents: [
          { uri: "file:///a", mimeType: "text/plain", text: `k ${fakeSecret}` },
          { uri: "file:///b", blob: "aGVsbG8=" },
        ],
      },
    ],
    [
      "prompts/get",
      { name: "x" },
      {
        description: `k ${fakeSecret}`,
        messages: [
          { role: "user", content: { type: "text", text: `k ${fakeSecret}` } },
          { role: "assistant", content: [{ type: "text", text: "plain" }] },
        ],
      },
    ],
    ["tasks/get", { taskId: "1" }, { taskId: "1", status: "failed", statusMessage: `k ${fakeSecret}` }],
  ])("of %s are redacted, and keep their form", async (method, params, result) => {
    const { proxy, place } = start({ results: { [method]: result } }, policy);
    await proxy.hello();
    const answer = await proxy.ask(method, params);
    expect(JSON.stringify(answer)).not.toContain(fakeSecret);
    const shape = (value: unknown): unknown =>
      typeof value === "string"
        ? ""
        : Array.isArray(value)
          ? value.map(shape)
          : typeof value === "object" && value !== null
            ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k, shape(v)]))
            : value;
    expect(shape(answer["result"])).toEqual(shape(result));
    expect(place.records().at(-1)?.tool).toBe(`mcp__small__${method}`);
  });

  it("that are errors are redacted too", async () => {
    const error = { code: -5, message: `no: ${fakeSecret}`, data: { why: fakeSecret } };
    const { proxy } = start({ tools: [tool("echo")], results: { "tools/call echo": { error } } }, policy);
    await proxy.hello();
    const answer = await proxy.call("echo");
    expect(answer["error"].code).toBe(-5);
    expect(JSON.stringify(answer)).not.toContain(fakeSecret);
  });
});

describe("what the server says and asks by itself", () => {
  const request = (id: number, method: string, params: object) => ({ jsonrpc: "2.0", id, method, params });
  const notification = (method: string, params: object) => ({ jsonrpc: "2.0", method, params });

  it("is redacted in log and progress notifications, and passes with its ids", async () => {
    const requests = [
      notification("notifications/message", { level: "info", data: `k ${fakeSecret}` }),
      notification("notifications/message", { level: "info", logger: "l", data: { key: fakeSecret, n: 1 } }),
      notification("notifications/progress", { progressToken: 7, progress: 1, total: 2, message: `k ${fakeSecret}` }),
      notification("notifications/custom", { any: ["thing"] }),
    ];
    const { proxy } = start({ requests }, policy);
    await proxy.hello();
    await proxy.until((message) => message["method"] === "notifications/custom");
    expect(proxy.lines.join("\n")).not.toContain(fakeSecret);
    expect(proxy.messages.slice(1).map((message) => message["method"])).toEqual(requests.map(({ method }) => method));
    expect(proxy.messages[2]?.["params"].data.n).toBe(1);
    expect(proxy.messages[3]?.["params"]).toMatchObject({ progressToken: 7, progress: 1, total: 2 });
  });

  it("is redacted in sampling and elicitation, in both directions", async () => {
    const requests = [
      request(1, "sampling/createMessage", {
        systemPrompt: `s ${fakeSecret}`,
        messages: [{ role: "user", content: { type: "text", text: `k ${fakeSecret}` } }],
        maxTokens: 5,
      }),
      request(2, "elicitation/create", {
        message: `m ${fakeSecret}`,
        requestedSchema: { type: "object", properties: { a: { type: "string" } } },
      }),
      request(3, "roots/list", {}),
    ];
    const { proxy } = start({ requests }, policy);
    await proxy.hello();
    await proxy.until((message) => message["method"] === "roots/list");
    expect(proxy.lines.join("\n")).not.toContain(fakeSecret);
    expect(proxy.messages[1]?.["params"].maxTokens).toBe(5);
    proxy.send({
      jsonrpc: "2.0",
      id: 1,
      result: { role: "assistant", model: "m", content: { type: "text", text: `a ${fakeSecret}` } },
    });
    proxy.send({ jsonrpc: "2.0", id: 2, result: { action: "accept", content: { a: fakeSecret } } });
    proxy.send({ jsonrpc: "2.0", id: 3, result: { roots: [{ uri: "file:///r" }] } });
    await proxy.untilSaid("file:///r");
    expect(proxy.err).not.toContain(fakeSecret);
    expect(proxy.err).toContain('"model":"m"');
    expect(proxy.err).toContain('"action":"accept"');
  });

  it("is answered with an error where it cannot be judged", async () => {
    const requests = [request(1, "sampling/createMessage", { messages: [{ role: "user", content: 7 }] })];
    const { proxy } = start({ requests }, policy);
    await proxy.hello();
    await proxy.untilSaid('"code":-32000');
    expect(proxy.messages.some((message) => message["method"] === "sampling/createMessage")).toBe(false);
  });
});
