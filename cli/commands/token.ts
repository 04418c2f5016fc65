import { closeSync, lstatSync, openSync, statSync, writeSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileDiagnostic } from "../../store/policy-file.ts";
import { stateFolder } from "../../store/state-folder.ts";
import { dropTokens, guardVerbs, isGuardVerb, makeToken, tokenBounds } from "../../store/tokens.ts";
import { userHome } from "../../store/user-home.ts";
import { refusal } from "../consent/consent.ts";
import { exit, type Io } from "../io.ts";
import { count, prettyDiagnostics } from "../report/pretty.ts";

/** Options of `token`. */
export interface TokenOptions {
  /** File for the token. */
  readonly out?: string;
  readonly uses: number;
  readonly minutes: number;
  /** The token is also valid inside an agent. */
  readonly insideAgents?: boolean;
  /** Every existing token becomes invalid. */
  readonly revoke?: boolean;
}

/**
 * `token`: a human at a terminal lets whoever holds a file run some verbs, a few times and for a while. Exit code 1 if the
 * human says no or cannot be asked. Only tokens made here, in this user's state folder, count here.
 */
export async function token(verbs: readonly string[], options: TokenOptions, io: Io): Promise<number> {
  const state = stateFolder(io.env, io.home ?? userHome());
  if (options.revoke === true) {
    // Revoking only tightens: nobody is asked, so it works at once, even where nobody can be asked.
    await io.out(`${count(dropTokens(state), "use")} of tokens taken back\n`);
    return exit.fine;
  }
  const wrong = faultOf(verbs, options);
  if (wrong !== undefined) return unusable(wrong, io);
  const path = resolve(io.cwd, options.out ?? "");
  const unwritable = placeFault(path);
  if (unwritable !== undefined) {
    const help = "name a new file in a folder that is there; nobody was asked";
    return unusable(`\`${options.out}\` cannot be written: ${unwritable}`, io, "HW702", help);
  }
  const known = verbs.filter(isGuardVerb);
  const { uses, minutes, insideAgents = false } = options;
  const told = [
    `whoever holds this token may run, ${count(uses, "time")} within ${count(minutes, "minute")}:`,
    ...known.map((verb) => `  ${verb}`),
    ...(insideAgents ? ["  inside agents too"] : []),
  ];
  const refused = await refusal({ verb: "token", told: `${told.join("\n")}\n`, question: "make the token?" }, {}, io);
  if (refused !== undefined) return refused;
  dropTokens(state, Date.now());
  const file = openSync(path, "wx", 0o600);
  try {
    writeSync(
      file,
      makeToken(state, { verbs: known, until: Date.now() + minutes * 60_000, anywhere: insideAgents }, uses),
    );
  } finally {
    closeSync(file);
  }
  await io.out(`${path} written; give it as \`--token ${path}\`, and it is removed with its last use\n`);
  return exit.fine;
}

function faultOf(verbs: readonly string[], { out, uses, minutes }: TokenOptions): string | undefined {
  const unknown = verbs.find((verb) => !isGuardVerb(verb));
  if (unknown !== undefined) return `\`${unknown}\` is no verb of a token: ${guardVerbs.join(", ")}`;
  if (verbs.length === 0) return `a token is for some of: ${guardVerbs.join(", ")}`;
  if (out === undefined) return "`--out` names the file that the token is written to";
  if (uses < 1 || uses > tokenBounds.uses) return `\`--uses\` is from 1 to ${tokenBounds.uses}`;
  if (minutes < 1 || minutes > tokenBounds.minutes) return `\`--minutes\` is from 1 to ${tokenBounds.minutes}`;
  return undefined;
}

/** Returns why a new file cannot be made at a path, before anybody is asked. */
function placeFault(path: string): string | undefined {
  if (lstatSync(path, { throwIfNoEntry: false })) return "it is there already";
  const folder = statSync(dirname(path), { throwIfNoEntry: false });
  if (!folder) return `there is no folder \`${dirname(path)}\``;
  return folder.isDirectory() ? undefined : `\`${dirname(path)}\` is no folder`;
}

function unusable(
  message: string,
  io: Io,
  code: "HW701" | "HW702" = "HW701",
  help = "see `hookwarden token --help`",
): number {
  const diagnostic = fileDiagnostic(code, "hookwarden", message, help);
  io.err(prettyDiagnostics([diagnostic], new Map(), io.color));
  return exit.unusable;
}
