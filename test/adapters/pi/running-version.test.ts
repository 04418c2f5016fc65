import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runningPiVersion } from "../../../adapters/pi/running-version.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hookwarden-running-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function written(path: string, text: string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const manifest = (name: string, version: unknown = "1.5.2"): string => JSON.stringify({ name, version });

describe("the version of the pi that is running", () => {
  it.each(["@mariozechner/pi-coding-agent", "@earendil-works/pi-coding-agent"])("is that of %s", (name) => {
    written("pi/package.json", manifest(name));
    expect(runningPiVersion(written("pi/dist/bundle/cli.js", ""))).toBe("1.5.2");
  });

  it("is found behind the link in a folder of programs", () => {
    written("lib/pi/package.json", manifest("@earendil-works/pi-coding-agent"));
    written("bin/x", "");
    const link = join(folder, "bin/pi");
    symlinkSync(written("lib/pi/dist/cli.js", ""), link);
    expect(runningPiVersion(link)).toBe("1.5.2");
  });

  it("is found above a manifest of another package", () => {
    written("pi/package.json", manifest("@earendil-works/pi-coding-agent"));
    written("pi/dist/package.json", JSON.stringify({ type: "module" }));
    expect(runningPiVersion(written("pi/dist/cli.js", ""))).toBe("1.5.2");
  });

  it.each([
    ["of a program that embeds pi", manifest("my-agent")],
    ["of a manifest that is half written", '{ "name": "@earendil-works/pi'],
    ["that is no text", manifest("@earendil-works/pi-coding-agent", 1)],
  ])("is not told %s", (_, text) => {
    written("package.json", text);
    expect(runningPiVersion(written("dist/cli.js", ""))).toBeUndefined();
  });

  it.each([undefined, "/nonexistent/pi"])("is not told without a program (%s)", (program) => {
    expect(runningPiVersion(program)).toBeUndefined();
  });
});
