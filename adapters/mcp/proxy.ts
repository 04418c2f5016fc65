import { limits } from "../../schema/limits.ts";
import { hasDoubleKeys } from "../json-text.ts";
import { Connection, type Passage } from "./connection.ts";
import { type Frame, FrameReader } from "./frames.ts";
import { ConnectionJudge, type JudgeOptions } from "./judge.ts";
import { codes, type Fields, isFields, messageOf, own } from "./messages.ts";
import { Pins } from "./pins.ts";
import { type ServerOptions, ServerProcess } from "./server-process.ts";

/** What a proxy takes from its process. */
export interface ProxyWorld {
  /** What the client sends. */
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Sends the client text; settles when more may be written. */
  out(text: string): Promise<void>;
  /** Text for people. */
  err(text: string): void;
  /** Ends the proxy and its server when aborted. */
  readonly signal?: AbortSignal;
}

/** A proxy's command line. */
export interface ProxyOptions extends Omit<JudgeOptions, "log">, Pick<ServerOptions, "command" | "env"> {}

type Side = "client" | "server";

/**
 * Runs a server behind a policy until one of the two sides ends: newline-delimited JSON-RPC on the given streams and on the
 * server's. Messages of one side keep their order. Gives the exit code: the server's own when it ended first, 0 when the
 * client went, 2 when the server could not be started. Never rejects.
 */
export async function runProxy(options: ProxyOptions, world: ProxyWorld): Promise<number> {
  const log = (line: string): void => world.err(`${line}\n`);
  const judge = await ConnectionJudge.open({ ...options, log });
  const server = new ServerProcess({ ...options, log: world.err });
  const stop = (): void => server.kill();
  // Whatever ends this process, the server goes with it.
  process.once("exit", stop);
  world.signal?.addEventListener("abort", stop);
  if (world.signal?.aborted) stop();
  const connection = new Connection({
    judge,
    pins: new Pins(judge.state, options.command),
    toServer: (value) => void server.write(line(value)),
  });
  const pipe = new Pipe(connection, { client: (text) => world.out(text), server: (text) => server.write(text) });
  try {
    const served = pipe.pump("server", server.output).then(() => server.ended);
    const gone = pipe.pump("client", world.stdin).then(() => "client" as const);
    const first = await Promise.race([gone, served]);
    const end = first === "client" ? await server.close() : first;
    await served;
    for (const answer of connection.ended("the server has ended")) await world.out(line(answer));
    if (end.fault !== undefined) log(`hookwarden: the server cannot be started: ${end.fault}`);
    if (end.fault !== undefined) return 2;
    return first === "client" ? 0 : (end.code ?? 1);
  } finally {
    process.off("exit", stop);
    world.signal?.removeEventListener("abort", stop);
    server.kill();
    await judge.close();
  }
}

/** Moves messages between the two sides. */
class Pipe {
  readonly #connection: Connection;
  readonly #sinks: Readonly<Record<Side, (text: string) => Promise<void>>>;

  constructor(connection: Connection, sinks: Readonly<Record<Side, (text: string) => Promise<void>>>) {
    this.#connection = connection;
    this.#sinks = sinks;
  }

  /** One message after the other, so that their order stays. Never rejects: a stream that breaks has ended. */
  async pump(side: Side, stream: AsyncIterable<Uint8Array>): Promise<void> {
    const reader = new FrameReader(limits.eventBytes);
    try {
      for await (const chunk of stream) for (const frame of reader.push(chunk)) await this.#frame(side, frame);
      for (const frame of reader.end()) await this.#frame(side, frame);
    } catch {
      // Nothing more can be read from this side.
    }
  }

  async #frame(side: Side, frame: Frame): Promise<void> {
    if (frame.kind === "text") return this.#text(side, frame.text);
    if (frame.kind === "unreadable") return this.#deliver(side, this.#unparsable(side));
    const { id, method } = frame.envelope;
    const why = `it is longer than ${limits.eventBytes} bytes`;
    if (id === undefined && method !== undefined) {
      this.#connection.refused(side, undefined, true, codes.invalid, why);
      return;
    }
    await this.#deliver(
      side,
      this.#connection.refused(side, id, method === undefined && id !== undefined, codes.invalid, why),
    );
  }

  async #text(side: Side, text: string): Promise<void> {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return this.#deliver(side, this.#unparsable(side));
    }
    if (Array.isArray(value) && value.length > 0) return this.#batch(side, text, value);
    await this.#deliver(side, await this.#pass(side, value), (passage) => whole(text, passage));
  }

  /** What goes on of a batch is a batch, and so are the answers that the proxy gives itself. */
  async #batch(side: Side, text: string, values: readonly unknown[]): Promise<void> {
    const on: unknown[] = [];
    const back: unknown[] = [];
    let same = true;
    for (const value of values) {
      const passage = await this.#pass(side, value);
      same &&= passage.to === "other" && passage.value === undefined;
      if (passage.to === "other") on.push(passage.value ?? value);
      if (passage.to === "sender") back.push(passage.value);
    }
    if (on.length > 0) await this.#sinks[across(side)](same && !hasDoubleKeys(text) ? `${text}\n` : line(on));
    if (back.length > 0) await this.#sinks[side](line(back));
  }

  async #pass(side: Side, value: unknown): Promise<Passage> {
    const message = messageOf(value);
    if (message) return side === "client" ? this.#connection.fromClient(message) : this.#connection.fromServer(message);
    const given = isFields(value) ? own(value, "id") : undefined;
    const id = typeof given === "string" || typeof given === "number" ? given : undefined;
    const isAnswer = isFields(value) && !Object.hasOwn(value, "method") && id !== undefined;
    return this.#connection.refused(side, id, isAnswer, codes.invalid, "it is no message of JSON-RPC");
  }

  #unparsable(side: Side): Passage {
    return this.#connection.refused(side, undefined, false, codes.unparsable, "it is not JSON");
  }

  async #deliver(side: Side, passage: Passage, written?: (passage: Passage) => string | undefined): Promise<void> {
    if (passage.to === "nobody") return;
    const text = passage.value === undefined ? written?.(passage) : line(passage.value);
    if (text !== undefined) await this.#sinks[passage.to === "sender" ? side : across(side)](text);
  }
}

/** The very text of a message that nothing was changed in, unless readers could differ over it. */
function whole(text: string, passage: Passage): string | undefined {
  if (passage.to !== "other") return undefined;
  return hasDoubleKeys(text) ? line(JSON.parse(text)) : `${text}\n`;
}

function across(side: Side): Side {
  return side === "client" ? "server" : "client";
}

function line(value: Fields | readonly unknown[]): string {
  return `${JSON.stringify(value)}\n`;
}
