import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { installers } from "../../../adapters/install/registry.ts";
import { doctor } from "../../../cli/commands/doctor.ts";
import { type InstallOptions, install } from "../../../cli/commands/install.ts";
import { uninstall } from "../../../cli/commands/uninstall.ts";
import type { Io } from "../../../cli/io.ts";
import { humanWho } from "../../cli/human.ts";

/** What `install`, `uninstall` and `doctor` make of a machine that is not as they would like it. */

const policy =
  "version: 1\npolicy: p\ntitle: P\ndefault: allow\nrules:\n  - { id: a, title: A, event: tool_call, tool: bash, action: block, reason: no }\n";

let root = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-wrong-")));
  for (const folder of ["home", "project/.hookwarden", "package/dist/bin", "elsewhere"])
    mkdirSync(join(root, folder), { recursive: true });
  put("project/.hookwarden/policy.yaml", policy);
  for (const name of ["hookwarden-hook.cjs", "hookwarden.js"]) put(`package/dist/bin/${name}`, "");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, text: string): string {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  return join(root, path);
}

function world(variables: Readonly<Record<string, string>> = {}) {
  const [home, project] = [join(root, "home"), join(root, "project")];
  const said = { out: "", err: "" };
  const io: Io = {
    cwd: project,
    home,
    env: { HOME: home, XDG_STATE_HOME: join(root, "state"), ...variables },
    color: false,
    stdin: (async function* () {})(),
    out: async (more) => void (said.out += more),
    err: (more) => void (said.err += more),
    human: async () => humanWho("yes", () => {}),
  };
  const dist = join(root, "package/dist");
  const program = {
    node: process.execPath,
    launcher: join(dist, "bin/hookwarden-hook.cjs"),
    command: join(dist, "bin/hookwarden.js"),
    modules: dist,
  };
  const machine = { program, platform: "linux" } as const;
  return {
    said,
    install: (host: string, options: InstallOptions = {}) => install(host, options, io, machine),
    uninstall: (host: string, options: InstallOptions = {}) => uninstall(host, options, io, machine),
    doctor: () =>
      doctor(undefined, { format: "pretty" }, io, { ...machine, roots: { managed: "", user: "", project: "" } }),
  };
}

interface Made {
  readonly version: number;
  readonly hooks: Readonly<Record<string, readonly object[]>>;
}

/** Everything below the scratch folder: texts of files, and where links lead. */
function all(folder = root): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return [[`${relative(root, path)}/`, ""], ...Object.entries(all(path))];
      return [[relative(root, path), entry.isSymbolicLink() ? `-> ${readlinkSync(path)}` : readFileSync(path, "utf8")]];
    }),
  );
}

