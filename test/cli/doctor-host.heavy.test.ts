import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runCanary } from "../../adapters/install/canary.ts";
import { canaryForms } from "../../adapters/install/canary-payloads.ts";
import { clientOf, type HookProgram } from "../../adapters/install/command.ts";
import { installers } from "../../adapters/install/registry.ts";
import { beat } from "../../adapters/omp/canary.ts";
import { doctor } from "../../cli/commands/doctor.ts";
import { install } from "../../cli/commands/install.ts";
import type { Io } from "../../cli/io.ts";
import { countUnjudged } from "../../store/unjudged.ts";
import { builtPackage } from "../adapters/install/built-package.ts";
import { humanWho } from "./human.ts";
import { demoPolicy, Scratch } from "./run.ts";

const scratch = new Scratch();
let program: HookProgram;

/** The package as npm puts it there. */
beforeAll(async () => {
  const made = await builtPackage();
  const modules = join(made.root, "dist");
  program = {
    node: process.execPath,
    launcher: join(modules, "bin/hookwarden-hook.cjs"),
    command: made.command,
    modules,
  };
  return () => made.remove();
});

interface Check {
  readonly check: string;
  readonly ok: boolean;
  readonly found: string;
}

function world() {
  const home = join(scratch.path, "home");
  const project = join(scratch.path, "project");
  mkdirSync(home, { recursive: true });
  scratch.put("project/.hookwarden/policy.yaml", demoPolicy);
  let out = "";
  const io: Io = {
    cwd: project,
    home,
    env: { HOME: home, PATH: join(scratch.path, "claude") },
    color: false,
    stdin: (async function* () {})(),
    out: async (text) => void (out += text),
    err: (text) => void (out += text),
    human: async () => humanWho("yes", () => {}),
  };
  const machine = { program, platform: "linux" } as const;
  return {
    home,
    install: (host: string, options = {}) => install(host, options, io, machine),
    async doctor(host?: string, options = {}) {
      out = "";
      const code = await doctor(host, { format: "json", ...options }, io, machine);
      const { checks } = JSON.parse(out) as { checks: Check[] };
      return { code, about: checks.filter(({ check }) => installers.some(({ name }) => check.startsWith(name))) };
    },
  };
}

describe("the canary", () => {
  it.each(installers.map(({ name }) => name))(
    "%s: a block blocks, another call passes, garbage is refused, a hang is cut",
    async (host) => {
      const cases = (await runCanary(host, program)) ?? [];
      expect(cases.filter(({ ok }) => !ok)).toEqual([]);
      const isHook = Object.hasOwn(canaryForms, host);
      expect(cases.map(({ name }) => name)).toEqual([
        "block",
        "pass",
        "garbage",
        "hang",
        ...(isHook ? ["hostile"] : []),
      ]);
    },
  );

  const lying = [
    ["lets everything through", ""],
    ["refuses everything", "process.stderr.write('no\\n'); process.exit(2);"],
    ["crashes", "throw new Error('broken');"],
  ] as const;
  it.each(lying)("notices a launcher that %s", async (_, text) => {
    const launcher = scratch.put("bin/hookwarden-hook.cjs", text);
    scratch.put("bin/hookwarden-client.sh", readFileSync(clientOf(program), "utf8"));
    const cases = await runCanary("claude-code", { ...program, launcher });
    expect(cases?.find(({ name }) => name === "block")?.ok).toBe(false);
  });
});

describe("the canary of the proxy", () => {
  const passing = `import { createInterface } from "node:readline";
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, params } = JSON.parse(line);
  const text = \`the server was asked: \${params?.arguments?.word}\`;
  if (id !== undefined) process.stdout.write(\`\${JSON.stringify({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text }] } })}\\n\`);
});
`;
  it.each([
    ["lets everything through", passing, "block"],
    ["ends at once", "", "pass"],
    ["crashes", "throw new Error('broken');\n", "block"],
  ])("notices a proxy that %s", async (_, text, name) => {
    const command = scratch.put("bin/proxy.mjs", text);
    const cases = await runCanary("mcp", { ...program, command });
    expect(cases?.find((each) => each.name === name)?.ok).toBe(false);
  });

  it("is part of doctor, beside the server that is behind the proxy", async () => {
    const here = world();
    const server = { command: "node", args: ["server.mjs"] };
    scratch.put("project/mcp.json", JSON.stringify({ mcpServers: { fs: server } }));
    const options = { config: "mcp.json", server: "fs" };
    expect(await here.install("mcp", options)).toBe(0);
    const { about } = await here.doctor("mcp", options);
    expect(about.filter(({ ok }) => !ok)).toEqual([]);
    expect(about.map(({ check }) => check)).toEqual([
      "mcp (user)",
      "mcp versions",
      ...["block", "pass", "garbage", "hang"].map((name) => `mcp canary ${name}`),
    ]);
  });
});

