import { isAbsolute } from "node:path";
import { forgetPins, hasPins } from "../../adapters/mcp/pins.ts";
import { runProxy } from "../../adapters/mcp/proxy.ts";
import { ruleName, serverName } from "../../adapters/mcp/server-name.ts";
import { fileDiagnostic } from "../../store/policy-file.ts";
import { stateFolder } from "../../store/state-folder.ts";
import { userHome } from "../../store/user-home.ts";
import { type Consent, refusal } from "../consent/consent.ts";
import { onEnding } from "../endings.ts";
import { exit, type Io } from "../io.ts";
import { runningPlaceFault } from "../place-findings.ts";
import { prettyDiagnostics } from "../report/pretty.ts";

/** Options of `mcp`. */
export interface McpOptions extends Consent {
  readonly policy?: readonly string[];
  readonly set?: Readonly<Record<string, string>>;
  /** Name of the server in tool names. */
  readonly server?: string;
  /** Session of the connection. */
  readonly session?: string;
  /** Variables that the server gets: `NAME`, or `NAME=value`. */
  readonly env?: readonly string[];
  /** A human accepts the server's present definitions. */
  readonly forget?: boolean;
}

/**
 * `mcp`: runs an MCP server behind the policy, on standard input and output. Everything for people goes to standard error.
 * The exit code is the server's if it ends first. With `forget`, no server is started: its pinned definitions are forgotten.
 */
export async function mcp(command: readonly string[], options: McpOptions, io: Io): Promise<number> {
  const given = io.home ?? io.env["HOME"] ?? "";
  const home = isAbsolute(given) ? given : userHome();
  if (options.forget === true) return forget(command, stateFolder(io.env, home), options, io);
  const changed = runningPlaceFault("unread");
  if (changed !== undefined) {
    io.err(`hookwarden: the server was not started: ${changed}\n`);
    return exit.unusable;
  }
  const ending = new AbortController();
  const unheard = onEnding(() => ending.abort());
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
    unheard();
    // A client that is still connected would keep a finished process alive.
    if (io.stdin === process.stdin) process.stdin.destroy();
  }
}

async function forget(command: readonly string[], state: string, consent: Consent, io: Io): Promise<number> {
  if (!hasPins(state, command)) {
    const message = `nothing is pinned for \`${command.join(" ")}\``;
    const help = "give the command line by which the server is started, word for word";
    io.err(prettyDiagnostics([fileDiagnostic("HW701", "--forget", message, help)], new Map(), io.color));
    return exit.unusable;
  }
  const told = `${command.join(" ")}\n`;
  const question = "forget the pinned definitions of this server, so that those it has next are accepted?";
  const refused = await refusal({ verb: "forget", told, question }, consent, io);
  if (refused !== undefined) return refused;
  forgetPins(state, command);
  await io.out("the next connection pins what the server says then\n");
  return exit.fine;
}
