import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { InstalledHost } from "../install.ts";
import { type FailedTurn, type PromptedModelServer, type ScriptedTurn, startModelServer } from "../model-server.ts";
import { environment } from "../omp-process.ts";
import type { Scratch } from "../scratch.ts";

/** What a recording module wrote down: an event with its payload, or something of its own. */
export interface Seen {
  readonly module: string;
  readonly event?: string;
  readonly hasUI?: boolean;
  readonly given?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** A record of omp's RPC mode. */
export interface RpcRecord {
  readonly type: string;
  readonly id?: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** What each recording module is to answer to each event; `recorder.mjs` says what an answer may be. */
export type Answers = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A process that does not answer is ended after this many milliseconds. */
const patience = 120_000;

/** Puts the recording module into the scratch folder, and at `path` a module which records under a name. */
export function recording(scratch: Scratch, name: string, more = "undefined", path = `${name}.mjs`): string {
  const recorder = join(scratch.root, "recorder.mjs");
  if (!existsSync(recorder)) copyFileSync(join(import.meta.dirname, "recorder.mjs"), recorder);
  const lines = [
    `import { commands, recorder } from ${JSON.stringify(recorder)};`,
    `export default recorder(${JSON.stringify(name)}, ${more});`,
  ];
  return scratch.write(path, `${lines.join("\n")}\n`);
}

/** Everything that recording modules wrote down in this scratch folder. */
export function allSeen(scratch: Scratch): Seen[] {
  const file = join(scratch.home, "seen.jsonl");
  // What stands behind the last line end is being written.
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
  return lines.map((line) => JSON.parse(line) as Seen);
}

/** Tells omp about the scripted model, that there is no other, and to keep nothing that is not asked for. */
export function configure(scratch: Scratch, model: PromptedModelServer): void {
  const provider = {
    baseUrl: model.url,
    api: "openai-completions",
    apiKey: "not-a-key",
    models: [{ id: "scripted", name: "scripted", contextWindow: 128_000, maxTokens: 4_096 }],
  };
  const settings = {
    async: { enabled: false },
    compaction: { enabled: false, keepRecentTokens: 1, asyncEnabled: false, autoContinue: false },
    retry: { baseDelayMs: 10, maxRetries: 1 },
    ttsr: { builtinRules: false },
    startup: { setupWizard: false },
  };
  // JSON is YAML.
  scratch.write("home/agent/models.yml", JSON.stringify({ providers: { scripted: provider } }));
  scratch.write("home/agent/config.yml", JSON.stringify(settings));
}

/** omp with recording modules, in RPC mode or for one prompt, against a model whose script grows as the test goes on. */
export class Program {
  readonly scratch: Scratch;
  readonly records: RpcRecord[] = [];
  readonly #model: PromptedModelServer;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<number | null>;
  #stderr = "";
  #asked = 0;
  #wake: () => void = () => undefined;

