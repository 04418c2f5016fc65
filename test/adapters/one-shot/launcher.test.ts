import { spawn } from "node:child_process";
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Payload } from "../../../adapters/one-shot/dialect.ts";
import { runHook } from "../../../adapters/one-shot/run.ts";
import { limits } from "../../../schema/limits.ts";
import { programFaults } from "../../../scripts/build/bundles.ts";
import { buildLauncher } from "../../../scripts/build/launcher.ts";
import { execFileSync } from "../../bounded-process.ts";

let root = "";
let project = "";
let state = "";

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-hook-")));
  project = join(root, "project");
  state = join(root, "home/.local/state/hookwarden");
  mkdirSync(project, { recursive: true });
  mkdirSync(join(root, "home"), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): string {
  const full = join(root, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  return full;
}

const policy = (): string => `version: 1
policy: p
title: A policy of these tests
default: allow
rules:
  - { id: no, event: tool_call, tool: bash, when: { args.command: touch FORBIDDEN }, action: block, reason: not this }
`;

const call = (command: string, more: Payload = {}): Payload => ({
  session_id: "s1",
  transcript_path: "/t",
  cwd: project,
  permission_mode: "default",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command },
  tool_use_id: "c1",
  ...more,
});

/** One hook in this process, which has the compiler and so leaves a plan in the cache. */
async function hook(given: readonly string[], payload: Payload): Promise<void> {
  await runHook(given, {
    stdin: (async function* () {
      yield Buffer.from(JSON.stringify(payload));
    })(),
    variables: {},
    cwd: project,
    home: join(root, "home"),
    now: () => Date.now(),
  });
}

/** What a reply comes to on Claude Code: allow where it says nothing. */
function answerOf(stdout: string): string {
  const specific = stdout === "" ? {} : ((JSON.parse(stdout) as Payload)["hookSpecificOutput"] as Payload | undefined);
  return String(specific?.["permissionDecision"] ?? "allow");
}

