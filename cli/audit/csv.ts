import type { AuditRecord } from "../../schema/generated.ts";

/** Columns in order: name, and the cell of a record. */
const columns: readonly (readonly [name: string, cell: (record: AuditRecord) => string | number | undefined])[] = [
  ["written", ({ seal }) => seal.written],
  ["session", ({ body }) => body.session],
  ["seq", ({ seal }) => seal.seq],
  ["kind", ({ body }) => body.kind ?? "decision"],
  ["event", ({ body }) => body.event],
  ["event_id", ({ body }) => body.id],
  ["event_time", ({ body }) => body.time],
  ["host", ({ body }) => body.host],
  ["agent", ({ body }) => body.agent],
  ["tool", ({ body }) => body.tool],
  ["call_id", ({ body }) => body.call_id],
  ["outcome", ({ body }) => body.approval?.answer ?? body.outcome],
  ["answered", ({ body }) => body.approval?.by ?? body.answered],
  ["rule", ({ body }) => body.rule],
  ["reason", ({ body }) => body.reason ?? body.note],
  ["matched", ({ body }) => body.matched.map((m) => `${m.rule} ${m.outcome}`).join("; ")],
  ["would", ({ body }) => body.would.map((m) => `${m.rule} ${m.outcome}`).join("; ")],
  ["rewrites", ({ body }) => body.transforms.map((t) => `${t.rule} ${t.action}`).join("; ")],
  ["errors", ({ body }) => body.errors.map((e) => e.code).join("; ")],
  ["labels_added", ({ body }) => (body.state?.labels ?? []).join("; ")],
  ["labels_cleared", ({ body }) => (body.state?.cleared ?? []).join("; ")],
  ["latency_us", ({ seal }) => seal.latency_us],
  ["policy_digest", ({ body }) => body.policy_digest],
  ["event_digest", ({ body }) => body.event_digest],
  ["engine", ({ body }) => body.engine],
  ["hash", ({ seal }) => seal.hash],
];

/** The first line of a CSV export, with its line break. */
export function csvHeader(): string {
  return `${columns.map(([name]) => name).join(",")}\r\n`;
}

/** A record as one row of CSV, with its line break (RFC 4180). Cells are text; a row may go over several lines. */
export function csvRow(record: AuditRecord): string {
  return `${columns.map(([, cell]) => quoted(guarded(cell(record)))).join(",")}\r\n`;
}

/** Puts an apostrophe before text that a spreadsheet would take for a formula; numbers are ours and stay. */
function guarded(value: string | number | undefined): string {
  if (typeof value !== "string") return value === undefined ? "" : String(value);
  return /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
