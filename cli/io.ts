import { createInterface } from "node:readline/promises";
import type { HumanWorld } from "./consent/human-world.ts";

/** A command's access to the process, so that tests can run one in process. */
export interface Io {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True if results go to a screen that shows colours. */
  readonly color: boolean;
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Writes results; settles when more may be written. */
  out(text: string): Promise<void>;
  /** Writes text for people: diagnostics, progress. */
  err(text: string): void;
  /** Shows one line in place of the previous one; an empty one clears it. Undefined unless people watch a terminal. */
  progress?(line: string): void;
  /** Home folder of the user; the process's by default. */
  readonly home?: string;
  /** Asks for one line that changes no guard; only if input and output are both a terminal. */
  ask?(question: string): Promise<string>;
  /** Returns the human who may change the guard; there is none if undefined. */
  human?(): Promise<HumanWorld>;
}

/** Exit codes of all commands but `audit verify` (semantics page section 6). */
export const exit = { fine: 0, findings: 1, unusable: 2, internal: 3 } as const;

/** Returns the access to the real process. A reader that went away (`| head`) is no error. */
export function processIo(): Io {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", endQuietly);
  return {
    cwd: process.cwd(),
    env: process.env,
    color: wantsColor(process.env, process.stdout.isTTY === true),
    stdin: process.stdin,
    out: (text) => new Promise((done) => (process.stdout.write(text) ? done() : process.stdout.once("drain", done))),
    err: (text) => void process.stderr.write(text),
    ...(process.stderr.isTTY === true && {
      progress: (line: string) => void process.stderr.write(`\r\u001b[K${line}`),
    }),
    ...(process.stdin.isTTY === true && process.stdout.isTTY === true && { ask: askOnTerminal }),
    human: async () => (await import("./consent/machine.ts")).thisMachine,
  };
}

async function askOnTerminal(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
  }
}

/**
 * True if results are coloured, by the common variables. `NO_COLOR` (any value but an empty one) switches colours off.
 * Otherwise `FORCE_COLOR` (any value but an empty one, `0` and `false`) switches them on, for any output. Otherwise a
 * terminal that is not dumb has them.
 */
export function wantsColor(env: Io["env"], isTerminal: boolean): boolean {
  if ((env["NO_COLOR"] ?? "") !== "") return false;
  const forced = env["FORCE_COLOR"] ?? "";
  if (forced !== "") return forced !== "0" && forced !== "false";
  return isTerminal && env["TERM"] !== "dumb";
}

function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit(exit.fine);
  throw error;
}
