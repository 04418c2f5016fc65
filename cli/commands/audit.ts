import { resolve } from "node:path";
import { type ChainReport, ChainVerifier } from "../../engine/chain.ts";
import { linesOfFile } from "../../store/lines.ts";
import type { Io } from "../io.ts";
import { jsonLine } from "../report/json.ts";
import { count, palette } from "../report/pretty.ts";

/** Options of `audit verify`. */
export interface AuditVerifyOptions {
  readonly format: "pretty" | "json";
  readonly head?: string;
}

type Status = ChainReport["status"] | "unchecked";

/** What `audit verify` says of one file. */
interface FileReport {
  readonly file: string;
  readonly status: Status;
  readonly records: number;
  readonly head?: string;
  readonly line?: number;
  readonly seq?: number;
  readonly why?: string;
}

/** Exit code of each status (semantics page section 6), and how bad it is beside others. */
const codes: Readonly<Record<Status, number>> = { intact: 0, altered: 1, incomplete: 2, unchecked: 3 };
const worstFirst: readonly Status[] = ["altered", "unchecked", "incomplete", "intact"];

/** Bytes of one record: above what an event of the largest size can become, since JSON may escape every byte. */
const recordBytes = 134_217_728;

/** `audit verify`: 0 intact, 1 altered, 2 incomplete tail, 3 cannot check. Of several files the worst counts. */
export async function verifyAudit(files: readonly string[], options: AuditVerifyOptions, io: Io): Promise<number> {
  const reports = files.map((file) => verifyFile(file, options.head, io.cwd));
  if (options.format === "json") await io.out(jsonLine({ files: reports }));
  else for (const report of reports) await io.out(`${prettyReport(report, io.color)}\n`);
  const worst = worstFirst.find((status) => reports.some((report) => report.status === status)) ?? "unchecked";
  return codes[worst];
}

function verifyFile(file: string, head: string | undefined, cwd: string): FileReport {
  const verifier = new ChainVerifier();
  try {
    for (const line of linesOfFile(resolve(cwd, file), recordBytes)) {
      if (line.bytes) verifier.push(line.bytes, line.complete);
      else verifier.pushOversized();
    }
  } catch (error) {
    return { file, status: "unchecked", records: 0, why: reasonOf(error) };
  }
  return described(file, verifier.report(), head);
}

function described(file: string, report: ChainReport, head: string | undefined): FileReport {
  const { status, records, problem } = report;
  if (problem) {
    const { line, seq, why } = problem;
    return {
      file,
      status,
      records,
      ...(records > 0 ? { head: report.head } : {}),
      line,
      ...(seq === undefined ? {} : { seq }),
      why,
    };
  }
  if (records === 0) return { file, status: "unchecked", records, why: "it holds no record" };
  if (head !== undefined && head !== report.head) {
    return {
      file,
      status: "altered",
      records,
      head: report.head,
      why: "its last record is not the one that `--head` names: records were removed or added",
    };
  }
  return { file, status, records, head: report.head };
}

function prettyReport(r: FileReport, color: boolean): string {
  const colors = palette(color);
  const held = `${count(r.records, "record")}${r.head === undefined ? "" : `, head ${r.head}`}`;
  const place = r.line === undefined ? "" : `line ${r.line}${r.seq === undefined ? "" : ` (record ${r.seq})`}: `;
  if (r.status === "intact") return `${r.file}: ${colors.info("intact")}, ${held}`;
  if (r.status === "unchecked") {
    return `${colors.error("error[HW704]")}: \`${r.file}\` cannot be checked: ${r.why}\n  help: name an audit file that hookwarden wrote`;
  }
  const help =
    r.status === "altered"
      ? "compare it with a copy; records after this place prove nothing"
      : "the process ended while it wrote; the next one that appends moves this line aside";
  return `${r.file}: ${colors.error(r.status === "altered" ? "altered" : "incomplete tail")}: ${place}${r.why}\n  holds before it: ${held}\n  help: ${help}`;
}

function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOENT") return "it does not exist";
  if (code === "EACCES" || code === "EPERM") return "permission denied";
  if (code === "EISDIR") return "it is a folder";
  return error instanceof Error ? error.message : String(error);
}
