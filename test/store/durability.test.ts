import { mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Disk } from "../../store/chain-file.ts";
import { Syncing } from "../../store/durability.ts";

let folder = "";
let file = -1;

beforeEach(() => {
  vi.useFakeTimers();
  folder = mkdtempSync(join(tmpdir(), "hookwarden-durability-"));
  file = openSync(join(folder, "file"), "a");
  return () => rmSync(folder, { recursive: true, force: true });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A disk whose syncs in the background take until they are told to be done. */
function slowDisk(): Disk & { readonly later: ((error?: unknown) => void)[]; synced: number } {
  const disk = {
    later: [] as ((error?: unknown) => void)[],
    synced: 0,
    write: (to: number, bytes: Uint8Array, offset: number) => writeSync(to, bytes, offset),
    sync: () => {
      disk.synced += 1;
    },
    syncLater: (_file: number, done: (error: unknown) => void) => {
      disk.later.push((error) => done(error ?? null));
    },
  };
  return disk;
}

describe("Syncing, `group`", () => {
  it("never stops the process for a disk that is slow: what is written meanwhile goes when it is done", () => {
    const disk = slowDisk();
    const syncing = new Syncing(file, "group", disk);
    syncing.written();
    vi.advanceTimersByTime(5);
    expect(disk.later.length).toBe(1);
    for (let n = 0; n < 3; n++) {
      syncing.written();
      vi.advanceTimersByTime(20);
    }
    expect([disk.later.length, disk.synced]).toEqual([1, 0]);
    disk.later[0]?.();
    expect([disk.later.length, disk.synced]).toEqual([2, 0]);
    disk.later[1]?.();
    vi.advanceTimersByTime(100);
    expect(disk.later.length).toBe(2);
  });

  it("waits its time when the disk is done sooner", () => {
    const disk = slowDisk();
    const syncing = new Syncing(file, "group", disk);
    syncing.written();
    vi.advanceTimersByTime(5);
    syncing.written();
    disk.later[0]?.();
    expect(disk.later.length).toBe(1);
    vi.advanceTimersByTime(5);
    expect(disk.later.length).toBe(2);
  });

  it("says at the next look that a sync has failed, once, and goes on", () => {
    const disk = slowDisk();
    const syncing = new Syncing(file, "group", disk);
    syncing.written();
    vi.advanceTimersByTime(5);
    syncing.written();
    vi.advanceTimersByTime(5);
    disk.later[0]?.(new Error("the disk fails"));
    expect(() => syncing.check()).toThrow("the disk fails");
    expect(() => syncing.check()).not.toThrow();
    expect(disk.later.length).toBe(2);
  });

  it("at its end brings to the disk what a sync under way may not have, and begins no other", () => {
    const disk = slowDisk();
    const syncing = new Syncing(file, "group", disk);
    syncing.written();
    vi.advanceTimersByTime(5);
    syncing.written();
    vi.advanceTimersByTime(5);
    syncing.end();
    expect(disk.synced).toBe(1);
    disk.later[0]?.(new Error("too late to say"));
    vi.advanceTimersByTime(100);
    expect([disk.later.length, disk.synced]).toEqual([1, 1]);
    expect(() => syncing.check()).not.toThrow();
  });
});
