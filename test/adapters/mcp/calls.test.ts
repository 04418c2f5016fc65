import { describe, expect, it } from "vitest";
import { waitingKey } from "../../cli/human.ts";
import { fakeSecret } from "../../hosts/scratch.ts";
import { names, policy, start, textOf, tool } from "./fixtures.ts";

describe("calls", () => {
  it("a blocked call is answered as a failed one and never reaches the server", async () => {
    const { proxy, place } = start({ tools: [tool("echo")] }, policy);
    await proxy.hello();
    const answer = await proxy.call("echo", { word: "bad" });
    expect(answer["result"].isError).toBe(true);
    expect(textOf(answer)).toContain("the word is bad");
    expect(proxy.err).not.toContain('"word":"bad"');
    expect(place.records().filter(({ outcome, event }) => outcome === "block" && event === "tool_call")).toHaveLength(
      1,
    );
    expect(textOf(await proxy.call("echo", { word: "good" }))).toContain('"word":"good"');
  });

  it("arguments that a rule rewrites are what the server gets", async () => {
    const { proxy } = start({ tools: [tool("echo")] }, policy);
    await proxy.hello();
    expect(JSON.parse(textOf(await proxy.call("echo", { word: "old", other: 1 })))).toEqual({
      name: "echo",
      arguments: { word: "new", other: 1 },
    });
  });

  it("a question is a refusal that says that a human can approve, not how, and the approval lets the call through once", async () => {
    const { proxy, place } = start({ tools: [tool("asked")] }, policy);
    await proxy.hello();
    const refused = await proxy.call("asked", { n: 1 });
    expect(refused["result"].isError).toBe(true);
    expect(textOf(refused)).not.toMatch(/sha256|hookwarden approve/);
    const key = waitingKey(`${place.home}/.local/state/hookwarden`);
    const { approveOnce } = await import("../../../store/human-decisions.ts");
    approveOnce(`${place.home}/.local/state/hookwarden`, key, Date.now());
    expect((await proxy.call("asked", { n: 1 }))["result"].isError).toBeUndefined();
    expect((await proxy.call("asked", { n: 1 }))["result"].isError).toBe(true);
  });

  it.each([
    ["no name", {}],
    ["a name that is no text", { name: 1 }],
    ["arguments that are a list", { name: "echo", arguments: [] }],
    ["arguments that are null", { name: "echo", arguments: null }],
  ])("a call with %s is refused", async (_what, params) => {
    const { proxy } = start({ tools: [tool("echo")] }, policy);
    await proxy.hello();
    expect((await proxy.ask("tools/call", params))["error"].code).toBe(-32_602);
    expect(proxy.err).not.toContain('"method":"tools/call"');
  });

  it("without any policy every call is refused, and it says what to do", async () => {
    const { proxy } = start({ tools: [tool("echo")] }, undefined);
    await proxy.hello();
    expect(names(await proxy.ask("tools/list"))).toEqual(["echo"]);
    expect(textOf(await proxy.call("echo"))).toContain("no policy was found");
    expect(proxy.err).toContain("HW012");
  });

  it("a call that asks for a task is refused as an error", async () => {
    const { proxy } = start({ tools: [tool("echo")] }, policy);
    await proxy.hello();
    const answer = await proxy.ask("tools/call", { name: "echo", arguments: { word: "bad" }, task: { ttl: 1 } });
    expect(answer["error"].message).toContain("the word is bad");
  });

  it("the result of a task is judged as that of its call", async () => {
    const results = {
      "tools/call echo": { task: { taskId: "t1", status: "working" } },
      "tasks/result": { content: [{ type: "text", text: `key ${fakeSecret}` }] },
    };
    const { proxy, place } = start({ tools: [tool("echo")], results }, policy);
    await proxy.hello();
    expect((await proxy.ask("tools/call", { name: "echo", arguments: {}, task: {} }))["result"].task.taskId).toBe("t1");
    expect(textOf(await proxy.ask("tasks/result", { taskId: "t1" }))).not.toContain(fakeSecret);
    expect(place.records().at(-1)).toMatchObject({ event: "tool_result", tool: "mcp__small__echo" });
  });
});
