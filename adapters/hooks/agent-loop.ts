import type { AgentLoopPorts } from "./agent-ports.ts";
import { AgentRun } from "./agent-run.ts";
import type { HostPorts, SendMessageOptions, SendUserMessageOptions, ToolInfo } from "./context.ts";
import { shownText } from "./emit/tool-call.ts";
import type { InputEvent } from "./events.ts";
import { LoopSession } from "./loop-session.ts";
import type {
  AgentMessage,
  BashExecutionMessage,
  ContentPart,
  HookMessage,
  ImageContent,
  UserMessage,
} from "./messages.ts";
import type { InputOutcome } from "./results.ts";
import { runCommand, type TypedCommand, typedCommand } from "./run-command.ts";
import type { HookRunner } from "./runner.ts";
import { type AgentTool, HookToolWrapper } from "./tool-wrapper.ts";
import { loopPath, Transcript } from "./transcript.ts";
import { isContent, isHookMessage } from "./well-formed.ts";

export type { AgentLoopPorts, ModelRequest } from "./agent-ports.ts";

/**
 * Outcome of a submitted text: taken by a command or handler, run as a command of the human, added to the current run
 * (`queue`), or run, with the messages of that run.
 */
export type PromptOutcome =
  | { readonly ran: false; readonly by: "command" | "input" | "builtin" | "queue"; readonly reason?: string }
  | { readonly ran: false; readonly by: "bash"; readonly message: BashExecutionMessage }
  | { readonly ran: true; readonly messages: readonly AgentMessage[] };

/**
 * An agent loop that fires every event at its moment: extension command, `input`, built-in command, expansion,
 * `before_agent_start`, `agent_start`; per turn `turn_start`, the messages, `context`, the model, the tools, `turn_end`;
 * `agent_end` with the messages of this run alone, also when the run fails. An agent can use it as its loop, or as a model
 * of the order. One run at a time: a text that comes during a run steers it, follows it, or waits.
 * Source: seed pi-hook-reference, sections 1 to 4 and 8.
 */
export class AgentLoop {
  readonly #runner: HookRunner;
  readonly #ports: AgentLoopPorts;
  readonly #tools: ReadonlyMap<string, AgentTool>;
  readonly #transcript: Transcript;
  readonly #session: LoopSession;
  /** The whole conversation; a run adds to it. */
  readonly history: AgentMessage[] = [];
  readonly #steering: AgentMessage[] = [];
  readonly #followUps: AgentMessage[] = [];
  readonly #nextTurn: AgentMessage[] = [];
  readonly #commands = new Set<AbortController>();
  /** Commands of the human that ended during a run. They wait, because no message may come between a call and its result. */
  readonly #ranCommands: BashExecutionMessage[] = [];
  #active: ReadonlySet<string> | undefined;
  /** Ends the run that is under way. */
  #run: AbortController | undefined;
  /** Settles when all runs started so far are done. */
  #work: Promise<unknown> = Promise.resolve();
  /** Background work of modules, which no caller awaits. */
  readonly #behind = new Set<Promise<unknown>>();

