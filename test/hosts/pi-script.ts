import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ScriptedTurn } from "./model-server.ts";
import type { PiRun } from "./pi-process.ts";
import { filesBelow, makeScratch, type Scratch, textOfFiles } from "./scratch.ts";

/** A turn of the model that calls `bash` with a stand-in. */
export const bash = (command: string): ScriptedTurn => ({ calls: [{ name: "bash", args: { command } }] });

/** A turn of the model that calls `read`. */
export const read = (path: string): ScriptedTurn => ({ calls: [{ name: "read", args: { path } }] });

/** The turn that ends a run. */
export const finished: ScriptedTurn = { text: "Finished." };

/** Whether the project has a file of this name now. */
export const has = (scratch: Scratch, file: string): boolean => existsSync(join(scratch.project, file));

/** All that the model was sent. */
export const sent = (run: PiRun): string => run.requests.join("\n");

/** What became of a run, for a report. */
export const told = (run: PiRun): string =>
  `exit ${run.exitCode}, ${run.requests.length} requests, stderr: ${run.stderr.slice(0, 600)}`;

/** Text of pi's session files. */
export const sessions = (scratch: Scratch): string => textOfFiles(join(scratch.agent, "sessions"), ".jsonl");

/** Files of the audit trail. */
export const trail = (scratch: Scratch): string[] =>
  filesBelow(join(scratch.home, ".local/state/hookwarden/audit")).filter((file) => file.endsWith(".jsonl"));

/** Text of everything that hookwarden writes down: audit trail, sessions, approvals. */
export const state = (scratch: Scratch): string => textOfFiles(join(scratch.home, ".local/state"), "");

/** The last messages of a model request, for a report. */
export function ending(request: string): string {
  const { messages } = JSON.parse(request === "" ? "{}" : request) as { messages?: unknown[] };
  return JSON.stringify(messages?.slice(-3) ?? "no request").slice(0, 1_000);
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
