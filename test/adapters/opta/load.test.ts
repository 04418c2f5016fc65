import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import {
  HookManager,
  hooksMenu,
  loadOptaHooks,
  OptaConfigError,
  OptaConfigSchema,
  registerHooksCommand,
} from "../../../adapters/opta/index.ts";
import { execFileSync } from "../../bounded-process.ts";

const scratch = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-opta-load-")));
const home = join(scratch, "home");
const project = join(scratch, "project");
beforeEach(() => {
  for (const folder of [home, project]) rmSync(folder, { recursive: true, force: true });
  for (const folder of [home, project]) mkdirSync(folder, { recursive: true });
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function put(path: string, content: unknown): void {
  const file = join(scratch, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
}
const user = (content: unknown) => put("home/.config/opta/config.json", content);
const shared = (content: unknown) => put("project/.opta/config.json", content);
const load = (more: Parameters<typeof loadOptaHooks>[0] = {}) => loadOptaHooks({ home, project, ...more });
const call = { event: "tool.pre", session_id: "s", cwd: scratch, tool_name: "edit_file" } as const;

describe("the schema", () => {
  it("keeps other settings, and leaves out fields of a hook that nobody reads", () => {
    const hooks = [{ event: "error", command: "x", color: "red" }];
    expect(OptaConfigSchema.parse({ model: "m", hooks })).toEqual({
      model: "m",
      hooks: [{ event: "error", command: "x" }],
    });
  });

  it.each([
    ["no object", 1],
    ["hooks that are no list", { hooks: {} }],
    ["a hook without an event", { hooks: [{ command: "x" }] }],
    ["a hook without a command", { hooks: [{ event: "error" }] }],
    ["a command that is no text", { hooks: [{ event: "error", command: 1 }] }],
    ["a time-out of 99 ms", { hooks: [{ event: "error", command: "x", timeout: 99 }] }],
    ["a time-out of 60,001 ms", { hooks: [{ event: "error", command: "x", timeout: 60_001 }] }],
    ["a background that is no truth value", { hooks: [{ event: "error", command: "x", background: 1 }] }],
  ])("refuses %s, and names the place", (_name, config) => {
    const parsed = OptaConfigSchema.safeParse(config);
    expect(parsed.success).toBe(false);
    if (!parsed.success)
      expect(parsed.error.issues).toEqual([{ path: expect.any(String), message: expect.any(String) }]);
    expect(() => OptaConfigSchema.parse(config)).toThrow();
  });

  it.each([100, 60_000])("takes a time-out of %d ms", (timeout) => {
    expect(OptaConfigSchema.parse({ hooks: [{ event: "error", command: "x", timeout }] }).hooks[0]?.timeout).toBe(
      timeout,
    );
  });
});

describe("loading", () => {
  it("without a file there is the shared manager that does nothing", () => {
    expect(load()).toMatchObject({ files: [], findings: [], hooks: [] });
    expect(load().manager).toBe(load().manager);
  });

  it("the user's hooks come first, the project's next, those of plugins last", () => {
    const hook = (command: string) => ({ hooks: [{ event: "tool.pre", command }] });
    put("project/.opta/plugins/b/manifest.json", { name: "b", ...hook("of plugin b") });
    put("home/.config/opta/plugins/a/manifest.json", { name: "a", ...hook("of plugin a") });
    put("elsewhere/manifest.json", hook("of a host's plugin"));
    shared(hook("of the project"));
    user(hook("of the user"));
    const loaded = load({ manifests: [join(scratch, "elsewhere/manifest.json")] });
    expect(loaded.findings).toEqual([]);
    expect(loaded.hooks.map(({ scope, definition }) => `${scope}: ${definition.command}`)).toEqual([
      "user: of the user",
      "project: of the project",
      "plugin: of plugin a",
      "plugin: of a host's plugin",
      "plugin: of plugin b",
    ]);
  });

  it("what two files both have runs once, as the stronger one says it", async () => {
    const hook = { event: "tool.pre", matcher: "edit", command: "echo ran >> once" };
    user({ hooks: [{ ...hook, timeout: 500 }] });
    shared({
      hooks: [
        { ...hook, timeout: 700 },
        { ...hook, matcher: "file" },
      ],
    });
    const { manager } = load();
    expect(manager.list().map(({ definition }) => [definition.matcher, definition.timeout])).toEqual([
      ["edit", 500],
      ["file", undefined],
    ]);
    await manager.fire("tool.pre", call);
    expect(readFileSync(join(scratch, "once"), "utf8")).toBe("ran\nran\n");
  });

  it("what one file has twice runs twice", async () => {
    const hook = { event: "tool.pre", command: "echo ran >> twice" };
    user({ hooks: [hook, hook] });
    await load().manager.fire("tool.pre", call);
    expect(readFileSync(join(scratch, "twice"), "utf8")).toBe("ran\nran\n");
  });

  it("the user's configuration passes variables on, and nobody else's does", async () => {
    const command = 'echo "$SSH_AUTH_SOCK ${GIT_AUTHOR_NAME-unset} ${TOKEN-unset}" >&2; exit 1';
    const variables = { PATH: process.env["PATH"], SSH_AUTH_SOCK: "/s", GIT_AUTHOR_NAME: "Dev", TOKEN: "no" };
    user({ passEnv: ["SSH_AUTH_SOCK", "GIT_*"] });
    shared({ passEnv: ["TOKEN"], hooks: [{ event: "tool.pre", command }] });
    const { manager, findings } = load({ variables });
    expect((await manager.fire("tool.pre", call)).reason).toBe("/s Dev unset");
    expect(findings).toMatchObject([{ severity: "warning", at: "/passEnv", path: join(project, ".opta/config.json") }]);
  });

  it.each(["*", "A B", "A**", "", "A=B"])("`passEnv` takes no %j, and closes calls", async (name) => {
    user({ passEnv: [name] });
    expect((await load().manager.fire("tool.pre", call)).cancelled).toBe(true);
  });

  it("a plugin's hook knows its own folder", async () => {
    const hooks = [{ event: "tool.pre", command: 'echo "$OPTA_PLUGIN_ROOT" >&2; exit 1' }];
    put("home/.config/opta/plugins/a/manifest.json", { hooks });
    expect((await load().manager.fire("tool.pre", call)).reason).toBe(join(home, ".config/opta/plugins/a"));
  });

  it.each([
    ["a file that is not JSON", "{", "the file is not JSON"],
    ["a hook of an unknown event", { hooks: [{ event: "never", command: "x" }] }, "/hooks/0/event"],
    [
      "a matcher that is no RE2 pattern",
      { hooks: [{ event: "tool.pre", command: "x", matcher: "(" }] },
      "no RE2 pattern",
    ],
  ])("%s closes calls and prompts, and says why", async (_name, content, why) => {
    shared(content);
    const { manager, findings } = load();
    expect(findings).toMatchObject([{ severity: "error", path: join(project, ".opta/config.json") }]);
    const result = await manager.fire("tool.pre", call);
    expect(result).toEqual({ cancelled: true, reason: expect.stringContaining(why) });
    expect(await manager.fire("session.end", { ...call, event: "session.end" })).toEqual({ cancelled: false });
  });

  it("a named pipe in place of a file is not waited for, and closes calls", async () => {
    mkdirSync(join(project, ".opta"), { recursive: true });
    execFileSync("mkfifo", [join(project, ".opta/config.json")]);
    const { manager, findings } = load();
    expect(findings).toMatchObject([{ severity: "error", message: "it is no regular file" }]);
    expect((await manager.fire("tool.pre", call)).cancelled).toBe(true);
  });

  it("a field that nobody reads is told", () => {
    user({ hooks: [{ event: "tool.pre", command: "x", mather: "edit" }] });
    expect(load().findings).toMatchObject([
      { severity: "warning", at: "/hooks/0", message: "`mather` is no field of a hook" },
    ]);
  });

  it("a project that is not trusted runs nothing, plugins of it included; the user's hooks do", () => {
    const hook = (command: string) => ({ hooks: [{ event: "tool.pre", command }] });
    user(hook("mine"));
    shared(hook("theirs"));
    put("project/.opta/plugins/b/manifest.json", hook("theirs too"));
    const asked: string[] = [];
    const { hooks, findings } = load({
      trusted: ({ path, digest }) => asked.push(`${path} ${digest.slice(0, 7)}`) < 0,
    });
    expect(hooks.map(({ definition }) => definition.command)).toEqual(["mine"]);
    expect(findings.map(({ severity }) => severity)).toEqual(["warning", "warning"]);
    expect(asked[0]).toBe(`${join(project, ".opta/config.json")} sha256:`);
  });
});

describe("the menu", () => {
  /** A human who chooses the first option that begins like this, one choice after the other. */
  function human(...choices: string[]) {
    const shown: string[] = [];
    const notices: string[] = [];
    const select = async (title: string, options: string[]) => {
      shown.push(title, ...options);
      const wanted = choices.shift();
      return wanted === undefined ? undefined : options.find((option) => option.startsWith(wanted));
    };
    return { shown, notices, ui: { select, notify: (text: string) => void notices.push(text) } };
  }

  it("lists hooks, shows one whole, and turns it off and on for the session", async () => {
    user({ hooks: [{ event: "tool.pre", matcher: "edit", command: "exit 1" }] });
    const { manager } = load();
    const first = human("1.", "Turn off", "Done");
    await hooksMenu(manager, first.ui);
    expect(first.shown).toContain("1. tool.pre [edit]: exit 1 (user)");
    expect(first.shown).toContain("tool.pre, from the user\nmatcher: edit\ncommand: exit 1\ntime-out: 10000 ms");
    expect((await manager.fire("tool.pre", call)).cancelled).toBe(false);
    const second = human("1.", "Turn on", "Done");
    await hooksMenu(manager, second.ui);
    expect(second.shown).toContain("1. tool.pre [edit]: exit 1 (user, off)");
    expect((await manager.fire("tool.pre", call)).cancelled).toBe(true);
  });

  it("is the command `hooks` of a host, and says so where nothing is configured", async () => {
    const commands: Record<string, Parameters<Parameters<typeof registerHooksCommand>[0]["registerCommand"]>[1]> = {};
    registerHooksCommand({ registerCommand: (name, options) => void (commands[name] = options) }, load().manager);
    const { ui, notices } = human();
    await commands["hooks"]?.handler("", { ui });
    expect(notices).toEqual([expect.stringContaining("no hooks are configured")]);
  });
});

describe("a configuration that says less than it seems to", () => {
  it.each<[string, string, string, string]>([
    ["hooks twice", '{"hooks":[{"event":"tool.pre","command":"exit 1"}],"hooks":[]}', "error", "`hooks` stands twice"],
    [
      "a command twice",
      '{"hooks":[{"event":"tool.pre","command":"exit 1","command":"true"}]}',
      "error",
      "`hooks.command`",
    ],
    ["an empty command", '{"hooks":[{"event":"tool.pre","command":" "}]}', "warning", "the command is empty"],
    [
      "a matcher where no tool is",
      '{"hooks":[{"event":"session.start","command":"true","matcher":"x"}]}',
      "warning",
      "no tool to match",
    ],
  ])("is a finding: %s", (_, text, severity, message) => {
    mkdirSync(join(project, ".opta"), { recursive: true });
    writeFileSync(join(project, ".opta/config.json"), text);
    expect(load().findings).toEqual([expect.objectContaining({ severity, message: expect.stringContaining(message) })]);
  });

  it("a link that leads to nothing is no regular file, and closes", () => {
    mkdirSync(join(project, ".opta"), { recursive: true });
    symlinkSync(join(project, "gone.json"), join(project, ".opta/config.json"));
    expect(load().findings).toMatchObject([{ severity: "error", message: expect.stringContaining("no regular file") }]);
  });

  it.each([[{}], [5], ["x"], [null]])("definitions that are no list are an error with words: %j", (given) => {
    expect(() => HookManager.create(given as never)).toThrow(OptaConfigError);
  });
});
