import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { prunePlaces } from "../../../adapters/install/place.ts";
import { spawnSync } from "../../bounded-process.ts";
import { withToken } from "../../cli/human.ts";
import { type BuiltPackage, builtPackage } from "./built-package.ts";

/**
 * A hook that runs from its place, as a host starts it, judges calls that would change what it runs from. The commands in
 * here are texts in a payload: nothing starts them.
 */
const patience = { timeout: 180_000 };

let made: BuiltPackage;
let home = "";
let data = "";
beforeAll(async () => {
  made = await builtPackage();
});
afterAll(() => made.remove());
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-engine-")));
  data = join(home, ".local/share");
  mkdirSync(join(home, "project"));
  writeFileSync(
    join(home, "p.yaml"),
    "version: 1\npolicy: p\ntitle: A policy\ndefault: allow\nrules:\n  - { id: no, event: tool_call, tool: bash, when: { args.command: touch FORBIDDEN }, action: block, reason: not this }\n",
  );
});
afterEach(() => {
  prunePlaces(join(data, "hookwarden"), { state: join(home, "nothing") });
  rmSync(home, { recursive: true, force: true });
});

const env = (more: Readonly<Record<string, string>> = {}) => ({ HOME: home, PATH: "/usr/bin:/bin", ...more });

/** Wires Claude Code, and gives the place that it was wired to. */
function installed(more: Readonly<Record<string, string>> = {}, given: readonly string[] = []): string {
  const args = ["install", "claude-code", "--policy", join(home, "p.yaml"), ...given];
  const words = [made.command, ...withToken(home, args, more)];
  const cwd = join(home, "project");
  const ran = spawnSync(process.execPath, words, { cwd, env: env(more), encoding: "utf8" });
  expect([ran.status, ran.stderr]).toEqual([0, ""]);
  const name = readdirSync(join(data, "hookwarden")).find((one) => /^\d/.test(one)) ?? "";
  return join(data, "hookwarden", name);
}

/** Who refuses a call, as the wired line says it, run by a shell as the host does; the environment of `install` is gone. */
function judged(command: string, settings = join(home, ".claude/settings.json")): string {
  const { hooks } = JSON.parse(readFileSync(settings, "utf8")) as {
    hooks: { PreToolUse: [{ hooks: [{ command: string; args?: readonly string[] }] }] };
  };
  const line = hooks.PreToolUse[0].hooks[0].command;
  const cwd = join(home, "project");
  const payload = {
    session_id: "s",
    cwd,
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command },
    tool_use_id: "c",
  };
  const input = JSON.stringify(payload);
  const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", line], { cwd, env: env(), input, encoding: "utf8" });
  if (!stdout.includes('"deny"')) return status === 0 && stdout === "" ? "allowed" : `${status} ${stdout}${stderr}`;
  return /self-protection\/[\w-]+/.exec(stdout)?.[0] ?? (/belongs to hookwarden/.test(stdout) ? "own" : stdout);
}

const isOwn = expect.stringMatching(/^(?:own|self-protection\/)/);

function protectsItself(place: string): void {
  const node = existsSync(join(place, "node")) ? join(place, "node") : realpathSync(process.execPath);
  const refused = [
    `cp x '${node}'`,
    `cp x '${realpathSync(process.execPath)}'`,
    `ln -f x '${node}'`,
    `echo x > '${place}/dist/bin/hookwarden-hook.cjs'`,
    `rm -rf '${place}'`,
    `mv '${place}' y`,
    `mv '${data}/hookwarden' y`,
    `mv '${data}' y`,
    `cp x '${made.root}/dist/bin/hookwarden.js'`,
    `mv '${made.root}' y`,
    `mv '${home}/.claude' y`,
  ];
  const said = Object.fromEntries(refused.map((command) => [command, judged(command)]));
  expect(said).toEqual(Object.fromEntries(refused.map((command) => [command, isOwn])));
  for (const free of [`cat '${place}/identity'`, `ls '${data}'`, "mkdir -p build", "rm -rf build"])
    expect(judged(free), free).toBe("allowed");
}

describe("a hook of a place", patience, () => {
  it("protects the place, its Node and that it is a link of, what is above, and the package that it came from", () => {
    protectsItself(installed());
  });

  it("protects a place in a folder of another name, of which the hook's environment says nothing", () => {
    data = join(home, "an odd ü folder");
    mkdirSync(data);
    protectsItself(installed({ XDG_DATA_HOME: data }));
  });

  it("protects the state folder and the daemon's socket that its line names", () => {
    const state = join(home, "elsewhere");
    mkdirSync(state);
    installed({ XDG_STATE_HOME: state }, ["--daemon", join(home, "run/own.sock")]);
    for (const command of [
      `echo x > '${state}/hookwarden/anything.json'`,
      `mv '${state}' y`,
      `nc -lU '${state}/hookwarden/daemon/hook.sock'`,
      `nc -lU '${home}/run/own.sock'`,
      `rm '${home}/run/own.sock.lock'`,
      `mv '${home}/run' y`,
      `echo x > '${state}/hookwarden/code/a.code'`,
    ])
      expect(judged(command), command).toEqual(isOwn);
    expect(judged(`echo x > '${state}/other.json'`)).toBe("allowed");
  });

  it("protects the files of a host that another project is wired by", () => {
    mkdirSync(join(home, "other"));
    const args = ["install", "claude-code", "--policy", join(home, "p.yaml"), "--scope", "project"];
    const words = [made.command, ...withToken(home, args)];
    const ran = spawnSync(process.execPath, words, { cwd: join(home, "other"), env: env(), encoding: "utf8" });
    expect([ran.status, ran.stderr]).toEqual([0, ""]);
    installed();
    for (const command of [`rm '${home}/other/.claude/settings.json'`, `mv '${home}/other/.claude' y`])
      expect(judged(command), command).toEqual(isOwn);
    expect(judged(`rm '${home}/other/notes.txt'`)).toBe("allowed");
  });
});
