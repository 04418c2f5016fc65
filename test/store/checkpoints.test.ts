import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseCheckpoint } from "../../engine/audit/checkpoint.ts";
import { Frontier, leafHash } from "../../engine/audit/merkle.ts";
import { parseNote } from "../../engine/audit/note.ts";
import { firstPrev } from "../../engine/chain.ts";
import { loadVerifiers, makeAuditKeys, rotateAuditKeys, saveAuditSettings } from "../../store/audit-keys.ts";
import { readCheckpointLog } from "../../store/checkpoint-log.ts";
import { Checkpointer } from "../../store/checkpoints.ts";
import { linesIn } from "../audit/trail.ts";

let root: string;
let state: string;
let audit: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "hookwarden-checkpoints-"));
  state = join(root, "state");
  audit = join(state, "audit");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const log = () => join(audit, "checkpoints.jsonl");
const noteOf = (line: string) => JSON.parse(line).body.observations.note as string;
const events = () => linesIn(log()).map((line) => JSON.parse(line).body.event as string);
const read = () => readCheckpointLog(log(), "log", loadVerifiers(state).keys);

function segment(size = 1) {
  const frontier = new Frontier();
  for (let i = 0; i < size; i++) frontier.add(leafHash(Buffer.from(`${i}`)));
  return { session: "a".repeat(64), number: 1, frontier, seq: size - 1, head: firstPrev };
}

const write = (size = 1, now = 1_000, copyTo?: string) =>
  new Checkpointer(audit, state, copyTo === undefined ? {} : { copyTo }).write(segment(size), now);

describe("Checkpointer.due", () => {
  it.each([
    [0, 100_000, false],
    [1, 59_999, false],
    [1, 60_000, true],
    [255, 0, false],
    [256, 0, true],
  ])("after %i records and %i ms: %s", (records, ms, due) => {
    expect(new Checkpointer(audit, state).due(records, ms)).toBe(due);
  });
});

describe("Checkpointer.write", () => {
  it("writes nothing without a key", () => {
    expect(write()).toBeUndefined();
    expect(() => readFileSync(log())).toThrow("ENOENT");
  });

  it("writes a signed checkpoint that says its own place in the log", async () => {
    makeAuditKeys(state);
    expect(write(3)).toBeUndefined();
    expect(write(5)).toBeUndefined();
    const second = parseCheckpoint(parseNote(noteOf(linesIn(log())[1] ?? ""))?.text ?? "");
    const head = JSON.parse(linesIn(log())[0] ?? "").seal.hash;
    expect(second).toMatchObject({ size: 5, seq: 4, epoch: 1, segment: 1, log: { count: 1, head } });
    expect((await read()).report).toMatchObject({ status: "intact", records: 2 });
  });

  it("states its place rightly when the clock goes backwards, and when it leaps", async () => {
    makeAuditKeys(state);
    for (const now of [5_000_000, 1_000, 9_000_000_000]) expect(write(3, now)).toBeUndefined();
    expect(events()).toEqual(["checkpoint", "checkpoint", "checkpoint"]);
    expect((await read()).report.status).toBe("intact");
  });

  it("names every new key before the first checkpoint that it signs", async () => {
    makeAuditKeys(state);
    write(1);
    rotateAuditKeys(state, 0);
    rotateAuditKeys(state, 0);
    write(2);
    expect(events()).toEqual(["checkpoint", "rotation", "rotation", "checkpoint"]);
    expect(await read()).toMatchObject({ epoch: 3, unsigned: 0, report: { status: "intact" } });
  });

  it("does not write with an older key than the log has", () => {
    makeAuditKeys(state);
    const old = readFileSync(join(state, "keys", "audit-1.key"));
    rotateAuditKeys(state, 0);
    write(1);
    rmSync(join(state, "keys", "audit-2.key"));
    writeFileSync(join(state, "keys", "audit-1.key"), old, { mode: 0o600 });
    expect(write(2)).toContain("newer key");
  });

  it("says why it could not write, and never throws", () => {
    makeAuditKeys(state);
    mkdirSync(log(), { recursive: true });
    expect(write()).toMatch(/./);
  });
});

describe("a log that is signed by the wrong key", () => {
  it("is refused: a record of epoch 1 with a signature of epoch 2", async () => {
    makeAuditKeys(state);
    write(1);
    const { keys } = loadVerifiers(state);
    rotateAuditKeys(state, 0);
    const later = loadVerifiers(state).keys.get(2);
    const swapped = new Map([...keys, ...(later ? [[1, later] as const] : [])]);
    const found = await readCheckpointLog(log(), "log", swapped);
    expect(found.report).toMatchObject({ status: "altered", line: 1 });
  });
});

describe("the second file", () => {
  const copy = () => join(root, "copy.jsonl");
  const same = () => expect(readFileSync(copy(), "utf8")).toBe(readFileSync(log(), "utf8"));

  it("gets every record of the log", () => {
    makeAuditKeys(state);
    for (const size of [1, 2, 3]) expect(write(size, 1_000, copy())).toBeUndefined();
    same();
  });

  it("gets what it missed, once it can be written again; meanwhile the log says so", () => {
    makeAuditKeys(state);
    write(1);
    mkdirSync(copy());
    expect(write(2, 1_000, copy())).toContain("could not be copied");
    rmSync(copy(), { recursive: true });
    expect(write(3, 1_000, copy())).toBeUndefined();
    expect(events()).toEqual(["checkpoint", "checkpoint", "copy_failed", "checkpoint"]);
    same();
  });

  it("goes on after a line that was not finished", () => {
    makeAuditKeys(state);
    write(1, 1_000, copy());
    appendFileSync(copy(), '{"body":');
    write(2, 1_000, copy());
    same();
  });

  it("is not written when it has more than the log: the log was rolled back", () => {
    makeAuditKeys(state);
    write(1, 1_000, copy());
    write(2, 1_000, copy());
    rmSync(log());
    expect(write(3, 1_000, copy())).toContain("that the log does not have");
  });

  it("is the one of the settings when none is given", () => {
    makeAuditKeys(state);
    saveAuditSettings(state, { copy_to: copy() });
    write(1);
    same();
  });
});
