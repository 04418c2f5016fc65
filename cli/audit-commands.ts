import type { Command } from "commander";
import type { AuditInitOptions } from "./commands/audit-init.ts";
import type { AuditProveOptions } from "./commands/audit-prove.ts";
import type { AuditPruneOptions } from "./commands/audit-prune.ts";
import type { AuditVerifyOptions } from "./commands/audit-verify.ts";
import type { Io } from "./io.ts";
import { format, tokenOption, wholeNumber } from "./options.ts";

type Add = (program: Command, io: Io, done: (code: number) => void) => void;

/** Adds `audit init`. */
export const addAuditInit: Add = (audit, io, done) => {
  audit
    .command("init")
    .summary("make the key that signs checkpoints of the audit trail")
    .description(
      "Makes the key and prints its verifier key, to be kept elsewhere.\nFrom then on checkpoints are written; `audit verify` compares the trail with them.",
    )
    .option("--rotate", "make the next key, which the old one signs; erase the old private key")
    .option("--copy-to <file>", "append every checkpoint to this file too, best one on another machine's disk")
    .addOption(tokenOption())
    .action(async (options: AuditInitOptions) => {
      const { initAudit } = await import("./commands/audit-init.ts");
      done(await initAudit(options, io));
    });
};

/** Adds `audit verify`. */
export const addAuditVerify: Add = (audit, io, done) => {
  audit
    .command("verify")
    .summary("check that audit trails are as they were written")
    .description(
      "Checks each record, the chain, and the checkpoints.\nWithout paths: the audit folder of this user.\nExit code: 0 intact, 1 altered, 2 incomplete tail, 3 cannot check; the worst place counts.",
    )
    .argument("[paths...]", "audit files or folders")
    .option("--head <hash>", "hash that the last record must have, as an earlier run reported it")
    .option("--key <key...>", "verifier key that `audit init` printed, or a file with such keys")
    .option("--checkpoints <file>", "copy of the checkpoints that was kept elsewhere")
    .option(
      "--gaps",
      "say also what the host could not deliver and what could not be recorded; exit code 4 if there is any",
    )
    .addOption(format(["pretty", "json"]))
    .action(async (paths: string[], options: AuditVerifyOptions) => {
      const { verifyTrails } = await import("./commands/audit-verify.ts");
      done(await verifyTrails(paths, options, io));
    });
};

/** Adds `audit prove`. */
export const addAuditProve: Add = (audit, io, done) => {
  audit
    .command("prove")
    .summary("prove one record, or that a trail only grew; check such a proof")
    .description(
      "Prints as JSON a proof that stands for itself: for one record against the newest checkpoint, or for one checkpoint against a later one.\nExit code: 0 proved or holds, 1 does not hold, 3 cannot be proved or checked.",
    )
    .argument("[path]", "folder of a session; with --session the audit folder")
    .option("--session <id>", "id of the session")
    .option("--record <number>", "number of the record to prove (`seq`)", wholeNumber)
    .option("--segment <number>", "segment that is to be proved to have only grown", wholeNumber)
    .option("--from <number>", "number of the first checkpoint in the log of checkpoints", wholeNumber)
    .option("--to <number>", "number of the second one", wholeNumber)
    .option("--check <file>", "check the proof in this file")
    .option("--key <key...>", "verifier key that `audit init` printed, or a file with such keys")
    .action(async (path: string | undefined, options: AuditProveOptions) => {
      const { proveAudit } = await import("./commands/audit-prove.ts");
      done(await proveAudit(path, options, io));
    });
};

/** Adds `audit prune`. */
export const addAuditPrune: Add = (audit, io, done) => {
  audit
    .command("prune")
    .summary("retire old sessions, or compress closed segments")
    .description(
      "Retires whole sessions whose last record is old: what they were stays in the trail of retired sessions.\nWithout a path: the audit folder of this user.",
    )
    .argument("[folder]", "audit folder")
    .option("--older-than <days>", "days since the last record of a session", wholeNumber, 400)
    .option("--force-short", "allow fewer than 180 days")
    .option("--compress", "compress segments that are written to no more, and retire nothing")
    .option("--dry-run", "change nothing; say what would go")
    .addOption(tokenOption())
    .action(async (folder: string | undefined, options: AuditPruneOptions) => {
      const { pruneAudit } = await import("./commands/audit-prune.ts");
      done(await pruneAudit(folder, options, io));
    });
};