  private constructor(scratch: Scratch, model: PromptedModelServer, command: string[]) {
    this.scratch = scratch;
    this.#model = model;
    const [file = "", ...args] = command;
    this.#child = spawn(file, args, { cwd: scratch.project, env: environment(scratch), detached: true });
    this.#child.stdin.on("error", () => undefined);
    let pending = "";
    this.#child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      const lines = (pending + chunk).split("\n");
      pending = lines.pop() ?? "";
      for (const line of lines) this.#take(line);
      this.#wake();
    });
    this.#child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      this.#stderr += chunk;
    });
    this.#ended = new Promise((resolve) => {
      this.#child.once("error", () => resolve(null));
      this.#child.once("close", (code) => resolve(code));
    });
  }

  /** Starts omp with these modules; `mode` is `rpc`, or what the human asks for in print mode. */
  static async start(host: InstalledHost, scratch: Scratch, more: ProgramArgs): Promise<Program> {
    const model = await startModelServer(more.turns ?? []);
    configure(scratch, model);
    const loaded = (more.modules ?? []).flatMap((path) => [more.flag ?? "--hook", path]);
    const fixed = ["--model", "scripted/scripted", "--no-skills", "--no-lsp", "--no-title"];
    const mode = more.prompt === undefined ? ["--mode", "rpc"] : ["--print", more.prompt];
    const alone = more.discovers === true ? [] : ["--no-extensions"];
    const command = [host.node, host.script, ...fixed, ...alone, ...loaded, ...(more.args ?? []), ...mode];
    const program = new Program(scratch, model, command);
    if (more.prompt !== undefined) program.#child.stdin.end();
    return program;
  }

  #take(line: string): void {
    try {
      const record = JSON.parse(line) as RpcRecord;
      this.records.push(record);
      const answer = this.#answerTo(record);
      if (answer !== undefined) this.#child.stdin.write(`${JSON.stringify(answer)}\n`);
    } catch {
      this.records.push({ type: "text", text: line });
    }
  }

  /** What the human of this test answers to a dialog. */
  #answerTo(record: RpcRecord): object | undefined {
    if (record.type !== "extension_ui_request") return undefined;
    const answers: Readonly<Record<string, object>> = {
      confirm: { confirmed: true },
      select: { value: "b" },
      input: { value: "word" },
      editor: { value: "edited" },
    };
    const answer = answers[String(record["method"])];
    return answer && { type: "extension_ui_response", id: record.id, ...answer };
  }

  /** Bodies of the requests that the model got. */
  get requests(): readonly string[] {
    return this.#model.requests;
  }

  /** What recording modules wrote down so far. */
  get seen(): Seen[] {
    return allSeen(this.scratch);
  }

  /** What went wrong, for a case that does not hold. */
  get told(): string {
    return `${this.requests.length} requests, stderr: ${this.#stderr.slice(-600)}, ${JSON.stringify(this.records.at(-1)).slice(0, 300)}`;
  }

  /** Standard error so far. */
  get stderr(): string {
    return this.#stderr;
  }

  /** Says what modules are to answer from now on. */
  answer(answers: Answers): void {
    this.scratch.write("home/answers.json", JSON.stringify(answers));
  }

  /** Waits until something holds; throws when omp does not come to it. */
  async until(what: string, holds: () => boolean): Promise<void> {
    const limit = Date.now() + patience;
    while (!holds()) {
      if (Date.now() > limit || this.#child.exitCode !== null)
        throw new Error(`omp did not come to ${what}: ${this.told}`);
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      await Promise.race([woken, delay(25)]);
    }
  }

  /** Sends a command and gives omp's answer. */
  async ask(command: { readonly type: string; readonly [field: string]: unknown }): Promise<RpcRecord> {
    const id = `ask-${this.#asked++}`;
    this.#child.stdin.write(`${JSON.stringify({ ...command, id })}\n`);
    const found = (): RpcRecord | undefined =>
      this.records.find((record) => record.type === "response" && record.id === id);
    await this.until(`an answer to ${command.type}`, () => found() !== undefined);
    return found() as RpcRecord;
  }

  /** What omp says of its session. */
  async state(): Promise<Readonly<Record<string, unknown>>> {
    return (await this.ask({ type: "get_state" })).data ?? {};
  }

  /**
   * Hands omp a prompt and the model its turns, and waits until all of them were asked for and the agent rests. Gives what
   * modules saw meanwhile, and the model's requests.
   */
  async prompt(message: string, turns: readonly (ScriptedTurn | FailedTurn)[]): Promise<Round> {
    return this.during(turns, async () => {
      const [before, asked] = [this.#ends(), this.requests.length];
      await this.ask({ type: "prompt", message });
      await this.until("the last turn", () => this.requests.length >= asked + turns.length && this.#ends() > before);
    });
  }

  /** Does something with turns for the model at hand; gives what modules saw meanwhile. */
  async during(turns: readonly (ScriptedTurn | FailedTurn)[], work: () => Promise<unknown>): Promise<Round> {
    const [seen, asked] = [this.seen.length, this.requests.length];
    this.#model.say(turns);
    await work();
    for (;;) {
      const { isStreaming, isCompacting } = await this.state();
      if (isStreaming !== true && isCompacting !== true) break;
      await delay(25);
    }
    await this.until("the end of the run in every module", () => this.#allTold());
    return { seen: this.seen.slice(seen), requests: this.requests.slice(asked) };
  }

  /** Whether each recording module was told of the end of each run that omp told us of. */
  #allTold(): boolean {
    const { seen } = this;
    const ends = this.#ends();
    const modules = seen.flatMap(({ module, loaded }) => (loaded === true ? [module] : []));
    const told = (name: string): number =>
      seen.filter(({ module, event }) => module === name && event === "agent_end").length;
    return modules.every((name) => told(name) >= ends);
  }

  #ends(): number {
    return this.records.filter(({ type }) => type === "agent_end").length;
  }

  /** Waits for the end of a program that ends by itself, or closes its input and waits; gives its exit code. */
  async end(): Promise<number | null> {
    const timer = setTimeout(() => this.#kill(), patience);
    this.#child.stdin.end();
    const code = await this.#ended;
    clearTimeout(timer);
    this.#kill();
    await this.#model.close();
    return code;
  }

  #kill(): void {
    try {
      if (this.#child.pid !== undefined) process.kill(-this.#child.pid, "SIGKILL");
    } catch {
      // It has ended, with everything it started.
    }
  }
}

/** How omp is started. */
export interface ProgramArgs {
  readonly modules?: readonly string[];
  readonly flag?: "--hook" | "--extension";
  readonly prompt?: string;
  readonly turns?: readonly ScriptedTurn[];
  readonly args?: readonly string[];
  /** Whether modules are also looked for in their folders. */
  readonly discovers?: boolean;
}

/** What happened during a part of a test. */
export interface Round {
  readonly seen: readonly Seen[];
  readonly requests: readonly string[];
}

/** The events that one module saw, in order; of all modules when none is named. */
export function eventsOf(round: Round, module?: string): string[] {
  return round.seen.flatMap((one) =>
    one.event !== undefined && (module ?? one.module) === one.module ? [one.event] : [],
  );
}

/** The payloads of one event that a module saw. */
export function given(round: Round, event: string, module = "a"): Readonly<Record<string, unknown>>[] {
  return round.seen.flatMap((one) => (one.event === event && one.module === module && one.given ? [one.given] : []));
}
