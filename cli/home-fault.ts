import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { fileDiagnostic } from "../store/policy-file.ts";
import type { Io } from "./io.ts";

/** Commands that write into the user's home folder, or report its state. */
const commands: ReadonlySet<string> = new Set([
  ..."install uninstall doctor serve trust reload approve token mcp".split(" "),
  ...["audit init", "audit verify", "audit prove", "audit prune"],
]);

/**
 * Returns why a command cannot use `HOME`; undefined if it can, or does not need it. An empty or relative one is refused,
 * not replaced by the system's list of users: wired agents take `HOME` as it is, and would look for their settings
 * elsewhere. Relative `XDG_*` variables are ignored, as their specification says.
 */
export function homeFault(command: string, { home, env }: Io): Diagnostic | undefined {
  const given = home ?? env["HOME"];
  if (!commands.has(command) || given === undefined) return undefined;
  const fault = faultOf(given);
  const help = "set `HOME` to your home folder, as an absolute path, and run this again; nothing was changed";
  return fault === undefined ? undefined : fileDiagnostic("HW701", "HOME", fault, help);
}

function faultOf(home: string): string | undefined {
  if (home === "") return "`HOME` is empty, so there is no folder to work in";
  if (!isAbsolute(home)) return `\`HOME\` is \`${home}\`, which is no absolute path`;
  const there = statSync(home, { throwIfNoEntry: false });
  return there && !there.isDirectory() ? `\`HOME\` is \`${home}\`, which is not a folder` : undefined;
}
