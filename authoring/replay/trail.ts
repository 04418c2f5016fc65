import { basename, dirname } from "node:path";
import { viewAsWire } from "../../engine/replay.ts";
import type { AuditRecord } from "../../schema/generated.ts";
import { type Fields, fieldsOf, jsonOfLine, linesOfRecords } from "./record-lines.ts";
import type { Place, Step } from "./step.ts";

/** One record of a trail, or an invalid line, with its place. */
export type TrailLine =
  | { readonly kind: "record"; readonly record: AuditRecord; readonly place: Place }
  | { readonly kind: "unknown"; readonly why: string; readonly place: Place };

/** A file by its path, and the name that people gave it. */
export interface NamedFile {
  readonly path: string;
  readonly name: string;
}

const segmentName = /^(\d+)\.jsonl(\.gz)?$/;

/**
 * Groups files of audit trails by chain, in order: segments by number in the folder of their session, any other file by
 * itself. If a segment exists both plain and compressed, the plain file counts.
 */
export function chainsOf(files: readonly NamedFile[]): NamedFile[][] {
  const chains = new Map<string, Map<number, NamedFile>>();
  for (const file of files) {
    const number = segmentName.exec(basename(file.path))?.[1];
    const key = number === undefined ? `file ${file.path}` : `folder ${dirname(file.path)}`;
    const chain = chains.get(key) ?? new Map<number, NamedFile>();
    const before = chain.get(Number(number ?? 0));
    if (!before || before.path.endsWith(".gz")) chain.set(Number(number ?? 0), file);
    chains.set(key, chain);
  }
  return [...chains.values()].map((chain) => [...chain].sort(([a], [b]) => a - b).map(([, file]) => file));
}

/** Yields the lines of one chain, segment after segment. `audit verify` checks whether they were altered, not this. */
export async function* linesOfChain(files: readonly NamedFile[]): AsyncGenerator<TrailLine> {
  for (const { path, name } of files) {
    for await (const line of linesOfRecords(path)) {
      const place: Place = { file: name, line: line.number };
      const json = jsonOfLine(line);
      if (json === undefined) continue;
      if ("why" in json) yield { kind: "unknown", why: json.why, place };
      else if (isAuditRecord(json.value)) yield { kind: "record", record: json.value, place };
      else yield { kind: "unknown", why: "the line is no audit record", place };
    }
  }
}

/** True if the used parts of a record have the right types; the rest is shown unchanged. */
export function isAuditRecord(value: unknown): value is AuditRecord {
  const fields = fieldsOf(value);
  const body = fieldsOf(fields?.["body"]);
  const seal = fieldsOf(fields?.["seal"]);
  if (!body || !seal || body["v"] !== 1 || !isSeal(seal)) return false;
  const texts = [
    "event",
    "id",
    "time",
    "host",
    "session",
    "agent",
    "outcome",
    "answered",
    "event_digest",
    "policy_digest",
  ];
  if (!texts.every((name) => typeof body[name] === "string") || !fieldsOf(body["observations"])) return false;
  if (!["tool", "call_id", "rule", "reason", "note"].every((name) => isTextOrNone(body[name]))) return false;
  if (!["matched", "would", "transforms"].every((name) => isListOf(body[name], ["rule"]))) return false;
  if (!["delivered", "notices"].every((name) => body[name] === undefined || isListOf(body[name], ["rule"])))
    return false;
  if (!isListOf(body["errors"], ["code"])) return false;
  const approval = body["approval"];
  if (approval !== undefined && !["of", "answer", "by"].every((name) => typeof fieldsOf(approval)?.[name] === "string"))
    return false;
  return body["state"] === undefined || isState(fieldsOf(body["state"]));
}

function isSeal({ written, seq, pid, latency_us }: Fields): boolean {
  return typeof written === "string" && [seq, pid, latency_us].every(Number.isSafeInteger);
}

function isState(state: Fields | undefined): boolean {
  if (!state || !Number.isSafeInteger(state["at"]) || !isTextOrNone(state["parent"])) return false;
  if (state["turn"] !== undefined && !Number.isSafeInteger(state["turn"])) return false;
  return ["labels", "cleared"].every((name) => state[name] === undefined || isTexts(state[name]));
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function isTextOrNone(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

function isListOf(value: unknown, names: readonly string[]): boolean {
  return Array.isArray(value) && value.every((one) => names.every((name) => typeof fieldsOf(one)?.[name] === "string"));
}

/** Position in one chain: its next line, and the rest while it is open. */
interface Cursor {
  readonly files: readonly NamedFile[];
  next: TrailLine;
  /** Undefined until the chain's first line is taken, so that only chains that overlap in time are open at once. */
  rest: AsyncGenerator<TrailLine> | undefined;
}

/**
 * Yields the lines of several chains as one, by time of writing, then session and number. The order within a chain is kept
 * whatever the clock did. Memory: one line for each chain.
 */
export async function* mergedTrail(chains: readonly (readonly NamedFile[])[]): AsyncGenerator<TrailLine> {
  const open: Cursor[] = [];
  for (const files of chains) {
    const next = await firstOf(files);
    if (next) open.push({ files, next, rest: undefined });
  }
  open.sort((a, b) => byTime(b.next, a.next));
  for (let cursor = open.pop(); cursor; cursor = open.pop()) {
    yield cursor.next;
    cursor.rest ??= await restOf(cursor.files);
    const { value, done } = await cursor.rest.next();
    if (done) continue;
    cursor.next = value;
    insert(open, cursor);
  }
}

async function firstOf(files: readonly NamedFile[]): Promise<TrailLine | undefined> {
  for await (const line of linesOfChain(files)) return line;
  return undefined;
}

async function restOf(files: readonly NamedFile[]): Promise<AsyncGenerator<TrailLine>> {
  const lines = linesOfChain(files);
  await lines.next();
  return lines;
}

/** Puts a cursor back into the list, whose last one is the next. */
function insert(open: Cursor[], cursor: Cursor): void {
  let low = 0;
  let high = open.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (byTime((open[middle] as Cursor).next, cursor.next) >= 0) low = middle + 1;
    else high = middle;
  }
  // Among equal chains the one just read continues: most chains are not equal, and the others lose nothing by waiting.
  open.splice(low, 0, cursor);
}

/** Compares by time. A line that is no record has no time, and comes as soon as it is met. */
function byTime(a: TrailLine, b: TrailLine): number {
  if (a.kind === "unknown" || b.kind === "unknown") return a.kind === b.kind ? 0 : a.kind === "unknown" ? -1 : 1;
  const one = a.record;
  const other = b.record;
  return (
    compared(one.seal.written, other.seal.written) ||
    compared(one.body.session, other.body.session) ||
    one.seal.seq - other.seal.seq
  );
}

function compared(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Converts a line of a trail to a step of a replay. */
export function stepOfRecord(line: TrailLine): Step {
  if (line.kind === "unknown") return line;
  const { place } = line;
  const { body } = line.record;
  if (body.kind === "approval" || body.kind === "note") return { kind: "past", body, place };
  const wire = viewAsWire(body);
  if (typeof wire === "string") return { kind: "past", body, place, why: wire };
  return { kind: "event", wire: wire.event, session: body.session, recorded: body, place };
}
