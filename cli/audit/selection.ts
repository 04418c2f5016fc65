import { join } from "node:path";
import { faultText, filesIn, type SourceProblem } from "../../authoring/replay/sources.ts";
import { chainsOf, mergedTrail, type TrailLine } from "../../authoring/replay/trail.ts";
import type { AuditRecord } from "../../schema/generated.ts";
import { canonicalTool } from "../../schema/tools.ts";
import { stateFolder } from "../../store/state-folder.ts";
import type { Io } from "../io.ts";

/** Selection of records for `audit show` and `audit export`; all given options must match. */
export interface SelectionOptions {
  /** `policy/rule` or the rule's own id: a rule that answered, took part, or would have. */
  readonly rule?: string;
  readonly outcome?: "allow" | "ask" | "block";
  /** Id of a session, or its beginning. */
  readonly session?: string;
  /** Earliest time at which records were written. */
  readonly since?: string;
  /** Time before which records were written. */
  readonly until?: string;
  /** A tool by its canonical name or a host's. */
  readonly tool?: string;
}

/** True if a record is selected. */
export type Selection = (record: AuditRecord) => boolean;

/** Returns the selection of the options, or the fault in them. `now` is milliseconds since the epoch. */
export function selectionOf(options: SelectionOptions, now: number): Selection | { readonly wrong: string } {
  const since = momentOf(options.since, now);
  const until = momentOf(options.until, now);
  for (const [name, value] of [
    ["since", since],
    ["until", until],
  ] as const)
    if (Number.isNaN(value)) return { wrong: `\`--${name} ${options[name]}\` is no time` };
  const tool = options.tool === undefined ? undefined : canonicalTool(options.tool);
  return ({ body, seal }) => {
    if (options.outcome !== undefined && (body.outcome !== options.outcome || isAside(body.kind))) return false;
    if (options.session !== undefined && !body.session.startsWith(options.session)) return false;
    if (tool !== undefined && body.tool !== tool) return false;
    if (options.rule !== undefined && !rulesOf(body).some((id) => names(id, options.rule as string))) return false;
    const written = Date.parse(seal.written);
    return (since === undefined || written >= since) && (until === undefined || written < until);
  };
}

/** True for a human's answer or a note: no decision. */
function isAside(kind: AuditRecord["body"]["kind"]): boolean {
  return kind === "approval" || kind === "note";
}

function rulesOf({ rule, matched, would }: AuditRecord["body"]): readonly string[] {
  return [...(rule === undefined ? [] : [rule]), ...matched.map((m) => m.rule), ...would.map((m) => m.rule)];
}

function names(id: string, given: string): boolean {
  return id === given || id.endsWith(`/${given}`);
}

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses a date, a time with a zone, or an age (`30m`, `2h`, `7d`), in milliseconds; NaN for anything else. */
function momentOf(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const ago = /^(\d{1,6})([smhd])$/.exec(text);
  if (ago) return now - Number(ago[1]) * (units[ago[2] as string] as number);
  return /^\d{4}-\d{2}-\d{2}([Tt]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?([Zz]|[+-]\d{2}:\d{2}))?$/.test(text)
    ? Date.parse(text.toUpperCase())
    : Number.NaN;
}

/** Returns the default place of trails: where this user's hosts write them. */
export function usualTrails(io: Pick<Io, "env" | "home">): string {
  return join(stateFolder(io.env, io.home), "audit");
}

/** Faults and counts of reading trails. */
export interface TrailFaults {
  readonly problems: SourceProblem[];
  /** Lines that are no records; the first few with their places. */
  unknown: { count: number; readonly examples: string[] };
  /** Number of records read, selected or not. */
  read: number;
}

/** Returns the initial value, without faults. */
export function noFaults(): TrailFaults {
  return { problems: [], unknown: { count: 0, examples: [] }, read: 0 };
}

const mostExamples = 3;

/**
 * Yields the selected records of the trails at these paths, merged by time. Unreadable parts go into `faults`, and the rest
 * is read.
 */
export async function* selectedRecords(
  paths: readonly string[],
  selection: Selection,
  cwd: string,
  faults: TrailFaults,
): AsyncGenerator<AuditRecord> {
  const { files, problems } = filesIn(paths, cwd);
  faults.problems.push(...problems);
  try {
    for await (const line of mergedTrail(chainsOf(files))) {
      if (line.kind === "unknown") note(line, faults);
      else {
        faults.read++;
        if (selection(line.record)) yield line.record;
      }
    }
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    faults.problems.push({ file: paths.join(", "), why: faultText(error) });
  }
}

function note({ place, why }: TrailLine & { readonly kind: "unknown" }, { unknown }: TrailFaults): void {
  unknown.count++;
  if (unknown.examples.length < mostExamples) unknown.examples.push(`${place.file}:${place.line}: ${why}`);
}
