import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Checkpointer } from "../../store/checkpoints.ts";
import { compressSegments } from "../../store/compression.ts";
import { fileDiagnostic } from "../../store/policy-file.ts";
import { type LeftAlone, retireSessions } from "../../store/retention.ts";
import { type Consent, refusal } from "../consent/consent.ts";
import { exit, type Io } from "../io.ts";
import { count, prettyDiagnostics } from "../report/pretty.ts";
import { usualFolder } from "./audit-verify.ts";

/** Options of `audit prune`. */
export interface AuditPruneOptions extends Consent {
  /** Days since the last record of a session. */
  readonly olderThan: number;
  /** Allow fewer than 180 days. */
  readonly forceShort?: boolean;
  /** Compress closed segments instead. */
  readonly compress?: boolean;
  readonly dryRun?: boolean;
}

/**
 * `audit prune`: retires old sessions, or compresses closed segments, once a human agrees. Exit code 1 if some could not be.
 * Exit code 2 if nothing was done: no such folder, too few days, or a trail of retired sessions that cannot be written.
 */
export async function pruneAudit(given: string | undefined, options: AuditPruneOptions, io: Io): Promise<number> {
  const folder = given === undefined ? usualFolder(io) : resolve(io.cwd, given);
  const dryRun = options.dryRun === true;
  if (given !== undefined && !isFolder(folder)) {
    say(io, given, `\`${given}\` is no folder`);
    return exit.unusable;
  }
  const verb = options.compress ? "compress closed segments of" : "retire old sessions of";
  const asked = { verb: "audit-prune", question: `${verb} ${folder}?` } as const;
  const refused = dryRun ? undefined : await refusal(asked, options, io);
  if (refused !== undefined) return refused;
  try {
    const { text, left } = options.compress ? compressed(folder, dryRun) : retired(folder, options, dryRun);
    await io.out(text);
    for (const { name, why } of left) say(io, name, `\`${name}\` was left as it is: ${why}`);
    return left.length > 0 ? exit.findings : exit.fine;
  } catch (fault) {
    say(io, folder, fault instanceof Error ? fault.message : String(fault));
    return exit.unusable;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

interface Pruned {
  readonly text: string;
  readonly left: readonly LeftAlone[];
}

function compressed(folder: string, dryRun: boolean): Pruned {
  const { compressed: done, left } = compressSegments(folder, { dryRun });
  const before = done.reduce((sum, segment) => sum + segment.before, 0);
  const after = done.reduce((sum, segment) => sum + segment.after, 0);
  const sizes = done.length > 0 ? `: ${before} bytes are ${after}` : "";
  return { text: `${dryRun ? "would compress" : "compressed"} ${count(done.length, "segment")}${sizes}\n`, left };
}

function retired(folder: string, { olderThan, forceShort = false }: AuditPruneOptions, dryRun: boolean): Pruned {
  const checkpointer = new Checkpointer(folder, dirname(folder));
  const now = Date.now();
  const report = retireSessions(folder, { now, olderThanDays: olderThan, forceShort, dryRun, checkpointer });
  const lines = report.retired.map(
    ({ session, records, last }) => `  ${session}: ${count(records, "record")} up to ${last}`,
  );
  const verb = dryRun ? "would retire" : "retired";
  const head = `${verb} ${count(report.retired.length, "session")}; ${report.kept} kept`;
  return { text: `${[head, ...lines].join("\n")}\n`, left: report.left };
}

function say(io: Io, name: string, message: string): void {
  const help = "see `hookwarden audit prune --help`; `hookwarden audit verify` says whether a trail holds";
  io.err(prettyDiagnostics([fileDiagnostic("HW704", name, message, help)], new Map(), false));
}
