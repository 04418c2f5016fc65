import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import type { HookProgram } from "../../adapters/install/command.ts";
import { installers } from "../../adapters/install/registry.ts";
import { dialects } from "../../adapters/one-shot/registry.ts";
import { type InstallOptions, install } from "../../cli/commands/install.ts";
import { type UninstallOptions, uninstall } from "../../cli/commands/uninstall.ts";
import type { Io } from "../../cli/io.ts";
import { compile } from "../../compiler/compile.ts";
import { createEngine } from "../../runtime.ts";
import { humanWho } from "./human.ts";
import { demoPolicy, run, Scratch } from "./run.ts";

const scratch = new Scratch();

/** A home and a project of its own; everything that a command may touch is below them. */
function world() {
  const home = join(scratch.path, "home");
  const project = join(scratch.path, "project");
  for (const folder of [home, project]) mkdirSync(folder, { recursive: true });
  scratch.put("project/.hookwarden/policy.yaml", demoPolicy);
  const modules = join(scratch.path, "package/dist");
  const program: HookProgram = {
    node: process.execPath,
    launcher: scratch.put("package/dist/bin/hookwarden-hook.cjs", ""),
    command: scratch.put("package/dist/bin/hookwarden.js", ""),
    modules,
  };
  const text = { out: "", err: "" };
  const io: Io = {
    cwd: project,
    home,
    env: { HOME: home, XDG_STATE_HOME: join(home, ".local/state") },
    color: false,
    stdin: (async function* () {})(),
    out: async (more) => void (text.out += more),
    err: (more) => void (text.err += more),
    human: async () => humanWho("yes", () => {}),
  };
  const machine = { program, platform: "linux" } as const;
  return {
    home,
    project,
    program,
    text,
    io,
    /** Parts of a line as they are written. */
    client: `'/bin/sh' -p '${join(modules, "bin/hookwarden-client.sh")}'`,
    node: `'${program.node}' '${program.launcher}'`,
    said: (event: string) => `--event '${event}' --state '${join(home, ".local/state/hookwarden")}' --home '${home}'`,
    install: (host: string, options: InstallOptions = {}) => install(host, options, io, machine),
    uninstall: (host: string, options: UninstallOptions = {}) => uninstall(host, options, io, machine),
  };
}

/** Every file below a folder with its text, but for hookwarden's own state. */
function tree(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  const open = [folder];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const path = join(at, entry.name);
      if (path.endsWith(".local/state/hookwarden")) continue;
      if (entry.isDirectory()) open.push(path);
      else found[relative(folder, path)] = readFileSync(path, "utf8");
    }
  }
  return found;
}

const wired = installers.filter(({ name }) => name !== "mcp").map(({ name }) => name);
const scopes = ["user", "project"] as const;
const everyHost = wired.flatMap((host) => scopes.map((scope) => [host, scope] as const));

/** Where a host's first file stands. */
function firstFile(host: string, scope: "user" | "project", { home, project, program }: ReturnType<typeof world>) {
  const installer = installers.find(({ name }) => name === host);
  const by = { policies: [], set: {} };
  const state = join(home, ".local/state/hookwarden");
  const files = installer?.files({ scope, home, state, project, platform: "linux", program, by });
  if (!files || "message" in files) throw new Error(`no files for ${host}`);
  return files;
}

