import { spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import type { InstalledHost } from "../install.ts";
import { startModelServer } from "../model-server.ts";
import { environment, inScratch } from "../omp-process.ts";
import { endPi, outputOf } from "../pi-process.ts";
import type { Cases } from "../report.ts";
import { allSeen, configure, recording } from "./program.ts";

/** omp has to do in this time what is waited for, in milliseconds. */
const patience = 60_000;

/**
 * A human who ends omp at its own terminal with Ctrl+C: one empties the editor, a second one within half a second ends omp.
 * The terminal is that of `script` of util-linux.
 */
export async function terminalCases(host: InstalledHost, cases: Cases): Promise<void> {
  await inScratch(async (scratch) => {
    const model = await startModelServer([]);
    configure(scratch, model);
    const fixed = ["--model", "scripted/scripted", "--no-skills", "--no-lsp", "--no-title", "--no-extensions"];
    const words = [host.node, host.script, ...fixed, "--hook", recording(scratch, "a")];
    if (words.some((word) => word.includes("'")))
      throw new Error("a path with a quote cannot be given to the terminal");
    const child = spawn("script", ["-qefc", words.map((word) => `'${word}'`).join(" "), "/dev/null"], {
      cwd: scratch.project,
      env: { ...environment(scratch), TERM: "xterm-256color", SHELL: "/bin/sh" },
      detached: true,
    });
    let shown = "";
    child.stdin.on("error", () => undefined);
    const ended = outputOf(child, patience * 2);
    child.stdout.on("data", (chunk: string) => {
      shown += chunk;
    });
    const told = (event: string): number => allSeen(scratch).filter((one) => one.event === event).length;
    const until = async (holds: () => boolean): Promise<void> => {
      for (const limit = Date.now() + patience; !holds(); await delay(25))
        if (Date.now() > limit || child.exitCode !== null) throw new Error(`omp did not do it: ${shown.slice(-500)}`);
    };
    try {
      await until(() => told("session_start") > 0);
      // Before the editor has the keyboard, the key would be a signal of the terminal.
      child.stdin.write("unsent");
      await until(() => shown.includes("sent"));
      child.stdin.write("\u0003");
      // Longer than omp waits for the second one.
      const early = await Promise.race([ended, delay(1_500, "goes on")]);
      cases.check(
        "one Ctrl+C neither ends omp nor tells session_shutdown",
        early === "goes on" && told("session_shutdown") === 0,
        early,
      );
      child.stdin.write("\u0003");
      await delay(100);
      child.stdin.write("\u0003");
      const { exitCode } = await ended;
      cases.check(
        "session_shutdown is told at Ctrl+C, pressed twice",
        exitCode !== null && told("session_shutdown") === 1,
        [exitCode, told("session_shutdown"), shown.slice(-500)],
      );
    } finally {
      endPi(child);
      await model.close();
    }
  });
}
