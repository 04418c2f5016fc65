import { describe, expect, it, vi } from "vitest";
import type { HookCommandContext, HookContext } from "../../../adapters/hooks/context.ts";
import { StatusLine, sanitizeStatus, truncateToWidth } from "../../../adapters/hooks/status-line.ts";
import { type HookUIContext, noUI } from "../../../adapters/hooks/ui.ts";
import { call, type LooseFactory, on, runnerOf } from "./modules.ts";

/** The context that a handler gets. */
async function contextOf(setup: Parameters<typeof runnerOf>[2] = {}): Promise<HookContext> {
  let seen: HookContext | undefined;
  const see = on("tool_call", (_event, ctx: HookContext) => {
    seen = ctx;
  });
  await runnerOf("pi", [see], setup).runner.emitToolCall(call());
  if (seen === undefined) throw new Error("no context");
  return seen;
}

describe("ctx.ui without a screen (omp-hooks, UI interactions)", () => {
  it("select, input, editor and custom answer undefined; confirm answers false", async () => {
    const { ui, hasUI } = await contextOf();
    const answers = await Promise.all([
      ui.select("t", ["a"]),
      ui.input("t"),
      ui.editor("t", "prefill", {}, { promptStyle: true }),
      ui.custom(() => undefined),
      ui.confirm("t", "m"),
    ]);
    expect([hasUI, ...answers]).toEqual([false, undefined, undefined, undefined, undefined, false]);
  });

  it("notify, setStatus and setEditorText do nothing; getEditorText answers an empty text", async () => {
    const { ui } = await contextOf();
    const streams = [process.stdout, process.stderr] as const;
    const said = vi.fn(() => true);
    const writes = streams.map((stream) => vi.spyOn(stream, "write").mockImplementation(said));
    const logs = (["log", "info", "warn", "error", "debug"] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation(said),
    );
    try {
      expect([ui.notify("m"), ui.setStatus("k", "t"), ui.setEditorText("t"), ui.getEditorText()]).toEqual([
        undefined,
        undefined,
        undefined,
        "",
      ]);
      expect(said).not.toHaveBeenCalled();
    } finally {
      for (const spy of [...writes, ...logs]) spy.mockRestore();
    }
  });

  it("the theme colours nothing", async () => {
    const { ui } = await contextOf();
    const { theme } = ui;
    expect(
      [theme.fg("red", "a"), theme.bg("red", "b"), theme.bold("c"), theme.italic("d"), theme.underline("e")].join(""),
    ).toBe("abcde");
  });
});

describe("ctx.ui with a screen", () => {
  const asked: unknown[][] = [];
  const screen: HookUIContext = {
    ...noUI,
    confirm: async (...all) => {
      asked.push(all);
      return true;
    },
    editor: async (...all) => {
      asked.push(all);
      return "edited";
    },
  };

  it("passes every argument on: prefill, signal and promptStyle (omp-authoring-hooks, UI methods)", async () => {
    const { ui, hasUI } = await contextOf({ ports: { ui: screen, hasUI: true } });
    const signal = new AbortController().signal;
    expect([hasUI, await ui.editor("t", "p", { signal }, { promptStyle: true })]).toEqual([true, "edited"]);
    expect(asked.at(-1)).toEqual(["t", "p", { signal }, { promptStyle: true }]);
  });

  it.each([
    ["select", ["t", ["a", "b"]]],
    ["confirm", ["t", "m"]],
    ["input", ["t", "placeholder"]],
    ["editor", ["t", "prefill", {}, { promptStyle: false }]],
    ["notify", ["m", "warning"]],
    ["setStatus", ["k", "t"]],
    ["custom", [() => undefined, { overlay: true }]],
    ["setEditorText", ["draft"]],
    ["getEditorText", []],
  ] as const)("%s reaches the host with its arguments and answers what the host answers", async (name, given) => {
    const heard: unknown[] = [];
    const answers = (...all: unknown[]) => {
      heard.push(all);
      return "the host's answer";
    };
    const { ui } = await contextOf({ ports: { ui: { ...noUI, [name]: answers } as HookUIContext } });
    const answer = await (ui[name] as (...all: unknown[]) => unknown)(...given);
    expect([heard, answer]).toEqual([[given], "the host's answer"]);
  });

  it("theme is the host's theme as it is now", async () => {
    let theme = { ...noUI.theme, bold: (value: string) => `*${value}*` };
    const changing = Object.defineProperty({ ...noUI }, "theme", { get: () => theme });
    const { ui } = await contextOf({ ports: { ui: changing } });
    const before = ui.theme.bold("a");
    theme = { ...noUI.theme, bold: (value: string) => `_${value}_` };
    expect([before, ui.theme.bold("a")]).toEqual(["*a*", "_a_"]);
  });

  it("setStatus of several modules makes one line: sorted by key, sanitised, joined, truncated", async () => {
    const line = new StatusLine();
    const ports = { ui: { ...noUI, setStatus: (key: string, value: string | undefined) => line.set(key, value) } };
    const sets = (key: string, value: string) =>
      on("turn_start", (_event, ctx: HookContext) => ctx.ui.setStatus(key, value));
    const { runner } = runnerOf("pi", [sets("b", "two\nlines"), sets("a", "one   gap"), sets("c", "日本語")], {
      ports,
    });
    await runner.emit({ type: "turn_start", turnIndex: 0, timestamp: 0 });
    expect([line.render(80), line.render(23)]).toEqual(["one gap two lines 日本語", "one gap two lines 日本…"]);
  });

  it("hasUI is false in print and sub-agent mode, although a UI stands behind it", async () => {
    expect((await contextOf({ ports: { ui: screen, hasUI: false } })).hasUI).toBe(false);
  });

  it("no module can put its own confirm in the place of the host's", async () => {
    const ctx = await contextOf({ ports: { ui: screen } });
    expect([ctx, ctx.ui].every(Object.isFrozen)).toBe(true);
    expect(Reflect.set(ctx.ui, "confirm", async () => true)).toBe(false);
  });
});

