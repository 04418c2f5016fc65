import { homedir } from "node:os";
import { join } from "node:path";
import { file, hooks, project, runnerOf, source } from "./subsystem-start.mjs";

/** What omp's loader finds and loads, what modules can register, and what is exported. */
export const loading = {
  async loading() {
    const at = (name, body) => file(join(project, "loading", name), body);
    const good = "export default (pi) => { pi.on('session_start', () => {}); };\n";
    const paths = [
      at("first.mjs", good),
      at(
        "typed.ts",
        "export default function hook(pi: { on(n: string, h: () => void): void }): void { pi.on('x', () => {}); }\n",
      ),
      at("script.js", good),
      at("none.mjs", "export const hook = 1;\n"),
      at("number.mjs", "export default 1;\n"),
      at("throws.mjs", "throw new Error('at load');\n"),
      at("factory.mjs", "export default () => { throw new Error('in the factory'); };\n"),
      at("broken.mjs", "export default (\n"),
      at("class.mjs", "export default class Hook { constructor(pi) { pi.on('x', () => {}); } }\n"),
      at("async.mjs", "export default async (pi) => { await null; pi.on('later', () => {}); };\n"),
      join(project, "loading", "missing.mjs"),
      at("last.mjs", good),
    ];
    const { hooks: loaded, errors } = await hooks.loadHooks(paths, project);
    const name = (path) => path.slice(path.lastIndexOf("/") + 1);
    return {
      loaded: loaded.map(({ path, handlers }) => ({ name: name(path), events: [...handlers.keys()] })),
      errors: errors.map(({ path, error }) => ({ name: name(path), error })),
    };
  },

  async late() {
    let api;
    const { runner } = await runnerOf((pi) => {
      api = pi;
    });
    const seen = [];
    api.on("session_start", () => seen.push("late"));
    await runner.emit({ type: "session_start" });
    return seen;
  },

  async paths() {
    const good = "export default (pi) => pi.on('session_start', () => {});\n";
    file(join(homedir(), "of-home.mjs"), good);
    file(join(project, "below", "near.mjs"), good);
    const absolute = file(join(project, "far.mjs"), good);
    const cwd = join(project, "below");
    const { hooks: loaded, errors } = await hooks.loadHooks([absolute, "~/of-home.mjs", "near.mjs", "../far.mjs"], cwd);
    const short = (path) => path.replace(homedir(), "HOME").replace(project, "PROJECT");
    return { loaded: loaded.map(({ resolvedPath }) => short(resolvedPath)), errors };
  },

  async discovery() {
    const place = join(project, "found");
    const good = "export default (pi) => pi.on('session_start', () => {});\n";
    file(join(place, ".omp/hooks/pre/bash.mjs"), good);
    file(join(place, ".omp/hooks/post/read.mjs"), good);
    file(join(place, ".claude/hooks/pre/bash.mjs"), good);
    file(join(place, ".claude/hooks/pre/other.mjs"), good);
    for (const folder of [".omp", ".claude"])
      file(join(place, folder, "hooks/pre/shell.sh"), "#!/bin/sh\necho hello from a shell\n");
    file(join(homedir(), "agent/hooks/pre/bash.mjs"), good);
    file(join(homedir(), "agent/hooks/pre/mine.mjs"), good);
    const named = [file(join(place, "named.mjs"), good), join(place, ".omp/hooks/pre/bash.mjs"), "named.mjs"];
    const { hooks: loaded, errors } = await hooks.discoverAndLoadHooks(named, place);
    const short = (path) => path.replace(place, "PROJECT").replace(homedir(), "HOME");
    const { loadCapability } = await source("capability/index.ts");
    const { items, all } = await loadCapability("hooks", { cwd: place });
    return {
      loaded: loaded.map(({ path }) => short(path)),
      errors: errors.map(({ path }) => short(path)),
      kept: items.map(({ path }) => short(path)),
      shadowed: all.filter((item) => item._shadowed === true).map(({ path }) => short(path)),
      providers: [...new Set(items.map(({ _source }) => _source.provider))],
    };
  },

  async registered() {
    const told = [];
    const named = (name) => (pi) => {
      pi.registerCommand("go", { description: `of ${name}`, handler: async () => told.push(name) });
      pi.registerMessageRenderer("note", () => name);
    };
    const { runner } = await runnerOf(named("a"), named("b"));
    await runner.getCommand("go").handler("", runner.createCommandContext());
    return {
      told,
      commands: runner.getRegisteredCommands().map(({ name, description }) => ({ name, description })),
      renderer: runner.getMessageRenderer("note")(),
      none: runner.getCommand("stay") === undefined,
    };
  },

  async actions() {
    let api;
    const { runner } = await runnerOf((pi) => {
      api = pi;
    });
    const told = [];
    runner.initialize({
      getModel: () => undefined,
      sendMessageHandler: (...args) => told.push(["send", ...args]),
      appendEntryHandler: (...args) => told.push(["append", ...args]),
    });
    api.sendMessage({ customType: "note", content: "hello", display: true }, { triggerTurn: false });
    api.appendEntry("state", { n: 1 });
    const ran = await api.exec("echo", ["hello"]);
    return { told, ran };
  },

  async command() {
    const told = [];
    const { runner } = await runnerOf((pi) =>
      pi.registerCommand("handoff", {
        handler: async (_args, ctx) => {
          await ctx.waitForIdle();
          await ctx.newSession({
            parentSession: ctx.sessionManager.file,
            setup: async (sm) => sm.appendMessage("first"),
          });
        },
      }),
    );
    const nothing = () => undefined;
    runner.initialize({
      getModel: nothing,
      sendMessageHandler: nothing,
      appendEntryHandler: nothing,
      waitForIdle: async () => void told.push("waited"),
      newSessionHandler: async ({ parentSession, setup }) => {
        told.push(`new from ${parentSession}`);
        await setup({ appendMessage: (message) => told.push(`appended ${message}`) });
        return { cancelled: false };
      },
    });
    await runner.getCommand("handoff").handler("", runner.createCommandContext());
    return told;
  },

  async exported() {
    const root = await source("index.ts");
    const { execCommand } = hooks;
    const [there, here] = [await execCommand("pwd", [], project), await execCommand("false", [], project)];
    const killed = await execCommand("sleep", ["60"], project, { timeout: 200 });
    return {
      names: Object.keys(hooks).sort(),
      inRoot: Object.keys(root).filter((name) => Object.hasOwn(hooks, name)),
      exec: {
        there: there.stdout.trim() === project,
        code: here.code,
        keys: Object.keys(there).sort(),
        killed: killed.killed,
      },
    };
  },
};
