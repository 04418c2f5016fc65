import { join } from "node:path";
import { type Connected, connect } from "./mcp-client.ts";
import { makeScratch, type Scratch } from "./scratch.ts";

const hookwarden = join(import.meta.dirname, "..", "..", "dist", "bin", "hookwarden.js");

/** A server that says what a test gives it. */
export const smallServer = join(import.meta.dirname, "..", "adapters", "mcp", "small-server.mjs");

/** A policy with a rule that never matches: everything passes, and everything is judged. */
export const allowAll =
  'version: 1\npolicy: nothing\nrules:\n  - id: never\n    event: [tool_call, tool_result]\n    tool: mcp__nobody__*\n    action: { redact: { detectors: ["secrets/*"] } }\n';

/** The server's command line behind the proxy. */
export function behind(policy: string, name: string, command: readonly string[]): string[] {
  return [process.execPath, hookwarden, "mcp", "--policy", policy, "--server", name, "--", ...command];
}

/** Connects, does the work and goes. */
export async function withClient<T>(
  scratch: Scratch,
  command: readonly string[],
  work: (connected: Connected) => Promise<T>,
): Promise<T> {
  const connected = await connect(scratch, command);
  try {
    return await work(connected);
  } finally {
    await connected.client.close();
  }
}

/** Work in a scratch folder, which is gone afterwards. */
export async function inScratch<T>(work: (scratch: Scratch) => Promise<T>): Promise<T> {
  const scratch = makeScratch();
  try {
    return await work(scratch);
  } finally {
    scratch.remove();
  }
}

/** An answer, or the error that came in its place. */
export async function answerOf(work: Promise<unknown>): Promise<unknown> {
  try {
    return await work;
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