describe("install and uninstall", () => {
  it.each(everyHost)(
    "%s (%s): wires, changes nothing the second time, and goes without a trace",
    async (host, scope) => {
      const here = world();
      const before = tree(scratch.path);
      expect(await here.install(host, { scope })).toBe(0);
      const after = tree(scratch.path);
      expect(after).not.toEqual(before);
      for (const file of firstFile(host, scope, here)) expect(existsSync(file.path)).toBe(true);
      expect(here.text.out).toContain(`hookwarden doctor ${host}`);
      expect(await here.install(host, { scope })).toBe(0);
      expect(tree(scratch.path)).toEqual(after);
      expect(await here.uninstall(host, { scope })).toBe(0);
      expect(tree(scratch.path)).toEqual(before);
      expect(existsSync(dirname(firstFile(host, scope, here)[0]?.path ?? ""))).toBe(false);
    },
  );

  it.each(everyHost)("%s (%s): touches nothing outside its home and project", async (host, scope) => {
    const here = world();
    const paths = firstFile(host, scope, here).map(({ path }) => path);
    const root = scope === "user" ? here.home : here.project;
    expect(paths.filter((path) => relative(root, path).startsWith(".."))).toEqual([]);
    await here.install(host, { scope });
    const outside = Object.keys(tree(scratch.path)).filter((path) => !/^(home|project|package)\//.test(path));
    expect(outside).toEqual([]);
  });

  const jsonHosts = everyHost.filter(([host]) => !["cline", "pi", "omp", "gastown", "opencode"].includes(host));
  const flat = (host: string) => host === "opta";

  it.each(jsonHosts)("%s (%s): keeps what is there, comments and all, byte for byte", async (host, scope) => {
    const here = world();
    const path = firstFile(host, scope, here)[0]?.path ?? "";
    const hooks = flat(host) ? '[\n\t\t{ "event": "error", "command": "echo" }, // mine\n\t]' : "{ /* none */ }";
    const text = `// settings\r\n{\r\n\t"model": "x", // which\r\n\t"version": 1,\r\n\t"hooks": ${hooks},\r\n}\r\n`;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    expect(await here.install(host, { scope })).toBe(0);
    const made = readFileSync(path, "utf8");
    for (const kept of ["// settings\r\n", '"model": "x", // which', flat(host) ? "// mine" : "/* none */"])
      expect(made).toContain(kept);
    expect(readFileSync(`${path}.hookwarden-backup`, "utf8")).toBe(text);
    expect(await here.uninstall(host, { scope })).toBe(0);
    expect(readFileSync(path, "utf8")).toBe(text);
    expect(existsSync(`${path}.hookwarden-backup`)).toBe(false);
  });

  it.each(jsonHosts)("%s (%s): takes only its own out of a file that was changed since", async (host, scope) => {
    const here = world();
    const path = firstFile(host, scope, here)[0]?.path ?? "";
    mkdirSync(dirname(path), { recursive: true });
    const version = host === "copilot" || host === "cursor" ? '  "version": 1,\n' : "";
    writeFileSync(path, `{\n${version}  "theme": "dark"\n}\n`);
    await here.install(host, { scope });
    writeFileSync(path, readFileSync(path, "utf8").replace('"dark"', '"light" /* changed */'));
    await here.uninstall(host, { scope });
    expect(readFileSync(path, "utf8")).toBe(`{\n${version}  "theme": "light" /* changed */\n}\n`);
  });

  it.each(jsonHosts)("%s (%s): writes nothing where the file is malformed, and says where", async (host, scope) => {
    const here = world();
    const path = firstFile(host, scope, here)[0]?.path ?? "";
    mkdirSync(dirname(path), { recursive: true });
    for (const [text, place] of [
      ['{\n  "key": "SECRET" oops\n}\n', /line 2, column \d+/],
      ['{ "hooks": "none" }\n', /`hooks[^`]*` is not|not a list/],
      ["[]\n", /the file is not an object/],
    ] as const) {
      writeFileSync(path, text);
      const before = tree(scratch.path);
      expect(await here.install(host, { scope })).toBe(2);
      expect(here.text.err).toMatch(/HW707/);
      expect(here.text.err).toMatch(place);
      expect(here.text.err).not.toContain("SECRET");
      expect(tree(scratch.path)).toEqual(before);
      here.text.err = "";
    }
  });

  it("updates its own hook when the policies change, beside those of others", async () => {
    const here = world();
    const path = join(here.home, ".claude/settings.json");
    const policy = scratch.put("mine.yaml", demoPolicy.replace("policy: demo", "policy: mine"));
    await here.install("claude-code");
    const theirs = { matcher: "Bash", hooks: [{ type: "command", command: "echo" }] };
    const settings = JSON.parse(readFileSync(path, "utf8"));
    settings.hooks.PreToolUse.push(theirs);
    writeFileSync(path, JSON.stringify(settings));
    expect(await here.install("claude-code", { policy: [relative(here.project, policy)] })).toBe(0);
    const { hooks } = JSON.parse(readFileSync(path, "utf8"));
    expect(hooks.PreToolUse).toEqual([theirs, { hooks: [expect.objectContaining({ timeout: 30 })] }]);
    expect(hooks.PreToolUse[1].hooks[0].command).toBe(
      `${here.client} ${here.node} claude-code ${here.said("PreToolUse")} --policy '${policy}' || exit 2`,
    );
    expect(await here.uninstall("claude-code")).toBe(0);
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ hooks: { PreToolUse: [theirs] } });
  });

  it("has hooks ask a daemon first, and knows such a line again", async () => {
    const here = world();
    const path = join(here.home, ".claude/settings.json");
    expect(await here.install("claude-code", { daemon: true })).toBe(0);
    const command = () => JSON.parse(readFileSync(path, "utf8")).hooks.PreToolUse[0].hooks[0].command;
    const shell = join(dirname(here.program.launcher), "hookwarden-hook.sh");
    const socket = join(here.home, ".local/state/hookwarden/daemon/hook.sock");
    const said = here.said("PreToolUse");
    expect(command()).toBe(`'/bin/sh' -p '${shell}' ${here.node} '${socket}' claude-code ${said} || exit 2`);
    expect(await here.install("claude-code")).toBe(0);
    expect(command()).toBe(`${here.client} ${here.node} claude-code ${said} || exit 2`);
    await here.install("claude-code", { daemon: "run/own.sock" });
    expect(command()).toContain(`'${join(here.project, "run/own.sock")}' claude-code`);
    expect(await here.uninstall("claude-code")).toBe(0);
    expect(existsSync(path) ? readFileSync(path, "utf8") : "").not.toContain("hookwarden");
  });

  it.each([
    ["the launcher alone", (node: string) => `${node} claude-code || exit 2`],
    [
      "the shell file without its option",
      (node: string) => `'/bin/sh' '/o/hookwarden-hook.sh' ${node} '/s' claude-code || exit 2`,
    ],
  ])("writes a line of an earlier version anew: %s", async (_, former) => {
    const here = world();
    const path = join(here.home, ".claude/settings.json");
    const hook = { type: "command", command: former(here.node), timeout: 30 };
    const theirs = { hooks: [{ type: "command", command: "echo" }] };
    scratch.put("home/.claude/settings.json", JSON.stringify({ hooks: { PreToolUse: [theirs, { hooks: [hook] }] } }));
    expect(await here.install("claude-code")).toBe(0);
    const { hooks } = JSON.parse(readFileSync(path, "utf8"));
    expect(hooks.PreToolUse).toHaveLength(2);
    expect(hooks.PreToolUse[1].hooks[0].command).toContain(here.client);
    scratch.put("home/.claude/settings.json", JSON.stringify({ hooks: { PreToolUse: [theirs, { hooks: [hook] }] } }));
    expect(await here.uninstall("claude-code")).toBe(0);
    expect(readFileSync(path, "utf8")).not.toContain("hookwarden");
  });

  it("leaves a line that somebody wrote by hand alone", async () => {
    const here = world();
    const path = join(here.home, ".claude/settings.json");
    const command = "/usr/bin/node /opt/hookwarden/dist/bin/hookwarden-hook.cjs claude-code || exit 2";
    const text = JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: "command", command }] }] } });
    scratch.put("home/.claude/settings.json", text);
    await here.uninstall("claude-code");
    expect(readFileSync(path, "utf8")).toBe(text);
  });

  it.each(["cline", "pi", "omp", "gastown", "opencode"])(
    "%s: never writes over a file of somebody else",
    async (host) => {
      const here = world();
      const path = firstFile(host, "user", here)[0]?.path ?? "";
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, "theirs\n");
      const before = tree(scratch.path);
      expect(await here.install(host)).toBe(2);
      expect(here.text.err).toContain("hookwarden did not write it");
      expect(tree(scratch.path)).toEqual(before);
      await here.uninstall(host);
      expect(tree(scratch.path)).toEqual(before);
    },
  );

  it("Cline's files can be run", async () => {
    const here = world();
    await here.install("cline");
    expect(statSync(join(here.home, ".cline/hooks/PreToolUse")).mode & 0o777).toBe(0o755);
  });

  it("one hook serves Claude Code and VS Code", async () => {
    const here = world();
    await here.install("claude-code");
    const before = tree(here.home);
    expect(await here.install("vscode")).toBe(0);
    expect(tree(here.home)).toEqual(before);
  });

  it("shows what it would do, and writes nothing", async () => {
    const here = world();
    const before = tree(scratch.path);
    expect(await here.install("codex", { dryRun: true })).toBe(0);
    expect(here.text.out).toMatch(/hooks\.json: would be made[\s\S]*\+ .*PreToolUse/);
    expect(here.text.out).toContain("/hooks");
    expect(tree(scratch.path)).toEqual(before);
  });

  it("says that Codex has hooks switched off", async () => {
    const here = world();
    scratch.put("home/.codex/config.toml", "[features]\nhooks = false\n");
    await here.install("codex");
    expect(here.text.out).toContain("switches hooks off");
  });

  it.each([
    ["a policy that does not load", { policy: ["broken.yaml"] }, "HW101"],
    ["a policy that is not there", { policy: ["gone.yaml"] }, "HW001"],
  ])("writes nothing because of %s", async (_, options, code) => {
    const here = world();
    scratch.put("project/broken.yaml", "version: 1\npolicy: p\nrulez: []\nrules: []\n");
    const before = tree(scratch.path);
    expect(await here.install("claude-code", options)).toBe(2);
    expect(here.text.err).toContain(code);
    expect(tree(scratch.path)).toEqual(before);
  });

  it("refuses where the host looks elsewhere, inside an agent, and for hosts that there are not", async () => {
    const here = world();
    const before = tree(scratch.path);
    const moved = { ...here.io, env: { ...here.io.env, CODEX_HOME: "/elsewhere" } };
    expect(await install("codex", {}, moved, { program: here.program })).toBe(2);
    expect(here.text.err).toContain("`CODEX_HOME` is set");
    const inside = { ...here.io, env: { ...here.io.env, CLAUDECODE: "1" } };
    expect(await uninstall("codex", {}, inside, { program: here.program })).toBe(1);
    expect((await run(["install", "claud-code"], { cwd: here.project, home: here.home })).err).toContain(
      "`claude-code`",
    );
    expect(tree(scratch.path)).toEqual(before);
  });

  it("does not follow a link out of the project", async () => {
    const here = world();
    const outside = scratch.put("elsewhere/settings.json", "{}\n");
    mkdirSync(join(here.project, ".gemini"));
    symlinkSync(outside, join(here.project, ".gemini/settings.json"));
    expect(await here.install("gemini", { scope: "project" })).toBe(2);
    expect(readFileSync(outside, "utf8")).toBe("{}\n");
  });
});

describe("what is written", () => {
  it.each(Object.entries(dialects))(
    "%s: the host waits at least twice as long as the launcher takes",
    (host, dialect) => {
      const here = world();
      const file = firstFile(host, "user", here)[0];
      const wiredText = file?.wire(undefined);
      const text = wiredText && "text" in wiredText ? wiredText.text : "";
      const units = /"(?:timeout|timeoutSec)": (\d+)/.exec(text)?.[1];
      if (units === undefined) return expect(["windsurf", "cline"]).toContain(host);
      const milliseconds = ["gemini", "opta"].includes(host) ? Number(units) : Number(units) * 1_000;
      expect(milliseconds).toBeGreaterThanOrEqual(2 * dialect.budget);
    },
  );

  it("tells hosts that can to refuse where the hook fails", () => {
    const here = world();
    const text = (host: string) => {
      const made = firstFile(host, "user", here)[0]?.wire(undefined);
      return made && "text" in made ? JSON.parse(made.text) : {};
    };
    expect(text("cursor").hooks.preToolUse[0]).toMatchObject({ failClosed: true });
    expect(text("goose").hooks.PreToolUse[0].hooks[0]).toMatchObject({ on_failure: "block" });
  });

  it.each(everyHost)("%s (%s): no agent may change or remove it", (host, scope) => {
    const here = world();
    const { plan } = compile({ files: [{ name: "p", path: "/p", bytes: Buffer.from(demoPolicy) }] });
    if (!plan) throw new Error("the policy does not compile");
    const engine = createEngine(plan);
    const environment = { cwd: here.project, workspace: here.project, home: here.home };
    for (const { path } of firstFile(host, scope, here)) {
      const outcome = (tool: string, args: object) =>
        engine.decide({ event: "tool_call", tool, args, environment }).decision.outcome;
      expect([path, outcome("write", { path, content: "x" })]).toEqual([path, "block"]);
      expect([path, outcome("edit", { path, edits: [] })]).toEqual([path, "block"]);
      expect([path, outcome("mcp__fs__write_file", { path, content: "x" })]).toEqual([path, "block"]);
      expect([path, outcome("bash", { command: `mv ${path} moved` })]).toEqual([path, "block"]);
    }
  });
});

describe("an MCP server", () => {
  const servers = (more = "") =>
    `{\n  // my servers\n  "mcpServers": {\n    "fs": { "command": "npx", "args": ["-y", "server-fs", "/w"], "env": { "KEY": "x" } },${more}\n    "web": { "url": "https://example.com" }\n  }\n}\n`;

  it("is put behind the proxy, and back as it was", async () => {
    const here = world();
    const config = scratch.put("project/mcp.json", servers());
    const options = { config: "mcp.json", server: "fs" };
    expect(await here.install("mcp", options)).toBe(0);
    expect(here.text.out).toContain(`hookwarden doctor mcp --config ${config} --server fs`);
    const { mcpServers } = JSON.parse(readFileSync(config, "utf8").replace("// my servers", ""));
    expect(mcpServers.fs).toEqual({
      command: process.execPath,
      args: [here.program.command, "mcp", "--server", "fs", "--env", "KEY", "--", "npx", "-y", "server-fs", "/w"],
      env: { KEY: "x" },
    });
    const once = readFileSync(config, "utf8");
    expect(await here.install("mcp", options)).toBe(0);
    expect(readFileSync(config, "utf8")).toBe(once);
    writeFileSync(config, once.replace("example.com", "example.org"));
    expect(await here.uninstall("mcp", options)).toBe(0);
    expect(readFileSync(config, "utf8")).toBe(servers().replace("example.com", "example.org"));
  });

  it.each([
    [{}, "--server"],
    [{ config: "mcp.json", server: "files" }, "`fs`"],
    [{ config: "mcp.json", server: "web" }, "not started by a command"],
    [{ config: "gone.json", server: "fs" }, "does not exist"],
  ])("%j is refused with a way on", async (options, says) => {
    const here = world();
    scratch.put("project/mcp.json", servers());
    expect(await here.install("mcp", options)).toBe(2);
    expect(here.text.err).toContain(says);
  });
});
