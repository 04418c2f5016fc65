import { createServer, type Server, type Socket } from "node:net";
import { holdLock } from "../../store/lock.ts";
import { answer } from "./connection.ts";
import type { JudgeProgram } from "./judge-process.ts";
import { Judges } from "./judges.ts";
import { Lane } from "./lane.ts";
import { busyGreeting } from "./request.ts";
import { lockPlace, removeSocket, socketFolder } from "./socket-place.ts";

/** Options of a daemon; limits have defaults. */
export interface DaemonOptions {
  readonly socket: string;
  /** The judge: a separate program, which is ended when it does not answer. */
  readonly judge: JudgeProgram;
  /** Maximum number of judges at once. */
  readonly judges?: number;
  /** Time without a request after which the daemon ends, in milliseconds. */
  readonly idle?: number;
  /** Time limit for a whole request, in milliseconds. */
  readonly patience?: number;
  /** Time that a client may be silent, in milliseconds. */
  readonly quiet?: number;
  /** Maximum number of connections at once; further ones get the busy greeting. */
  readonly connections?: number;
}

/** A running daemon. */
export interface Daemon {
  /** Settles when the daemon has ended, by itself or by `end`. */
  readonly ended: Promise<void>;
  end(): void;
}

const usualIdle = 30 * 60_000;
const usualPatience = 10_000;
const usualQuiet = 5_000;
const usualConnections = 512;

/** Maximum number of long requests that are read and judged at once. */
const longRequests = 3;

/**
 * Answers hooks at a socket of this user's. This process is the front: it reads requests and judges none, so that it always
 * answers. A judge judges (`judges.ts`); if none does in time, the answer is the host's own refusal. The lock beside the
 * socket ensures one daemon for each: it is taken before the socket and released after it. Throws if it cannot start, for
 * example if another daemon answers there.
 */
export async function serveHooks(options: DaemonOptions): Promise<Daemon> {
  const { socket } = options;
  socketFolder(socket);
  const lock = lockPlace(socket);
  const release = holdLock(lock, 200);
  try {
    removeSocket(socket);
    return await listening(options, release);
  } catch (fault) {
    release();
    throw fault;
  }
}

async function listening(options: DaemonOptions, release: () => void): Promise<Daemon> {
  const { socket, idle = usualIdle, connections = usualConnections } = options;
  const { patience = usualPatience, quiet = usualQuiet } = options;
  const server = createServer({ allowHalfOpen: true });
  const timer = setTimeout(() => server.close(), idle);
  let judges: Judges | undefined;
  let open = 0;
  const lane = new Lane(longRequests);
  server.on("connection", (connection) => {
    timer.refresh();
    if (open >= connections) return tellBusy(connection);
    open += 1;
    connection.on("close", () => {
      open -= 1;
    });
    answer(connection, { ask: (ask) => (judges as Judges).ask(ask), lane, patience, quiet });
  });
  const ended = new Promise<void>((done) => {
    server.on("close", () => {
      clearTimeout(timer);
      void (judges?.leave() ?? Promise.resolve()).then(() => {
        release();
        done();
      });
    });
  });
  try {
    await bound(server, socket);
  } catch (fault) {
    clearTimeout(timer);
    throw fault;
  }
  judges = new Judges(options.judge, options.judges);
  return { ended, end: () => void server.close() };
}

/** Tells a surplus connection that the daemon is busy, before it has sent anything. */
function tellBusy(connection: Socket): void {
  const late = setTimeout(() => connection.destroy(), 1_000);
  connection.on("error", () => connection.destroy());
  connection.on("close", () => clearTimeout(late));
  connection.resume();
  connection.end(busyGreeting);
}

/** Binds the socket for this user alone; the folder is closed to others anyway. */
async function bound(server: Server, socket: string): Promise<void> {
  const mask = process.umask(0o177);
  try {
    await new Promise<void>((done, failed) => {
      server.once("error", failed);
      server.listen(socket, done);
    });
  } finally {
    process.umask(mask);
  }
}
