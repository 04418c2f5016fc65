import type { Readable, Writable } from "node:stream";
import { messageCopy, type Verdict } from "../../runtime.ts";
import type { WireEvent } from "../../schema/generated.ts";
import { type EngineMaker, enginesOf, type JudgeEngine, type Live } from "./engines.ts";
import { type FromJudge, LastConversations, lines, type Setup, type ToJudge } from "./messages.ts";

/** Streams of a judge process, and the function that makes its engines. */
export interface ServeOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly engines?: (setup: Setup, live: Live) => EngineMaker;
}

/** Answers a guard until it is gone. If a message with an id cannot be served, the answer is the fault. */
export function serve({ input, output, engines = enginesOf }: ServeOptions): void {
  const server = new Server((message) => void output.write(`${JSON.stringify(message)}\n`), engines);
  input.setEncoding("utf8");
  input.on(
    "data",
    lines((line) => server.take(line)),
  );
  // Nobody reads the answers any more.
  output.on("error", () => undefined);
}

/** Runs the judge process of a guard: answers over the standard streams, and ends with the guard. */
export function serveGuard(): void {
  // An interrupt in a terminal reaches the whole process group; this process ends when the guard closes its input.
  process.on("SIGINT", () => undefined);
  process.stdin.on("end", () => process.exit());
  process.stdin.on("error", () => process.exit());
  serve({ input: process.stdin, output: process.stdout });
}

class Server {
  readonly #say: (message: FromJudge) => void;
  readonly #engines: (setup: Setup, live: Live) => EngineMaker;
  /** Engines by the guard's numbers, or the error why one could not be made. */
  readonly #made = new Map<number, JudgeEngine | Error>();
  readonly #conversations = new LastConversations();
  #maker: EngineMaker | undefined;
  /** Why no engine can be made. */
  #unready = new Error("an engine was asked for before there was a setup");
  #caller: { adapter?: string; host_version?: string } = {};

  constructor(say: (message: FromJudge) => void, engines: (setup: Setup, live: Live) => EngineMaker) {
    this.#say = say;
    this.#engines = engines;
  }

  take(line: string): void {
    const message = JSON.parse(line) as ToJudge;
    try {
      this.#serve(message);
    } catch (error) {
      if ("id" in message) this.#fault(message.id, error);
      if (message.op === "setup") this.#unready = error instanceof Error ? error : new Error(String(error));
    }
  }

  #serve(message: ToJudge): void {
    switch (message.op) {
      case "setup":
        return this.#begin(message.setup);
      case "caller":
        return void Object.assign(this.#caller, message.caller);
      case "engine":
        return this.#make(message);
      case "judge":
        return this.#judge(message);
      case "answer":
        return this.#say({ id: message.id, done: this.#engine(message.engine).answer(message.answer) });
      case "record":
        return void this.#record(message);
      case "end":
        return void this.#engine(message.engine).end?.(message.session);
    }
  }

  #begin(setup: Setup): void {
    this.#caller = { ...setup.caller };
    this.#maker = this.#engines(setup, {
      caller: this.#caller,
      waits: (waits) => this.#say({ waits }),
    });
  }

  #make({ engine, plan, before }: ToJudge & { op: "engine" }): void {
    try {
      if (!this.#maker) throw this.#unready;
      this.#made.set(engine, this.#maker(plan, before === undefined ? undefined : this.#engine(before)));
    } catch (error) {
      this.#made.set(engine, error instanceof Error ? error : new Error(String(error)));
    }
  }

  #judge({ id, engine, event, messages }: ToJudge & { op: "judge" }): void {
    const given = event as WireEvent;
    const list = messages && this.#conversations.whole(given.session?.id ?? "", messages, kept);
    const work = this.#engine(engine).judge(list ? { ...given, messages: list } : given);
    work.then(
      (verdict) => this.#decided(id, verdict, list),
      (error: unknown) => this.#fault(id, error),
    );
  }

  #decided(id: number, { decision }: Verdict, list: readonly unknown[] | undefined): void {
    const { messages, ...changes } = decision.changes;
    const absent = Object.keys(changes).filter((name) => changes[name as keyof typeof changes] === undefined);
    this.#say({
      id,
      decision: messages === undefined ? decision : { ...decision, changes },
      ...(absent.length > 0 && { absent }),
      ...(messages !== undefined && { messages: placed(messages, list ?? []) }),
    });
  }

  #record({ id, engine, session, body }: ToJudge & { op: "record" }): void {
    const judge = this.#engine(engine);
    judge.record?.(session, body);
    this.#say({ id, done: judge.record !== undefined });
  }

  #engine(engine: number): JudgeEngine {
    const made = this.#made.get(engine) ?? new Error("there is no such engine");
    if (made instanceof Error) throw made;
    return made;
  }

  #fault(id: number, error: unknown): void {
    this.#say({ id, fault: (error instanceof Error ? error.message : String(error)).slice(0, 300) });
  }
}

/** Copies a message as the engine would, so that the engine need neither copy nor compare it. */
function kept(message: unknown): unknown {
  return (typeof message === "object" && message !== null ? messageCopy(message) : undefined) ?? message;
}

/** Encodes the messages of a decision: an unchanged message becomes its index. */
function placed(messages: readonly unknown[], list: readonly unknown[]): (number | { new: unknown })[] {
  const places = new Map(list.map((message, at) => [message, at]));
  return messages.map((message) => places.get(message) ?? { new: message });
}
