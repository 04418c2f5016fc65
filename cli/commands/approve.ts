import { homedir } from "node:os";
import { approveOnce, isDigest } from "../../store/human-decisions.ts";
import { fileDiagnostic } from "../../store/policy-file.ts";
import { stateFolder } from "../../store/state-folder.ts";
import { type Consent, consented } from "../human.ts";
import { exit, type Io } from "../io.ts";
import { prettyDiagnostics } from "../report/pretty.ts";

/** Options of `approve`. */
export interface ApproveOptions extends Consent {
  /** Key of the call, as the question or the denial names it. */
  readonly once: string;
}

/**
 * `approve --once <key>`: break-glass. The next call of this very key (tool, final arguments, place, effects, labels, rules
 * that ask, plan) is let through once where a human would be asked. It lifts no block, hence never one of the built-in
 * policy (semantics section 5). Exit code 1 when the human says no or cannot be asked.
 */
export async function approve(options: ApproveOptions, io: Io): Promise<number> {
  if (!isDigest(options.once)) {
    const help = "copy the key from the question or the denial; it begins with `sha256:`";
    io.err(
      prettyDiagnostics(
        [fileDiagnostic("HW701", "hookwarden", `\`${options.once}\` is no key`, help)],
        new Map(),
        false,
      ),
    );
    return exit.unusable;
  }
  if (!(await consented(`let the call ${options.once} run once?`, options, io))) return exit.findings;
  approveOnce(stateFolder(io.env, io.home ?? homedir()), options.once, Date.now());
  await io.out("the call may run once\n");
  return exit.fine;
}
