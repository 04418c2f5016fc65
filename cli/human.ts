import { fileDiagnostic } from "../store/policy-file.ts";
import type { Io } from "./io.ts";
import { prettyDiagnostics } from "./report/pretty.ts";

/**
 * Variables that agent hosts set for the commands they run. A tool call is stopped by the built-in policy anyway; this is
 * for hosts that hookwarden is not wired into, and no wall: who can run a command can also unset a variable.
 */
const agentVariables = [
  "CLAUDECODE",
  "CLAUDE_CODE_ENTRYPOINT",
  "CODEX_SANDBOX",
  "CODEX_THREAD_ID",
  "CURSOR_AGENT",
  "GEMINI_CLI",
  "OPENCODE",
  "GOOSE_TERMINAL",
  "PI_CODING_AGENT",
  "AI_AGENT",
];

/** How a human says yes. */
export interface Consent {
  /** `--yes`: the human has answered already, e.g. in a script of their own. */
  readonly yes?: boolean;
}

/**
 * Asks the human on the terminal; true for `yes`. Refused inside an agent, even with `--yes`, and without a terminal unless
 * `--yes` says that a human has answered.
 */
export async function consented(question: string, consent: Consent, io: Io): Promise<boolean> {
  const agent = agentVariables.find((name) => (io.env[name] ?? "") !== "");
  if (agent !== undefined)
    return refuse(io, `this runs inside an agent (\`${agent}\` is set)`, "run it in a terminal of your own");
  if (consent.yes === true) return true;
  if (!io.ask)
    return refuse(io, "there is no terminal to ask at", "run it in a terminal, or say `--yes` if a human has decided");
  const answer = (await io.ask(`${question} [yes/no] `)).trim().toLowerCase();
  if (answer === "yes") return true;
  io.err("nothing was changed\n");
  return false;
}

function refuse(io: Io, message: string, help: string): false {
  io.err(prettyDiagnostics([fileDiagnostic("HW706", "hookwarden", message, help)], new Map(), false));
  return false;
}
