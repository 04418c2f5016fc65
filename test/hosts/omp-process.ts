import { existsSync } from "node:fs";
import { join } from "node:path";
import { hookwarden } from "./guard-files.ts";
import type { HostVersion, InstalledHost } from "./install.ts";
import { type ModelServer, type ScriptedTurn, startModelServer } from "./model-server.ts";
import { type HostRun, runToEnd } from "./process.ts";
import { filesBelow, makeScratch, type Scratch, textOfFiles } from "./scratch.ts";

/** The version of omp that is tested: the newest that installs whole. */
export const ompVersions: readonly HostVersion[] = [
  { name: "omp", version: "18.2.3", package: "@oh-my-pi/pi-coding-agent", start: "dist/cli.js", bun: "1.4.5" },
];

export const policyFile = join(import.meta.dirname, "omp-policy.yaml");

/** A turn that runs a command. */
export const bash = (command: string): ScriptedTurn => ({ calls: [{ name: "bash", args: { command } }] });
/** A turn that reads a file. */
export const read = (path: string): ScriptedTurn => ({ calls: [{ name: "read", args: { path } }] });
/** The turn that ends a run. */
export const finished: ScriptedTurn = { text: "Finished." };

/** Whether the project has a file. */
export const has = (scratch: Scratch, file: string): boolean => existsSync(join(scratch.project, file));
/** All that the model was sent. */
export const sent = (run: HostRun): string => run.requests.join("\n");
/** What a run that went wrong has to say. */
export const told = (run: HostRun): string =>
  `exit ${run.exitCode}, ${run.requests.length} requests, stderr: ${run.stderr.slice(-700)}`;
/** Text of every session file and trail below the home folder. */
export const sessions = (scratch: Scratch): string => textOfFiles(scratch.home, ".jsonl");
/** The state folder of hookwarden. */
export const state = (scratch: Scratch): string => join(scratch.home, ".local", "state", "hookwarden");
/** Paths of omp's own session files. */
export const ofHost = (scratch: Scratch): string =>
  filesBelow(join(scratch.agent, "sessions"))
    .filter((file) => file.endsWith(".jsonl"))
    .join(" ");

/** Everything that omp may know of this machine: the system's tools and the scratch folder. */
export function environment(scratch: Scratch): Record<string, string> {
  return {
    PATH: "/usr/bin:/bin",
    HOME: scratch.home,
    TMPDIR: join(scratch.root, "tmp"),
    LANG: "C.UTF-8",
    PI_CODING_AGENT_DIR: scratch.agent,
    PI_OFFLINE: "1",
    PI_SKIP_VERSION_CHECK: "1",
  };
}

/** Tells omp about the scripted model, that there is no other, and how long to wait for an extension. */
function configure(scratch: Scratch, model: ModelServer, waits: number): void {
  const provider = {
    baseUrl: model.url,
    api: "openai-completions",
    apiKey: "not-a-key",
    models: [{ id: "scripted", name: "scripted", contextWindow: 128_000, maxTokens: 4_096 }],
  };
  // A sub-agent that runs beside its parent would take turns of the script that are not its own.
  const settings = { extensionHandlers: { toolCallTimeoutMs: waits }, async: { enabled: false } };
  // JSON is YAML.
  scratch.write("home/agent/models.yml", JSON.stringify({ providers: { scripted: provider } }));
  scratch.write("home/agent/config.yml", JSON.stringify(settings));
}

/** What a run gets beside what every run has. */
export interface Given {
  readonly waits?: number;
  readonly flag?: "--extension" | "--hook";
  readonly args?: readonly string[];
  readonly prompt?: string;
}

/** One prompt in print mode against a scripted model. */
export async function runOmp(
  host: InstalledHost,
  scratch: Scratch,
  turns: readonly ScriptedTurn[],
  extensions: readonly string[],
  { waits = 30_000, flag = "--extension", args = [], prompt = "Please do the scripted work." }: Given = {},
): Promise<HostRun> {
  const model = await startModelServer(turns);
  configure(scratch, model, waits);
  const loaded = extensions.flatMap((path) => [flag, path]);
  const fixed = [
    "--model",
    "scripted/scripted",
    "--no-extensions",
    "--no-skills",
    "--no-rules",
    "--no-lsp",
    "--no-title",
  ];
  const command = [host.node, host.script, ...fixed, ...loaded, ...args, "--print", prompt];
  try {
    return { ...(await runToEnd(command, scratch.project, environment(scratch))), requests: model.requests };
  } finally {
    await model.close();
  }
}

/** Compiles a policy into a guard in the scratch folder and gives its path. */
export function compileGuard(scratch: Scratch, policy: string = policyFile): string {
  const guard = join(scratch.root, "guard.mjs");
  const { status, output } = hookwarden(scratch, ["compile", "--policy", policy, "--target", "omp", "-o", guard]);
  if (status !== 0) throw new Error(`the guard cannot be compiled: ${output}`);
  return guard;
}

/** Runs `work` in a scratch folder of its own. */
export async function inScratch(work: (scratch: Scratch) => Promise<void>): Promise<void> {
  const scratch = makeScratch();
  try {
    await work(scratch);
  } finally {
    scratch.remove();
  }
}
