import { randomInt } from "node:crypto";
import { rmSync } from "node:fs";
import { resolve } from "node:path";
import type { Code } from "../../diagnostics/codes.ts";
import { showText } from "../../engine/show-text.ts";
import { fileDiagnostic } from "../../store/policy-file.ts";
import { stateFolder } from "../../store/state-folder.ts";
import { type GuardVerb, grantOf, readTokenFile, takeToken } from "../../store/tokens.ts";
import { userHome } from "../../store/user-home.ts";
import { exit, type Io } from "../io.ts";
import { prettyDiagnostics } from "../report/pretty.ts";
import { agentAround } from "./agents.ts";
import type { HumanWorld } from "./human-world.ts";
import { nobody, type Surroundings } from "./surroundings.ts";
import { leaveOf } from "./unattended.ts";

/** A human's consent where nobody can be asked. */
export interface Consent {
  /** File with a token that a human made before, at a terminal. */
  readonly token?: string;
}

/** The question to a human. */
export interface Asked {
  readonly verb: GuardVerb | "token";
  /** The state afterwards; shown with the question, since standard output may be anyone's. */
  readonly told?: string;
  readonly question: string;
}

/**
 * Returns the exit code for a change of the guard without a human's consent, or undefined with it. Consent is a typed word
 * that the controlling terminal shows, a token made before, or the machine owner's file. Refused inside an agent, however it
 * is asked. No variable gives consent, because whoever runs a command can set one.
 */
export async function refusal(asked: Asked, { token }: Consent, io: Io): Promise<number | undefined> {
  const human = await io.human?.();
  const around = human?.surroundings() ?? nobody;
  const agent = agentAround(io.env, around);
  if (token !== undefined && asked.verb !== "token") {
    return byToken(token, asked.verb, agent, io);
  }
  if (agent !== undefined) return refuse("HW708", ...insideAgent(agent), io);
  if (human && asked.verb !== "token") {
    const { path, owner } = human.unattended;
    const leave = leaveOf(asked.verb, path, Date.now(), owner);
    if (leave.kind === "given") {
      io.err(`nobody is asked, because \`${path}\` lets \`${asked.verb}\` run\n`);
      return undefined;
    }
    if (leave.kind === "fault")
      refuse("HW711", `\`${path}\` does not count: ${leave.why}`, "let root write it anew, with mode 0644", io);
  }
  return human ? atTerminal(asked, human, around, io) : refuse("HW706", ...noTerminal, io);
}

/** True inside an agent, as far as it can be detected. */
export async function isInsideAgent(io: Io): Promise<boolean> {
  const human = await io.human?.();
  return agentAround(io.env, human?.surroundings() ?? nobody) !== undefined;
}

const noTerminal = [
  "there is no terminal to ask at",
  "run it in a terminal; for a script make a token there, see `hookwarden token --help`",
] as const;

function insideAgent(agent: string): readonly [string, string] {
  return [`this runs inside an agent: ${agent}`, "a human runs this in a terminal that no agent has started"];
}

function atTerminal(
  { told = "", question }: Asked,
  human: HumanWorld,
  around: Surroundings,
  io: Io,
): number | undefined {
  const terminal = human.terminal();
  if (!terminal) return refuse("HW706", ...noTerminal, io);
  try {
    if (around.foreground === false)
      return refuse("HW706", "the terminal's user types to another program", "run it in the foreground", io);
    const word = freshWord();
    terminal.show(`${visible(told)}${visible(question)}\nto say yes, type ${word}: `);
    const answer = terminal.line();
    if (answer === undefined) return refuse("HW706", "no answer can be read from the terminal", noTerminal[1], io);
    if (answer.trim().toLowerCase() === word) return undefined;
    return refuse(
      "HW709",
      "the word is not the one that was shown",
      "nothing was changed; run it again to be asked anew",
      io,
    );
  } finally {
    terminal.close();
  }
}

/** Makes text safe for a terminal: quoted parts may come from an agent, and must not move the cursor or hide. */
function visible(text: string): string {
  return text.split("\n").map(showText).join("\n");
}

const sounds = ["bdfgklmnprstvz", "aeiou"] as const;

/** Returns a word that nobody can know before it is shown, and that can be typed. */
export function freshWord(): string {
  return Array.from({ length: 6 }, (_, i) => {
    const letters = sounds[(i % 2) as 0 | 1];
    return letters[randomInt(letters.length)];
  }).join("");
}

function byToken(given: string, verb: GuardVerb, agent: string | undefined, io: Io): number | undefined {
  const help = "make one with `hookwarden token` in a terminal, or run this there without `--token`";
  const state = stateFolder(io.env, io.home ?? userHome());
  const now = Date.now();
  if (given === "") return refuse("HW710", "`--token` names no file", help, io);
  const path = resolve(io.cwd, given);
  let text: string;
  try {
    text = readTokenFile(path);
  } catch (error) {
    const why = unreadableToken(error);
    return refuse("HW710", `the token in \`${path}\` cannot be used: ${why}`, help, io);
  }
  const grant = grantOf(state, text, verb, now);
  // A refused user does not use up the token.
  if ("anywhere" in grant && !grant.anywhere && agent !== undefined) return refuse("HW708", ...insideAgent(agent), io);
  const taken = takeToken(state, text, verb, now);
  if ("why" in taken) return refuse("HW710", `the token in \`${path}\` cannot be used: ${taken.why}`, help, io);
  if (taken.left === 0) rmSync(path, { force: true });
  return undefined;
}

const tokenFaults: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  ELOOP: "it is a link; name the file that it leads to",
  EACCES: "this user may not read it",
  EISDIR: "it is a folder",
};

function unreadableToken(error: unknown): string {
  const known = tokenFaults[(error as NodeJS.ErrnoException).code ?? ""];
  return known ?? (error instanceof Error ? error.message : String(error));
}

/** Reports a refusal. A token that cannot be used is invalid input; all else is a human who did not agree. */
function refuse(code: Code, message: string, help: string, io: Io): number {
  io.err(prettyDiagnostics([fileDiagnostic(code, "hookwarden", message, help)], new Map(), io.color));
  return code === "HW710" ? exit.unusable : exit.findings;
}
