import { type Command, Option } from "commander";
import type { AuditExportOptions } from "../commands/audit-export.ts";
import type { AuditShowOptions } from "../commands/audit-show.ts";
import type { ReplayOptions } from "../commands/replay.ts";
import type { Io } from "../io.ts";
import { format, jobsOption, scopeOption, setOption } from "../options.ts";

type Add = (program: Command, io: Io, done: (code: number) => void) => void;

/** Adds `replay`. */
export const addReplay: Add = (program, io, done) => {
  program
    .command("replay")
    .summary("judge recorded events by another policy: what would change")
    .description(
      "Compares with the decisions on record, or with another policy. Runs no program and looks at no file but the records.\nExit code: 0 nothing would change, 1 something would, 2 unusable input.",
    )
    .argument("<records...>", "audit files or folders, event files, transcripts of pi, omp and Claude Code")
    .addOption(onePolicy("-p, --policy <policy>", "policy file, folder, or pack:<name> to judge by"))
    .addOption(onePolicy("--against <policy>", "policy to compare with"))
    .addOption(setOption())
    .addOption(scopeOption())
    .option("--home <folder>", "home folder of the user whose transcripts these are")
    .addOption(jobsOption())
    .addOption(format(["pretty", "json"]))
    .action(async (records: string[], options: ReplayOptions) => {
      const { replayRecords } = await import("../commands/replay.ts");
      done(await replayRecords(records, options, io));
    });
};

/** One policy at a time, since records follow; more than once. */
function onePolicy(flags: string, text: string): Option {
  return new Option(flags, `${text}; may be given more than once`).argParser(
    (value: string, before: string[] | undefined) => [...(before ?? []), value],
  );
}

const paths = "audit files or folders; without any, those of this user's hosts";

/** Adds `audit show`, given the command `audit`. */
export const addAuditShow: Add = (audit, io, done) => {
  selectionOptions(audit.command("show"))
    .summary("read audit trails as a timeline")
    .description("Shows the records of audit trails in the order in which they were written.")
    .argument("[paths...]", paths)
    .option("--verbose", "everything that a record holds")
    .addOption(format(["pretty", "json"]))
    .action(async (given: string[], options: AuditShowOptions) => {
      const { showAudit } = await import("../commands/audit-show.ts");
      done(await showAudit(given, options, io));
    });
};

/** Adds `audit export`, given the command `audit`. */
export const addAuditExport: Add = (audit, io, done) => {
  selectionOptions(audit.command("export"))
    .summary("write audit trails for another system")
    .description("Writes the records of audit trails as OTLP logs, OCSF events or CSV.")
    .argument("[paths...]", paths)
    .addOption(new Option("--to <form>", "form of the export").choices(["otlp", "ocsf", "csv"]).makeOptionMandatory())
    .option("-o, --out <file>", "file to write; standard output when not given, or `-`")
    .option("--endpoint <address>", "send OTLP to this collector, e.g. http://127.0.0.1:4318/v1/logs")
    .option("--force", "overwrite the file")
    .action(async (given: string[], options: AuditExportOptions) => {
      const { exportAudit } = await import("../commands/audit-export.ts");
      done(await exportAudit(given, options, io));
    });
};

function selectionOptions(command: Command): Command {
  return command
    .option("--rule <rule>", "only where this rule answered, took part or would have")
    .addOption(new Option("--outcome <outcome>", "only this answer").choices(["allow", "ask", "block"]))
    .option("--session <id>", "only this session; the beginning of an id will do")
    .option("--tool <name>", "only calls of this tool")
    .option("--since <time>", "only what was written from then on: a date, a time, or 30m, 2h, 7d ago")
    .option("--until <time>", "only what was written before then");
}
