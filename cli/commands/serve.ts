import { isAbsolute, resolve } from "node:path";
import { judgeFile } from "../../adapters/daemon/judge-file.ts";
import { serveHooks } from "../../adapters/daemon/server.ts";
import { usualSocket } from "../../adapters/daemon/socket-place.ts";
import { fileDiagnostic } from "../../store/policy-file.ts";
import { stateFolder } from "../../store/state-folder.ts";
import { userHome } from "../../store/user-home.ts";
import { onEnding } from "../endings.ts";
import { exit, type Io } from "../io.ts";
import { placeHelp, runningPlaceFault } from "../place-findings.ts";
import { prettyDiagnostics } from "../report/pretty.ts";

/** Options of `serve`. */
export interface ServeOptions {
  readonly socket?: string;
  /** Minutes without a hook after which it ends. */
  readonly idle?: string;
}

/**
 * `serve`: answers the hooks of this user's agents at a socket, until it is stopped or idle for long. Exit code 2 if it
 * cannot start: another one answers there, or others than this user could reach the socket.
 */
export async function serve(
  options: ServeOptions,
  io: Io,
  until: Promise<void> = stopped(),
  judge: () => string = judgeFile,
): Promise<number> {
  const given = io.home ?? io.env["HOME"] ?? "";
  const home = isAbsolute(given) ? given : userHome();
  const socket = options.socket ? resolve(io.cwd, options.socket) : usualSocket(stateFolder(io.env, home));
  const loader = loaders.find((name) => (io.env[name] ?? "") !== "");
  if (loader !== undefined)
    return refused(io, loader, "it is set, and has a program run what others wrote: no hook would ask this daemon", {
      help: `run \`env -u ${loader} hookwarden serve\``,
    });
  const minutes = options.idle === undefined ? 30 : Number(options.idle);
  if (!(minutes > 0 && minutes <= 10_080))
    return refused(io, socket, "`--idle` takes minutes: more than 0, at most 10080");
  const changed = runningPlaceFault("read");
  if (changed !== undefined) return refused(io, process.argv[1] ?? "hookwarden", changed, { help: placeHelp });
  try {
    const daemon = await serveHooks({ socket, judge: { file: judge(), home, warm: true }, idle: minutes * 60_000 });
    await io.out(`answering hooks at ${socket}\n`);
    void until.then(() => daemon.end());
    await daemon.ended;
    return exit.fine;
  } catch (fault) {
    return refused(io, socket, fault instanceof Error ? fault.message : String(fault));
  }
}

/** Variables that make a program run other code: the shell launcher asks no daemon that has one of them. */
const loaders = ["NODE_OPTIONS", "LD_PRELOAD", "LD_AUDIT"];

const usualHelp = "stop the one that is running, or name another socket in a folder of this user's alone (mode 0700)";

function refused(io: Io, place: string, why: string, { help = usualHelp } = {}): number {
  io.err(prettyDiagnostics([fileDiagnostic("HW707", place, why, help)], new Map(), io.color));
  return exit.unusable;
}

function stopped(): Promise<void> {
  return new Promise((done) => void onEnding(done));
}