  constructor(runner: HookRunner, ports: AgentLoopPorts) {
    this.#runner = runner;
    this.#ports = ports;
    this.#tools = new Map(ports.tools.map((tool) => [tool.name, new HookToolWrapper(tool, runner)]));
    const now = (): number => ports.now?.() ?? Date.now();
    const save = ports.saveEntry?.bind(ports);
    this.#session = new LoopSession({ history: this.history, entries: ports.entries, save, now });
    this.#transcript = new Transcript(runner, this.history, (message) => ports.save?.(message));
    runner.offer(this.#offered());
  }

  /** Adds a message to the input of the next turn; the run continues for it. */
  steer(message: AgentMessage): void {
    this.#steering.push(message);
  }

  /** Adds a message for the moment when the agent would stop; the run then continues for it. */
  followUp(message: AgentMessage): void {
    this.#followUps.push(message);
  }

  /** Ends the current run and commands of the human. Events that have started still get their end events. */
  abort(): void {
    this.#run?.abort();
    for (const command of this.#commands) command.abort();
  }

  /** Resolves when nothing runs and nothing waits to run. A handler that awaits it during a run deadlocks. */
  async waitForIdle(): Promise<void> {
    for (let seen: unknown; seen !== this.#work || this.#behind.size > 0; ) {
      seen = this.#work;
      await Promise.all([seen, ...this.#behind]);
    }
  }

  /**
   * Submits text of the human, a program or an extension. During a run, the text is added to it as `deliverAs` says. Text
   * that the human types after `!` runs as a command; text from others never does.
   */
  async submit(
    text: string,
    images?: ImageContent[],
    source: InputEvent["source"] = "interactive",
    deliverAs: "steer" | "followUp" = "steer",
  ): Promise<PromptOutcome> {
    const typed = source === "interactive" ? typedCommand(text) : undefined;
    if (typed !== undefined) return { ran: false, by: "bash", message: await this.userBash(typed) };
    const given = images === undefined ? {} : { images };
    const input = await this.#runner.submit({ type: "input", text, source, ...given });
    if (input.action === "handled") {
      const reason = input.reason === undefined ? {} : { reason: input.reason };
      return { ran: false, by: input.command === undefined ? "input" : "command", ...reason };
    }
    if (await this.#ports.builtIn?.(input.text)) return { ran: false, by: "builtin" };
    return this.#prompt({ ...input, text: this.#ports.expand?.(input.text) ?? input.text }, deliverAs);
  }

  /**
   * Runs a command of the human. `user_bash` fires, and the command runs as a handler answered or through the loop's port.
   * Its output joins the conversation; with `excludeFromContext` no model is ever sent it.
   */
  async userBash({ command, excludeFromContext }: TypedCommand): Promise<BashExecutionMessage> {
    const { cwd } = this.#runner.chain.context();
    const judged = await this.#runner.emitUserBash({ type: "user_bash", command, excludeFromContext, cwd });
    const running = new AbortController();
    this.#commands.add(running);
    const place = { cwd, signal: running.signal };
    const result = await runCommand(judged, place, this.#ports.runCommand);
    this.#commands.delete(running);
    const { exitCode, cancelled, truncated } = result;
    const message: BashExecutionMessage = {
      role: "bashExecution",
      command: judged.command,
      output: shownText(this.#runner.chain, result.output),
      ...(exitCode === undefined ? {} : { exitCode }),
      cancelled,
      truncated,
      ...(excludeFromContext ? { excludeFromContext } : {}),
    };
    if (this.#run === undefined) this.#transcript.keep(message);
    else this.#ranCommands.push(message);
    return message;
  }

  async #prompt(input: InputOutcome, deliverAs: "steer" | "followUp"): Promise<PromptOutcome> {
    if (this.#run === undefined)
      return { ran: true, messages: await this.#alone(() => this.#asRun((run) => this.#start(input, run))) };
    const messages = (input.messages ?? []).map((message): AgentMessage => ({ role: "custom", ...message }));
    (deliverAs === "steer" ? this.#steering : this.#followUps).push(userMessage(input), ...messages);
    return { ran: false, by: "queue" };
  }

  async #start(input: InputOutcome, run: AbortController): Promise<readonly AgentMessage[]> {
    const systemPrompt = this.#ports.systemPrompt();
    const start = await this.#runner.emitBeforeAgentStart({
      type: "before_agent_start",
      prompt: input.text,
      ...(input.images === undefined ? {} : { images: input.images }),
      systemPrompt,
    });
    const own = [...(input.messages ?? []), ...start.messages];
    const custom = own.map((message): AgentMessage => ({ role: "custom", ...message }));
    const first = [userMessage(input), ...this.#nextTurn.splice(0), ...custom];
    return this.#agent(first, start.systemPrompt ?? systemPrompt, run);
  }

  /** Does one run. `agent_end` fires even after a fault, which then goes on to the caller. */
  async #agent(
    first: readonly AgentMessage[],
    systemPrompt: string | string[],
    { signal }: AbortController,
  ): Promise<readonly AgentMessage[]> {
    const [runner, ports, transcript] = [this.#runner, this.#ports, this.#transcript];
    const queues = { steering: this.#steering, followUps: this.#followUps };
    const ended = (): void => {
      this.#run = undefined;
    };
    const tools = (): ReadonlyMap<string, AgentTool> => this.#activeTools();
    const made = transcript.collect();
    await runner.emit({ type: "agent_start" });
    try {
      await new AgentRun({ runner, ports, transcript, tools, ...queues, ended, signal, systemPrompt }).turns(first);
    } finally {
      // A message sent by a handler of `agent_end` does not belong to this run any more.
      ended();
      await runner.emit({ type: "agent_end", messages: made() });
    }
    return made();
  }

  /** Does a piece of work once all earlier ones are done. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#work.then(work);
    this.#work = done.catch(() => undefined);
    return done;
  }

  /** Does work as the current run; messages sent meanwhile go into it. */
  async #asRun<T>(work: (run: AbortController) => Promise<T>): Promise<T> {
    const run = new AbortController();
    this.#run = run;
    try {
      return await work(run);
    } finally {
      this.#run = undefined;
      for (let ran = this.#ranCommands.shift(); ran !== undefined; ran = this.#ranCommands.shift())
        this.#transcript.keep(ran);
    }
  }

  /** Tracks a module's work that no caller awaits; a fault in it is reported. */
  #inBackground(name: string, work: Promise<unknown>): void {
    const heard = work
      .catch((error: unknown) => this.#runner.chain.report(loopPath, name, error))
      .finally(() => this.#behind.delete(heard));
    this.#behind.add(heard);
  }

  #activeTools(): ReadonlyMap<string, AgentTool> {
    const active = this.#active;
    return active === undefined ? this.#tools : new Map([...this.#tools].filter(([name]) => active.has(name)));
  }

  #offered(): HostPorts {
    return {
      sessionManager: this.#session,
      appendEntry: (customType, data) => this.#session.append(customType, data),
      isIdle: () => this.#run === undefined,
      hasPendingMessages: () => this.#steering.length + this.#followUps.length > 0,
      abort: () => this.abort(),
      waitForIdle: () => this.waitForIdle(),
      sendMessage: (message, options) => this.#send(message, options),
      sendUserMessage: (content, options) => this.#sendUser(content, options),
      getActiveTools: () => [...this.#activeTools().keys()],
      getAllTools: () => this.#ports.tools.map(infoOf),
      setActiveTools: (names) => {
        this.#active = new Set(names);
      },
    };
  }

  /** Delivers a module's message into the run, after it, or with the next prompt. When idle, keeps it or starts a run with it. */
  #send(given: HookMessage, { deliverAs, triggerTurn }: SendMessageOptions = {}): void {
    checkDelivery(deliverAs, ["steer", "followUp", "nextTurn"]);
    if (!isHookMessage(given)) {
      throw new Error("a message needs a `customType` and a `content` that is a text or a list of parts");
    }
    const message: AgentMessage = { role: "custom", ...given };
    if (deliverAs === "nextTurn") this.#nextTurn.push(message);
    else if (this.#run !== undefined) (deliverAs === "followUp" ? this.#followUps : this.#steering).push(message);
    else {
      const run = (): Promise<unknown> =>
        this.#asRun((running) => this.#agent([message], this.#ports.systemPrompt(), running));
      const work = triggerTurn === true ? run : () => this.#transcript.add(message);
      this.#inBackground("sendMessage", this.#alone(work));
    }
  }

  /** Submits a module's text as the human's. `input` fires, but no command runs and nothing is expanded: the text is literal. */
  #sendUser(content: string | ContentPart[], { deliverAs }: SendUserMessageOptions = {}): void {
    if (!isContent(content)) throw new Error("a user message is a text or a list of parts");
    checkDelivery(deliverAs, ["steer", "followUp"]);
    if (this.#run !== undefined && deliverAs === undefined) {
      throw new Error('the agent runs: say `deliverAs: "steer"` or `deliverAs: "followUp"`');
    }
    const parts = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
    const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
    const images = parts.filter((part): part is ImageContent => part.type === "image");
    const given = images.length === 0 ? {} : { images };
    const input = this.#runner.emitInput({ type: "input", text, source: "extension", ...given });
    const sent = input.then((final) => {
      return final.action === "handled" ? undefined : this.#prompt(final, deliverAs ?? "steer");
    });
    this.#inBackground("sendUserMessage", sent);
  }
}

function checkDelivery(given: string | undefined, known: readonly string[]): void {
  if (given === undefined || known.includes(given)) return;
  throw new Error(`\`deliverAs\` is ${known.map((one) => `"${one}"`).join(", ")}, not \`${given}\``);
}

function userMessage(input: Pick<InputOutcome, "text" | "images">): UserMessage {
  if (input.images === undefined) return { role: "user", content: input.text };
  return { role: "user", content: [{ type: "text", text: input.text }, ...input.images] };
}

function infoOf(tool: AgentTool): ToolInfo {
  const { name, description, parameters } = tool as AgentTool & Partial<ToolInfo>;
  return {
    name,
    ...(typeof description === "string" ? { description } : {}),
    ...(parameters === undefined ? {} : { parameters }),
  };
}
