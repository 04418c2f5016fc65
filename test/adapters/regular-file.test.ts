import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { liveFiles } from "../../adapters/live-files.ts";
import { locateProgram } from "../../adapters/program-file.ts";
import { readRegularFile } from "../../adapters/regular-file.ts";
import { liveSecretValues } from "../../adapters/secret-values.ts";
import { EvaluationError } from "../../schema/ports.ts";
import { execFileSync } from "../bounded-process.ts";

/** Whatever stands at a path that somebody else chose: every reader of ours answers at once, and a file alone is read. */

const folder = mkdtempSync(join(tmpdir(), "hookwarden-odd-"));
const at = (name: string): string => join(folder, name);
let server: Server;

beforeAll(async () => {
  execFileSync("mkfifo", [at("pipe")]);
  mkdirSync(at("folder"));
  writeFileSync(at("file"), "text\n", { mode: 0o600 });
  writeFileSync(at("holes"), "", { mode: 0o600 });
  truncateSync(at("holes"), 2 ** 40);
  symlinkSync("/dev/zero", at("zero"));
  symlinkSync(at("pipe"), at("to pipe"));
  symlinkSync("/proc/self/status", at("status"));
  symlinkSync("/proc/self/mem", at("memory"));
  symlinkSync(at("loop"), at("loop"));
  server = createServer();
  await new Promise<void>((done) => server.listen(at("socket"), done));
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const linux = process.platform === "linux";
const odd: readonly (readonly [name: string, why: unknown])[] = [
  ["pipe", "no file"],
  ["to pipe", "no file"],
  ["folder", "no file"],
  ["zero", "no file"],
  ["socket", "no file"],
  ["holes", "too large"],
  ["gone", "absent"],
  ["loop", { system: "ELOOP" }],
  ["file/below", { system: "ENOTDIR" }],
  ...(linux ? ([["status", "too large"]] as const) : []),
];

describe("what is no usual file", () => {
  it.each(odd)("is not read: %s", (name, why) => {
    expect(readRegularFile(at(name), 1_000)).toEqual(why);
    expect(liveFiles.readText(at(name), 1_000)).toBeUndefined();
    expect(liveSecretValues({})({ env: [], file: at(name) })).toBeInstanceOf(EvaluationError);
  });

  it("is not read: the memory of a process", () => {
    expect(liveFiles.readText(at("memory"), 1_000)).toBeUndefined();
  });

  it.each(odd)("is no program: %s", async (name) => {
    const digest = `sha256:${"0".repeat(64)}`;
    expect(await locateProgram(at(name), { workspaces: [folder], path: "", digest })).toHaveProperty("refused");
  });

  it("is not opened: who writes to a pipe still waits for its own reader", async () => {
    const writer = spawn("/bin/sh", ["-c", 'printf "for the reader" > "$0"', at("pipe")], { stdio: "ignore" });
    const ended = new Promise((done) => writer.once("close", done));
    for (let i = 0; i < 20; i++) {
      expect(readRegularFile(at("pipe"), 10)).toBe("no file");
      await new Promise((done) => setTimeout(done, 10));
    }
    expect(execFileSync("cat", [at("pipe")], { encoding: "utf8", timeout: 120_000 })).toBe("for the reader");
    await ended;
  });
});

describe("a usual file", () => {
  it("is read up to its bound", () => {
    expect(readRegularFile(at("file"), 5)).toMatchObject({ bytes: new TextEncoder().encode("text\n") });
    expect(readRegularFile(at("file"), 4)).toBe("too large");
    expect(liveFiles.readText(at("file"), 5)).toBe("text\n");
  });
});
