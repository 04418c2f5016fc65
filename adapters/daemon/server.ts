import { createServer, type Server, type Socket } from "node:net";
import { isAbsolute } from "node:path";
import { holdLock } from "../../store/lock.ts";
import { exitTwo, type HookReply } from "../one-shot/dialect.ts";
import { refusal } from "../one-shot/hook.ts";
import { HookMemory } from "../one-shot/memory.ts";
import { runHook } from "../one-shot/run.ts";
import { greeting, type HookRequest, isWhole, largestRequest, markOf, readRequest, replyText } from "./request.ts";
import { removeSocket, socketFolder } from "./socket-place.ts";
import { warmUp } from "./warm-up.ts";

/** What a daemon is given; bounds have defaults. */
export interface DaemonOptions {
  readonly socket: string;
  /** Home folder for requests whose shell has no `HOME`. */
  readonly home: string;
  now(): number;
  /** Milliseconds without a request after which it ends. */
  readonly idle?: number;
  /** Milliseconds in which a request must be all there. */
  readonly patience?: number;
  /** Requests that are answered at once; more are not heard. */
  readonly connections?: number;
  /** True for one that makes its code fast before somebody asks (`warmUp`). */
  readonly warm?: boolean;
}

/** A daemon that answers. */
export interface Daemon {
  /** Settles when it has ended, by itself or by `end`. */
  readonly ended: Promise<void>;
  end(): void;
}

const usualIdle = 30 * 60_000;
const usualPatience = 10_000;

/**
 * Answers hooks at a socket of this user's, each as a launcher would that was started for it: with its folder, variables,
 * policies, session, lock and record (`runHook`); nothing of this process's own surroundings counts. One daemon for each
 * socket. Throws when it cannot begin, as where another one answers there.
 */
export async function serveHooks(options: DaemonOptions): Promise<Daemon> {
  const { socket } = options;
  socketFolder(socket);
  const release = holdLock(`${socket}.lock`, 200);
  try {
    removeSocket(socket);
    return await listening(options, release);
  } catch (fault) {
    release();
    throw fault;
  }
}

async function listening(options: DaemonOptions, release: () => void): Promise<Daemon> {
  const { socket, idle = usualIdle, connections = 64 } = options;
  const memory = new HookMemory();
  const server = createServer({ allowHalfOpen: true });
  server.maxConnections = connections;
  let asking = 0;
  let over = false;
  const ended = new Promise<void>((done) => {
    server.on("close", () => {
      over = true;
      memory.sessions.release();
      release();
      done();
    });
  });
  const timer = setTimeout(() => server.close(), idle);
  server.on("connection", (connection) => {
    timer.refresh();
    asking += 1;
    connection.on("close", () => {
      asking -= 1;
    });
    answer(connection, options, memory);
  });
  await bound(server, socket);
  const end = (): void => {
    over = true;
    clearTimeout(timer);
    server.close();
  };
  if (options.warm)
    void warmUp(
      () => asking > 0,
      () => over,
    );
  return { ended, end };
}

/** The socket is made for this user alone: the folder is closed to others anyway. */
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

/** Reads one request from a connection and answers it; what is none gets no answer, which the launcher refuses by. */
function answer(connection: Socket, options: DaemonOptions, memory: HookMemory): void {
  const chunks: Buffer[] = [];
  let length = 0;
  const late = setTimeout(() => connection.destroy(), options.patience ?? usualPatience);
  connection.on("error", () => connection.destroy());
  connection.on("close", () => clearTimeout(late));
  connection.write(greeting);
  connection.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length > largestRequest) return void connection.destroy();
    // The mark that ends a request ends in a line break.
    if (chunk.at(-1) !== lineBreak) return;
    const text = Buffer.concat(chunks, length).toString("utf8");
    const mark = markOf(text);
    if (mark === undefined) return void connection.destroy();
    if (!isWhole(text, mark)) return;
    clearTimeout(late);
    connection.removeAllListeners("data");
    void reply(text, mark, options, memory).then((made) => connection.end(made));
  });
}

const lineBreak = 10;

async function reply(text: string, mark: string, options: DaemonOptions, memory: HookMemory): Promise<string> {
  const request = readRequest(text, mark);
  const made = request ? await judged(request, options, memory) : exitTwo(refusal("the daemon did not understand it"));
  // What reads like our own line would end the answer too early.
  const whole = `${made.stdout}\n${made.stderr}`.includes(mark) ? exitTwo(refusal("its answer cannot be sent")) : made;
  return replyText(whole, mark);
}

function judged(
  { given, cwd, variables, payload }: HookRequest,
  options: DaemonOptions,
  memory: HookMemory,
): Promise<HookReply> {
  const home = variables["HOME"] ?? "";
  return runHook(given, {
    stdin: once(payload),
    variables,
    cwd,
    home: isAbsolute(home) ? home : options.home,
    now: options.now,
    memory,
  });
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text, "utf8");
}
