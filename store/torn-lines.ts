import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { trailEvents } from "./trail-notes.ts";

/** Data of a record about an unfinished line: the file that it was moved to, its digest and its size in bytes. */
export interface RecoveredLine {
  readonly file: string;
  readonly digest: string;
  readonly size: number;
}

const ownName = /^\d{6,12}\.jsonl\.torn-\d{1,5}$/;
const marker = Buffer.from(`"event":"${trailEvents.recovered}"`);

/** Reads a trail's note of an unfinished line that was moved aside; undefined for any other line, so for almost all. */
export function recoveredLine(line: Uint8Array): RecoveredLine | undefined {
  if (!Buffer.from(line.buffer, line.byteOffset, line.length).includes(marker)) return undefined;
  const { body } = JSON.parse(Buffer.from(line).toString("utf8")) as {
    readonly body?: {
      readonly event?: unknown;
      readonly observations?: { readonly recovered?: Partial<RecoveredLine> };
    };
  };
  const { file, digest, size } = body?.observations?.recovered ?? {};
  if (body?.event !== trailEvents.recovered) return undefined;
  return typeof file === "string" && typeof digest === "string" && typeof size === "number"
    ? { file, digest, size }
    : undefined;
}

/** Result of checking the unfinished lines of one session. */
export interface TornLines {
  /** Lines that differ from what a record says: the path of each, and its fault. */
  readonly faults: readonly { readonly path: string; readonly why: string }[];
  /** Files that no record mentions: their content cannot be checked. */
  readonly unknown: readonly string[];
}

/**
 * Compares the unfinished lines in a session's folder with its records of them. A process that was ended between moving a line
 * and writing the record leaves a file that no record mentions.
 */
export function checkTornLines(folder: string, recovered: readonly RecoveredLine[]): TornLines {
  const there = new Set(namesIn(folder).filter((name) => ownName.test(name)));
  const faults: TornLines["faults"][number][] = [];
  for (const line of recovered) {
    const known = there.delete(line.file);
    const why = known ? differs(join(folder, line.file), line) : "it is missing, though a record speaks of it";
    if (why !== undefined) faults.push({ path: join(folder, line.file), why });
  }
  return { faults, unknown: [...there].sort().map((name) => join(folder, name)) };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function differs(path: string, { digest, size }: RecoveredLine): string | undefined {
  const changed = "it is not the unfinished line that a record speaks of";
  try {
    if (statSync(path).size !== size) return changed;
    const actual = createHash("sha256").update(readFileSync(path)).digest("hex");
    return `sha256:${actual}` === digest ? undefined : changed;
  } catch (error) {
    return `it cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}