describe("links", () => {
  const settings = () => join(root, "home/.claude/settings.json");

  it("to a settings file elsewhere are written through, and stay links", async () => {
    const target = put("elsewhere/settings.json", '{ "model": "x" }\n');
    mkdirSync(dirname(settings()));
    symlinkSync(target, settings());
    const here = world();
    const before = all();
    expect(await here.install("claude-code")).toBe(0);
    expect(lstatSync(settings()).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, "utf8")).toContain("PreToolUse");
    expect(here.said.out).toContain(`${settings()} is a link`);
    expect(here.said.out).toContain(`from ${target}`);
    expect(await here.uninstall("claude-code")).toBe(0);
    rmSync(join(root, "state"), { recursive: true, force: true });
    expect(all()).toEqual(before);
  });

  it("to a folder elsewhere are known again at the second time, and by uninstall", async () => {
    symlinkSync(join(root, "elsewhere"), join(root, "home/.claude"));
    const here = world();
    const before = all();
    expect(await here.install("claude-code")).toBe(0);
    const once = all();
    expect(await here.install("claude-code")).toBe(0);
    expect(all()).toEqual(once);
    expect(await here.uninstall("claude-code")).toBe(0);
    rmSync(join(root, "state"), { recursive: true, force: true });
    expect(all()).toEqual(before);
  });

  it.each(["home/.claude/settings.json", "home/.claude"])("to nothing at %s are left, and told of", async (path) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    symlinkSync(join(root, "elsewhere/gone"), join(root, path));
    const before = all();
    const here = world();
    expect(await here.install("claude-code")).toBe(2);
    expect(here.said.err).toContain("a link to a place that is not there");
    expect(all()).toEqual(before);
  });

  it.each([".gemini", ".gemini/settings.json"])("out of a project at %s are not followed", async (path) => {
    put("elsewhere/settings.json", "{}\n");
    const target = path === ".gemini" ? "elsewhere" : "elsewhere/settings.json";
    mkdirSync(dirname(join(root, "project", path)), { recursive: true });
    symlinkSync(join(root, target), join(root, "project", path));
    for (const there of [true, false]) {
      if (!there && path === ".gemini") rmSync(join(root, "elsewhere/settings.json"));
      const before = all();
      const here = world();
      expect(await here.install("gemini", { scope: "project" })).toBe(2);
      expect(here.said.err).toContain("a link that leads out of the project");
      expect(all()).toEqual(before);
    }
  });

  it("within a project are followed", async () => {
    mkdirSync(join(root, "project/shared"));
    symlinkSync(join(root, "project/shared"), join(root, "project/.gemini"));
    expect(await world().install("gemini", { scope: "project" })).toBe(0);
    expect(existsSync(join(root, "project/shared/settings.json"))).toBe(true);
  });

  it("are told of by doctor", async () => {
    const target = put("elsewhere/settings.json", "{}\n");
    mkdirSync(dirname(settings()));
    symlinkSync(target, settings());
    const here = world();
    await here.install("claude-code");
    here.said.out = "";
    await here.doctor();
    expect(here.said.out).toContain(`ok   claude-code (user): ${settings()} is a link`);
  });
});

describe("what cannot be written", () => {
  /** The folder of install records cannot be made: the last thing that is written. */
  const noRecords = () => put("state/hookwarden/installs", "a file");

  it.each(installers.filter(({ name }) => name !== "mcp").map(({ name }) => name))(
    "%s: leaves nothing behind of what was written before it",
    async (host) => {
      noRecords();
      const here = world();
      const before = all();
      expect(await here.install(host)).toBe(2);
      expect(here.said.err).toContain("what was there has been put back");
      expect(all()).toEqual(before);
    },
  );

  it("leaves a file with its mode, and no copies beside it, however often it is tried", async () => {
    noRecords();
    const path = put("home/.claude/settings.json", "{}\n");
    const before = all();
    const here = world();
    for (let n = 0; n < 3; n++) expect(await here.install("claude-code")).toBe(2);
    expect(all()).toEqual(before);
    expect(readFileSync(path, "utf8")).toBe("{}\n");
  });

  it("leaves what an earlier install noted, so that uninstall still puts back what was there", async () => {
    const path = put("home/.claude/settings.json", '{ "model": "x" }\n');
    const here = world();
    expect(await here.install("claude-code")).toBe(0);
    const wired = readFileSync(path, "utf8");
    const installs = join(root, "state/hookwarden/installs");
    const [name = ""] = readdirSync(installs);
    const record = readFileSync(join(installs, name), "utf8");
    // A folder in place of the record: it can neither be read nor written.
    rmSync(join(installs, name));
    mkdirSync(join(installs, name, "x"), { recursive: true });
    expect(await here.install("claude-code", { policy: ["pack:recommended"] })).toBe(2);
    expect(here.said.err).toContain("what was there has been put back");
    expect(readFileSync(path, "utf8")).toBe(wired);
    rmSync(join(installs, name), { recursive: true });
    writeFileSync(join(installs, name), record, { mode: 0o600 });
    expect(await here.uninstall("claude-code")).toBe(0);
    expect(readFileSync(path, "utf8")).toBe('{ "model": "x" }\n');
  });
});

