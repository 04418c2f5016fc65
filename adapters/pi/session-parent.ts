import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { basename, dirname, isAbsolute } from "node:path";
import type { PiSessionManager } from "./api.ts";

/** Where a session comes from, as the frame of its events says it. */
export interface SessionOrigin {
  /** Id of the session that it was forked from, or that started it as a sub-agent. */
  readonly parent?: string;
  readonly agent: { readonly id: string; readonly depth: number };
}

const main: SessionOrigin = { agent: { id: "main", depth: 0 } };

/** Bytes of a session file that are read for its header, which is the first line. */
const headerBytes = 16_384;

/** Sub-agents below sub-agents that are followed. */
const deepest = 16;

/**
 * What a session was forked from, or which session started it: the header names the parent of a fork, and omp keeps the
 * file of a sub-agent in a folder named like its parent's. Session files are the host's own, no payload. Never throws.
 */
export function originOf(session: PiSessionManager | undefined): SessionOrigin {
  try {
    const file = session?.getSessionFile?.();
    const above = file === undefined ? undefined : parentFile(file);
    if (file !== undefined && above !== undefined) {
      const parent = idIn(above);
      return { ...(parent && { parent }), agent: { id: basename(file, ".jsonl"), depth: depthOf(file) } };
    }
    const named = session?.getHeader?.()?.parentSession;
    const parent = named === undefined ? undefined : isAbsolute(named) ? idIn(named) : named;
    return parent === undefined || parent === session?.getSessionId?.() ? main : { ...main, parent };
  } catch {
    return main;
  }
}

/** `<folder>/<parent>.jsonl` for `<folder>/<parent>/<agent>.jsonl`, if it is there. */
function parentFile(file: string): string | undefined {
  const above = `${dirname(file)}.jsonl`;
  return isAbsolute(file) && idIn(above) !== undefined ? above : undefined;
}

function depthOf(file: string): number {
  let depth = 0;
  for (let at = parentFile(file); at !== undefined && depth < deepest; at = parentFile(at)) depth++;
  return depth;
}

/** The id in the header of a session file. */
function idIn(path: string): string | undefined {
  const header = firstLine(path);
  if (header === undefined) return undefined;
  try {
    const { type, id } = JSON.parse(header) as { type?: unknown; id?: unknown };
    return type === "session" && typeof id === "string" ? id : undefined;
  } catch {
    return undefined;
  }
}

function firstLine(path: string): string | undefined {
  let handle: number | undefined;
  try {
    handle = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    if (!fstatSync(handle).isFile()) return undefined;
    const buffer = Buffer.alloc(headerBytes);
    const text = buffer.subarray(0, readSync(handle, buffer, 0, headerBytes, 0)).toString("utf8");
    return text.split("\n", 1)[0];
  } catch {
    return undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
