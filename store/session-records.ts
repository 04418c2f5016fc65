import { closeSync, readSync } from "node:fs";
import { checkLine, firstPrev } from "../engine/chain.ts";
import type { AuditRecord } from "../schema/generated.ts";
import { limits } from "../schema/limits.ts";
import { LineSplitter } from "./lines.ts";
import { openOwn } from "./session-file.ts";

/** A record with the offset of its line. */
export interface PlacedRecord {
  readonly record: AuditRecord;
  readonly start: number;
}

/** Bytes of the longest line that is read: no record is longer than a few times its event. */
const lineBytes = limits.eventBytes * 4;

/**
 * The records of one session in order, from the one whose line begins at `start`, each checked by itself and against the
 * one before it. An unfinished last line was never acknowledged and is left out. Throws when records are altered,
 * missing or moved, and what `openOwn` throws; nothing when there is no file.
 */
export function* recordsOf(path: string, start = 0): Generator<PlacedRecord> {
  const opened = openOwn(path);
  if (!opened) return;
  try {
    if (start > opened.size) throw new Error("records are missing at the end");
    let before: { readonly seq: number; readonly hash: string } | undefined;
    if (start === 0) before = { seq: -1, hash: firstPrev };
    for (const { bytes, at } of completeLines(opened.file, start)) {
      const check = checkLine(bytes);
      if (!check.ok) throw new Error(`a record is altered: ${check.why}`);
      const { seal } = check.record;
      if (before && (seal.seq !== before.seq + 1 || seal.prev !== before.hash))
        throw new Error(`record ${seal.seq} does not follow the one before it`);
      before = seal;
      yield { record: check.record, start: at };
    }
  } finally {
    closeSync(opened.file);
  }
}

function* completeLines(file: number, start: number): Generator<{ readonly bytes: Uint8Array; readonly at: number }> {
  const splitter = new LineSplitter(lineBytes);
  const chunk = new Uint8Array(65_536);
  let at = start;
  let read = start;
  for (;;) {
    const count = readSync(file, chunk, 0, chunk.length, read);
    if (count === 0) return;
    read += count;
    for (const { bytes } of splitter.push(chunk.slice(0, count))) {
      if (!bytes) throw new Error("a line is longer than any record");
      yield { bytes, at };
      at += bytes.length + 1;
    }
  }
}
