import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { join } from "node:path";
import type { InstalledHost } from "./install.ts";
import {
  type EchoTurn,
  type ModelManner,
  type ModelServer,
  type ScriptedTurn,
  startModelServer,
} from "./model-server.ts";
import type { Scratch } from "./scratch.ts";

/** A run that hangs is ended after this many milliseconds. */
const runLimit = 90_000;

/** What a headless run of pi left behind. */
export interface PiRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Bodies of the model requests, in order. */
  readonly requests: readonly string[];
}

/** What a run gets beside what every run has. */
export interface PiMore {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What the human asks for. */
  readonly prompt?: string;
  /** Milliseconds after which it is ended, where that is not the usual limit. */
  readonly limit?: number;
  /** How the model answers. */
  readonly model?: ModelManner;
  /** Whether pi looks for extensions in its folders too. */
  readonly discover?: boolean;
}

/** Everything that pi may know of this machine: the system's tools and the scratch folder. */
export function piEnvironment(scratch: Scratch, more: PiMore = {}): Record<string, string> {
  return {
    ...more.env,
    PATH: "/usr/bin:/bin",
    HOME: scratch.home,
    TMPDIR: join(scratch.root, "tmp"),
    LANG: "C.UTF-8",
    PI_CODING_AGENT_DIR: scratch.agent,
    PI_OFFLINE: "1",
    PI_SKIP_VERSION_CHECK: "1",
    PI_TELEMETRY: "0",
  };
}

/** Tells pi about the scripted model, which has a second name to be chosen by, and that there is no other. */
export function configurePi(scratch: Scratch, model: ModelServer): void {
  const provider = {
    baseUrl: model.url,
    api: "openai-completions",
    apiKey: "not-a-key",
    compat: { supportsDeveloperRole: false, supportsReasoningEffort: false },
    models: ["scripted", "other"].map((id) => ({
      id,
      contextWindow: 128_000,
      maxTokens: 4_096,
      input: ["text", "image"],
    })),
  };
  scratch.write("home/agent/models.json", JSON.stringify({ providers: { scripted: provider } }));
}

/** The command line of pi in a mode, with these extensions and no others unless it is to look for them. */
export function piCommand(
  host: InstalledHost,
  mode: readonly string[],
  extensions: readonly string[],
  more: PiMore = {},
): string[] {
  const fixed = [
    "--provider",
    "scripted",
    "--model",
    "scripted",
    ...(more.discover ? [] : ["--no-extensions"]),
    "--no-skills",
    "--no-prompt-templates",
  ];
  const loaded = extensions.flatMap((path) => ["-e", path]);
  return [host.node, host.script, ...mode, ...fixed, ...loaded, ...(more.args ?? [])];
}

/** Starts pi in a mode with these extensions. */
export function startPi(
  host: InstalledHost,
  scratch: Scratch,
  mode: readonly string[],
  extensions: readonly string[],
  more: PiMore,
): ChildProcessWithoutNullStreams {
  const [node = "", ...args] = piCommand(host, mode, extensions, more);
  return spawn(node, args, { cwd: scratch.project, env: piEnvironment(scratch, more), detached: true });
}

/** Ends a process that we started, with the commands it started. */
export function endPi(child: ChildProcessWithoutNullStreams): void {
  if (child.pid === undefined || child.exitCode !== null) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL");
  }
}

/** What a process printed, and how it ended. */
export interface Output {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a process printed until it ended, each line given on as it comes; it is ended when it takes too long. */
export function outputOf(
  child: ChildProcessWithoutNullStreams,
  limit = runLimit,
  onLine?: (line: string) => void,
): Promise<Output> {
  const text = { stdout: "", stderr: "" };
  let pending = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text.stdout += chunk;
    const lines = (pending + chunk).split("\n");
    pending = lines.pop() ?? "";
    if (onLine) for (const line of lines) onLine(line);
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    text.stderr += chunk;
  });
  return new Promise((resolve) => {
    const timer = setTimeout(() => endPi(child), limit);
    const done = (exitCode: number | null) => {
      clearTimeout(timer);
      resolve({ exitCode, ...text });
    };
    child.once("error", (error) => {
      text.stderr += String(error);
      done(null);
    });
    child.once("close", done);
  });
}

/** One prompt in print mode against a scripted model. */
export async function runPi(
  host: InstalledHost,
  scratch: Scratch,
  turns: readonly (ScriptedTurn | EchoTurn)[],
  extensions: readonly string[],
  more: PiMore = {},
): Promise<PiRun> {
  const model = await startModelServer(turns, more.model);
  configurePi(scratch, model);
  const child = startPi(host, scratch, ["--print", more.prompt ?? "Please do the scripted work."], extensions, more);
  child.stdin.end();
  try {
    return { ...(await outputOf(child, more.limit)), requests: model.requests };
  } finally {
    endPi(child);
    await model.close();
  }
}

/** A record of pi's RPC mode. */
export interface RpcRecord {
  readonly type: string;
  readonly id?: string;
  readonly [field: string]: unknown;
}

/** What an RPC run does with a record: commands to send, or `"end"`. */
export type RpcStep = (record: RpcRecord) => readonly object[] | "end" | undefined;

/** A run in RPC mode: sends `first`, then whatever `step` answers to each record, until it says `"end"`. */
export async function runPiRpc(
  host: InstalledHost,
  scratch: Scratch,
  turns: readonly ScriptedTurn[],
  extensions: readonly string[],
  first: object,
  step: RpcStep,
  more: PiMore = {},
): Promise<PiRun> {
  const model = await startModelServer(turns);
  configurePi(scratch, model);
  const child = startPi(host, scratch, ["--mode", "rpc"], extensions, more);
  const send = (command: object) => child.stdin.writable && child.stdin.write(`${JSON.stringify(command)}\n`);
  child.stdin.on("error", () => undefined);
  const output = outputOf(child, more.limit, (line) => {
    const record = rpcRecord(line);
    const next = record && step(record);
    if (next === "end") child.stdin.end();
    else for (const command of next ?? []) send(command);
  });
  send(first);
  try {
    return { ...(await output), requests: model.requests };
  } finally {
    endPi(child);
    await model.close();
  }
}

/** A line of pi's RPC mode; nothing where it is no record. */
export function rpcRecord(line: string): RpcRecord | undefined {
  try {
    return JSON.parse(line) as RpcRecord;
  } catch {
    return undefined;
  }
}
