import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseCheckpoint } from "../../engine/audit/checkpoint.ts";
import { Frontier, leafHash } from "../../engine/audit/merkle.ts";
import type { Plan } from "../../engine/plan.ts";
import type { AuditRecord } from "../../schema/generated.ts";
import { makeAuditKeys } from "../../store/audit-keys.ts";
import { verifyAudit } from "../../store/audit-verify.ts";
import { Checkpointer } from "../../store/checkpoints.ts";
import { openLiveSession } from "../../store/live-session.ts";
import { retireSessions } from "../../store/retention.ts";
import { linesOfSession, openSegments, sessionFiles } from "../../store/segments.ts";
import { type SessionStoreOptions, withSession } from "../../store/session-store.ts";
import { body } from "../engine/session/bodies.ts";

let state: string;
let folder: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "hookwarden-checkpointed-"));
  folder = join(state, "audit");
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

const start = Date.UTC(2026, 5, 1);
let now = start;
const clock = { now: () => now };
const plan = { digest: "d", policies: [], rules: [] } as unknown as Plan;
const usual = (more: Partial<SessionStoreOptions> = {}): SessionStoreOptions => ({
  plan,
  key: "k",
  durability: "relaxed",
  clock,
  ...more,
});

/** Records this many events of `s`, each as a process of its own would, a millisecond apart. */
function oneShots(count: number, more: Partial<SessionStoreOptions> = {}): void {
  for (let i = 0; i < count; i++) {
    now += 1;
    withSession(
      folder,
      "s",
      ({ state: session, store }) => {
        const one = body({}, { session: "s" });
        store.append(one, 0);
        session.fold(one);
      },
      usual(more),
    );
  }
}

interface Written {
  readonly segment: number;
  readonly size: number;
  readonly root: string;
  readonly seq: number;
}

/** Checkpoints so far, checked against the lines they cover. */
function checkpoints(): Written[] {
  const path = join(folder, "checkpoints.jsonl");
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").trim().split("\n");
  return lines.map((line) => {
    const { note } = (JSON.parse(line) as AuditRecord).body.observations as { note: string };
    const found = parseCheckpoint(note.slice(0, note.indexOf("\n\n") + 1));
    if (!found) throw new Error("no checkpoint");
    const root = Buffer.from(found.root).toString("base64");
    expect(root).toBe(rootOf(found.segment, found.size));
    return { segment: found.segment, size: found.size, root, seq: found.seq };
  });
}

function rootOf(segment: number, size: number): string {
  const tree = new Frontier();
  for (const { segment: of, bytes } of linesOfSession(folder, "s"))
    if (of.number === segment && tree.size < size) tree.add(leafHash(bytes as Uint8Array));
  return Buffer.from(tree.root()).toString("base64");
}

describe("checkpoints of a session", () => {
  it("are not written without a key", () => {
    oneShots(3);
    now += 100_000;
    oneShots(3);
    expect(checkpoints()).toEqual([]);
  });

  it("are written 60 seconds after the last one, by whatever process records next", () => {
    makeAuditKeys(state);
    oneShots(3);
    expect(checkpoints()).toEqual([]);
    now += 60_000;
    oneShots(3);
    now += 60_000;
    oneShots(1);
    expect(checkpoints().map(({ size, seq }) => [size, seq])).toEqual([
      [5, 4],
      [8, 7],
    ]);
  });

  it("hold the whole segment where the snapshot with the tree is gone or of another plan", () => {
    makeAuditKeys(state);
    oneShots(2);
    rmSync(sessionFiles(folder, "s").snapshot);
    oneShots(2);
    now += 60_000;
    oneShots(1, { plan: { ...plan, digest: "other" } });
    expect(checkpoints().map(({ size }) => size)).toEqual([6]);
  });

  it("are written every 256 records, at rotation and at the end by a process that runs for long", () => {
    makeAuditKeys(state);
    const made = openLiveSession(folder, "s", usual());
    if (!made.ok) throw new Error(made.error.message);
    for (let i = 0; i < 300; i++) made.value.store.append(body({}, { session: "s" }), 0);
    expect(checkpoints().map(({ size }) => size)).toEqual([256]);
    made.value.close();
    expect(checkpoints().map(({ size }) => size)).toEqual([256, 301]);
  });

  it("are written when a segment is full, and begin anew with the next", () => {
    makeAuditKeys(state);
    oneShots(8, { segmentBytes: 1_500 });
    expect(checkpoints().map(({ segment, size }) => [segment, size])).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
  });

  it("cover a segment that another process began, of which the tree was not kept", () => {
    makeAuditKeys(state);
    for (let i = 0; i < 3; i++) {
      const checkpointer = new Checkpointer(folder, state, { every: 3 });
      const trail = openSegments(folder, "s", { durability: "relaxed", clock, checkpointer });
      for (let k = 0; k < 3; k++) trail.append(body({}, { session: "s" }), 0);
      trail.close();
    }
    expect(checkpoints().map(({ size }) => size)).toEqual([3, 4, 7, 10]);
  });

  it("never stand in the way of a record", () => {
    makeAuditKeys(state);
    oneShots(1);
    writeFileSync(join(folder, "checkpoints.jsonl"), "no record\n");
    now += 60_000;
    oneShots(2);
    expect([...linesOfSession(folder, "s")]).toHaveLength(4);
  });

  it("are what `audit verify` finds intact, also after a retirement, and altered after a rollback", async () => {
    makeAuditKeys(state);
    oneShots(4);
    now += 60_000;
    oneShots(4, { segmentBytes: 2_000 });
    const verdict = async () => (await verifyAudit(folder, "/", {})).status;
    expect(await verdict()).toBe("intact");
    const before = [...linesOfSession(folder, "s")];
    const file = before[0]?.segment.path ?? "";
    const text = readFileSync(file, "utf8");
    writeFileSync(file, `${text.split("\n").slice(0, 2).join("\n")}\n`);
    expect(await verdict()).toBe("altered");
    writeFileSync(file, text);
    const checkpointer = new Checkpointer(folder, state);
    expect(retireSessions(folder, { now: now + 401 * 86_400_000, checkpointer }).retired).toHaveLength(1);
    expect(await verdict()).toBe("intact");
  });
});
