import { noFaults, type SelectionOptions, selectedRecords, selectionOf, usualTrails } from "../audit/selection.ts";
import { timelineOf } from "../audit/timeline.ts";
import { reportFaults, reportMisuse } from "../audit/trail-faults.ts";
import type { Io } from "../io.ts";
import { jsonLine } from "../report/json.ts";
import { count, palette } from "../report/pretty.ts";

/** Options of `audit show`. */
export interface AuditShowOptions extends SelectionOptions {
  readonly format: "pretty" | "json";
  readonly verbose?: boolean;
}

/**
 * `audit show`: prints the records of trails as a timeline, one line each, or as JSON, one record each. Nothing from a
 * record reaches a terminal as a control character. `audit verify` checks whether the trails are intact. Exit code 2 if a
 * file cannot be read (the rest is shown), or if the given paths hold no record.
 */
export async function showAudit(paths: readonly string[], options: AuditShowOptions, io: Io): Promise<number> {
  const selection = selectionOf(options, Date.now());
  if ("wrong" in selection) return reportMisuse(selection.wrong, io);
  const faults = noFaults();
  const colors = palette(io.color);
  let shown = 0;
  for await (const record of selectedRecords(paths.length > 0 ? paths : [usualTrails(io)], selection, io.cwd, faults)) {
    shown++;
    await io.out(options.format === "json" ? jsonLine(record) : timelineOf(record, colors, options.verbose === true));
  }
  const code = reportFaults(faults, paths, io);
  if (options.format === "pretty" && code === 0) io.err(`${count(shown, "record")}\n`);
  return code;
}
