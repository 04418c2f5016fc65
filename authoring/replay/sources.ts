import { lstatSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Line } from "../../store/lines.ts";
import { ClaudeTranscript, isClaudeEntry } from "./claude-transcript.ts";
import { isOmpEntry, PiTranscript } from "./pi-transcript.ts";
import { type Fields, fieldsOf, jsonOfLine, linesOfRecords, textOf } from "./record-lines.ts";
import type { Place, Step } from "./step.ts";
import { chainsOf, isAuditRecord, mergedTrail, type NamedFile, stepOfRecord } from "./trail.ts";
import type { TranscriptOptions, TranscriptReader } from "./transcript.ts";

/** Kind of a file, by its content. */
export type SourceKind = "audit" | "events" | "pi" | "omp" | "claude-code";

/** A file that cannot be read, or holds nothing known. */
export interface SourceProblem {
  readonly file: string;
  readonly why: string;
}

/** Files to replay, by kind; including those of folders. */
export interface Sources {
  readonly files: readonly (NamedFile & { readonly kind: SourceKind })[];
  readonly problems: readonly SourceProblem[];
}

/** Reads one line of an event file, as `eval` does, and returns its steps. */
export type EventLineReader = (line: Line, place: Place) => readonly Step[];

/** Maximum depth of a search in folders: a projects folder has two levels, an audit folder one. */
const folderDepth = 8;

/** Number of entries after which a session file without a mark of omp counts as pi's. */
const tellingLines = 64;

/**
 * Returns the files at these paths, in folders `*.jsonl` and `*.jsonl.gz`; links in folders are not followed. A file without
 * any line is left out, since nothing was recorded.
 */
export function filesIn(paths: readonly string[], cwd: string): { files: NamedFile[]; problems: SourceProblem[] } {
  const files = new Map<string, NamedFile>();
  const problems: SourceProblem[] = [];
  for (const name of paths) {
    try {
      const path = resolve(cwd, name);
      if (statSync(path).isDirectory()) walk({ path, name }, 0, files);
      else files.set(path, { path, name });
    } catch (error) {
      problems.push({ file: name, why: faultText(error) });
    }
  }
  return { files: [...files.values()], problems };
}

function walk(folder: NamedFile, depth: number, files: Map<string, NamedFile>): void {
  for (const entry of readdirSync(folder.path).sort()) {
    const file = { path: join(folder.path, entry), name: join(folder.name, entry) };
    const stat = lstatSync(file.path, { throwIfNoEntry: false });
    if (stat?.isDirectory() && depth < folderDepth) walk(file, depth + 1, files);
    else if (stat?.isFile() && /\.jsonl(\.gz)?$/.test(entry)) files.set(file.path, file);
  }
}

/** Finds the files at these paths, and determines the kind of each by its content. */
export async function sourcesIn(paths: readonly string[], cwd: string): Promise<Sources> {
  const found = filesIn(paths, cwd);
  const files: (NamedFile & { kind: SourceKind })[] = [];
  const problems = [...found.problems];
  for (const file of found.files) {
    try {
      const kind = await kindOf(file.path);
      if (kind === "unknown")
        problems.push({ file: file.name, why: "it holds no audit records, events or transcript that is known" });
      else if (kind !== "empty") files.push({ ...file, kind });
    } catch (error) {
      problems.push({ file: file.name, why: faultText(error) });
    }
  }
  return { files, problems };
}

/** Returns the kind of a file, by its first telling line. */
async function kindOf(path: string): Promise<SourceKind | "unknown" | "empty"> {
  let session = false;
  let lines = 0;
  for await (const line of linesOfRecords(path)) {
    const json = jsonOfLine(line);
    if (json === undefined) continue;
    lines++;
    const entry = "value" in json ? fieldsOf(json.value) : undefined;
    const kind = entry && kindOfEntry(entry);
    if (kind === "session") session = true;
    else if (kind !== undefined) return kind;
    if (lines >= tellingLines) break;
  }
  return session ? "pi" : lines === 0 ? "empty" : "unknown";
}

function kindOfEntry(entry: Fields): SourceKind | "session" | undefined {
  if (isAuditRecord(entry)) return "audit";
  if (isOmpEntry(entry)) return "omp";
  if (entry["type"] === "session" && textOf(entry, "cwd") !== undefined) return "session";
  if (isClaudeEntry(entry)) return "claude-code";
  return textOf(entry, "event") === undefined ? undefined : "events";
}

/**
 * Yields all steps of the sources: audit trails first and as one, in the order in which they were written. Then comes every
 * other file by itself, in the order given. Throws errors of reading.
 */
export async function* stepsOf(
  files: Sources["files"],
  readEvents: EventLineReader,
  options: TranscriptOptions = {},
): AsyncGenerator<Step> {
  const audit = files.filter(({ kind }) => kind === "audit");
  for await (const line of mergedTrail(chainsOf(audit))) yield stepOfRecord(line);
  for (const file of files) {
    if (file.kind === "events") yield* eventSteps(file, readEvents);
    else if (file.kind === "claude-code") yield* transcriptSteps(file, new ClaudeTranscript(options));
    else if (file.kind !== "audit") yield* transcriptSteps(file, new PiTranscript(file.kind, options));
  }
}

async function* eventSteps({ path, name }: NamedFile, read: EventLineReader): AsyncGenerator<Step> {
  for await (const line of linesOfRecords(path)) yield* read(line, { file: name, line: line.number });
}

async function* transcriptSteps({ path, name }: NamedFile, reader: TranscriptReader): AsyncGenerator<Step> {
  for await (const line of linesOfRecords(path)) {
    const place: Place = { file: name, line: line.number };
    const json = jsonOfLine(line);
    if (json === undefined) continue;
    const entry = "value" in json ? fieldsOf(json.value) : undefined;
    if (entry) yield* reader.read(entry, place);
    else yield { kind: "unknown", why: "why" in json ? json.why : "the line is no JSON object", place };
  }
}

/** Returns why a file could not be read, for people. */
export function faultText(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOENT") return "it does not exist";
  if (code === "EACCES" || code === "EPERM") return "permission denied";
  return error instanceof Error ? error.message : String(error);
}
