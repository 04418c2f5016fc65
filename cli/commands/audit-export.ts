import type { AuditRecord } from "../../schema/generated.ts";
import { fileDiagnostic } from "../../store/policy-file.ts";
import { csvHeader, csvRow } from "../audit/csv.ts";
import {
  type Destination,
  DestinationRefused,
  endpointDestination,
  fileDestination,
  outDestination,
} from "../audit/destination.ts";
import { ocsfEvent } from "../audit/ocsf.ts";
import { noFaults, type SelectionOptions, selectedRecords, selectionOf, usualTrails } from "../audit/selection.ts";
import { reportFaults, reportMisuse } from "../audit/trail-faults.ts";
import { exit, type Io } from "../io.ts";
import { jsonLine } from "../report/json.ts";
import { count, prettyDiagnostics } from "../report/pretty.ts";

/** Options of `audit export`. */
export interface AuditExportOptions extends SelectionOptions {
  readonly to: "otlp" | "ocsf" | "csv";
  readonly out?: string;
  readonly endpoint?: string;
  readonly force?: boolean;
}

/**
 * `audit export`: writes records of trails for another system: OTLP/JSON (one request per line, or sent to a collector),
 * OCSF (one event per line), or CSV. A file is complete or absent. Exit code 2, without a file, if a trail cannot be read,
 * the given paths hold no record, or the export cannot be written.
 */
export async function exportAudit(paths: readonly string[], options: AuditExportOptions, io: Io): Promise<number> {
  const selection = selectionOf(options, Date.now());
  if ("wrong" in selection) return reportMisuse(selection.wrong, io);
  if (options.endpoint !== undefined && (options.to !== "otlp" || options.out !== undefined))
    return reportMisuse("`--endpoint` is for `--to otlp` without `--out`", io);
  const faults = noFaults();
  let exported = 0;
  let code: number;
  try {
    const destination = destinationOf(options, io);
    try {
      const writer = await writerOf(options.to, destination);
      const from = paths.length > 0 ? paths : [usualTrails(io)];
      for await (const record of selectedRecords(from, selection, io.cwd, faults)) {
        exported++;
        await writer.add(record);
      }
      await writer.close();
      code = reportFaults(faults, paths, io);
      if (code === exit.fine) await destination.close();
    } finally {
      await destination.abandon();
    }
  } catch (error) {
    return refused(error, options, io);
  }
  if (code === exit.fine) io.err(`${count(exported, "record")} exported\n`);
  return code;
}

/** Writes records in one format. */
interface Writer {
  add(record: AuditRecord): Promise<void>;
  close(): Promise<void>;
}

async function writerOf(to: AuditExportOptions["to"], { write }: Destination): Promise<Writer> {
  const nothing = (): Promise<void> => Promise.resolve();
  if (to === "ocsf") return { add: (record) => write(jsonLine(ocsfEvent(record))), close: nothing };
  if (to === "csv") {
    await write(csvHeader());
    return { add: (record) => write(csvRow(record)), close: nothing };
  }
  // Imported only here: nothing else loads these packages.
  const { otlpExport } = await import("../audit/otlp.ts");
  return otlpExport((request) => write(`${request}\n`));
}

function destinationOf({ out, endpoint, force }: AuditExportOptions, io: Io): Destination {
  if (endpoint !== undefined) return endpointDestination(endpoint);
  return out === undefined || out === "-" ? outDestination(io) : fileDestination(out, io.cwd, force === true);
}

function refused(error: unknown, { out, endpoint }: AuditExportOptions, io: Io): number {
  // The first code if they are imported, the second if they are required, as in the built command line.
  const missing = ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"].includes((error as NodeJS.ErrnoException).code ?? "");
  if (!missing && !(error instanceof DestinationRefused) && !(error instanceof Error && "syscall" in error))
    throw error;
  const message = missing ? "the packages for OTLP are not installed" : (error as Error).message;
  const help = missing
    ? "install `@opentelemetry/api-logs`, `sdk-logs`, `resources` and `otlp-transformer` beside hookwarden, or export to ocsf or csv"
    : "name a new file in a folder that this user may write, or a collector that takes OTLP/JSON";
  const name = endpoint ?? out ?? "standard output";
  io.err(prettyDiagnostics([fileDiagnostic("HW702", name, `cannot export: ${message}`, help)], new Map(), false));
  return exit.unusable;
}
