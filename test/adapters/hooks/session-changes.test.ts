import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import type { HookContext } from "../../../adapters/hooks/context.ts";
import { type EndSignal, SessionChanges } from "../../../adapters/hooks/session-changes.ts";
import { eventNames } from "../../../schema/events.ts";
import { calls, loopOf, says } from "./loops.ts";
import { gate, type LooseFactory, on, profileNames, runnerOf } from "./modules.ts";

const signal = new AbortController().signal;
const preparation = { firstKeptEntryId: "e", tokensBefore: 9 };
const compaction = { summary: "S", firstKeptEntryId: "e", tokensBefore: 9 };
const compact = { preparation, branchEntries: [{ type: "message" }], messages: [], signal };

type Noted = { type: string; [field: string]: unknown }[];

/** A module that notes every session event under the name of its host. */
function notes(events: Noted, branch: boolean): LooseFactory {
  const names = eventNames.filter((name) => name.startsWith("session_"));
  const renamed = branch ? { session_before_fork: "session_before_branch", session_fork: "session_branch" } : {};
  return (api) => {
    for (const name of names) {
      const own = (renamed as Record<string, string>)[name] ?? name;
      api.on(own, (event) => void events.push(event));
    }
  };
}

describe.each(profileNames)("changes of the session, profile %s (pi-hook-reference section 5)", (profile) => {
  const branch = profile !== "pi";
  /** omp fires it on the initial load alone (omp-authoring-hooks, Session lifecycle); pi also after a change. */
  const started = (reason: string) => (profile === "pi" ? [{ type: "session_start", reason }] : []);
  const changes = (modules: LooseFactory[] = [], setup = {}) => {
    const events: Noted = [];
    const { runner } = runnerOf(profile, [...modules, notes(events, branch)], setup);
    return { changes: new SessionChanges(runner), events, types: () => events.map((event) => event.type) };
  };

  it("session_start at startup and after a reload, session_shutdown at the end", async () => {
    const { changes: session, events } = changes();
    await session.start("startup", "/work");
    await session.start("reload", "/work");
    await session.shutdown();
    expect(events).toEqual([
      { type: "session_start", reason: "startup" },
      { type: "session_start", reason: "reload" },
      { type: "session_shutdown" },
    ]);
  });

  it("a switch: before, the host's work, after, in pi session_start; the target only for resume", async () => {
    const { changes: session, events } = changes();
    const work = () => void events.push({ type: "work" });
    await session.switch({ reason: "resume", targetSessionFile: "/t", previousSessionFile: "/p" }, work);
    await session.switch({ reason: "new", targetSessionFile: "/t" }, work);
    expect(events).toEqual([
      { type: "session_before_switch", reason: "resume", targetSessionFile: "/t" },
      { type: "work" },
      { type: "session_switch", reason: "resume", previousSessionFile: "/p" },
      ...started("resume"),
      { type: "session_before_switch", reason: "new" },
      { type: "work" },
      { type: "session_switch", reason: "new" },
      ...started("new"),
    ]);
  });

  it("a fork: the host's own event names, the entry, skipConversationRestore, in pi session_start", async () => {
    const before = branch ? "session_before_branch" : "session_before_fork";
    const { changes: session, types, events } = changes([on(before, () => ({ skipConversationRestore: true }))]);
    const given: unknown[] = [];
    await session.fork("e7", (answer) => void given.push(answer), "/p");
    expect(types()).toEqual([before, ...(branch ? ["session_branch"] : ["session_fork", "session_start"])]);
    expect([events[0]?.["entryId"], events[1]?.["previousSessionFile"], given]).toEqual([
      "e7",
      "/p",
      [{ skipConversationRestore: true }],
    ]);
  });

  it("compaction: its payload, then session.compacting, the host's work and session_compact", async () => {
    const { changes: session, events, types } = changes([on("session.compacting", () => ({ context: ["more"] }))]);
    const given: unknown[] = [];
    const work = (answer: unknown) => {
      given.push(answer);
      return { id: "c" };
    };
    await session.compact({ ...compact, customInstructions: "short" }, work);
    expect(types()).toEqual(["session_before_compact", "session_compacting", "session_compact"]);
    expect(events[0]).toMatchObject({ preparation, branchEntries: [{ type: "message" }], customInstructions: "short" });
    expect(events[0]?.["signal"]).toBe(signal);
    expect(events[2]).toMatchObject({ compactionEntry: { id: "c" }, fromHook: false });
    expect(given).toEqual([{ compacting: { context: ["more"] } }]);
  });

  it("a compaction that a handler gives stands in place of the model's", async () => {
    const own = on("session_before_compact", () => ({ compaction }));
    const { changes: session, events, types } = changes([own]);
    const given: unknown[] = [];
    await session.compact(compact, (answer) => void given.push(answer));
    expect([given, types()]).toEqual([[{ compaction }], ["session_before_compact", "session_compact"]]);
    expect(events[1]?.["fromHook"]).toBe(true);
  });

  it("a tree move: summary and label of a handler, then session_tree with both leaves", async () => {
    const own = on("session_before_tree", () => ({ summary: { summary: "s", details: 1 }, label: "l" }));
    const { changes: session, events } = changes([own]);
    const given: unknown[] = [];
    const work = (answer: unknown) => {
      given.push(answer);
      return "new";
    };
    await session.tree({ preparation: { target: "x" }, signal, oldLeafId: "old" }, work);
    expect(given).toEqual([{ summary: { summary: "s", details: 1 }, label: "l" }]);
    expect(events[0]).toEqual({ type: "session_before_tree", preparation: { target: "x" }, signal });
    expect(events[0]?.["signal"]).toBe(signal);
    expect(events[1]).toEqual({ type: "session_tree", newLeafId: "new", oldLeafId: "old" });
  });

  it.each(["session_before_switch", "session_before_fork", "session_before_compact", "session_before_tree"])(
    "cancel in %s: the host does nothing and no event follows",
    async (type) => {
      const { changes: session, types } = changes([on(type, () => ({ cancel: true }))]);
      const work = () => {
        throw new Error("the host must not be asked");
      };
      const asked: Record<string, () => Promise<unknown>> = {
        session_before_switch: () => session.switch({ reason: "new" }, work),
        session_before_fork: () => session.fork("e", work),
        session_before_compact: () => session.compact(compact, work),
        session_before_tree: () => session.tree({ preparation: {}, signal }, work),
      };
      expect(await asked[type]?.()).toEqual({ cancelled: true });
      expect(types()).toEqual([]);
    },
  );

  it("a policy's cancel tells its reason", async () => {
    const policy = gate({ sessionBefore: () => ({ cancel: true, reason: "not now" }) });
    const { changes: session } = changes([], { policy });
    expect(await session.switch({ reason: "new" }, () => undefined)).toEqual({ cancelled: true, reason: "not now" });
  });
});

