import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { locked } from "../../store/lock.ts";
import { execFileSync } from "../bounded-process.ts";

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

  it.each([
    ["garbage", () => writeFileSync(lock, "garbage\n"), ""],
    ["a number without a machine", () => writeFileSync(lock, `${gone()}\n`), ""],
    ["a name without its line break", () => writeFileSync(lock, `${gone()} ${hostname()}`), ""],
    ["bytes that are no text", () => writeFileSync(lock, Buffer.from([0, 255, 1])), ""],
    ["a folder", () => mkdirSync(lock), ""],
    ["a take-over that is garbage", () => writeFileSync(lock, `${gone()} ${hostname()}\n`), ".break"],
  ])("waits for nobody where %s stands in its place, and names the file", (_, make, ending) => {
    make();
    if (ending !== "") writeFileSync(`${lock}${ending}`, "garbage\n");
    const old = new Date(Date.now() - 60_000);
    for (const path of [lock, `${lock}${ending}`]) utimesSync(path, old, old);
    // Somebody who waited would not be back before the test is given up.
    expect(() => locked(lock, () => "done", 3_600_000)).toThrow(
      `\`${lock}${ending}\` is no lock that hookwarden wrote, so nobody gives it back: a human can remove this one file`,
    );
    expect(existsSync(lock)).toBe(true);
  });

  const gone = (): string => execFileSync(process.execPath, ["-p", "process.pid"], { encoding: "utf8" }).trim();

  it("takes over a lock and the unfinished take-over of another process, both gone", () => {
    writeFileSync(lock, `${gone()} ${hostname()}\n`);
    writeFileSync(`${lock}.break`, `${gone()} ${hostname()}\n`);
    expect(locked(lock, () => "done", 2_000)).toBe("done");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("takes over the lock of a process whose number another one has now, where the system tells", () => {
    let owner = "";
    locked(lock, () => {
      owner = readFileSync(lock, "utf8");
    });
    const [pid, host, started, space] = owner.trim().split(" ");
    // Elsewhere the lock says `-`, and only a process that is gone can be told.
    if (started === "-") return;
    expect(Number(started)).toBeGreaterThan(0);
    writeFileSync(lock, `${pid} ${host} ${Number(started) - 1} ${space}\n`);
    expect(locked(lock, () => "done", 100)).toBe("done");
    writeFileSync(lock, `${gone()} ${host} ${started} pid:[1]\n`);
    expect(() => locked(lock, () => "done", 100)).toThrow(/held by another process/);
  });

  it("does not free a lock that somebody else has by then", () => {
    locked(lock, () => writeFileSync(lock, "1 another-machine\n"));
    expect(readFileSync(lock, "utf8")).toBe("1 another-machine\n");
  });

  it("never looks through a link", () => {
    writeFileSync(join(folder, "target"), `${gone()} ${hostname()}\n`);
    symlinkSync(join(folder, "target"), lock);
    expect(() => locked(lock, () => "done", 50)).toThrow(
      /is no lock that hookwarden wrote, so nobody gives it back: a human can remove this one file/,
    );
    expect(existsSync(join(folder, "target"))).toBe(true);
  });

  it("throws when the lock cannot be made", () => {
    expect(() => locked(join(folder, "nowhere", "a.lock"), () => "done")).toThrow(/ENOENT/);
  });
});
