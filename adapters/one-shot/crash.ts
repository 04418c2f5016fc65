import { writeSync } from "node:fs";
import { type Dialect, exitTwo, type HookReply, type Payload } from "./dialect.ts";
import { refusal } from "./hook.ts";
import { eventFor, wiredEvent } from "./own-refusal.ts";
import { dialectOf } from "./registry.ts";

/** Whom this process owes an answer, as far as that is known. */
interface Owed {
  readonly dialect: Dialect | undefined;
  readonly name: string;
  readonly payload: Payload | undefined;
}

let owed: Owed = { dialect: undefined, name: "", payload: undefined };
let answered = false;

/** Makes known whom an answer is owed. */
export function owe(dialect: Dialect, name: string, payload: Payload): void {
  owed = { dialect, name, payload };
}

/**
 * From here on this process ends with an answer: a fault that nobody foresaw, no answer within the time there is, and an
 * end without one are the refusal of the host that is known (hosts page others, section 3). What blocks the thread is
 * not reached by it; locks are waited for within bounds, and judging takes linear time.
 */
export function arm(given: readonly string[], margin: number): void {
  const dialect = dialectOf(given[0] ?? "");
  owed = { ...owed, dialect, name: dialect ? eventFor(dialect, undefined, wiredEvent(given)) : "" };
  process.on("uncaughtException", (fault) => refuse(`internal error: ${fault.message}`));
  process.on("unhandledRejection", (fault) =>
    refuse(`internal error: ${fault instanceof Error ? fault.message : String(fault)}`),
  );
  process.on("exit", () => {
    if (!answered) process.exitCode = write(refused("it ended without an answer"));
  });
  const at = given.indexOf("--budget");
  const budget = Number(at < 0 ? Number.NaN : given[at + 1]);
  setTimeout(
    () => refuse("no decision was made in time"),
    (Number.isFinite(budget) ? budget : (dialect?.budget ?? 5_000)) + margin,
  );
}

/** Gives the answer and ends the process. */
export function finish(reply: HookReply): never {
  process.exit(write(reply));
}

function refuse(why: string): never {
  return finish(refused(why));
}

function refused(why: string): HookReply {
  const { dialect, name, payload } = owed;
  try {
    return dialect ? dialect.fault(name, refusal(why), payload) : exitTwo(refusal(why));
  } catch {
    return exitTwo(refusal(why));
  }
}

/** Both streams, written before the process ends; gives the exit code. */
function write({ stdout, stderr, exitCode }: HookReply): number {
  if (answered) return exitCode;
  answered = true;
  const heard = [writeAll(2, stderr), writeAll(1, stdout)].every((done) => done);
  // What the host could not be told it must not take for consent.
  return heard ? exitCode : 2;
}

/** Writes to a pipe that may be full, for as long as somebody reads it. */
function writeAll(file: number, text: string): boolean {
  const bytes = Buffer.from(text, "utf8");
  const waited = new Int32Array(new SharedArrayBuffer(4));
  for (let done = 0, tries = 0; done < bytes.length; ) {
    try {
      done += writeSync(file, bytes, done);
    } catch (fault) {
      if ((fault as NodeJS.ErrnoException).code !== "EAGAIN" || ++tries > 200) return false;
      Atomics.wait(waited, 0, 0, 10);
    }
  }
  return true;
}
