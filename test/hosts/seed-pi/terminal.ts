import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { InstalledHost } from "../install.ts";
import { type PromptedModelServer, startModelServer } from "../model-server.ts";
import { configurePi, endPi, type Output, outputOf, piCommand, piEnvironment } from "../pi-process.ts";
import { makeScratch, type Scratch } from "../scratch.ts";
import { assertHarmless } from "../stand-ins.ts";
import { scenarioName } from "./recorder.ts";
import { logOf, type Part, writeRecorder } from "./talk.ts";

/** What is waited for comes in this time, or its case fails. */
const patience = 300_000;

/**
 * A real pi in a terminal of its own, and a human who types. The terminal is that of `script` of util-linux, which every Linux
 * has; what it runs is the command line of pi and nothing else.
 */
export class Terminal {
  readonly scratch: Scratch;
  readonly ended: Promise<Output>;
  readonly #model: PromptedModelServer;
  readonly #child: ChildProcessWithoutNullStreams;
  #shown = "";

  private constructor(host: InstalledHost, scratch: Scratch, model: PromptedModelServer) {
    this.scratch = scratch;
    this.#model = model;
    const words = piCommand(host, [], [writeRecorder(scratch, "a", "a.mjs")]);
    if (words.some((word) => word.includes("'")))
      throw new Error("a path with a quote cannot be given to the terminal");
    this.#child = spawn("script", ["-qefc", words.map((word) => `'${word}'`).join(" "), "/dev/null"], {
      cwd: scratch.project,
      env: { ...piEnvironment(scratch), TERM: "xterm-256color", SHELL: "/bin/sh" },
      detached: true,
    });
    this.#child.stdin.on("error", () => undefined);
    this.#child.stdout.on("data", (chunk) => {
      this.#shown += chunk;
    });
    this.ended = outputOf(this.#child, 900_000);
  }

  static async open(host: InstalledHost): Promise<Terminal> {
    const scratch = makeScratch();
    const model = await startModelServer([]);
    configurePi(scratch, model);
    writeFileSync(join(scratch.root, scenarioName), "start with a theme");
    scratch.write("themes/seed-theme.json", themeOf(host, "seed-theme"));
    const terminal = new Terminal(host, scratch, model);
    await terminal.until(() => terminal.count("resources_discover", "end") > 0);
    return terminal;
  }

  /** How often extension a got an event, or was done with it. */
  count(event: string, at: "begin" | "end" = "begin"): number {
    return logOf(this.scratch).filter((line) => line.event === event && line.at === at).length;
  }

  /** Types a line while a scenario is on, and waits until an event has come. A command must be a stand-in. */
  async type(scenario: string, line: string, event: string): Promise<Part> {
    if (line.startsWith("!")) assertHarmless({ name: "bash", args: { command: line.replace(/^!+/, "") } });
    writeFileSync(join(this.scratch.root, scenarioName), scenario);
    const [log, requests, shown] = [logOf(this.scratch).length, this.#model.requests.length, this.#shown.length];
    const wanted = this.count(event, "end") + 1;
    this.#child.stdin.write(line);
    // Enter before the editor has the text would send half of it.
    await this.until(() => this.#shown.slice(shown).includes(line.slice(-4)));
    // pi puts a line back into the editor while a command still runs; on an empty editor Enter does nothing.
    const enter = () => this.#child.stdin.write("\r");
    enter();
    const again = setInterval(enter, 3_000);
    try {
      await this.until(() => this.count(event, "end") >= wanted);
    } finally {
      clearInterval(again);
    }
    return { log: logOf(this.scratch).slice(log), records: [], requests: this.#model.requests.slice(requests) };
  }

  /** Types a line that starts a run, and waits until the agent is idle again. */
  async run(scenario: string, line: string): Promise<Part> {
    const idle = () => logOf(this.scratch).filter(({ data }) => data?.type === "idle").length;
    const before = idle();
    const part = await this.type(scenario, line, "agent_end");
    await this.until(() => idle() > before);
    return part;
  }

  /** Presses a key. */
  press(key: string): void {
    this.#child.stdin.write(key);
  }

  /** What stands on the screen has come, as text with the terminal's own signs. */
  shows(words: string): Promise<void> {
    return this.until(() => this.#shown.includes(words));
  }

  async until(holds: () => boolean): Promise<void> {
    const end = Date.now() + patience;
    while (!holds()) {
      if (this.#child.exitCode !== null)
        throw new Error(`pi ended with ${this.#child.exitCode}: ${this.#shown.slice(-500)}`);
      if (Date.now() > end) throw new Error(`pi did not do it: ${this.#shown.slice(-500)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async close(): Promise<void> {
    endPi(this.#child);
    await this.#model.close();
    this.scratch.remove();
  }
}

/** The host's own dark theme under another name. */
function themeOf(host: InstalledHost, name: string): string {
  const folder = host.script.slice(0, -host.host.start.length);
  const theme = JSON.parse(readFileSync(join(folder, "dist/modes/interactive/theme/dark.json"), "utf8")) as object;
  return JSON.stringify({ ...theme, name });
}
