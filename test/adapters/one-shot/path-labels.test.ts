import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Payload } from "../../../adapters/one-shot/dialect.ts";
import { runHook } from "../../../adapters/one-shot/run.ts";
import { buildLauncher } from "../../../scripts/build/launcher.ts";
import { bodiesOf } from "../session-trail.ts";

const policy = `version: 1
policy: p
title: Labels of files
default: allow
unknown: allow
labels: { downloaded: { kind: mark } }
rules:
  - { id: mark, title: Mark, event: tool_call, tool: write, action: { label: { add: [downloaded], on: path } } }
  - { id: marked, title: Marked, event: tool_call, tool: bash, each: { r: effects.reads }, when: 'paths.labels(r.path).contains("downloaded")', action: block, reason: the file came from outside }
`;

let root = "";
let project = "";
let state = "";

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-hook-")));
  project = join(root, "project");
  state = join(root, "home/.local/state/hookwarden");
  mkdirSync(project, { recursive: true });
  mkdirSync(join(root, "home"));
  writeFileSync(join(root, "p.yaml"), policy);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const call = (session_id: string, tool_name: string, tool_input: Payload): Payload => ({
  session_id,
  transcript_path: "/t",
  cwd: project,
  permission_mode: "default",
  hook_event_name: "PreToolUse",
  tool_name,
  tool_input,
  tool_use_id: "c1",
});
const writes = (session: string, path = "got.sh"): Payload =>
  call(session, "Write", { file_path: join(project, path), content: "x" });
const reads = (session: string, path = "got.sh"): Payload => call(session, "Bash", { command: `cat ${path}` });

const command = (host = "claude-code") => [host, "--policy", join(root, "p.yaml")];

/** What one hook process answers, in this one. */
async function hook(payload: Payload, host?: string): Promise<string> {
  const reply = await runHook(command(host), {
    stdin: (async function* () {
      yield Buffer.from(JSON.stringify(payload));
    })(),
    variables: {},
    cwd: project,
    home: join(root, "home"),
    now: () => Date.now(),
  });
  return reply.stdout;
}

/** The same in a process of its own, by the one file that hosts start. */
function launch(bundle: string, payload: Payload): Promise<string> {
  return new Promise((resolve) => {
    const env = { PATH: "/usr/bin:/bin", HOME: join(root, "home") };
    const child = spawn(process.execPath, [bundle, ...command()], { cwd: project, env });
    let out = "";
    child.stdout.on("data", (chunk) => {
      out += String(chunk);
    });
    child.on("close", () => resolve(out));
    child.stdin.end(JSON.stringify(payload));
  });
}

describe("labels of files in hooks that are a process each", () => {
  it("count in another session", async () => {
    await hook(writes("s1"));
    expect(await hook(reads("s2"))).toContain("the file came from outside");
    expect(await hook(reads("s2", "other.sh"))).toBe("");
  });

  it("count in a session that had events before them", async () => {
    expect(await hook(reads("s2"))).toBe("");
    await hook(writes("s1"));
    expect(await hook(reads("s2"))).toContain("the file came from outside");
  });

  it("count in another process", async () => {
    const folder = join(root, "bundle");
    await buildLauncher(join(import.meta.dirname, "../../.."), folder);
    const bundle = join(folder, "hookwarden-hook.cjs");
    // The compiler is no part of the file, so that the plan has to be in the cache.
    await hook(reads("s0"));
    expect(await launch(bundle, writes("s1"))).toBe("");
    expect(await launch(bundle, reads("s2"))).toContain("the file came from outside");
    expect(await launch(bundle, reads("s2", "other.sh"))).toBe("");
  });

  it("close the event when they were altered, and none is lost by that", async () => {
    await hook(writes("s1"));
    writeFileSync(join(state, "labels/paths.json"), "{}");
    const answer = await hook(reads("s2", "other.sh"));
    expect(answer).toContain('"deny"');
    expect(answer).toContain("HW515");
  });

  it("close the event when they cannot be kept", async () => {
    mkdirSync(state, { recursive: true });
    writeFileSync(join(state, "labels"), "a file where the folder would be");
    const answer = await hook(writes("s1"));
    expect(answer).toContain('"deny"');
    expect(answer).toContain("HW515");
  });
});

describe("the record of a hook", () => {
  it("names the adapter, and the host's version where the payload says it", async () => {
    await hook(reads("s1"));
    const payload = {
      conversation_id: "k1",
      hook_event_name: "preToolUse",
      cursor_version: "2.1.7",
      workspace_roots: [project],
      tool_name: "Shell",
      tool_input: { command: "echo hello" },
      tool_use_id: "t1",
    };
    await hook(payload, "cursor");
    await hook({ ...payload, conversation_id: "k2", cursor_version: "not a version\n" }, "cursor");
    const [first, second, third] = ["s1", "k1", "k2"].map((id) =>
      bodiesOf(join(state, "audit"), id).find(({ event }) => event === "tool_call"),
    );
    expect(first).toMatchObject({ adapter: "hook", host: "claude-code" });
    expect(first).not.toHaveProperty("host_version");
    expect(second).toMatchObject({ adapter: "hook", host: "cursor", host_version: "2.1.7" });
    expect(third).not.toHaveProperty("host_version");
  });
});