describe("doctor of a host", () => {
  it("is not well where the host calls and nothing of it is judged", async () => {
    const here = world();
    await here.install("cline");
    const state = join(here.home, ".local/state/hookwarden");
    for (let i = 0; i < 40; i++) countUnjudged(state, "cline", "agent_foo", 1);
    const { code, about } = await here.doctor("cline");
    expect(code).toBe(2);
    expect(about.find(({ check }) => check === "cline judged")).toMatchObject({
      ok: false,
      found: expect.stringContaining("wired, called 40 times, judged 0"),
    });
  });

  it("is well where it is wired and the canary holds, and leaves nothing behind", async () => {
    const here = world();
    await here.install("claude-code");
    const before = readdirSync(here.home, { recursive: true });
    const { about } = await here.doctor("claude-code");
    expect(about.filter(({ ok }) => !ok)).toEqual([]);
    expect(about.map(({ check }) => check)).toEqual([
      "claude-code (user)",
      "claude-code versions",
      ...["block", "pass", "garbage", "hang", "hostile"].map((name) => `claude-code canary ${name}`),
    ]);
    expect(readdirSync(here.home, { recursive: true })).toEqual(before);
  });

  it("is not well with omp until omp has loaded the guard that was wired", async () => {
    const here = world();
    await here.install("omp");
    const loads = async () => (await here.doctor("omp")).about.find(({ check }) => check === "omp loads it");
    expect(await loads()).toMatchObject({ ok: false, found: expect.stringContaining("never loaded") });
    const heartbeat = { host: "omp", state: "guarded", pid: 1, version: "0" } as const;
    const state = join(here.home, ".local/state/hookwarden");
    beat(state, { ...heartbeat, time: new Date(Date.now() - 3_600_000).toISOString() });
    expect(await loads()).toMatchObject({ ok: false, found: expect.stringContaining("last loaded at") });
    beat(state, { ...heartbeat, time: new Date(Date.now() + 1_000).toISOString() });
    expect(await loads()).toMatchObject({ ok: true });
    beat(state, { ...heartbeat, state: "closed", time: new Date(Date.now() + 1_000).toISOString() });
    expect(await loads()).toMatchObject({ ok: false, found: expect.stringContaining("no usable policy") });
  });

  it.each([
    ["claude-code", ".claude/settings.json", '{ "env": { "NODE_OPTIONS": "--require x", "CI": "1" } }', "NODE_OPTIONS"],
    [
      "claude-code",
      ".claude/settings.local.json",
      '{ "env": { "CLAUDE_CODE_SHELL_PREFIX": "x" } }',
      "CLAUDE_CODE_SHELL_PREFIX",
    ],
    ["gemini", ".gemini/.env", "CI=1\nexport BASH_ENV=/x\n", "BASH_ENV"],
    ["gemini", ".env", "LD_PRELOAD=/x.so\n", "LD_PRELOAD"],
  ])("%s: names variables of the project in %s that reach the hook", async (host, file, text, name) => {
    const here = world();
    await here.install(host);
    scratch.put(`project/${file}`, text);
    const unwell = async () => (await here.doctor()).about.filter(({ ok }) => !ok);
    expect((await unwell())[0]).toMatchObject({ found: expect.stringContaining(`sets ${name}`) });
    scratch.put(`project/${file}`, text.replace(name, "HARMLESS"));
    expect(await unwell()).toEqual([]);
  });

  it("says that Claude Code on PATH is too old for a hook that it is to start directly", async () => {
    const here = world();
    const version = (text: string): void => {
      scratch.put("claude/package.json", `{ "name": "@anthropic-ai/claude-code", "version": "${text}" }`);
    };
    chmodSync(scratch.put("claude/claude", ""), 0o755);
    version("2.1.139");
    await here.install("claude-code");
    const hooks = () =>
      JSON.parse(readFileSync(join(here.home, ".claude/settings.json"), "utf8")).hooks.PreToolUse[0].hooks;
    expect(hooks()).toMatchObject([
      { command: "/usr/bin/nohup", args: ["/bin/sh", "-p", "-c", expect.stringContaining("hookwarden-client.sh")] },
    ]);
    const unwell = async () => (await here.doctor()).about.filter(({ ok }) => !ok);
    expect(await unwell()).toEqual([]);
    version("2.1.138");
    expect(await unwell()).toMatchObject([{ found: expect.stringContaining("2.1.138") }]);
    await here.install("claude-code");
    expect(hooks()[0].args).toBeUndefined();
    version("2.2.0");
    await here.install("claude-code");
    // VS Code reads the same file, and starts nothing directly.
    await here.install("vscode");
    expect(hooks()).toMatchObject([{ command: expect.stringContaining(" vscode --event 'PreToolUse'") }]);
    await here.install("claude-code");
    expect(hooks()[0].args).toBeUndefined();
  });

  it("says that it is not wired, and how to", async () => {
    const { code, about } = await world().doctor("windsurf");
    expect(code).toBe(2);
    expect(about[0]).toMatchObject({ ok: false, help: expect.stringContaining("hookwarden install windsurf") });
  });

  it("sees other hooks, an event that is missing, and a launcher that is gone", async () => {
    const here = world();
    await here.install("gemini");
    const path = join(here.home, ".gemini/settings.json");
    const settings = JSON.parse(readFileSync(path, "utf8"));
    settings.hooks.BeforeTool.unshift({ hooks: [{ type: "command", command: "echo" }] });
    writeFileSync(path, JSON.stringify(settings));
    expect((await here.doctor()).about).toMatchObject([
      { ok: true, found: expect.stringContaining("1 of others before it") },
    ]);
    delete settings.hooks.AfterTool;
    writeFileSync(path, JSON.stringify(settings));
    expect((await here.doctor()).about).toMatchObject([
      { ok: false, found: expect.stringContaining("lacks AfterTool") },
    ]);
    writeFileSync(path, JSON.stringify(settings).replaceAll(program.launcher, "/gone/hookwarden-hook.cjs"));
    expect((await here.doctor()).about).toMatchObject([{ ok: false, found: expect.stringContaining("is gone") }]);
    writeFileSync(path, "{ broken");
    expect(existsSync(path)).toBe(true);
    expect((await here.doctor("gemini")).about[0]).toMatchObject({
      ok: false,
      found: expect.stringContaining("no JSON"),
    });
  });
});
