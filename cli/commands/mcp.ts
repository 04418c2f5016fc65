import { homedir } from "node:os";
import { isAbsolute } from "node:path";
import { forgetPins } from "../../adapters/mcp/pins.ts";
import { runProxy } from "../../adapters/mcp/proxy.ts";
import { ruleName, serverName } from "../../adapters/mcp/server-name.ts";
import { stateFolder } from "../../store/state-folder.ts";
import { type Consent, consented } from "../human.ts";
import { exit, type Io } from "../io.ts";

/** Options of `mcp`. */
export interface McpOptions extends Consent {
  readonly policy?: readonly string[];
  readonly set?: Readonly<Record<string, string>>;
  /** Name of the server in tool names. */
  readonly server?: string;
  /** Session that the connection belongs to. */
  readonly session?: string;
  /** Variables that the server gets: `NAME`, or `NAME=value`. */
  readonly env?: readonly string[];
  /** A human accepts the definitions that the server has now. */
  readonly forget?: boolean;
}

/** Signals that end the proxy, and with it the server. */
const endings = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * `mcp`: an MCP server behind the policy, on standard input and output. Everything for people goes to standard error. The
 * exit code is the server's when it ends first. With `forget`, no server is started: its pinned definitions are forgotten.
 */
export async function mcp(command: readonly string[], options: McpOptions, io: Io): Promise<number> {
  const given = io.home ?? io.env["HOME"] ?? "";
  const home = isAbsolute(given) ? given : homedir();
  if (options.forget === true) return forget(command, stateFolder(io.env, home), options, io);
  const ending = new AbortController();
  const end = (): void => ending.abort();
  for (const signal of endings) process.on(signal, end);
  try {
    return await runProxy(
      {
        command,
        policies: options.policy ?? [],
        set: options.set ?? {},
        env: options.env ?? [],
        server: options.server === undefined ? serverName(command) : ruleName(options.server),
        ...(options.session !== undefined && options.session !== "" && { session: options.session }),
        cwd: io.cwd,
        home,
        variables: io.env,
        now: () => Date.now(),
      },
      { stdin: io.stdin, out: (text) => io.out(text), err: (text) => io.err(text), signal: ending.signal },
    );
  } finally {
    for (const signal of endings) process.off(signal, end);
    // A client that is still there would keep a process that has nothing left to do.
    if (io.stdin === process.stdin) process.stdin.destroy();
  }
}

async function forget(command: readonly string[], state: string, consent: Consent, io: Io): Promise<number> {
  const question = "forget the pinned definitions of this server, so that those it has next are accepted?";
  if (!(await consented(question, consent, io))) return exit.findings;
  forgetPins(state, command);
  await io.out("the next connection pins what the server says then\n");
  return exit.fine;
}
