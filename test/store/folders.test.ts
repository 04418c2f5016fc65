import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeFolder } from "../../store/folders.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "hookwarden-folders-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("a folder that is made", () => {
  it("comes with those above it, in the mode that was asked for", () => {
    makeFolder(join(root, "a", "b", "c"), 0o700);
    for (const path of ["a", "a/b", "a/b/c"]) expect(statSync(join(root, path)).mode & 0o777).toBe(0o700);
    makeFolder(join(root, "a", "b", "c"), 0o755);
    expect(statSync(join(root, "a/b/c")).mode & 0o777).toBe(0o700);
  });

  it.each([
    ["below a file", () => writeFileSync(join(root, "a"), ""), /ENOTDIR|EEXIST/],
    ["below a link that leads nowhere", () => symlinkSync(join(root, "none"), join(root, "a")), /EEXIST|ENOENT/],
    ["below a link to itself", () => symlinkSync(join(root, "a"), join(root, "a")), /ELOOP|EEXIST/],
    ["under a name that is too long", () => {}, /ENAMETOOLONG/, "x".repeat(5_000)],
  ])("throws %s, and makes nothing", (_name, prepare, fault, name = "b") => {
    prepare();
    const before = readdirSync(root);
    expect(() => makeFolder(join(root, "a", name, "c"))).toThrow(fault);
    expect(readdirSync(root).filter((each) => each !== "a")).toEqual(before.filter((each) => each !== "a"));
  });

  it("throws where a file system says that a folder which is there is missing", () => {
    // Only Linux has one that every user can reach.
    if (!existsSync("/proc/self")) return;
    for (const path of ["/proc/a/b/c", "/proc/self/a/b"])
      expect(() => makeFolder(path, 0o700)).toThrow(/ENOENT|EPERM|EACCES/);
    symlinkSync("/proc", join(root, "link"));
    expect(() => makeFolder(join(root, "link", "state", "hookwarden"))).toThrow(/ENOENT|EPERM|EACCES/);
  });
});

describe("the product", () => {
  it("makes folders by this function alone: Node's own recursive form may never return", () => {
    const rooms = ["adapters", "authoring", "cli", "compiler", "engine", "facts", "rules", "store"];
    const found = rooms.flatMap((room) =>
      readdirSync(join(import.meta.dirname, "../..", room), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts"))
        .filter((name) =>
          /\bmkdir(Sync)?\([^;]*recursive/.test(readFileSync(join(import.meta.dirname, "../..", room, name), "utf8")),
        ),
    );
    expect(found).toEqual([]);
  });
});
