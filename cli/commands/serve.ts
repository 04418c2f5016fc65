import { homedir } from "node:os";
import { isAbsolute, resolve } from "node:path";
import { serveHooks } from "../../adapters/daemon/server.ts";
import { usualSocket } from "../../adapters/daemon/socket-place.ts";
import { fileDiagnostic } from "../../store/policy-file.ts";
import { stateFolder } from "../../store/state-folder.ts";
import { exit, type Io } from "../io.ts";
import { prettyDiagnostics } from "../report/pretty.ts";

/** Options of `serve`. */
export interface ServeOptions {
  readonly socket?: string;
  /** Minutes without a hook after which it ends. */
  readonly idle?: string;
}

/**
 * `serve`: answers the hooks of this user's agents at a socket, until it is stopped or nobody has asked for long. Exit code
 * 2 where it cannot begin: another one answers there, or others than this user could reach the socket.
 */
export async function serve(options: ServeOptions, io: Io, until: Promise<void> = stopped()): Promise<number> {
  const given = io.home ?? io.env["HOME"] ?? "";
  const home = isAbsolute(given) ? given : homedir();
  const socket = options.socket ? resolve(io.cwd, options.socket) : usualSocket(stateFolder(io.env, home));
  const minutes = options.idle === undefined ? 30 : Number(options.idle);
  if (!(minutes > 0 && minutes <= 10_080))
    return refused(io, socket, "`--idle` takes minutes: more than 0, at most 10080");
  try {
    const daemon = await serveHooks({ socket, home, now: () => Date.now(), idle: minutes * 60_000, warm: true });
    await io.out(`answering hooks at ${socket}\n`);
    void until.then(() => daemon.end());
    await daemon.ended;
    return exit.fine;
  } catch (fault) {
    return refused(io, socket, fault instanceof Error ? fault.message : String(fault));
  }
}

function refused(io: Io, socket: string, why: string): number {
  const help = "stop the one that is running, or name another socket in a folder of this user's alone (mode 0700)";
  io.err(prettyDiagnostics([fileDiagnostic("HW707", socket, why, help)], new Map(), io.color));
  return exit.unusable;
}

function stopped(): Promise<void> {
  return new Promise((done) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => done());
  });
}