describe("status line (omp-hooks, Status line behavior)", () => {
  it("is stored per key, sorted by key, joined; undefined removes a key", () => {
    const line = new StatusLine();
    line.set("b", "two");
    line.set("a", "one");
    line.set("c", "three");
    line.set("b", "2");
    line.set("c", undefined);
    expect(line.render(80)).toBe("one 2");
  });

  it.each([
    ["line ends and tabs become blanks", "a\r\nb\tc", "a b c"],
    ["repeated blanks collapse", "a    b", "a b"],
    ["nothing but blanks is nothing", " \n\t ", ""],
  ])("%s", (_name, given, expected) => {
    expect(sanitizeStatus(given)).toBe(expected);
  });

  it.each([
    ["what fits stays", "abc", 3, "abc"],
    ["what does not is cut, with a mark", "abcdef", 4, "abc…"],
    ["wide characters take two columns", "日本語", 5, "日本…"],
    ["a character is never split", "😀😀😀", 4, "😀…"],
    ["combining marks take none", "e\u0301e\u0301", 2, "e\u0301e\u0301"],
    ["colours take none, and are reset", "\u001b[31mabcdef\u001b[0m", 4, "\u001b[31mabc…\u001b[0m"],
    ["no room, no text", "abc", 0, ""],
  ])("%s", (_name, given, width, expected) => {
    expect(truncateToWidth(given, width)).toBe(expected);
  });
});

const command =
  (name: string, mark: string, ran: string[]): LooseFactory =>
  (api) =>
    api.registerCommand(name, { description: mark, handler: (args) => void ran.push(`${mark}:${args}`) });

