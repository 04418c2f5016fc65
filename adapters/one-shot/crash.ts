import { writeSync } from "node:fs";
import { type Dialect, exitTwo, type HookReply, type Payload } from "./dialect.ts";
import { refusal } from "./hook.ts";
import { eventFor, wiredEvent } from "./own-refusal.ts";
import { dialectOf } from "./registry.ts";

/** The host and event that wait for an answer, as far as they are known. */
interface Owed {
  readonly dialect: Dialect | undefined;
  readonly name: string;
  readonly payload: Payload | undefined;
}

let owed: Owed = { dialect: undefined, name: "", payload: undefined };
let answered = false;

/** Sets the host and event that wait for an answer. */
export function owe(dialect: Dialect, name: string, payload: Payload): void {
  owed = { dialect, name, payload };
}

/**
 * Makes sure that this process ends with an answer. An unforeseen fault, a missed deadline or an exit without an answer
 * gives the refusal in the known host's form (hosts page others, section 3). It cannot interrupt a blocked thread; waits
 * for locks are bounded, and judging takes linear time.
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

/** Writes the answer and ends the process. */
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

/** Writes both streams synchronously and returns the exit code. */
function write({ stdout, stderr, exitCode }: HookReply): number {
  if (answered) return exitCode;
  answered = true;
  const heard = [writeAll(2, stderr), writeAll(1, stdout)].every((done) => done);
  // If the reply could not be written, the host must not take silence for consent.
  return heard ? exitCode : 2;
}

/** Writes to a pipe that may be full, and retries while it is; false if it cannot be written. */
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
