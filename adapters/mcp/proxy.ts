import { limits } from "../../schema/limits.ts";
import { hasDoubleKeys } from "../json-text.ts";
import { Connection, type Passage } from "./connection.ts";
import { type Frame, FrameReader } from "./frames.ts";
import { ConnectionJudge, type JudgeOptions } from "./judge.ts";
import { codes, type Fields, isFields, messageOf, own } from "./messages.ts";
import { Pins } from "./pins.ts";
import { type ServerOptions, ServerProcess } from "./server-process.ts";

/** Streams and signal of a proxy's process. */
export interface ProxyWorld {
  /** Bytes from the client. */
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Sends text to the client; settles when more may be written. */
  out(text: string): Promise<void>;
  /** Text for people. */
  err(text: string): void;
  /** Ends the proxy and its server when aborted. */
  readonly signal?: AbortSignal;
}

/** Options from a proxy's command line. */
export interface ProxyOptions extends Omit<JudgeOptions, "log">, Pick<ServerOptions, "command" | "env"> {}

type Side = "client" | "server";

/**
 * Runs a server behind a policy until one of the two sides ends. It passes newline-delimited JSON-RPC between the given
 * streams and the server's. Messages of one side keep their order. Returns the exit code: the server's if it ended first, 0
 * if the client left, 2 if the server could not be started. Never rejects.
 */
export async function runProxy(options: ProxyOptions, world: ProxyWorld): Promise<number> {
  const log = (line: string): void => world.err(`${line}\n`);
  const judge = await ConnectionJudge.open({ ...options, log });
  const server = new ServerProcess({ ...options, log: world.err });
  const stop = (): void => server.kill();
  // The server ends with this process, for whatever reason.
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

  /** Passes on one message after the other, to keep their order. Never rejects: a broken stream counts as ended. */
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

  /** Handles a batch: the messages passed on form one batch, and so do the proxy's own answers. */
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

/** Returns the original text of an unchanged message, unless JSON readers could differ on it. */
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
