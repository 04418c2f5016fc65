import { basename, dirname, isAbsolute } from "node:path";
import { readHead } from "../regular-file.ts";
import type { PiSessionManager } from "./api.ts";

/** Origin of a session, for the frame of its events. */
export interface SessionOrigin {
  /** Id of the session that it was forked from, or that started it as a sub-agent. */
  readonly parent?: string;
  readonly agent: { readonly id: string; readonly depth: number };
}

const main: SessionOrigin = { agent: { id: "main", depth: 0 } };

/** Bytes read of a session file for its header, which is the first line, or in omp the second. */
const headerBytes = 16_384;

/** Number of lines searched for the header. */
const headerLines = 4;

/** Maximum depth of nested sub-agents that is counted. */
const deepest = 16;

/** Name of the folder in which omp keeps the files of sub-agents whose parent has no file. */
const taskFolder = /^omp-task-/;

/** Global symbol under which every guard in this process finds the session without a file. */
const unfiled = Symbol.for("hookwarden.session-without-file");

/**
 * Finds the session that this one was forked from or started by. The header names the parent of a fork. omp keeps the file of
 * a sub-agent in a folder named like its parent's file, or in a folder of its own if the parent has no file. Session files
 * belong to the host and are not part of a payload. Never throws.
 */
export function originOf(session: PiSessionManager | undefined): SessionOrigin {
  try {
    const file = session?.getSessionFile?.();
    const id = session?.getSessionId?.();
    const parent = parentOf(file, session?.getHeader?.()?.parentSession);
    if (file === undefined && id !== undefined && id !== "") Reflect.set(globalThis, unfiled, id);
    const named = parent === undefined || parent === id ? {} : { parent };
    return file !== undefined && isSubAgent(file) ? { ...named, agent: agentIn(file) } : { ...main, ...named };
  } catch {
    return main;
  }
}

function parentOf(file: string | undefined, named: string | undefined): string | undefined {
  if (file !== undefined) {
    const above = isAbsolute(file) ? idIn(aboveOf(file)) : undefined;
    if (above !== undefined) return above;
  }
  if (named !== undefined) return isAbsolute(named) ? (idIn(named) ?? idOfName(named)) : named;
  const started: unknown = file !== undefined && isTask(file) ? Reflect.get(globalThis, unfiled) : undefined;
  return typeof started === "string" ? started : undefined;
}

function isSubAgent(file: string): boolean {
  return isAbsolute(file) && (isTask(file) || idIn(aboveOf(file)) !== undefined);
}

function isTask(file: string): boolean {
  return taskFolder.test(basename(dirname(file)));
}

/** Returns `<folder>/<parent>.jsonl` for `<folder>/<parent>/<agent>.jsonl`. */
function aboveOf(file: string): string {
  return `${dirname(file)}.jsonl`;
}

function agentIn(file: string): SessionOrigin["agent"] {
  let depth = 0;
  for (let at = file; isSubAgent(at) && depth < deepest; at = aboveOf(at)) depth++;
  return { id: basename(file, ".jsonl"), depth };
}

/** Reads the id from the name `<time>_<id>.jsonl`, since a host may write the file itself later. */
function idOfName(path: string): string | undefined {
  return /_([0-9a-f-]{36})\.jsonl$/.exec(basename(path))?.[1];
}

/** Reads the id in the header of a session file. */
function idIn(path: string): string | undefined {
  for (const line of firstLines(path)) {
    try {
      const { type, id } = JSON.parse(line) as { type?: unknown; id?: unknown };
      if (type === "session" && typeof id === "string") return id;
    } catch {
      return undefined;
    }
  }
  return undefined;
}

function firstLines(path: string): string[] {
  const head = readHead(path, headerBytes);
  if (typeof head === "string" || "system" in head) return [];
  return new TextDecoder().decode(head.bytes).split("\n", headerLines);
}
