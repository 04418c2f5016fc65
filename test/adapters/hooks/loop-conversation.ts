import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AgentLoop, type ModelRequest } from "../../../adapters/hooks/agent-loop.ts";
import { isToolCallEventType } from "../../../adapters/hooks/events.ts";
import type { AgentMessage, AssistantMessage } from "../../../adapters/hooks/messages.ts";
import type { HookRunner } from "../../../adapters/hooks/runner.ts";
import type { ScriptedTurn } from "../../hosts/model-server.ts";
import type { RpcRecord } from "../../hosts/pi-process.ts";
import { makeScratch, type Scratch } from "../../hosts/scratch.ts";
import { logName, recorder, scenarioName } from "../../hosts/seed-pi/recorder.ts";
import { type Conversation, logOf, type Part, type Step } from "../../hosts/seed-pi/talk.ts";
import { seedTool } from "../../hosts/seed-pi/tool-scenarios.ts";
import { assertHarmless } from "../../hosts/stand-ins.ts";
import { type LooseFactory, runnerOf, text } from "./modules.ts";

/** Our own agent loop in the profile `pi`, spoken to as the cases on the real pi speak to it. */
export class LoopConversation implements Conversation {
  readonly scratch: Scratch = makeScratch();
  readonly #loop: AgentLoop;
  readonly #runner: HookRunner;
  readonly #records: RpcRecord[] = [];
  readonly #requests: string[] = [];
  readonly #entries: { type: string; id: string; message?: AgentMessage }[] = [];
  #turns: ScriptedTurn[] = [];

  constructor() {
    writeFileSync(join(this.scratch.root, scenarioName), "start");
    const modules = ["a", "b"].map((name) => recorder(name, this.scratch.root) as unknown as LooseFactory);
    const { runner } = runnerOf("pi", [...modules, this.#narrow()], {
      cwd: this.scratch.project,
      ports: {
        sessionManager: {
          getBranch: () => this.#entries,
          getEntries: () => this.#entries,
          getSessionFile: () => this.#file,
        },
      },
    });
    runner.onError(({ event, error }) => this.#records.push({ type: "extension_error", event, error }));
    this.#runner = runner;
    this.#loop = new AgentLoop(runner, {
      tools: [
        {
          name: "bash",
          execute: async (_id, params, _signal, update) => {
            update?.({ content: [] });
            return this.#bash(String((params as { command?: unknown }).command));
          },
        },
        { name: "read", execute: async () => ({ content: [text("read")] }) },
        {
          ...seedTool,
          execute: (id, params, signal, update) =>
            seedTool.execute(id, params as { action: string }, signal, update as never) as never,
        },
      ],
      systemPrompt: () => "You are the agent of a test, which has a prompt of some length to be looked for.",
      model: (request) => this.#answer(request),
      expand,
      builtIn: (typed) => typed === "/new",
      runCommand: async (command) => ({
        output: command.replace("echo ", ""),
        exitCode: 0,
        cancelled: false,
        truncated: false,
      }),
      save: (message) => this.#save(message),
    });
  }

  async during(scenario: string, turns: readonly ScriptedTurn[], work: () => Promise<unknown>): Promise<Part> {
    writeFileSync(join(this.scratch.root, scenarioName), scenario);
    this.#turns = [...turns];
    const [log, records, requests] = [logOf(this.scratch).length, this.#records.length, this.#requests.length];
    await work();
    await this.#loop.waitForIdle();
    return {
      log: logOf(this.scratch).slice(log),
      records: this.#records.slice(records),
      requests: this.#requests.slice(requests),
    };
  }

  prompt(scenario: string, message: string, { turns = [] }: Step = {}, more: object = {}): Promise<Part> {
    return this.during(scenario, turns, () => this.ask({ type: "prompt", message, ...more }));
  }

  async running(_runs: number, work: () => Promise<unknown>): Promise<void> {
    await work();
    await this.#loop.waitForIdle();
  }

  async ask(command: object): Promise<RpcRecord> {
    const { type, message, images, ...more } = command as Record<string, unknown>;
    if (type === "prompt") await this.#loop.submit(String(message), images as never, "rpc");
    const data =
      type === "bash"
        ? await this.#loop.userBash({
            command: String(more["command"]),
            excludeFromContext: more["excludeFromContext"] === true,
          })
        : { sessionFile: this.#file };
    return { type: "response", data };
  }

  async fileNow(): Promise<string> {
    return this.#file;
  }

  async close(): Promise<void> {
    await this.#runner.emit({ type: "session_shutdown" });
    this.scratch.remove();
  }

  get #file(): string {
    return join(this.scratch.root, "session.jsonl");
  }

  #save(message: AgentMessage): void {
    this.#entries.push({ type: "message", id: `e${this.#entries.length}`, message });
    appendFileSync(this.#file, `${JSON.stringify(message)}\n`);
  }

  /** The stand-ins do what a shell would, without one. */
  #bash(command: string): { content: { type: "text"; text: string }[] } {
    assertHarmless({ name: "bash", args: { command } });
    const [program, ...words] = command.split(" ");
    const path = join(this.scratch.project, words[0] ?? "");
    if (program === "touch") writeFileSync(path, "");
    if (program !== "cat") return { content: [text(program === "echo" ? `${words.join(" ")}\n` : "")] };
    if (!existsSync(path)) throw new Error(`cat: ${words[0]}: No such file`);
    return { content: [text(readFileSync(path, "utf8"))] };
  }

  /** The scripted model, which keeps what it was asked in the form of the real one's requests. */
  async #answer(request: ModelRequest): Promise<AssistantMessage> {
    const messages = [{ role: "system", content: request.systemPrompt }, ...request.messages];
    const tools = request.tools.map(({ name }) => ({ function: { name } }));
    const number = this.#requests.push(JSON.stringify({ messages, tools }));
    const turn = this.#turns.shift() ?? { text: "All done." };
    const content: AssistantMessage["content"] =
      "text" in turn
        ? [text(turn.text)]
        : turn.calls.map(({ name, args }, at) => ({
            type: "toolCall",
            id: `call_${number}_${at}`,
            name,
            arguments: { ...args },
          }));
    const answer: AssistantMessage = { role: "assistant", content };
    for (const token of ["start", "delta", "end"]) await request.update(answer, { type: `text_${token}` });
    return answer;
  }

  #narrow(): LooseFactory {
    return (pi) =>
      pi.on("tool_call", (event) => {
        const data: Record<string, unknown> = { type: "narrowed", bash: false, custom: false };
        if (isToolCallEventType("bash", event)) Object.assign(data, { bash: true, command: event.input.command });
        if (isToolCallEventType<"seed_tool", { action: string }>("seed_tool", event))
          Object.assign(data, { custom: true, action: event.input.action });
        const line = { by: "narrow", at: "note", event: "tool_call", data };
        appendFileSync(join(this.scratch.root, logName), `${JSON.stringify(line)}\n`);
      });
  }
}

/** A skill and a template, expanded as the host would. */
function expand(typed: string): string {
  if (typed.startsWith("/skill:seed-skill ")) return "What the seed skill says.";
  return typed.startsWith("/seed-template ")
    ? `What the template says: ${typed.slice("/seed-template ".length)}`
    : typed;
}
