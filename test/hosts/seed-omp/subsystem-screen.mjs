import { on, project, runnerOf, source } from "./subsystem-start.mjs";

/** What a module can ask of a screen, and what it gets without one. */
export const screen = {
  async headless() {
    const seen = {};
    const { runner } = await runnerOf(
      on("session_start", async (_event, ctx) => {
        const { ui } = ctx;
        seen.hasUI = ctx.hasUI;
        seen.select = (await ui.select("which", ["a", "b"])) ?? "undefined";
        seen.input = (await ui.input("what", "word")) ?? "undefined";
        seen.editor = (await ui.editor("long", "text", {}, { promptStyle: true })) ?? "undefined";
        seen.confirm = await ui.confirm("really", "yes?");
        ui.notify("hello", "info");
        ui.setStatus("key", "text");
        ui.setEditorText("text");
        seen.editorText = ui.getEditorText();
        seen.members = ["custom", "theme"].filter((name) => name in ui);
      }),
    );
    await runner.emit({ type: "session_start" });
    return seen;
  },

  async withScreen() {
    const told = [];
    let look = { name: "dark" };
    const says =
      (name, answer) =>
      (...args) => {
        told.push([name, ...args.map((arg) => (typeof arg === "function" ? "a function" : arg))]);
        return answer;
      };
    const methods = { select: "b", input: "word", editor: "text", confirm: true, custom: 7, notify: undefined };
    const ui = Object.fromEntries(Object.entries(methods).map(([name, answer]) => [name, says(name, answer)]));
    Object.assign(ui, {
      setStatus: says("setStatus"),
      setEditorText: says("setEditorText"),
      getEditorText: () => "typed",
    });
    Object.defineProperty(ui, "theme", { get: () => look });
    const seen = {};
    const { runner } = await runnerOf(
      on("session_start", async (_event, ctx) => {
        seen.hasUI = ctx.hasUI;
        seen.answers = [
          await ctx.ui.select("which", ["a", "b"]),
          await ctx.ui.confirm("really", "yes?"),
          await ctx.ui.input("what", "word"),
          await ctx.ui.editor("long", "text", { signal: undefined }, { promptStyle: true }),
          await ctx.ui.custom(() => undefined),
          ctx.ui.getEditorText(),
        ];
        ctx.ui.notify("hello", "info");
        ctx.ui.setStatus("key", "text");
        ctx.ui.setEditorText("text");
        seen.themes = [ctx.ui.theme.name];
        look = { name: "light" };
        seen.themes.push(ctx.ui.theme.name);
      }),
    );
    const nothing = () => undefined;
    runner.initialize({
      getModel: nothing,
      sendMessageHandler: nothing,
      appendEntryHandler: nothing,
      uiContext: ui,
      hasUI: true,
    });
    await runner.emit({ type: "session_start" });
    return { ...seen, told };
  },

  async status() {
    const { initTheme } = await source("modes/theme/theme.ts");
    const { Settings } = await source("config/settings.ts");
    await Settings.init({ cwd: project });
    await initTheme();
    const { StatusLineComponent } = await source("modes/components/status-line/component.ts");
    const line = new StatusLineComponent({ sessionManager: {}, state: {} });
    const rows = (width) => [...line.render(width)].map((row) => Bun.stripANSI(row));
    line.setHookStatus("b", "second\tpart\r\nhere   too");
    line.setHookStatus("a", "first");
    line.setHookStatus("c", "third");
    const both = rows(80);
    line.setHookStatus("c", undefined);
    line.setHookStatus("a", "first again");
    return { both, replaced: rows(80), cut: rows(8) };
  },
};