describe("what an older version wrote", () => {
  it("is replaced: its program, its events and what a file must have", async () => {
    const here = world();
    await here.install("cursor");
    const path = join(root, "home/.cursor/hooks.json");
    const now = readFileSync(path, "utf8");
    const { hooks } = JSON.parse(now);
    const old = JSON.stringify({ hooks: { ...hooks, beforeOldThing: hooks.preToolUse } });
    writeFileSync(path, old.replaceAll(join(root, "package/dist"), "/opt/older"));
    expect(await here.install("cursor")).toBe(0);
    const made = JSON.parse(readFileSync(path, "utf8"));
    expect(made).toEqual(JSON.parse(now));
  });

  it.each([
    [
      "an event that is not written any more",
      (made: Made) => ({ ...made, hooks: { ...made.hooks, old: made.hooks["stop"] } }),
    ],
    ["no version", ({ hooks }: Made) => ({ hooks })],
  ])("counts as changed with %s, though every other hook is as it should be", async (_title, changed) => {
    const here = world();
    await here.install("cursor");
    const path = join(root, "home/.cursor/hooks.json");
    const made = JSON.parse(readFileSync(path, "utf8")) as Made;
    writeFileSync(path, JSON.stringify(changed(made)));
    here.said.out = "";
    expect(await here.install("cursor")).toBe(0);
    expect(here.said.out).toContain(`${path}: changed`);
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(made);
  });
});

describe("a host that is wired for the user and for the project", () => {
  it("is told of by doctor, since each hook judges", async () => {
    const here = world();
    await here.install("gemini");
    await here.doctor();
    expect(here.said.out).not.toContain("wired for the user and for this project");
    await here.install("gemini", { scope: "project" });
    await here.doctor();
    expect(here.said.out).toContain("ok   gemini: wired for the user and for this project");
  });
});

describe("switches by which a host runs no hooks", () => {
  it.each([
    ["claude-code", "home/.claude/settings.json", '{ "disableAllHooks": true }', "`disableAllHooks`"],
    ["claude-code", "project/.claude/settings.json", '{ "disableAllHooks": true }', "`disableAllHooks`"],
    ["vscode", "home/.claude/settings.json", '{ "disableAllHooks": true }', "`disableAllHooks`"],
    ["copilot", "home/.copilot/settings.json", '{ "disableAllHooks": true }', "`disableAllHooks`"],
    ["gemini", "home/.gemini/settings.json", '{ "hooksConfig": { "enabled": false } }', "`hooksConfig.enabled: false`"],
    ["gemini", "project/.gemini/settings.json", '{ "hooksConfig": { "disabled": ["hookwarden"] } }', "`hookwarden` in"],
    ["codex", "home/.codex/config.toml", "[features]\nhooks = false\n", "`hooks = false`"],
  ])("%s, %s: install and doctor say so", async (host, path, text, says) => {
    put(path, text);
    const here = world();
    expect(await here.install(host)).toBe(0);
    expect(here.said.out).toContain(`${join(root, path)} switches hooks off: take ${says}`);
    here.said.out = "";
    expect(await here.doctor()).toBe(2);
    expect(here.said.out).toContain(`act  ${host} (user): ${join(root, path)} switches hooks off`);
  });

  it.each([
    ["claude-code", "home/.claude/settings.json", '{ "disableAllHooks": false }'],
    ["gemini", "home/.gemini/settings.json", '{ "hooksConfig": { "enabled": true, "disabled": ["other"] } }'],
    ["codex", "home/.codex/config.toml", "[features]\nhooks = true\n"],
  ])("%s, %s: says nothing where hooks are on", async (host, path, text) => {
    put(path, text);
    const here = world();
    await here.install(host);
    expect(here.said.out).not.toContain("switches hooks off");
  });
});

describe("variables by which a host looks elsewhere", () => {
  it.each([
    ["claude-code", "CLAUDE_CONFIG_DIR"],
    ["codex", "CODEX_HOME"],
    ["copilot", "COPILOT_HOME"],
    ["gemini", "GEMINI_CLI_HOME"],
    ["omp", "PI_CODING_AGENT_DIR"],
    ["omp", "OMP_PROFILE"],
    ["opencode", "OPENCODE_CONFIG_DIR"],
    ["pi", "PI_CODING_AGENT_DIR"],
  ])("%s: nothing is written where %s is set", async (host, name) => {
    const before = all();
    const here = world({ [name]: join(root, "elsewhere") });
    expect(await here.install(host)).toBe(2);
    expect(here.said.err).toContain(`\`${name}\` is set`);
    expect(all()).toEqual(before);
  });
});
