import { chmodSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { atTerminal, type Ended, type Step } from "../adapters/interrupts/at-terminal.ts";
import type { InstalledHost } from "./install.ts";
import { type ScriptedTurn, startModelServer } from "./model-server.ts";
import {
  configurePi,
  type PiMore,
  type PiRun,
  piCommand,
  piEnvironment,
  type RpcStep,
  runPi,
  runPiRpc,
} from "./pi-process.ts";
import type { Scratch } from "./scratch.ts";

/** What `hookwarden/gastown` gives pi. */
const extension = join(import.meta.dirname, "..", "..", "dist", "adapters", "gastown", "entry.js");

/** A turn of calls. */
export const bash = (...commands: string[]): ScriptedTurn => ({
  calls: commands.map((command) => ({ name: "bash", args: { command } })),
});
/** The last turn. */
export const finished: ScriptedTurn = { text: "Finished." };

/** One run with hooks, in a scratch folder of its own. */
export class Try {
  readonly #host: InstalledHost;
  readonly scratch: Scratch;

  constructor(host: InstalledHost, scratch: Scratch) {
    this.#host = host;
    this.scratch = scratch;
    // A login shell finds `gt` and `bd` where the user's profile says; the stand-ins only write down what they were asked.
    this.scratch.write("home/.profile", 'PATH="$HOME/bin:$PATH"; export PATH\n');
    mkdirSync(join(scratch.home, "bin"), { recursive: true });
  }

  /** A program on the path of the hooks' shell. Returns its text's file. */
  program(name: string, ...lines: string[]): void {
    chmodSync(this.scratch.write(`home/bin/${name}`, ["#!/bin/sh", ...lines, ""].join("\n")), 0o755);
  }

  /** A program that prints an answer; standard input is kept in `<name>.told`. */
  answering(name: string, answer: unknown): void {
    const text = typeof answer === "string" ? answer : JSON.stringify(answer);
    const file = this.scratch.write(`home/${name}.answer`, text);
    this.program(name, `cat >> "$HOME/${name}.told"`, `cat '${file}'`);
  }

  /** A hook configuration as JSON: programs by event. */
  config(hooks: Readonly<Record<string, readonly string[]>>): string {
    const groups = Object.entries(hooks).map(([event, names]) => [
      event,
      [{ matcher: "*", hooks: names.map((command) => ({ type: "command", command })) }],
    ]);
    return JSON.stringify({ hooks: Object.fromEntries(groups) });
  }

  run(turns: readonly ScriptedTurn[], more: PiMore = {}): Promise<PiRun> {
    return runPi(this.#host, this.scratch, turns, [extension], more);
  }

  rpc(turns: readonly ScriptedTurn[], first: object, step: RpcStep, more: PiMore): Promise<PiRun> {
    return runPiRpc(this.#host, this.scratch, turns, [extension], first, step, more);
  }

  /** A run with hooks of `hooks.json` on a terminal, where a human does these things. */
  async onTerminal(turns: readonly ScriptedTurn[], words: readonly string[], steps: readonly Step[]): Promise<Ended> {
    const model = await startModelServer(turns);
    configurePi(this.scratch, model);
    const args = ["--hooks-config", "hooks.json"];
    const program = piCommand(this.#host, words, [extension], { args });
    const env = { ...piEnvironment(this.scratch), TERM: "xterm-256color", SHELL: "/bin/sh" };
    try {
      return await atTerminal(program, steps, { cwd: this.scratch.project, env });
    } finally {
      await model.close();
    }
  }

  /** A file of the home, empty when it is not there. */
  home(path: string): string {
    const file = join(this.scratch.home, path);
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  }

  has(file: string): boolean {
    return existsSync(join(this.scratch.project, file));
  }

  log(): string {
    return this.home(".local/state/hookwarden/hooks.jsonl");
  }
}

/** What a run left behind, for a case that does not hold. */
export const told = (run: PiRun): string =>
  `exit ${run.exitCode}, ${run.requests.length} requests, ${run.stderr.slice(0, 900)}`;
/** The last model request. */
export const last = (run: PiRun): string => run.requests.at(-1) ?? "";

/** The options for hooks that a file configures. */
export const withFile = (attempt: Try, hooks: Readonly<Record<string, readonly string[]>>, env = {}): PiMore => {
  attempt.scratch.write("project/hooks.json", attempt.config(hooks));
  return { args: ["--hooks-config", "hooks.json"], env };
};
