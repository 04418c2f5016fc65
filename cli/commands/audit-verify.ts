import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseKeyName } from "../../engine/audit/checkpoint.ts";
import { type NoteKey, parseVerifierKey } from "../../engine/audit/note.ts";
import { type AuditReport, verifyAudit, worstOf } from "../../store/audit-verify.ts";
import { fileDiagnostic } from "../../store/policy-file.ts";
import type { AuditStatus, FileReport } from "../../store/segment-check.ts";
import { stateFolder } from "../../store/state-folder.ts";
import { userHome } from "../../store/user-home.ts";
import { gapsIn, gapsText } from "../audit/gaps.ts";
import { shownLine } from "../audit/shown.ts";
import type { Io } from "../io.ts";
import { jsonLine } from "../report/json.ts";
import { count, palette, prettyDiagnostics } from "../report/pretty.ts";

/** Options of `audit verify`. */
export interface AuditVerifyOptions {
  readonly format: "pretty" | "json";
  /** Hash that the last record must have. */
  readonly head?: string;
  /** Verifier keys, or files that hold them. */
  readonly key?: readonly string[];
  /** The copy of the log of checkpoints. */
  readonly checkpoints?: string;
  /** Also reports decisions that did not reach the call or the model, and records that could not be written. */
  readonly gaps?: boolean;
}

/** Exit code of each status (semantics page section 6). */
export const verifyCodes: Readonly<Record<AuditStatus, number>> = {
  intact: 0,
  altered: 1,
  incomplete: 2,
  unchecked: 3,
};

/** Exit code if everything is intact and `--gaps` found something. */
export const gapCode = 4;

/**
 * `audit verify`: 0 intact, 1 altered, 2 incomplete tail, 3 cannot check. Of several places the worst counts. Without paths
 * it checks the audit folder of this user.
 */
export async function verifyTrails(places: readonly string[], options: AuditVerifyOptions, io: Io): Promise<number> {
  const keys = keysOf(options.key ?? [], io);
  if ("wrong" in keys) return refuse(keys.wrong, io);
  const reports: AuditReport[] = [];
  const given = { keys: keys.byEpoch, ...(options.head !== undefined && { head: options.head }) };
  const copy = options.checkpoints === undefined ? {} : { copy: options.checkpoints };
  for (const place of places.length > 0 ? places : [usualFolder(io)])
    reports.push(await verifyAudit(place, io.cwd, { ...given, ...copy }));
  if (options.format === "json") await io.out(jsonLine({ files: reports.map(jsonReport) }));
  else for (const report of reports) await io.out(prettyReport(report, io.color));
  const code = verifyCodes[worstOf(reports.map(({ status }) => status))];
  if (options.gaps !== true) return code;
  const found = await gapsIn(places.length > 0 ? places : [usualFolder(io)], io);
  await io.out(options.format === "json" ? jsonLine({ gaps: found }) : gapsText(found));
  return code === 0 && found.length > 0 ? gapCode : code;
}

/** Returns the audit folder of this user. */
export function usualFolder(io: Io): string {
  return join(stateFolder(io.env, io.home ?? userHome()), "audit");
}

/** Returns verifier keys by epoch, each given directly or as the name of a file with one key a line. */
export function keysOf(
  given: readonly string[],
  io: Io,
): { readonly byEpoch: ReadonlyMap<number, NoteKey> } | { readonly wrong: string } {
  const byEpoch = new Map<number, NoteKey>();
  for (const one of given) {
    const keys = parseVerifierKey(one) ? [one] : linesOfKeyFile(resolve(io.cwd, one));
    if (keys.length === 0) return { wrong: `\`${one}\` is neither a verifier key nor a file with one` };
    for (const text of keys) {
      const key = parseVerifierKey(text);
      const name = key && parseKeyName(key.name);
      if (!key || !name) return { wrong: `\`${text}\` is no verifier key of hookwarden` };
      byEpoch.set(name.epoch, key);
    }
  }
  return { byEpoch };
}

function linesOfKeyFile(path: string): readonly string[] {
  try {
    const lines = readFileSync(path, "utf8").split("\n");
    return lines.map((line) => line.trim()).filter((line) => line !== "");
  } catch {
    return [];
  }
}

/** Reports the fault in the options; exit code 3, since nothing was checked. */
export function refuse(wrong: string, io: Io): number {
  const help = "copy the line that `hookwarden audit init` printed, or name a file that holds it";
  io.err(prettyDiagnostics([fileDiagnostic("HW704", "command line", wrong, help)], new Map(), false));
  return verifyCodes.unchecked;
}

/** Returns the report of one file; for a folder, the overall result, and its files with a problem. */
function jsonReport(report: AuditReport): object {
  const { place, files, unseen } = report;
  const [only] = files;
  if (files.length === 1 && only?.file === place) return { ...only, unseen };
  const { status, records, head, checkpoints } = report;
  const bad = files.filter((file) => file.status !== "intact");
  return {
    file: place,
    status,
    records,
    ...(head !== undefined && { head }),
    checkpoints,
    files: files.length,
    bad,
    unseen,
    strange: report.strange,
  };
}

/** Maximum files that are listed; more are only counted. */
const mostListed = 20;

function prettyReport(report: AuditReport, color: boolean): string {
  const { place, status, records, head, files, checkpoints, unseen } = report;
  const bad = files.filter((file) => file.status !== "intact");
  const one = files.length === 1 && files[0]?.file === place;
  const lines = bad.slice(0, mostListed).map((file) => prettyFile(file, color));
  if (bad.length > mostListed) lines.push(`… and ${count(bad.length - mostListed, "more file")}`);
  if (!one || status === "intact") {
    const held = [
      count(records, "record"),
      ...(one ? [] : [count(files.length, "file"), count(checkpoints, "checkpoint")]),
    ];
    if (head !== undefined) held.push(`head ${head}`);
    const word = status === "intact" ? palette(color).info(status) : palette(color).error(status);
    lines.push(`${place}: ${word}, ${held.join(", ")}`);
  }
  if (report.strange.length > 0) {
    const more = report.strange.length > mostListed ? ` and ${report.strange.length - mostListed} more` : "";
    const names = report.strange.slice(0, mostListed).map((name) => `\`${shownLine(name)}\``);
    lines.push(`  not ours: ${names.join(", ")}${more}; no trail has these names, look at who put them there`);
  }
  if (unseen.length > 0 && status !== "unchecked") lines.push(`  not seen: ${unseen.join("; ")}`);
  return `${lines.join("\n")}\n`;
}

function prettyFile(r: FileReport, color: boolean): string {
  const colors = palette(color);
  if (r.status === "unchecked")
    return `${colors.error("error[HW704]")}: \`${r.file}\` cannot be checked: ${r.why}\n  help: name an audit file or folder that hookwarden wrote`;
  const parts = [
    ...(r.line === undefined ? [] : [`line ${r.line}`]),
    ...(r.seq === undefined ? [] : [`record ${r.seq}`]),
  ];
  const [first, second] = parts;
  const place = first === undefined ? "" : `${first}${second === undefined ? "" : ` (${second})`}: `;
  const held = `${count(r.records, "record")}${r.head === undefined ? "" : `, head ${r.head}`}`;
  const help =
    r.status === "altered"
      ? "compare it with a copy; records after this place prove nothing"
      : "the process ended while it wrote; the next one that appends moves this line aside";
  const word = r.status === "altered" ? "altered" : "incomplete tail";
  return `${r.file}: ${colors.error(word)}: ${place}${r.why}\n  holds before it: ${held}\n  help: ${help}`;
}
