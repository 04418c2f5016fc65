import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseVerifierKey } from "../../engine/audit/note.ts";
import { firstPrev } from "../../engine/chain.ts";
import { verifyAudit } from "../../store/audit-verify.ts";
import { readCheckpointLog, segmentKey } from "../../store/checkpoint-log.ts";
import { checkSegment } from "../../store/segment-check.ts";
import { type Place, Places, segmentOf } from "./places.ts";

const places = new Places();
const timeout = 300_000;

function keysOf({ key }: Place) {
  const known = parseVerifierKey(key);
  return new Map(known ? [[1, known]] : []);
}

const log = ({ audit }: Place) => join(audit, "checkpoints.jsonl");

/** Flips the bits of a file one after the other, each by itself; gives those that `check` calls intact. */
async function unseenFlips(
  path: string,
  bitsOf: (at: number) => readonly number[],
  check: () => Promise<string>,
): Promise<string[]> {
  const bytes = readFileSync(path);
  const unseen: string[] = [];
  const file = openSync(path, "r+");
  try {
    for (let at = 0; at < bytes.length; at++) {
      for (const bit of bitsOf(at)) {
        writeSync(file, Uint8Array.of((bytes[at] as number) ^ (1 << bit)), 0, 1, at);
        if ((await check()) === "intact") unseen.push(`${at}/${bit}`);
      }
      writeSync(file, bytes.subarray(at, at + 1), 0, 1, at);
    }
  } finally {
    closeSync(file);
  }
  return unseen;
}

const allBits = () => [0, 1, 2, 3, 4, 5, 6, 7];
const oneBit = (at: number) => [at % 8];

describe("every flip of every bit is seen", () => {
  it(
    "of a segment",
    async () => {
      const place = places.makeSmall();
      const path = segmentOf(place, "two");
      const session = basename(dirname(path));
      const { bySegment } = await readCheckpointLog(log(place), "log", keysOf(place));
      const checkpoints = bySegment.get(segmentKey(session, 1)) ?? [];
      const after = { seq: -1, hash: firstPrev };
      const segment = { path, file: "segment", session, number: 1, after, checkpoints };
      expect((await checkSegment(segment)).report.status).toBe("intact");
      const flips = await unseenFlips(path, allBits, async () => (await checkSegment(segment)).report.status);
      expect(flips).toEqual([]);
    },
    timeout,
  );

  it.each<[string, (place: Place) => string]>([
    ["of the log of checkpoints", log],
    ["of the copy of the checkpoints", (place) => place.copy],
  ])(
    "%s",
    async (_name, file) => {
      const place = places.makeSmall();
      const path = file(place);
      const status = async () => (await readCheckpointLog(path, "log", keysOf(place))).report.status;
      expect(await status()).toBe("intact");
      expect(await unseenFlips(path, allBits, status)).toEqual([]);
    },
    timeout,
  );
});

describe("a flip in every byte is seen by the check of the whole folder", () => {
  it.each<[string, (place: Place) => string]>([
    ["of a segment", (place) => segmentOf(place, "two")],
    ["of the log of checkpoints", log],
    ["of the copy of the checkpoints", (place) => place.copy],
  ])(
    "%s",
    async (_name, file) => {
      const place = places.makeSmall();
      const options = { keys: keysOf(place), copy: place.copy };
      const status = async () => (await verifyAudit(place.audit, "/", options)).status;
      expect(await status()).toBe("intact");
      expect(await unseenFlips(file(place), oneBit, status)).toEqual([]);
    },
    timeout,
  );
});
