import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { killTree } from "../process-tree.ts";
import { passedVariables } from "../programs.ts";

/** Options of a server's start. */
export interface ServerOptions {
  /** Program and arguments; no shell. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Names of variables for the server besides the allow-list, and `NAME=value` for others. */
  readonly env: readonly string[];
  /** Receives the server's standard error. */
  log(text: string): void;
}

/** Variables that every server gets, as in the official SDK; the others may hold secrets of the agent. */
const serverVariables = [...passedVariables, "SHELL", "TERM"];

/** Time for a server to end by itself after its standard input is closed, in milliseconds. */
const grace = 2_000;

/** The end of a server. */
export interface ServerEnd {
  readonly code: number | null;
  /** The reason why it could not be started. */
  readonly fault?: string;
}

/** Returns the environment of a server: the allow-list, and the variables that the command line names. */
export function serverEnvironment({
  variables,
  env,
}: Pick<ServerOptions, "variables" | "env">): Record<string, string> {
  const given: Record<string, string> = {};
  const pass = (name: string): void => {
    const value = variables[name];
    if (value !== undefined) given[name] = value;
  };
  for (const name of Object.keys(variables)) if (serverVariables.includes(name) || name.startsWith("LC_")) pass(name);
  for (const entry of env) {
    const at = entry.indexOf("=");
    if (at > 0) given[entry.slice(0, at)] = entry.slice(at + 1);
    else pass(entry);
  }
  return given;
}

/** A running server, in its own process group. */
export class ServerProcess {
  readonly output: AsyncIterable<Uint8Array>;
  /** Settles once the server and everything that it started have ended. Never rejects. */
  readonly ended: Promise<ServerEnd>;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;

  /** Starts the server. Never throws: a server that cannot be started counts as ended. */
  constructor({ command, cwd, log, ...rest }: ServerOptions) {
    const [file = "", ...args] = command;
    const child = spawn(file, args, {
      cwd,
      env: serverEnvironment(rest),
      stdio: ["pipe", "pipe", "pipe"],
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    this.#child = child;
    this.output = child.stdout;
    child.stderr.setEncoding("utf8").on("data", log);
    // A server that is gone takes no more input; `ended` reports its end.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => undefined);
    this.ended = new Promise((done) => {
      child.once("error", (error) => {
        child.stdout.destroy();
        done({ code: null, fault: error.message });
      });
      child.once("exit", (code) => {
        killTree(child);
        done({ code });
      });
    });
  }

  /** Settles when more may be written. */
  write(text: string): Promise<void> {
    const { stdin } = this.#child;
    if (!stdin.writable || stdin.write(text)) return Promise.resolve();
    return new Promise((done) => {
      for (const event of ["drain", "close", "error"]) stdin.once(event, () => done());
    });
  }

  /** Ends the server and its children: first by closing its standard input, then by killing the rest. */
  async close(): Promise<ServerEnd> {
    this.#child.stdin.end();
    const timer = setTimeout(() => this.kill(), grace);
    try {
      return await this.ended;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Kills the server and its children at once. */
  kill(): void {
    killTree(this.#child);
  }
}