describe("commands and renderers (omp-hooks, Ordering and conflict behavior)", () => {
  it("getCommand answers the first match across modules; getRegisteredCommands all, without dedupe", async () => {
    const ran: string[] = [];
    const { runner } = runnerOf("pi", [command("x", "A", ran), command("x", "B", ran), command("y", "C", ran)]);
    expect(runner.getCommand("x")?.description).toBe("A");
    expect(runner.getCommand("z")).toBeUndefined();
    expect(runner.getRegisteredCommands().map((each) => each.description)).toEqual(["A", "B", "C"]);
    expect([await runner.runCommand("x", "1"), await runner.runCommand("z", "")]).toEqual([true, false]);
    expect(ran).toEqual(["A:1"]);
  });

  it("getMessageRenderer answers the first match", () => {
    const renderer =
      (mark: string): LooseFactory =>
      (api) =>
        api.registerMessageRenderer("note", () => mark);
    const { runner } = runnerOf("pi", [renderer("A"), renderer("B")]);
    const message = { role: "custom" as const, customType: "note", content: "", display: true };
    expect(runner.getMessageRenderer("note")?.(message, { expanded: false }, undefined)).toBe("A");
    expect(runner.getMessageRenderer("other")).toBeUndefined();
  });

  it("a command that throws is reported", async () => {
    const { runner, errors } = runnerOf("pi", [
      (api) =>
        api.registerCommand("x", {
          handler: () => {
            throw new Error("boom");
          },
        }),
    ]);
    await runner.runCommand("x", "");
    expect(errors).toEqual([{ hookPath: "/hooks/0.js", event: "command", error: "boom" }]);
  });

  it("a command can wait, start a session and read the old one through the host (omp-hooks, Realistic API examples)", async () => {
    const did: unknown[] = [];
    const handoff: LooseFactory = (api) =>
      api.registerCommand("handoff", {
        handler: async (_args, ctx: HookCommandContext) => {
          await ctx.waitForIdle();
          await ctx.newSession({
            parentSession: ctx.sessionManager.getSessionFile(),
            setup: (session) => session.appendMessage({ role: "user", content: "go on", timestamp: 1 }),
          });
        },
      });
    const sessionManager = { getBranch: () => [], getEntries: () => [], getSessionFile: () => "/s.jsonl" };
    const { runner, errors } = runnerOf("pi", [handoff], {
      ports: {
        sessionManager,
        waitForIdle: async () => void did.push("idle"),
        newSession: async (options) => {
          did.push(options?.parentSession);
          await options?.setup?.({ ...sessionManager, appendMessage: (message) => void did.push(message.content) });
          return { cancelled: false };
        },
      },
    });
    await runner.runCommand("handoff", "");
    expect([did, errors]).toEqual([["idle", "/s.jsonl", "go on"], []]);
  });

  it("what the host does not offer is said", async () => {
    const asks: LooseFactory = (api) =>
      api.registerCommand("x", { handler: async (_args, ctx) => void (await ctx.newSession()) });
    const { runner, errors } = runnerOf("pi", [asks]);
    await runner.runCommand("x", "");
    expect(errors[0]?.error).toBe("the host has no `newSession`");
  });
});

describe("the API's methods (omp-hooks, What a hook module is)", () => {
  it("sendMessage and appendEntry reach the host after initialize, and say so before", async () => {
    const sent: unknown[] = [];
    const sends = on("agent_start", () => undefined);
    const speaks: LooseFactory = (api) =>
      void api.on("agent_start", () => {
        api.sendMessage({ customType: "note", content: "hi", display: true }, { triggerTurn: true });
        api.appendEntry("state", { n: 1 });
      });
    const { runner } = runnerOf("pi", [sends, speaks], {
      ports: { sendMessage: (...all) => void sent.push(all), appendEntry: (...all) => void sent.push(all) },
    });
    await runner.emit({ type: "agent_start" });
    expect(sent).toEqual([
      [{ customType: "note", content: "hi", display: true }, { triggerTurn: true }],
      ["state", { n: 1 }],
    ]);
    expect(() => runnerOf("pi", [(api) => api.appendEntry("state")])).toThrow("after the runner was initialised");
  });

  it("exec runs through the host where it offers that, and by itself otherwise", async () => {
    const outputs: unknown[] = [];
    const runs: LooseFactory = (api) =>
      void api.on("agent_start", async () => {
        const done = await api.exec(process.execPath, ["-p", "6 * 7"], { cwd: process.cwd() });
        outputs.push(done.stdout.trim());
      });
    const own = { stdout: "host", stderr: "", code: 0, killed: false, truncated: false };
    await runnerOf("pi", [runs]).runner.emit({ type: "agent_start" });
    await runnerOf("pi", [runs], { ports: { exec: async () => own } }).runner.emit({ type: "agent_start" });
    expect(outputs).toEqual(["42", "host"]);
  });

  it("a listener that throws changes nothing, and one that was taken back hears nothing (omp-hooks, Event-time)", async () => {
    const throws = on("agent_start", () => {
      throw new Error("boom");
    });
    const { runner, errors } = runnerOf("pi", [throws]);
    runner.onError(() => {
      throw new Error("listener");
    });
    const heard: unknown[] = [];
    runner.onError((error) => heard.push(error))();
    await runner.emit({ type: "agent_start" });
    expect([errors.length, heard]).toEqual([1, []]);
  });
});
