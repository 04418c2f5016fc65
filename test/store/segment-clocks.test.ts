import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AuditBody, AuditRecord } from "../../schema/generated.ts";
import { openSegments, recordsOfSession, type SegmentOptions } from "../../store/segments.ts";
import { body } from "../engine/session/bodies.ts";
import { brokenDisk } from "./broken-disk.ts";

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "hookwarden-clocks-")), "audit");
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

const relaxed: SegmentOptions = { durability: "relaxed" };
const event = (id: string): AuditBody => body({}, { id, session: "s" });
const records = (): AuditRecord[] => [...recordsOfSession(folder, "s")].map(({ record }) => record);
/** What stands in the trail: ids of events, and names of the trail's own notes. */
const told = () => records().map((one) => one.body.id || one.body.event);
const observed = (name: string) =>
  records()
    .filter(({ body: one }) => one.event === name)
    .map(({ body: one }) => one.observations[name]);

describe("durability", () => {
  it.each([
    ["strict", [1, 2, 3]],
    ["group", [0, 0, 0]],
    ["relaxed", [0, 0, 0]],
  ] as const)("of %s: the disk has been asked to sync when `append` returns, so many times", (durability, times) => {
    const disk = brokenDisk();
    const trail = openSegments(folder, "s", { durability, disk });
    for (const count of times) {
      trail.append(event("a"), 0);
      expect(disk.syncs).toBe(count);
    }
    trail.close();
    expect(disk.syncs).toBe(durability === "relaxed" ? 0 : Math.max(1, times[2]));
  });

  it("of `group` syncs all records of some milliseconds at once", async () => {
    const disk = brokenDisk();
    const trail = openSegments(folder, "s", { durability: "group", disk });
    for (let i = 0; i < 10; i++) trail.append(event("a"), 0);
    await expect.poll(() => disk.syncs).toBe(1);
    trail.close();
    expect(disk.syncs).toBe(1);
  });
});

describe("clocks", () => {
  const at = (seconds: number) => Date.UTC(2026, 0, 1) + seconds * 1_000;
  /** Appends at these moments of the wall clock and the monotonic one, in seconds. */
  function append(moments: readonly (readonly [number, number])[]): void {
    const now = { wall: 0, mono: 0 };
    const trail = openSegments(folder, "s", {
      ...relaxed,
      clock: { now: () => at(now.wall) },
      monotonic: { now: () => now.mono * 1_000 },
    });
    for (const [wall, mono] of moments) {
      now.wall = wall;
      now.mono = mono;
      trail.append(event(`${wall}`), 0);
    }
    trail.close();
  }

  it("are both in the seal", () => {
    append([[1, 5.0004]]);
    expect(records().at(-1)?.seal).toMatchObject({ written: "2026-01-01T00:00:01.000Z", mono: 5_000 });
  });

  it("that agree within some seconds are not noted", () => {
    append([
      [1, 5],
      [4, 6],
      [10, 11],
    ]);
    expect(told()).toEqual(["segment", "1", "4", "10"]);
  });

  it("that part are noted", () => {
    append([
      [1, 5],
      [100, 6],
      [99, 7],
      [100, 8],
    ]);
    expect(told()).toEqual(["segment", "1", "clock_jump", "100", "clock_jump", "99", "100"]);
    expect(observed("clock_jump")).toEqual([
      {
        before: new Date(at(1)).toISOString(),
        after: new Date(at(100)).toISOString(),
        wall_ms: 99_000,
        mono_ms: 1_000,
      },
      { before: new Date(at(100)).toISOString(), after: new Date(at(99)).toISOString(), wall_ms: -1_000 },
    ]);
  });

  it("that went back from one process to the next are noted", () => {
    append([[50, 5]]);
    append([[20, 1]]);
    append([[90, 1]]);
    expect(told()).toEqual(["segment", "50", "clock_jump", "20", "90"]);
  });
});
