import { describe, expect, it } from "vitest";
import type { HookContext, SessionEntry } from "../../../adapters/hooks/context.ts";
import type { AgentMessage } from "../../../adapters/hooks/messages.ts";
import { calls, loopOf, says } from "./loops.ts";
import { custom, gate, type LooseApi, type LooseFactory, on, profileNames, result, text } from "./modules.ts";

/*
 * The session as modules of an agent of one's own see it, where the host brings none: what a seed says of
 * `ctx.sessionManager` and `pi.appendEntry` holds in the loop by itself.
 */

/** A module that reads the session in an event; what it saw, newest last. */
function reads(event: string): { readonly module: LooseFactory; readonly seen: SessionEntry[][] } {
  const seen: SessionEntry[][] = [];
  return {
    seen,
    module: on(event, (_event, ctx: HookContext) => void seen.push(ctx.sessionManager.getBranch())),
  };
}

/** A module whose API the test uses from outside. */
function held(): { readonly module: LooseFactory; readonly api: () => LooseApi } {
  let kept: LooseApi | undefined;
  return { module: (api) => void (kept = api), api: () => kept as LooseApi };
}

const kinds = (entries: readonly SessionEntry[] | undefined) =>
  entries?.map(({ type, message, customType }) => (message as AgentMessage | undefined)?.role ?? customType ?? type);

describe.each(profileNames)("the session of the loop, profile %s", (profile) => {
  it("has the whole history at agent_end, that of earlier runs too (pi-hook-reference section 2, agent_end)", async () => {
    const { module, seen } = reads("agent_end");
    const { loop } = loopOf([calls("read"), says("one"), says("two")], [module], {}, profile);
    await loop.submit("first");
    await loop.submit("second");
    const first = ["user", "assistant", "toolResult", "assistant"];
    expect(seen.map(kinds)).toEqual([first, [...first, "user", "assistant"]]);
    expect(seen[1]?.at(-1)).toMatchObject({ type: "message", message: says("two") });
  });

  it("keeps data that the model never sees, in its place (omp-hooks, What a hook module is)", async () => {
    const { module, api } = held();
    const kept: SessionEntry[] = [];
    const look = reads("agent_end");
    const seen = loopOf(
      [says("one"), says("two")],
      [module, look.module],
      { saveEntry: (entry) => void kept.push(entry) },
      profile,
    );
    await seen.loop.submit("go");
    api().appendEntry("my-state", { n: 1 });
    await seen.loop.submit("again");
    expect(kinds(look.seen[1])).toEqual(["user", "assistant", "my-state", "user", "assistant"]);
    expect(look.seen[1]?.[2]).toMatchObject({ type: "custom", customType: "my-state", data: { n: 1 } });
    expect(kept).toEqual([look.seen[1]?.[2]]);
    expect(JSON.stringify([seen.requests.map(({ messages }) => messages), seen.loop.history])).not.toContain(
      "my-state",
    );
  });

  it("begins with the entries of a stored one, whose messages the model is sent", async () => {
    const entries: SessionEntry[] = [
      { type: "session", id: "s" },
      { type: "message", id: "1", message: { role: "user", content: "before" } },
      { type: "custom", id: "2", customType: "my-state", data: { n: 7 } },
      { type: "custom_message", id: "3", customType: "note", content: "aside", display: false },
    ];
    let restored: unknown;
    const restores = on("session_start", (_event, ctx: HookContext) => {
      for (const entry of ctx.sessionManager.getBranch())
        if (entry.type === "custom" && entry.customType === "my-state") restored = entry.data;
    });
    const look = reads("agent_end");
    const { loop, requests, runner } = loopOf([says("one")], [restores, look.module], { entries }, profile);
    await runner.emit({ type: "session_start", reason: "startup" });
    await loop.submit("go");
    expect(restored).toEqual({ n: 7 });
    expect(requests[0]?.messages.map((message) => "content" in message && message.content)).toEqual([
      "before",
      "aside",
      "go",
    ]);
    expect(look.seen[0]?.slice(0, 4)).toEqual(entries);
    expect(kinds(look.seen[0]?.slice(4))).toEqual(["user", "assistant"]);
  });
});

