import { createInterface } from "node:readline/promises";
import type { HumanWorld } from "./consent/human-world.ts";

/** What a command may touch of the process, so that tests can run one in process. */
export interface Io {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True when results go to a screen that shows colours. */
  readonly color: boolean;
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Writes results; settles when more may be written. */
  out(text: string): Promise<void>;
  /** Writes what is for people: diagnostics, progress. */
  err(text: string): void;
  /** Shows one line in place of the one before it; an empty one takes it away. Not there unless people watch a terminal. */
  progress?(line: string): void;
  /** Home folder of the user; that of the process when not given. */
  readonly home?: string;
  /** Asks one line that changes no guard, where input and output both are a terminal. */
  ask?(question: string): Promise<string>;
  /** The human who may change the guard; nobody where it is not there. */
  human?(): Promise<HumanWorld>;
}

/** Exit codes of all commands but `audit verify` (semantics page section 6). */
export const exit = { fine: 0, findings: 1, unusable: 2, internal: 3 } as const;

/** The process itself. A reader that went away (`| head`) is no error. */
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
 * Whether results are coloured, by the variables that others go by too. `NO_COLOR` (any value but an empty one) switches
 * colours off; else `FORCE_COLOR` (any value but an empty one, `0` and `false`) switches them on, whatever shows them; else
 * a terminal that is not dumb has them.
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
