import { describe, expect, it } from "vitest";
import { acceptsEvent, profiles } from "../../../adapters/hooks/profiles.ts";
import { eventNames, events } from "../../../schema/events.ts";
import { gate, on, profileNames, runnerOf } from "./modules.ts";

const signal = new AbortController().signal;
const compact = {
  type: "session_before_compact" as const,
  preparation: { firstKeptEntryId: "e", tokensBefore: 1 },
  branchEntries: [],
  signal,
};
const switching = { type: "session_before_switch" as const, reason: "new" as const };
const compacting = { type: "session.compacting" as const, messages: [] };

describe.each(profileNames)("session events, profile %s", (profile) => {
  it("session_before_*: the latest result is kept (omp-hooks, Runtime handler order)", async () => {
    const { runner } = runnerOf(profile, [
      on("session_before_compact", () => ({ compaction: { summary: "A", firstKeptEntryId: "e", tokensBefore: 1 } })),
      on("session_before_compact", () => ({ compaction: { summary: "B", firstKeptEntryId: "e", tokensBefore: 1 } })),
      on("session_before_compact", () => undefined),
    ]);
    expect((await runner.emit(compact))?.compaction?.summary).toBe("B");
  });

  it.each(["session_before_switch", "session_before_fork", "session_before_compact", "session_before_tree"])(
    "cancel: true short-circuits %s immediately (omp-hooks, Runtime handler order)",
    async (type) => {
      let ran = false;
      const after = on(type, () => {
        ran = true;
      });
      const { runner } = runnerOf(profile, [on(type, () => ({ cancel: true })), after]);
      expect(await runner.emit({ type })).toEqual({ cancel: true });
      expect(ran).toBe(false);
    },
  );

  it("session_before_fork may skip the restoring of messages (pi-hook-reference section 5)", async () => {
    const { runner } = runnerOf(profile, [on("session_before_fork", () => ({ skipConversationRestore: true }))]);
    const answer = await runner.emit({ type: "session_before_fork", entryId: "e" });
    expect(answer?.skipConversationRestore).toBe(true);
  });

  it("session_before_tree may give a summary and a label (pi-hook-reference section 5)", async () => {
    const { runner } = runnerOf(profile, [
      on("session_before_tree", () => ({ summary: { summary: "s" }, label: "l" })),
    ]);
    const answer = await runner.emit({ type: "session_before_tree", preparation: {}, signal });
    expect(answer).toEqual({ summary: { summary: "s" }, label: "l" });
  });

  it("session.compacting: the latest returned result wins (omp-hooks, Runtime handler order)", async () => {
    const { runner } = runnerOf(profile, [
      on("session.compacting", () => ({ context: ["A"], prompt: "A" })),
      on("session.compacting", () => ({ context: ["B"], preserveData: { k: 1 } })),
    ]);
    expect(await runner.emit(compacting)).toEqual({ context: ["B"], preserveData: { k: 1 } });
  });

  it.each([
    ["session.compacting", "session_compacting"],
    ["session_before_branch", "session_before_fork"],
    ["session_branch", "session_fork"],
  ])("%s and %s are one event; a handler gets the name it registered (hosts page section 3)", async (one, other) => {
    const seen: string[] = [];
    const note = (type: string) => on(type, (event: { type: string }) => void seen.push(event.type));
    const { runner } = runnerOf(profile, [note(one), note(other)]);
    await runner.emit({ type: one });
    await runner.emit({ type: other });
    expect(seen).toEqual([one, other, one, other]);
    expect([runner.hasHandlers(one), runner.hasHandlers(other)]).toEqual([true, true]);
  });

  it("a throw is reported and the chain goes on, in every event of the profile (omp-hooks, Event-time)", async () => {
    const dedicated = [
      "tool_call",
      "tool_result",
      "context",
      "before_agent_start",
      "input",
      "user_bash",
      "user_python",
    ];
    const names = eventNames.filter((name) => acceptsEvent(profiles[profile], name) && !dedicated.includes(name));
    for (const type of names) {
      let ran = false;
      const { runner, errors } = runnerOf(profile, [
        on(type, () => {
          throw new Error("boom");
        }),
        on(type, () => {
          ran = true;
        }),
      ]);
      await runner.emit({ type });
      expect([type, ran, errors]).toEqual([type, true, [{ hookPath: "/hooks/0.js", event: type, error: "boom" }]]);
    }
  });

  it("hookFaults closed: a fault cancels a session_before event", async () => {
    const throws = on("session_before_switch", () => {
      throw new Error("boom");
    });
    const { runner } = runnerOf(profile, [throws], { hookFaults: "closed" });
    expect((await runner.emit(switching))?.cancel).toBe(true);
  });

  it("events that only tell answer nothing (pi-hook-reference, agent_start: no return value)", async () => {
    const told = eventNames.filter((name) => events[name].kind === "observe" && acceptsEvent(profiles[profile], name));
    for (const type of told) {
      const { runner } = runnerOf(profile, [on(type, () => ({ block: true, cancel: true, continue: true }))]);
      expect([type, await runner.emit({ type })]).toEqual([type, undefined]);
    }
    expect(told).toContain("agent_start");
  });

  it("agent_end carries the messages of this run as the host gave them (pi-hook-reference section 2)", async () => {
    let seen: unknown;
    const { runner } = runnerOf(profile, [
      on("agent_end", (event: { messages: unknown }) => {
        seen = event.messages;
      }),
    ]);
    await runner.emit({ type: "agent_end", messages: [{ role: "user", content: "new" }] });
    expect(seen).toEqual([{ role: "user", content: "new" }]);
  });

  it("a policy may cancel, and one that fails cancels (semantics sections 1 and 4)", async () => {
    const cancel = runnerOf(profile, [], { policy: gate({ sessionBefore: () => ({ cancel: true, reason: "no" }) }) });
    expect(await cancel.runner.emit(switching)).toEqual({ cancel: true, reason: "no" });
    const broken = runnerOf(profile, [], { policy: gate({ sessionBefore: () => JSON.parse("{") }) });
    expect((await broken.runner.emit(switching))?.cancel).toBe(true);
    const silent = runnerOf(profile, [on("session_before_switch", () => ({ note: 1 }))], {
      policy: gate({ sessionBefore: () => undefined }),
    });
    expect(await silent.runner.emit(switching)).toEqual({ note: 1 });
  });

  it("a policy has the last word on compaction; when it fails the modules' answer is withheld (semantics section 4)", async () => {
    const modules = [on("session.compacting", () => ({ prompt: "secret" }))];
    const redacts = runnerOf(profile, modules, { policy: gate({ sessionCompacting: () => ({ prompt: "[x]" }) }) });
    expect(await redacts.runner.emit(compacting)).toEqual({ prompt: "[x]" });
    const broken = runnerOf(profile, modules, { policy: gate({ sessionCompacting: () => JSON.parse("{") }) });
    expect(await broken.runner.emit(compacting)).toBeUndefined();
  });

  it("a policy observes what modules observe; its fault is reported only (semantics section 4)", async () => {
    const seen: string[] = [];
    const observes = runnerOf(profile, [], { policy: gate({ observe: (event) => void seen.push(event.type) }) });
    await observes.runner.emit({ type: "turn_start", turnIndex: 0, timestamp: 1 });
    expect(seen).toEqual(["turn_start"]);
    const broken = runnerOf(profile, [], { policy: gate({ observe: () => JSON.parse("{") }) });
    await broken.runner.emit({ type: "agent_start" });
    expect(broken.errors[0]?.event).toBe("agent_start");
  });

  it.each(["tool_call", "tool_result", "context", "before_agent_start", "input", "user_bash", "user_python"])(
    "emit refuses %s, which has an emit method of its own: no guard is passed by",
    async (type) => {
      await expect(runnerOf(profile, []).runner.emit({ type })).rejects.toThrow("emit method of its own");
    },
  );
});