describe("the launcher", () => {
  let bundle = "";
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), "hookwarden-launcher-"));
    const { program } = await buildLauncher(join(import.meta.dirname, "../../.."), folder);
    expect(programFaults("hook", program.bundled.metafile)).toEqual([]);
    bundle = join(folder, "hookwarden-hook.cjs");
    return () => rmSync(folder, { recursive: true, force: true });
  });

  /** One process of it; standard input is a text or a file, and stays open where nothing is given. */
  function launch(
    given: readonly string[],
    input: string | number | undefined,
    more: Readonly<Record<string, string>> = {},
  ): Promise<{ code: number | null; out: string; err: string }> {
    return new Promise((resolve) => {
      const env = { PATH: "/usr/bin:/bin", HOME: join(root, "home"), ...more };
      const stdin = typeof input === "number" ? input : "pipe";
      const child = spawn(process.execPath, [bundle, ...given], { cwd: project, env, stdio: [stdin, "pipe", "pipe"] });
      const text = { out: "", err: "" };
      child.stdout?.on("data", (chunk) => {
        text.out += String(chunk);
      });
      child.stderr?.on("data", (chunk) => {
        text.err += String(chunk);
      });
      child.on("close", (code) => resolve({ code, ...text }));
      if (typeof input === "number") closeSync(input);
      else if (input !== undefined) child.stdin?.end(input);
    });
  }

  it("carries no compiler, and answers by a plan from the cache without the compiler", async () => {
    const given = ["claude-code", "--policy", write("p.yaml", policy())];
    // Beside this copy of the launcher there is no compiler.
    const cold = await launch(given, JSON.stringify(call("touch FORBIDDEN")));
    expect([answerOf(cold.out), cold.out.includes("hookwarden-modules.cjs")]).toEqual(["deny", true]);
    await hook(given, call("echo hello"));
    const warm = await launch(given, JSON.stringify(call("touch FORBIDDEN")));
    expect([answerOf(warm.out), warm.code, warm.err.includes("not this")]).toEqual(["deny", 2, true]);
    expect(warm.out).toContain("not this");
    expect((await launch(given, JSON.stringify(call("echo hello")))).out).toBe("");
  });

  it("names what it masks under the installation's key, as every other process does", async () => {
    const given = ["claude-code", "--policy", write("p.yaml", policy())];
    const secret = call(`echo ${["ghp", "Zk3vT9xQ2mW7rL5nB8cY1dF6hJ4sA0pE2uGi"].join("_")}`);
    await hook(given, secret);
    expect(await launch(given, JSON.stringify(secret))).toMatchObject({ code: 0, err: "" });
    const folder = join(state, "audit");
    const lines = (readdirSync(folder, { recursive: true }) as string[])
      .filter((name) => name.endsWith(".jsonl"))
      .flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"))
      .filter((line) => line.includes('"event":"tool_call"'));
    const bodies = lines.map((line) => (JSON.parse(line) as { body: Payload }).body);
    expect(bodies).toHaveLength(2);
    const [here, launched] = bodies.map(({ masked, view, event_digest }) => ({ masked, view, event_digest }));
    expect(here?.masked).toMatchObject([{ digest: expect.stringMatching(/^hmac-sha256:[0-9a-f]{64}$/) }]);
    expect(launched?.masked).toEqual(here?.masked);
    const args = (body: typeof here) => ((body as Payload)["view"] as { tool: Payload }).tool["args"];
    expect(args(launched)).toEqual(args(here));
  });

  const code = () => join(state, "code");
  const files = () => readdirSync(code()).filter((name) => name.endsWith(".code"));

  it("keeps its program as it was compiled, and answers the same with it, without it, and with one that was changed", async () => {
    const given = ["claude-code", "--policy", write("p.yaml", policy())];
    await hook(given, call("echo hello"));
    const ask = () => launch(given, JSON.stringify(call("touch FORBIDDEN")));
    const first = await ask();
    expect(answerOf(first.out)).toBe("deny");
    expect(files()).toHaveLength(1);
    const kept = files();
    for (let i = 0; i < 7; i++) expect(await ask()).toEqual(first);
    expect(files()).not.toEqual(kept);
    const settled = files();
    expect([await ask(), files()]).toEqual([first, settled]);
    const file = join(code(), settled[0] as string);
    const bytes = readFileSync(file);
    bytes.fill(255, bytes.length / 2);
    writeFileSync(file, bytes);
    expect(await ask()).toEqual(first);
    expect(files()).not.toEqual(settled);
    rmSync(code(), { recursive: true });
    writeFileSync(code(), "a file where the folder would be");
    expect(await ask()).toEqual(first);
  });

  it("may be started many times at once", async () => {
    const given = ["claude-code", "--policy", write("p.yaml", policy())];
    await hook(given, call("echo hello"));
    const asked = Array.from({ length: 8 }, (_, i) =>
      launch(given, JSON.stringify(call(i % 2 === 0 ? "touch FORBIDDEN" : "echo hello", { session_id: `s${i % 3}` }))),
    );
    for (const [i, { out, code: exit, err }] of (await Promise.all(asked)).entries())
      expect([answerOf(out), exit, err !== ""]).toEqual(i % 2 === 0 ? ["deny", 2, true] : ["allow", 0, false]);
  });

  it("refuses by exit code where its program is gone", async () => {
    const alone = write("alone/hookwarden-hook.cjs", readFileSync(bundle, "utf8"));
    const child = spawn(process.execPath, [alone, "claude-code"], { env: { HOME: join(root, "home") } });
    let err = "";
    child.stderr.on("data", (chunk) => {
      err += String(chunk);
    });
    child.stdin.end("{}");
    expect(await new Promise((done) => child.on("close", done))).toBe(2);
    expect(err).toContain("could not be judged");
  });

  it("answers a host that never ends its payload", async () => {
    const { code, err } = await launch(["claude-code", "--budget", "300"], undefined);
    expect(code).toBe(2);
    expect(err).toContain("no decision was made in time");
  });

  it("reads a payload from a file, and one that comes slowly through a pipe", async () => {
    const given = ["claude-code", "--policy", write("p.yaml", policy())];
    await hook(given, call("echo hello"));
    const payload = JSON.stringify(call("touch FORBIDDEN"));
    const file = openSync(write("payload.json", payload), "r");
    expect(answerOf((await launch(given, file)).out)).toBe("deny");
    const fifo = join(root, "fifo");
    execFileSync("mkfifo", [fifo]);
    const answer = launch(given, openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK));
    const writing = openSync(fifo, "w");
    for (const part of [payload.slice(0, 10), payload.slice(10)]) {
      await new Promise((done) => setTimeout(done, 150));
      writeSync(writing, part);
    }
    closeSync(writing);
    expect(answerOf((await answer).out)).toBe("deny");
  });

  it("reads a long payload from a socket, whichever way it comes, and refuses one that is too long", async () => {
    const given = ["claude-code", "--policy", write("p.yaml", policy())];
    const long = call("touch FORBIDDEN", { note: "é".repeat(300_000) });
    await hook(given, call("echo hello"));
    for (const options of ["", "--pending-deprecation", "--throw-deprecation --pending-deprecation"]) {
      const answer = await launch(given, JSON.stringify(long), { NODE_OPTIONS: options });
      expect([answerOf(answer.out), answer.code, answer.err.includes("not this")]).toEqual(["deny", 2, true]);
    }
    const over = await launch(given, JSON.stringify(call("echo hello", { note: "a".repeat(limits.eventBytes) })));
    expect(over).toMatchObject({ code: 2, err: expect.stringContaining("larger than one event may be") });
  });

  it("loads little of the platform for an event of a session that goes on: neither hashes nor streams nor patterns", async () => {
    const given = ["claude-code", "--policy", write("p.yaml", policy())];
    await hook(given, call("echo hello"));
    const list = write(
      "list.cjs",
      "const began = new Set(process.moduleLoadList);\n" +
        'process.on("exit", () => {\n' +
        "  const more = process.moduleLoadList.filter((name) => !began.has(name));\n" +
        '  require("node:fs").writeSync(2, JSON.stringify([more, Object.keys(require.cache)]));\n' +
        "});\n",
    );
    const folders = { PWD: project, OLDPWD: join(root, "home"), SSH_AUTH_SOCK: "/run/ssh/agent" };
    const shell = { ...folders, SHLVL: "1", TERM: "xterm-256color", NODE_OPTIONS: `--require=${list}` };
    const listed = async () => JSON.parse((await launch(given, JSON.stringify(call("ls -la src")), shell)).err);
    await listed();
    const [loaded, files] = (await listed()) as [string[], string[]];
    expect(
      loaded.filter((name) => /^NativeModule (?:crypto|internal\/crypto|stream|net|tty|v8|worker)/.test(name)),
    ).toEqual([]);
    expect(files.map((file) => basename(file))).toEqual(["list.cjs", "hookwarden-hook.cjs"]);
  });

  it("answers in time where a pipe never ends", async () => {
    const fifo = join(root, "fifo");
    execFileSync("mkfifo", [fifo]);
    const answer = launch(
      ["claude-code", "--budget", "300"],
      openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK),
    );
    const writing = openSync(fifo, "w");
    expect(await answer).toMatchObject({ code: 2, err: expect.stringContaining("no decision was made in time") });
    closeSync(writing);
  });

  it("answers where there is no host of that name", async () => {
    expect(await launch(["nobody"], "{}")).toMatchObject({ code: 2, out: "" });
  });

  it("is built with the package", () => {
    const manifest = JSON.parse(readFileSync(join(import.meta.dirname, "../../../package.json"), "utf8"));
    expect(manifest.bin["hookwarden-hook"]).toBe("./dist/bin/hookwarden-hook.cjs");
    expect(existsSync(join(import.meta.dirname, "../../../adapters/one-shot/launcher.ts"))).toBe(true);
  });
});
