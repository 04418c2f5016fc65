import { dirname, join, resolve } from "node:path";
import {
  loadAuditSettings,
  type MadeKey,
  makeAuditKeys,
  rotateAuditKeys,
  saveAuditSettings,
} from "../../store/audit-keys.ts";
import { Checkpointer } from "../../store/checkpoints.ts";
import { makeFolder } from "../../store/folders.ts";
import { fileDiagnostic } from "../../store/policy-file.ts";
import { stateFolder } from "../../store/state-folder.ts";
import { userHome } from "../../store/user-home.ts";
import { type Consent, refusal } from "../consent/consent.ts";
import { exit, type Io } from "../io.ts";
import { prettyDiagnostics } from "../report/pretty.ts";

/** Options of `audit init`. */
export interface AuditInitOptions extends Consent {
  /** Make the key of the next epoch, and erase the old private key. */
  readonly rotate?: boolean;
  /** Second file for checkpoints; kept for all later ones. */
  readonly copyTo?: string;
}

/**
 * `audit init`: makes the key that signs checkpoints of the audit trail, begins their log, and prints the verifier key, to
 * be kept elsewhere. With `--rotate` the next key takes over and the old private key is erased. Exit code 2 if files cannot
 * be read or written.
 */
export async function initAudit(options: AuditInitOptions, io: Io): Promise<number> {
  const state = stateFolder(io.env, io.home ?? userHome());
  const copy =
    options.copyTo === undefined ? "" : `, and keep copies of checkpoints in ${resolve(io.cwd, options.copyTo)}`;
  const question = `${options.rotate ? "erase the audit key and make the next one" : "make the audit key"}${copy}?`;
  const refused = await refusal({ verb: "audit-init", question }, options, io);
  if (refused !== undefined) return refused;
  try {
    const key = options.rotate ? rotateAuditKeys(state, Date.now()) : makeAuditKeys(state);
    if (options.copyTo !== undefined) useCopy(state, resolve(io.cwd, options.copyTo));
    const checkpointer = new Checkpointer(join(state, "audit"), state);
    const missed = checkpointer.begin(Date.now());
    await io.out(report(key, loadAuditSettings(state).copy_to));
    if (missed !== undefined) return failed(missed, io);
    return exit.fine;
  } catch (fault) {
    return failed(fault instanceof Error ? fault.message : String(fault), io);
  }
}

function useCopy(state: string, path: string): void {
  makeFolder(dirname(path), 0o700);
  saveAuditSettings(state, { ...loadAuditSettings(state), copy_to: path });
}

function report({ epoch, verifier, made }: MadeKey, copy: string | undefined): string {
  const lines = [
    `${made ? "made" : "there is already"} the audit key of epoch ${epoch}; its verifier key is`,
    "",
    verifier,
    "",
    "Keep this line where whoever can write the audit trail cannot, and give it to `hookwarden audit verify --key`.",
    copy === undefined
      ? "Checkpoints stay beside the trail; `hookwarden audit init --copy-to <file>` also keeps them elsewhere."
      : `Checkpoints are also appended to \`${copy}\`; there is no sink for syslog.`,
  ];
  return `${lines.join("\n")}\n`;
}

function failed(why: string, io: Io): number {
  const help = "look at the files in `keys` of the state folder, and at the file of `--copy-to`";
  io.err(prettyDiagnostics([fileDiagnostic("HW702", "audit keys", why, help)], new Map(), false));
  return exit.unusable;
}