describe("the session of the loop", () => {
  it("gives each entry an id of its own and the one before it", async () => {
    const { module, api } = held();
    const look = reads("agent_end");
    const { loop } = loopOf([says("one")], [module, look.module], { entries: [{ type: "custom", id: "1" }] });
    api().appendEntry("a");
    await loop.submit("go");
    const ids = look.seen[0]?.map(({ id }) => id) ?? [];
    expect(new Set(ids).size).toBe(4);
    expect(look.seen[0]?.map((entry) => entry["parentId"])).toEqual([undefined, ...ids.slice(0, -1)]);
  });

  it("has messages that modules sent, and commands of the human", async () => {
    const { module, api } = held();
    const runCommand = () => ({ output: "out", exitCode: 0, cancelled: false, truncated: false });
    const look = reads("agent_end");
    const { loop } = loopOf([says("one")], [module, look.module], { runCommand });
    api().sendMessage({ ...custom("note"), details: { a: 1 } });
    await loop.submit("!ls");
    await loop.submit("go");
    expect(look.seen[0]?.[0]).toMatchObject({ type: "custom_message", ...custom("note"), details: { a: 1 } });
    expect(kinds(look.seen[0])).toEqual(["note", "bashExecution", "user", "assistant"]);
  });

  it("has what the host put into the history by itself", async () => {
    const look = reads("agent_end");
    const { loop } = loopOf([says("one")], [look.module]);
    loop.history.push({ role: "user", content: "earlier" });
    await loop.submit("go");
    expect(kinds(look.seen[0])).toEqual(["user", "user", "assistant"]);
  });

  it("keeps what was taken out of the history by compaction", async () => {
    const look = reads("agent_end");
    const { loop } = loopOf([says("one"), says("two")], [look.module]);
    await loop.submit("go");
    loop.history.splice(0, 2, { role: "compactionSummary", summary: "short" });
    await loop.submit("again");
    expect(kinds(look.seen[1])).toEqual(["user", "assistant", "compactionSummary", "user", "assistant"]);
  });

  it("no module can change the conversation through it", async () => {
    const writes = on("agent_end", (_event, ctx: HookContext) => {
      const entries = ctx.sessionManager.getEntries();
      for (const entry of entries) {
        const { message } = entry as { message?: { content: unknown } };
        if (message !== undefined) message.content = "forged";
      }
      entries.length = 0;
    });
    const seen = loopOf([says("one"), says("two")], [writes]);
    await seen.loop.submit("go");
    await seen.loop.submit("again");
    expect(JSON.stringify([seen.requests.map(({ messages }) => messages), seen.loop.history])).not.toContain("forged");
  });

  it("shows results as the policy left them", async () => {
    const policy = gate({ toolResult: () => ({ content: [text("[gone]")] }) });
    const look = reads("agent_end");
    const { loop } = loopOf([calls("read"), says("one")], [look.module], { policy });
    await loop.submit("go");
    expect(JSON.stringify(look.seen)).not.toContain(result("whole").content[0]?.text);
    expect(JSON.stringify(look.seen)).toContain("[gone]");
  });

  it("an entry without a type of its own is a fault of its module", () => {
    const { module, api } = held();
    loopOf([], [module]);
    expect(() => api().appendEntry(undefined as never)).toThrow("customType");
    expect(() => api().appendEntry("f", { f: () => 1 })).toThrow("not data");
  });

  it("that of the host goes before it", async () => {
    const own: SessionEntry[] = [{ type: "custom", customType: "own" }];
    const sessionManager = { getBranch: () => own, getEntries: () => own, getSessionFile: () => "/s.jsonl" };
    const look = reads("agent_end");
    const { loop } = loopOf([says("one")], [look.module], { ports: { sessionManager } });
    await loop.submit("go");
    expect(look.seen).toEqual([own]);
  });
});