describe("resources_discover, profile pi (pi-hook-reference section 7)", () => {
  it("paths accumulate, and garbage is left out", async () => {
    const { runner } = runnerOf("pi", [
      on("resources_discover", () => ({ skillPaths: ["a"], promptPaths: "no" })),
      on("resources_discover", () => ({ skillPaths: ["b", 7], themePaths: ["t"] })),
    ]);
    const found = await runner.emit({ type: "resources_discover", cwd: "/work", reason: "startup" });
    expect(found).toEqual({ skillPaths: ["a", "b"], promptPaths: [], themePaths: ["t"] });
  });
});

describe("hasHandlers", () => {
  it("is true when a module or the policy has something to say", () => {
    const { runner } = runnerOf("pi", [on("turn_end", () => undefined)], { policy: gate({ input: () => undefined }) });
    const asked = ["turn_end", "tool_call", "tool_result", "context", "before_agent_start", "user_bash", "input"];
    expect(asked.every((event) => runner.hasHandlers(event))).toBe(true);
    expect(["user_python", "turn_start", "session_before_tree"].some((event) => runner.hasHandlers(event))).toBe(false);
  });

  it("without modules and policy nothing is emitted for", () => {
    const { runner } = runnerOf("pi", []);
    expect(Object.keys(events).some((event) => runner.hasHandlers(event))).toBe(false);
  });
});