describe("the end of the session (pi-hook-reference section 5, session_shutdown)", () => {
  /** A process that hears what the test tells it. */
  class Told extends EventEmitter {
    readonly pid = 7;
    readonly killed: unknown[] = [];
    exits = 0;
    exit(): void {
      this.exits += 1;
    }
    kill(pid: number, signal: EndSignal): void {
      this.killed.push([pid, signal, this.listenerCount(signal)]);
    }
  }
  const ends = (handler: () => unknown) => {
    const host = new Told();
    const session = new SessionChanges(runnerOf("pi", [on("session_shutdown", handler)]).runner);
    return { host, session };
  };

  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "%s: handlers finish first, then it ends the process",
    async (signal) => {
      const order: unknown[] = [];
      const { host, session } = ends(async () => {
        await null;
        order.push("handler", [...host.killed]);
      });
      session.endOn(undefined, { host });
      host.emit(signal, signal);
      await expect.poll(() => host.killed).toEqual([[7, signal, 0]]);
      expect(order).toEqual(["handler", []]);
    },
  );

  it("the event fires once, whoever ends the session, and nothing is watched after `stop`", async () => {
    let fired = 0;
    const { host, session } = ends(() => void (fired += 1));
    const { end, stop } = session.endOn(["SIGTERM"], { host });
    await Promise.all([end(), end()]);
    host.emit("SIGTERM", "SIGTERM");
    await expect.poll(() => host.killed.length).toBe(1);
    stop();
    expect([fired, host.listenerCount("SIGTERM")]).toEqual([1, 0]);
  });

  it("a handler that never ends does not hold the process: a second signal, or its time, ends it", async () => {
    const never = () => new Promise(() => undefined);
    const twice = ends(never);
    twice.session.endOn(["SIGINT"], { host: twice.host });
    twice.host.emit("SIGINT", "SIGINT");
    expect(twice.host.killed).toEqual([]);
    twice.host.emit("SIGINT", "SIGINT");
    expect(twice.host.killed).toEqual([[7, "SIGINT", 0]]);
    const late = ends(never);
    late.session.endOn(["SIGTERM"], { host: late.host, patience: 1 });
    late.host.emit("SIGTERM", "SIGTERM");
    await expect.poll(() => late.host.killed).toEqual([[7, "SIGTERM", 0]]);
  });

  it("a module that asks for the end has it: the run ends by itself, handlers finish, and the process exits", async () => {
    const order: string[] = [];
    const asks = on("turn_start", (_event, ctx: HookContext) => {
      ctx.shutdown();
      ctx.shutdown();
    });
    const notes = ["agent_end", "session_shutdown"].map((name) => on(name, async () => void order.push(name)));
    const seen = loopOf([calls("read"), says("done")], [asks, ...notes]);
    const host = new Told();
    new SessionChanges(seen.runner).endOn(undefined, { host });
    expect((await seen.loop.submit("go")).ran).toBe(true);
    await expect.poll(() => host.exits).toBe(1);
    expect([order, seen.requests.length, host.killed, host.listenerCount("SIGTERM")]).toEqual([
      ["agent_end", "session_shutdown"],
      2,
      [],
      0,
    ]);
  });

  it("a host that ends by itself is asked, not this", async () => {
    const asked: string[] = [];
    const asks = on("agent_start", (_event, ctx: HookContext) => ctx.shutdown());
    const { runner } = runnerOf("pi", [asks], { ports: { shutdown: () => void asked.push("host") } });
    const host = new Told();
    const { stop } = new SessionChanges(runner).endOn(undefined, { host });
    await runner.emit({ type: "agent_start" });
    stop();
    expect([asked, host.exits]).toEqual([["host"], 0]);
  });

  it("a module's wish is not heard any more after `stop`", async () => {
    const asks = on("agent_start", (_event, ctx: HookContext) => ctx.shutdown());
    let fired = 0;
    const { runner } = runnerOf("pi", [asks, on("session_shutdown", () => void (fired += 1))]);
    const host = new Told();
    new SessionChanges(runner).endOn(undefined, { host }).stop();
    await runner.emit({ type: "agent_start" });
    await new Promise((resolve) => setImmediate(resolve));
    expect([fired, host.exits]).toEqual([0, 0]);
  });

  it("a real process that is told to end runs its handlers and ends by that signal", async () => {
    const tsx = join(import.meta.dirname, "../../../node_modules/tsx/dist/cli.mjs");
    const child = spawn(
      process.execPath,
      ["--import", pathToFileURL(join(tsx, "../loader.mjs")).href, join(import.meta.dirname, "ended-session.ts")],
      {
        env: {},
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    const ended = once(child, "exit");
    let printed = "";
    for await (const part of child.stdout) {
      printed += part;
      if (printed === "ready\n") child.kill("SIGTERM");
    }
    expect([await ended, printed]).toEqual([[null, "SIGTERM"], "ready\nsaved\n"]);
  });
});

describe("resources (pi-hook-reference section 7)", () => {
  it("are asked for at startup and after a reload, and the host loads what was found", async () => {
    const asked: unknown[] = [];
    const gives = on("resources_discover", (event: { type: string }) => {
      asked.push(event);
      return { skillPaths: ["/s/SKILL.md"], promptPaths: ["/p.md"], themePaths: ["/t.json"] };
    });
    const loaded: unknown[] = [];
    const session = new SessionChanges(runnerOf("pi", [gives]).runner);
    await session.start("startup", "/repo", (found) => void loaded.push(found));
    await session.start("reload", "/repo", (found) => void loaded.push(found));
    const found = { skillPaths: ["/s/SKILL.md"], promptPaths: ["/p.md"], themePaths: ["/t.json"] };
    expect(loaded).toEqual([found, found]);
    expect(asked).toEqual([
      { type: "resources_discover", cwd: "/repo", reason: "startup" },
      { type: "resources_discover", cwd: "/repo", reason: "reload" },
    ]);
  });

  it("load nothing where no module gives any", async () => {
    const load = () => {
      throw new Error("there is nothing to load");
    };
    await new SessionChanges(runnerOf("pi", []).runner).start("startup", "/repo", load);
  });
});

describe("another model (pi-hook-reference section 6)", () => {
  const chosen = (ports = {}) => {
    const events: unknown[] = [];
    const { runner } = runnerOf("pi", [on("model_select", (event) => void events.push(event))], { ports });
    return { session: new SessionChanges(runner), events };
  };

  it.each(["set", "cycle", "restore"] as const)(
    "is told with the one before and why: %s, when the host has changed it",
    async (source) => {
      let model = "a";
      const { session, events } = chosen();
      const work = () => {
        expect(events).toEqual([]);
        model = "b";
      };
      await session.selectModel({ model: "b", previousModel: "a", source }, work);
      expect([model, events]).toEqual(["b", [{ type: "model_select", model: "b", previousModel: "a", source }]]);
    },
  );

  it("the first one has none before it", async () => {
    const { session, events } = chosen();
    await session.selectModel({ model: "a", source: "set" }, () => undefined);
    expect(events).toEqual([{ type: "model_select", model: "a", source: "set" }]);
  });

  it("the one before is what modules were told is in use, where the host does not say", async () => {
    let model: unknown = { id: "a" };
    const { session, events } = chosen({ getModel: () => model });
    await session.selectModel({ model: { id: "b" }, source: "cycle" }, () => void (model = { id: "b" }));
    expect(events).toEqual([{ type: "model_select", model: { id: "b" }, previousModel: { id: "a" }, source: "cycle" }]);
  });

  it("a model that the host cannot take is not told", async () => {
    const { session, events } = chosen();
    const work = () => Promise.reject(new Error("no key for it"));
    await expect(session.selectModel({ model: "b", source: "set" }, work)).rejects.toThrow("no key for it");
    expect(events).toEqual([]);
  });
});
