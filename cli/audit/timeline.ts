import type { Palette } from "../../diagnostics/render.ts";
import { canonicalJson } from "../../engine/canonical.ts";
import type { AuditBody, AuditRecord } from "../../schema/generated.ts";
import { shownLine } from "./shown.ts";

/** Returns the lines of one record: a summary line, and with `verbose` the whole record, indented. */
export function timelineOf(record: AuditRecord, colors: Palette, verbose: boolean): string {
  const lines = [summaryLine(record, colors)];
  if (verbose) for (const [name, value] of details(record)) lines.push(`    ${colors.quiet(`${name}:`)} ${value}`);
  return `${lines.join("\n")}\n`;
}

function summaryLine({ body, seal }: AuditRecord, colors: Palette): string {
  const labels = body.state?.labels ?? [];
  const cleared = body.state?.cleared ?? [];
  const marks = [...labels.map((label) => `+${label}`), ...cleared.map((label) => `-${label}`)];
  const parts = [
    colors.quiet(shownLine(seal.written)),
    answerText(body, colors),
    shownLine(whatOf(body)),
    ...(body.rule === undefined ? [] : [colors.info(shownLine(body.rule))]),
    ...reasonsOf(body),
    ...(marks.length > 0 ? [`[${shownLine(marks.join(" "))}]`] : []),
    colors.quiet(`${shownLine(body.session || "no session")} #${seal.seq} ${durationOf(seal.latency_us)}`),
  ];
  return parts.join("  ");
}

/** Returns the answer, in a column as wide as the widest. */
function answerText({ kind, outcome, answered, approval }: AuditBody, colors: Palette): string {
  if (kind === "note") return colors.quiet("note ");
  const said = approval ? approval.answer : answered === "error" && outcome !== "allow" ? `${outcome}!` : outcome;
  const padded = shownLine(said).padEnd(5);
  if (outcome === "block") return colors.error(padded);
  return outcome === "ask" ? colors.warning(padded) : padded;
}

function whatOf({ kind, event, tool, approval }: AuditBody): string {
  if (kind === "approval" && approval) return `answer of ${approval.by} to ${approval.of}`;
  return tool === undefined || tool === event ? event : `${event} ${tool}`;
}

/** Lists the reason and other important facts: rewrites, texts for the model, rules that only watch, errors. */
function reasonsOf({ reason, note, transforms, delivered = [], would, errors, on_host }: AuditBody): readonly string[] {
  const found: string[] = [];
  const why = reason ?? note;
  if (why !== undefined) found.push(shownLine(why));
  if (transforms.length > 0) found.push(`rewritten by ${shownLine(rules(transforms))}`);
  if (delivered.length > 0) found.push(`text from ${shownLine(rules(delivered))}`);
  if (on_host && on_host.delivered !== "full") found.push(`host: ${shownLine(shortText(on_host))}`);
  if (would.length > 0) found.push(`would: ${shownLine(would.map((m) => `${m.rule} ${m.outcome}`).join(", "))}`);
  if (errors.length > 0 && reason === undefined) found.push(shownLine(errors.map((e) => e.code).join(", ")));
  return found;
}

/** Describes the parts of a decision that the host applies in a weaker form, or not at all. */
export function shortText({ delivered, short = [] }: NonNullable<AuditBody["on_host"]>): string {
  const parts = short.map(
    (one) => `${one.action} ${one.delivered === "no" ? "not delivered" : "weaker"}${one.why ? ` (${one.why})` : ""}`,
  );
  return parts.length > 0 ? parts.join("; ") : delivered;
}

function rules(list: readonly { readonly rule: string }[]): string {
  return [...new Set(list.map(({ rule }) => rule))].join(", ");
}

/** Formats microseconds for people. */
function durationOf(us: number): string {
  return us < 1_000
    ? `${us} µs`
    : us < 1_000_000
      ? `${(us / 1_000).toFixed(1)} ms`
      : `${(us / 1_000_000).toFixed(1)} s`;
}

/** Fields that the summary line shows, or that appear under another name. */
const inLine: ReadonlySet<string> = new Set(["v", "event", "tool", "outcome", "rule", "reason", "session", "note"]);

/** Lists all other fields of a record, by their own names and order, without empty lists. */
function details({ body, seal }: AuditRecord): (readonly [string, string])[] {
  const fields = Object.entries(body).filter(([name, value]) => !inLine.has(name) && !isEmpty(value));
  const own = Object.entries(seal).filter(([name]) => name !== "written" && name !== "seq" && name !== "latency_us");
  return [...fields, ...own].map(([name, value]) => [
    shownLine(name),
    shownLine(typeof value === "string" ? value : canonicalJson(value)),
  ]);
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : value === "";
}
