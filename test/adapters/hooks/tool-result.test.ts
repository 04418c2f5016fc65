import { describe, expect, it } from "vitest";
import { HookToolWrapper } from "../../../adapters/hooks/tool-wrapper.ts";
import { on, profileNames, result, runnerOf, text } from "./modules.ts";

describe.each(profileNames)("tool_result, profile %s", (profile) => {
  it("nothing returned passes through: nothing changed is undefined (pi-hook-reference section 4, tool_result)", async () => {
    const { runner } = runnerOf(profile, [on("tool_result", () => undefined)]);
    expect(await runner.emitToolResult(result())).toBeUndefined();
  });

  it("content and details replace those of the result (omp-authoring-hooks, Post-tool override contract)", async () => {
    const { runner } = runnerOf(profile, [on("tool_result", () => ({ content: [text("new")], details: { a: 1 } }))]);
    expect(await runner.emitToolResult(result())).toMatchObject({ content: [text("new")], details: { a: 1 } });
  });

  it("no short-circuit: every handler runs (omp-hooks, Runtime handler order)", async () => {
    let ran = 0;
    const count = () => {
      ran += 1;
      return { content: [text(String(ran))] };
    };
    const { runner } = runnerOf(profile, [on("tool_result", count), on("tool_result", count)]);
    expect((await runner.emitToolResult(result()))?.content).toEqual([text("2")]);
  });

  it("a handler begins when the one before has ended (pi-hook-reference section 4, tool_result)", async () => {
    const ran: string[] = [];
    const slow = (mark: string) =>
      on("tool_result", async () => {
        ran.push(`${mark} begins`);
        await Promise.resolve();
        ran.push(`${mark} ends`);
      });
    await runnerOf(profile, [slow("A"), slow("B")]).runner.emitToolResult(result());
    expect(ran).toEqual(["A begins", "A ends", "B begins", "B ends"]);
  });

  it("a handler's error is reported and the chain goes on (omp-hooks, Event-time)", async () => {
    const { runner, errors } = runnerOf(profile, [
      on("tool_result", () => {
        throw new Error("boom");
      }),
      on("tool_result", () => ({ content: [text("B")] })),
    ]);
    expect((await runner.emitToolResult(result()))?.content).toEqual([text("B")]);
    expect(errors).toEqual([{ hookPath: "/hooks/0.js", event: "tool_result", error: "boom" }]);
  });

  it("content that is no list is a fault of its module", async () => {
    const { runner, errors } = runnerOf(profile, [on("tool_result", () => ({ content: "text" }))]);
    expect(await runner.emitToolResult(result())).toBeUndefined();
    expect(errors[0]?.error).toContain("not a list");
  });

  it("hookFaults closed: the result is withheld (semantics section 4)", async () => {
    const throws = on("tool_result", () => {
      throw new Error("boom");
    });
    const { runner } = runnerOf(profile, [throws], { hookFaults: "closed" });
    const final = await runner.emitToolResult(result("secret", { details: "secret" }));
    expect(final?.isError).toBe(true);
    expect(JSON.stringify(final)).not.toContain("secret");
  });

  it("a failed tool emits tool_result with isError true and the error text (omp-hooks, Post-execution)", async () => {
    let seen: unknown;
    const { runner } = runnerOf(profile, [
      on("tool_result", (event: { isError: boolean; content: unknown; toolCallId: string; input: unknown }) => {
        seen = [event.isError, event.content, event.toolCallId, event.input];
      }),
    ]);
    const wrapped = new HookToolWrapper(
      {
        name: "read",
        execute: async () => {
          throw new Error("broken");
        },
      },
      runner,
    );
    await expect(wrapped.execute("c1", { path: "a" })).rejects.toThrow("broken");
    expect(seen).toEqual([true, [text("broken")], "c1", { path: "a" }]);
  });

  it("the event of a success has isError false, content and details (omp-hooks, Post-execution)", async () => {
    let seen: unknown;
    const { runner } = runnerOf(profile, [
      on("tool_result", (event) => {
        seen = event;
      }),
    ]);
    const tool = { name: "read", execute: async () => ({ content: [text("ok")], details: { n: 1 } }) };
    const final = await new HookToolWrapper(tool, runner).execute("c1", { path: "a" });
    expect(seen).toEqual(result("ok", { details: { n: 1 } }));
    expect(final).toEqual({ content: [text("ok")], details: { n: 1 } });
  });
});

describe("tool_result, structured content (hosts page section 2)", () => {
  it("new content alone drops structured content", async () => {
    const { runner } = runnerOf("pi", [on("tool_result", () => ({ content: [text("new")] }))]);
    const final = await runner.emitToolResult(result("raw", { structuredContent: { a: 1 } }));
    expect(Object.hasOwn(final ?? {}, "structuredContent")).toBe(false);
  });

  it("stays when only details change", async () => {
    const { runner } = runnerOf("pi", [on("tool_result", () => ({ details: 1 }))]);
    const final = await runner.emitToolResult(result("raw", { structuredContent: { a: 1 } }));
    expect(final?.structuredContent).toEqual({ a: 1 });
  });
});
