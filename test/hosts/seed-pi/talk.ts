import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { InstalledHost } from "../install.ts";
import { type PromptedModelServer, type ScriptedTurn, startModelServer } from "../model-server.ts";
import {
  configurePi,
  endPi,
  type Output,
  outputOf,
  type PiMore,
  type RpcRecord,
  rpcRecord,
  startPi,
} from "../pi-process.ts";
import { makeScratch, type Scratch } from "../scratch.ts";
import { assertHarmless } from "../stand-ins.ts";
import { type Logged, logName, scenarioName } from "./recorder.ts";

/** What happened while one scenario was on. */
export interface Part {
  readonly log: readonly Logged[];
  readonly records: readonly RpcRecord[];
  /** Bodies of the model requests. */
  readonly requests: readonly string[];
}

/** What a step of a scenario may be given. */
export interface Step {
  readonly turns?: readonly ScriptedTurn[];
  /** How many runs of the agent the step is to bring; one, where not given. */
  readonly runs?: number;
}

/** An agent with the recording extensions, spoken to step by step. */
export interface Conversation {
  readonly scratch: Scratch;
  /** Puts a scenario on, does the work, and gives what happened meanwhile. */
  during(scenario: string, turns: readonly ScriptedTurn[], work: () => Promise<unknown>): Promise<Part>;
  prompt(scenario: string, message: string, step?: Step, more?: object): Promise<Part>;
  /** Does the work and waits until the agent has run so often and is idle. */
  running(runs: number, work: () => Promise<unknown>): Promise<void>;
  /** Sends a command and waits for its response. */
  ask(command: object): Promise<RpcRecord>;
  /** The file of the session that is open now. */
  fileNow(): Promise<string>;
}

/** A question that is not answered in this time fails its case. */
const patience = 300_000;

/** A real pi in RPC mode with the recording extensions, spoken to step by step. */
export class Talk implements Conversation {
  readonly scratch: Scratch;
  readonly model: PromptedModelServer;
  readonly records: RpcRecord[] = [];
  /** What the process printed, when it has ended. */
  readonly ended: Promise<Output>;
  readonly #child: ReturnType<typeof startPi>;
  #waiting: (() => void)[] = [];
  #number = 0;

  private constructor(
    host: InstalledHost,
    scratch: Scratch,
    model: PromptedModelServer,
    extensions: readonly string[],
    more: PiMore,
  ) {
    this.scratch = scratch;
    this.model = model;
    this.#child = startPi(host, scratch, ["--mode", "rpc"], extensions, more);
    this.#child.stdin.on("error", () => undefined);
    this.ended = outputOf(this.#child, 900_000, (line) => {
      const record = rpcRecord(line);
      if (record) this.records.push(record);
      this.#wake();
    }).finally(() => this.#wake());
  }

  /** Starts pi with extensions of these names; `before` fills the scratch folder, and gives the paths of more. */
  static async start(
    host: InstalledHost,
    names: readonly string[],
    more: PiMore = {},
    before: (scratch: Scratch) => readonly string[] = () => [],
  ): Promise<Talk> {
    const scratch = makeScratch();
    const model = await startModelServer([]);
    configurePi(scratch, model);
    writeFileSync(join(scratch.root, scenarioName), "start");
    const others = before(scratch);
    const extensions = [...names.map((name) => writeRecorder(scratch, name, `${name}.mjs`)), ...others];
    const talk = new Talk(host, scratch, model, extensions, more);
    // Whoever changes the scenario before pi has started changes what its start is answered.
    await talk.ask({ type: "get_state" });
    return talk;
  }

  get log(): Logged[] {
    return logOf(this.scratch);
  }

  /** Puts a scenario on. */
  scenario(name: string): void {
    writeFileSync(join(this.scratch.root, scenarioName), name);
  }

  async fileNow(): Promise<string> {
    const { data } = (await this.ask({ type: "get_state" })) as { data?: { sessionFile?: string } };
    return data?.sessionFile ?? "";
  }

  async during(scenario: string, turns: readonly ScriptedTurn[], work: () => Promise<unknown>): Promise<Part> {
    this.scenario(scenario);
    this.model.say(turns);
    const [log, records, requests] = [this.log.length, this.records.length, this.model.requests.length];
    await work();
    return {
      log: this.log.slice(log),
      records: this.records.slice(records),
      requests: this.model.requests.slice(requests),
    };
  }

  prompt(scenario: string, message: string, { turns = [], runs = 1 }: Step = {}, more: object = {}): Promise<Part> {
    return this.during(scenario, turns, () => this.running(runs, () => this.ask({ type: "prompt", message, ...more })));
  }

  async running(runs: number, work: () => Promise<unknown>): Promise<void> {
    const ends = () => this.records.filter(({ type }) => type === "agent_end").length;
    const wanted = ends() + runs;
    await work();
    await this.until(() => ends() >= wanted);
    for (;;) {
      const { data } = (await this.ask({ type: "get_state" })) as { data?: Record<string, unknown> };
      if (!data?.["isStreaming"] && !data?.["isCompacting"] && data?.["pendingMessageCount"] === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async ask(command: object): Promise<RpcRecord> {
    const { type, command: line } = command as { type?: string; command?: unknown };
    if (type === "bash") assertHarmless({ name: "bash", args: { command: line } });
    const id = `q${++this.#number}`;
    this.send({ id, ...command });
    const found = () => this.records.find((record) => record.type === "response" && record.id === id);
    await this.until(() => found() !== undefined);
    return found() as RpcRecord;
  }

  send(command: object): void {
    if (this.#child.stdin.writable) this.#child.stdin.write(`${JSON.stringify(command)}\n`);
  }

  /** Waits until a condition holds. Throws when the process has ended, or when nothing comes for too long. */
  async until(holds: () => boolean): Promise<void> {
    const end = Date.now() + patience;
    while (!holds()) {
      if (this.#child.exitCode !== null) throw new Error(`pi ended with ${this.#child.exitCode}`);
      if (Date.now() > end) throw new Error(`pi did not answer: ${JSON.stringify(this.records.at(-1)).slice(0, 300)}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 1_000);
        this.#waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  /** Tells the process to end: by the end of its input, or by a signal. */
  leave(signal?: NodeJS.Signals): Promise<Output> {
    if (signal) this.#child.kill(signal);
    else this.#child.stdin.end();
    return this.ended;
  }

  async close(): Promise<void> {
    endPi(this.#child);
    await this.model.close();
    this.scratch.remove();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}

/** Writes an extension that records under a name, and gives its path. */
export function writeRecorder(scratch: Scratch, name: string, path: string): string {
  const module = join(import.meta.dirname, "recorder.ts");
  const text = `import { recorder } from ${JSON.stringify(module)};\nexport default recorder(${JSON.stringify(name)}, ${JSON.stringify(scratch.root)});\n`;
  return scratch.write(path, text);
}

/** What the extensions of a run wrote down. */
export function logOf(scratch: Scratch): Logged[] {
  const path = join(scratch.root, logName);
  const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Logged);
}
