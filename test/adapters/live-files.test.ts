import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { liveFiles } from "../../adapters/live-files.ts";

const folder = mkdtempSync(join(tmpdir(), "hookwarden-files-"));
const at = (name: string) => join(folder, name);
mkdirSync(at("sub"));
writeFileSync(at("file"), "text\n");
writeFileSync(at("latin"), Uint8Array.of(0xe9, 0x0a));
writeFileSync(at("marked"), "\ufefftext");
symlinkSync("../elsewhere", at("link"));
symlinkSync(at("loop"), at("loop"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the live file system", () => {
  it.each([
    ["sub", { kind: "directory" }],
    ["file", { kind: "file" }],
    ["gone", { kind: "absent" }],
    ["file/below", { kind: "absent" }],
    ["link", { kind: "symlink", target: "../elsewhere" }],
    ["nul\0byte", { kind: "absent" }],
  ])("looks up `%s` without following it", (name, expected) => {
    expect(liveFiles.lookup(at(name))).toEqual(expected);
  });

  it("knows devices for something else", () => {
    expect(liveFiles.lookup("/dev/null")).toEqual({ kind: "other" });
  });

  it("takes what cannot be looked at for something that is there", () => {
    expect(liveFiles.lookup(at("loop/below"))).toEqual({ kind: "other" });
  });

  it.each([
    ["file", "text\n"],
    ["marked", "\ufefftext"],
    ["latin", undefined],
    ["gone", undefined],
    ["sub", undefined],
    ["nul\0byte", undefined],
  ])("reads text of `%s`", (name, expected) => {
    expect(liveFiles.readText(at(name), 100)).toBe(expected);
  });

  it("reads nothing over the bound, and nothing of a device", () => {
    expect(liveFiles.readText(at("file"), 5)).toBe("text\n");
    expect(liveFiles.readText(at("file"), 4)).toBeUndefined();
    expect(liveFiles.readText("/dev/zero", 4)).toBeUndefined();
  });
});
