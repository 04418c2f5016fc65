import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { locked } from "../../store/lock.ts";

let folder: string;
let lock: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hookwarden-lock-"));
  lock = join(folder, "a.lock");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("locked", () => {
  it("holds the lock while the work runs, and frees it also when the work throws", () => {
    expect(locked(lock, () => existsSync(lock))).toBe(true);
    expect(() =>
      locked(lock, () => {
        throw new Error("work failed");
      }),
    ).toThrow("work failed");
    expect(existsSync(lock)).toBe(false);
  });

  it("takes over a lock that was made but never named", () => {
    writeFileSync(lock, "");
    const old = new Date(Date.now() - 60_000);
    utimesSync(lock, old, old);
    expect(locked(lock, () => "done")).toBe("done");
  });

  it.each([
    ["a process that runs", `${process.pid} ${hostname()}\n`],
    ["another machine", "1 another-machine\n"],
  ])("gives up with the owner's name on a lock of %s", (_, owner) => {
    writeFileSync(lock, owner);
    expect(() => locked(lock, () => "done", 100)).toThrow(owner.trim());
    expect(existsSync(lock)).toBe(true);
  });

  it("throws when the lock cannot be made", () => {
    expect(() => locked(join(folder, "nowhere", "a.lock"), () => "done")).toThrow(/ENOENT/);
  });
});
