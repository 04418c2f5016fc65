import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { checkProof } from "../../engine/audit/proof.ts";
import { loadVerifiers } from "../../store/audit-keys.ts";
import { type Proved, proveGrowth, proveRecord } from "../../store/audit-prove.ts";
import { fileDiagnostic } from "../../store/policy-file.ts";
import { readFault } from "../../store/segment-check.ts";
import { sessionDigest } from "../../store/segment-files.ts";
import { stateFolder } from "../../store/state-folder.ts";
import { userHome } from "../../store/user-home.ts";
import type { Io } from "../io.ts";
import { jsonLine } from "../report/json.ts";
import { prettyDiagnostics } from "../report/pretty.ts";
import { keysOf, refuse, usualFolder, verifyCodes } from "./audit-verify.ts";

/** Options of `audit prove`. */
export interface AuditProveOptions {
  /** Number of the record to prove. */
  readonly record?: number;
  /** Id of its session. */
  readonly session?: string;
  /** Segment whose growth is to be proved. */
  readonly segment?: number;
  /** Numbers of two checkpoints of that segment in the log of checkpoints. */
  readonly from?: number;
  readonly to?: number;
  /** File with a proof to check; `-` is not read. */
  readonly check?: string;
  /** Verifier keys, or files that hold them. */
  readonly key?: readonly string[];
}

/**
 * `audit prove`: prints, as JSON, a proof that a checkpoint covers a record, or that one checkpoint is the beginning of
 * another. With `--check` it checks such a proof by itself. Exit codes as `audit verify`: 0 proved or holds, 1 does not
 * hold, 3 cannot be proved or checked.
 */
export async function proveAudit(path: string | undefined, options: AuditProveOptions, io: Io): Promise<number> {
  if (options.check !== undefined) return checkProofFile(options.check, options, io);
  const folder = folderOf(path, options.session, io);
  if (folder === undefined) return cannot("name the folder of a session, or `--session <id>`", io);
  const { record, segment, from, to } = options;
  if (record === undefined && segment === undefined)
    return cannot("say what to prove: `--record <number>`, or `--segment <number>`", io);
  try {
    const between = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    const proved: Proved<object> =
      record === undefined ? await proveGrowth(folder, segment ?? 1, between) : await proveRecord(folder, record);
    if ("why" in proved) return cannot(proved.why, io);
    await io.out(jsonLine(proved.proof));
    return verifyCodes.intact;
  } catch (error) {
    return cannot(readFault(error), io);
  }
}

/** Returns the folder of the session: as given, or the session of that id in the given audit folder or the user's own. */
function folderOf(path: string | undefined, session: string | undefined, io: Io): string | undefined {
  const given = path === undefined ? undefined : resolve(io.cwd, path);
  if (session === undefined) return given;
  return join(given ?? usualFolder(io), sessionDigest(session));
}

async function checkProofFile(file: string, options: AuditProveOptions, io: Io): Promise<number> {
  const given = keysOf(options.key ?? [], io);
  if ("wrong" in given) return refuse(given.wrong, io);
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(resolve(io.cwd, file), "utf8"));
  } catch (error) {
    return cannot(readFault(error), io);
  }
  const own = given.byEpoch.size === 0;
  const keys = own ? loadVerifiers(stateFolder(io.env, io.home ?? userHome())).keys : given.byEpoch;
  const found = checkProof(value, keys);
  if (!found.ok) {
    await io.out(`${file}: ${found.status === "altered" ? "does not hold" : "cannot be checked"}: ${found.why}\n`);
    return verifyCodes[found.status];
  }
  const [first, second] = found.checkpoints;
  const shown = found.record
    ? `record ${found.record.seal.seq} is among the ${first?.size} records of the checkpoint of ${first?.time}`
    : `the ${first?.size} records of ${first?.time} are the beginning of the ${second?.size} of ${second?.time}`;
  await io.out(`${file}: holds: ${shown}\n${own ? "  not seen: replaced keys of this user (no `--key`)\n" : ""}`);
  return verifyCodes.intact;
}

function cannot(why: string, io: Io): number {
  const help = "see `hookwarden audit prove --help`; checkpoints need a key (`hookwarden audit init`)";
  io.err(prettyDiagnostics([fileDiagnostic("HW704", "audit trail", why, help)], new Map(), false));
  return verifyCodes.unchecked;
}
