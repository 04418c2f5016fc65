import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { InstalledHost } from "./install.ts";
import { openaiChat } from "./model/openai-chat.ts";
import { startScriptedModel } from "./model/server.ts";
import type { ScriptedTurn } from "./model-server.ts";
import { type HostRun, runToEnd } from "./process.ts";
import type { Scratch } from "./scratch.ts";

const root = join(import.meta.dirname, "..", "..");
const pluginModule = pathToFileURL(join(root, "dist", "adapters", "opencode", "plugin.js")).href;

/** The policy of these tests. */
export const policyFile = join(import.meta.dirname, "hook-policy.yaml");

/** The native program of the platform's own package; the package's start file would only look for it. */
function program(host: InstalledHost): string {
  const name = `opencode-${process.platform}-${process.arch}`;
  return join(host.script, "..", "..", name, "bin", "opencode");
}

/** Tells the host about the scripted model, and that there is no other. */
function configure(scratch: Scratch, model: string): void {
  const scripted = { name: "scripted", tool_call: true, limit: { context: 128_000, output: 4_096 } };
  const provider = {
    npm: "@ai-sdk/openai-compatible",
    name: "Scripted",
    options: { baseURL: `${model}/v1`, apiKey: "not-a-key" },
    models: { scripted },
  };
  const settings = {
    model: "scripted/scripted",
    small_model: "scripted/scripted",
    autoupdate: false,
    share: "disabled",
    snapshot: false,
    provider: { scripted: provider },
  };
  scratch.write("project/opencode.json", JSON.stringify(settings));
}

/** Everything that the host may know of this machine: the system's tools and the scratch folder. */
function environment(scratch: Scratch): Record<string, string> {
  return {
    PATH: "/usr/bin:/bin",
    HOME: scratch.home,
    TMPDIR: join(scratch.root, "tmp"),
    LANG: "C.UTF-8",
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
  };
}

/** What a run gets beside what every run has; `held` is how many milliseconds one that is expected to hang is given. */
export interface Given {
  readonly prompt?: string;
  readonly held?: number;
  /** Milliseconds after which it is ended. */
  readonly patience?: number;
  readonly args?: readonly string[];
}

/** One headless run with the text of a plugin file in the project, or without. */
export async function runOpencode(
  host: InstalledHost,
  scratch: Scratch,
  turns: readonly ScriptedTurn[],
  text: string | undefined,
  { prompt = "Please do the scripted work.", held, patience, args = [] }: Given = {},
): Promise<HostRun> {
  const api = openaiChat(({ name, args }) =>
    name === "bash"
      ? { name: "bash", args: { command: args["command"], description: "a stand-in" } }
      : { name: "read", args: { filePath: join(scratch.project, String(args["path"])) } },
  );
  const model = await startScriptedModel(api, turns);
  configure(scratch, model.url);
  if (text !== undefined) scratch.write("project/.opencode/plugins/guard.js", text);
  const ending = new AbortController();
  // A run that is expected to hang is given its time from when the model asked for the call.
  const watch = setInterval(() => {
    if (held === undefined || model.requests.length === 0) return;
    clearInterval(watch);
    setTimeout(() => ending.abort(), held);
  }, 100);
  try {
    const ended = await runToEnd(
      [program(host), "run", ...args, prompt],
      scratch.project,
      environment(scratch),
      ending.signal,
      patience,
    );
    return { ...ended, requests: model.requests };
  } finally {
    clearInterval(watch);
    await model.close();
  }
}

/** The plugin of the package, which looks for policies itself. */
export const pluginFile = `export { Hookwarden } from ${JSON.stringify(pluginModule)};\n`;

/** A plugin file that guards with a policy file. */
export function guard(policy = policyFile): string {
  const options = JSON.stringify({ policies: [policy] });
  return `import { createPlugin } from ${JSON.stringify(pluginModule)};\nexport const Guard = createPlugin(${options});\n`;
}

/** A turn of the model that calls `bash` with a stand-in. */
export const bash = (command: string): ScriptedTurn => ({ calls: [{ name: "bash", args: { command } }] });

/** A turn of the model that calls `read`. */
export const read = (path: string): ScriptedTurn => ({ calls: [{ name: "read", args: { path } }] });

/** The turn that ends a run. */
export const done: ScriptedTurn = { text: "Finished." };

/** Whether the project has a file of this name now. */
export const has = (scratch: Scratch, file: string): boolean => existsSync(join(scratch.project, file));

/** All that the model was sent. */
export const sent = (run: HostRun): string => run.requests.join("\n");

/** What became of a run, for a report. */
export const told = (run: HostRun): string =>
  `exit ${run.exitCode}, ${run.requests.length} requests, stdout: ${run.stdout.slice(-400)}, stderr: ${run.stderr.slice(-600)}`;
