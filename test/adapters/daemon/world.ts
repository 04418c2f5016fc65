import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeAll, beforeEach } from "vitest";
import type { JudgeProgram } from "../../../adapters/daemon/judge-process.ts";
import { type Daemon, type DaemonOptions, serveHooks } from "../../../adapters/daemon/server.ts";
import type { Payload } from "../../../adapters/one-shot/dialect.ts";
import { programsOfRun } from "../../built-programs.ts";

/** Folder of one test; everything below is below it. */
export let root = "";
export let home = "";
export let project = "";
export let state = "";
export let socket = "";
/** The daemon of the test, once it has begun. */
export let daemon: Daemon | undefined;
/** Servers to end with the test. */
export const servers: Server[] = [];

/** The judge as the build makes it. */
export let judgeFile = "";

/** Makes the judge before the tests of a file. */
export function useJudge(): void {
  beforeAll(async () => {
    judgeFile = join((await programsOfRun()).dist, "bin/hookwarden-daemon-judge.cjs");
  });
}

/** Has every test of a file begin with folders of its own, and end without a daemon. */
export function useWorld(): void {
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-daemon-")));
    home = join(root, "home");
    project = join(root, "project");
    state = join(home, ".local/state/hookwarden");
    socket = join(state, "daemon/hook.sock");
    for (const folder of [home, project]) mkdirSync(folder, { recursive: true });
  });
  afterEach(async () => {
    daemon?.end();
    await daemon?.ended;
    daemon = undefined;
    await Promise.all(servers.splice(0).map((server) => new Promise((done) => server.close(done))));
    // A judge that was told to end may write its last record meanwhile.
    rmSync(root, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
  });
}

/** Begins the daemon, with the built judge unless another one is named. */
export async function begin(more: Partial<DaemonOptions> = {}, judge: Partial<JudgeProgram> = {}): Promise<void> {
  daemon = await serveHooks({ socket, judge: { ...coldJudge(), ...judge }, ...more });
}

/** The built judge, which makes nothing fast before it is asked. */
export function coldJudge(): JudgeProgram {
  return { file: judgeFile, home, warm: false };
}

/** Writes a file below the test's folder. */
export function write(path: string, text: string, mode = 0o644): string {
  const full = join(root, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text, { mode });
  return full;
}

/** A policy that refuses one command. */
export const policy = (word: string, more = ""): string => `version: 1
policy: p
title: A policy of these tests
default: allow
rules:
  - { id: no, event: tool_call, tool: bash, when: { args.command: touch ${word} }, action: block, reason: not this }
${more}`;

/** A call as Claude Code puts it. */
export const call = (command: string, more: Payload = {}): Payload => ({
  session_id: "s1",
  cwd: project,
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command },
  tool_use_id: "c1",
  ...more,
});

/** The mark of requests that tests write themselves. */
export const mark = "hookwarden-11-22";

/** A request as the launcher writes it. */
export function request(
  given: readonly string[],
  payload: Payload | string,
  variables: Record<string, string> = {},
): string {
  const text = typeof payload === "string" ? payload : JSON.stringify(payload);
  const exported = Object.entries({ HOME: home, ...variables }).map(([name, value]) => `export ${name}='${value}'\n`);
  return [`${mark}\n${project}\n${given.length}\n`, ...given.map((word) => `${word}\n`), ...exported]
    .join("")
    .concat(`${mark}\n${text}\n${mark}\n`);
}

/** What comes back for some bytes that are written to the socket. */
export function sent(bytes: string, parts = 1): Promise<string> {
  return new Promise((done, failed) => {
    const connection: Socket = connect(socket);
    let text = "";
    connection.on("data", (chunk) => {
      text += String(chunk);
    });
    connection.on("close", () => done(text));
    connection.on("error", failed);
    const size = Math.ceil(bytes.length / parts);
    for (let at = 0; at < bytes.length; at += size) connection.write(bytes.slice(at, at + size));
  });
}

/** An answer, taken apart. */
export interface Answer {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

/** Takes a whole answer apart. */
export function read(text: string): Answer {
  const found = new RegExp(`^hookwarden 1\\n([^]*)\\n${mark} err\\n([^]*)\\n${mark} end (\\d)\\n$`).exec(text);
  if (!found) throw new Error(`no whole answer: ${JSON.stringify(text)}`);
  return { stdout: found[1] as string, stderr: found[2] as string, code: Number(found[3]) };
}

/** Asks the daemon. */
export const ask = async (...given: Parameters<typeof request>): Promise<Answer> => read(await sent(request(...given)));

/** Bodies of the records of a session. */
export const records = (session: string): { readonly event: string; readonly policy_digest: string }[] =>
  readFileSync(join(state, "audit", createHash("sha256").update(session).digest("hex"), "000001.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).body);

/** Holds a socket until it is killed. */
export const listener = `require("node:net").createServer().listen(process.argv[2], () => console.log("listens"));\n`;
