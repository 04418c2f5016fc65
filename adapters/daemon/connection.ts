import type { Socket } from "node:net";
import { refusal } from "../one-shot/hook.ts";
import { refusalOfLine } from "../one-shot/own-refusal.ts";
import type { Ask, Asked } from "./judges.ts";
import type { Lane } from "./lane.ts";
import { budgetOf, refusalOf } from "./refusals.ts";
import { argumentsOf, greeting, likelySession, markOf, replyText } from "./request.ts";
import { RequestReader } from "./request-reader.ts";

/** Dependencies and time limits of one connection. */
export interface ConnectionPorts {
  /** Passes a whole request to a judge. */
  ask(ask: Ask): Asked;
  /** Queue for requests that are longer than most. */
  readonly lane: Lane;
  /** Time limit for a whole request, in milliseconds. */
  readonly patience: number;
  /** Time that the other side may be silent, in milliseconds. */
  readonly quiet: number;
}

/** Bytes of a request that are read at any load: enough for a long command with the variables of a process. */
export const freely = 65_536;

/** Time limit for the client to read its answer, in milliseconds. */
const taking = 5_000;

/** Reads one request from a connection and answers it. An invalid request gets no answer, so the launcher refuses. */
export function answer(connection: Socket, ports: ConnectionPorts): void {
  new Connection(connection, ports);
}

class Connection {
  readonly #socket: Socket;
  readonly #ports: ConnectionPorts;
  readonly #reader = new RequestReader();
  /** Time from which the host waits. */
  readonly #begun = performance.now();
  readonly #late: NodeJS.Timeout;
  readonly #quiet: NodeJS.Timeout;
  #leaveLane: (() => void) | undefined;
  #asked: Asked | undefined;
  #read = false;

  constructor(socket: Socket, ports: ConnectionPorts) {
    this.#socket = socket;
    this.#ports = ports;
    this.#late = setTimeout(() => this.#refuse("the request did not come in time"), ports.patience);
    this.#quiet = setTimeout(() => this.#silent(), ports.quiet);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      this.#heardAll();
      this.#asked?.drop();
      this.#leaveLane?.();
    });
    socket.on("data", (piece: Buffer) => this.#take(piece));
    socket.on("end", () => {
      if (!this.#read) this.#refuse("the request came in part");
    });
    socket.write(greeting);
  }

  #take(piece: Buffer): void {
    // Bytes after the end are ignored.
    if (this.#read) return;
    this.#quiet.refresh();
    const heard = this.#reader.take(piece);
    if (heard === "none") this.#socket.destroy();
    else if (heard === "too much") this.#refuse("the request is larger than one may be");
    else if (heard === "whole") this.#judge();
    else if (this.#reader.length > freely) this.#wait();
  }

  /** Waits for a turn before it reads a long request: many at once would fill the memory. */
  #wait(): void {
    if (this.#leaveLane) return;
    this.#socket.pause();
    this.#leaveLane = this.#ports.lane.enter(() => {
      this.#socket.resume();
    });
  }

  /** Extends the limit of a connection that waits for a turn: it is silent because nobody reads it. */
  #silent(): void {
    if (this.#socket.isPaused()) this.#quiet.refresh();
    else this.#refuse("the request did not come to an end");
  }

  #judge(): void {
    this.#heardAll();
    const bytes = this.#reader.bytes();
    const session = likelySession(bytes, this.#reader.payloadAt);
    const deadline = this.#begun + budgetOf(argumentsOf(bytes));
    this.#asked = this.#ports.ask({ bytes, session, deadline });
    void this.#asked.done.then((answered) => {
      this.#asked = undefined;
      this.#say("answer" in answered ? answered.answer : refusalOf(bytes, answered.refused));
    });
  }

  /** Refuses an incomplete request by its command line, since its payload is unknown. Without a mark there is no answer. */
  #refuse(why: string): void {
    const bytes = this.#reader.bytes();
    const mark = markOf(bytes.toString("latin1", 0, 64));
    this.#heardAll();
    if (mark === undefined) this.#socket.destroy();
    else this.#say(replyText(refusalOfLine(argumentsOf(bytes), refusal(why)), mark));
  }

  #heardAll(): void {
    this.#read = true;
    clearTimeout(this.#late);
    clearTimeout(this.#quiet);
  }

  #say(text: string | Buffer): void {
    if (this.#socket.destroyed) return;
    // Unread bytes would destroy the answer when the connection is closed.
    this.#socket.resume();
    this.#socket.end(text);
    const late = setTimeout(() => this.#socket.destroy(), taking);
    this.#socket.on("close", () => clearTimeout(late));
  }
}
