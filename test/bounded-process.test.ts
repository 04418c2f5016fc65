import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { execFileSync, spawnSync } from "./bounded-process.ts";

const node = process.execPath;
const forever = ["-e", "setInterval(() => {}, 1000)"];
/** It answers to no signal but the one that nothing stops. */
const deaf = ["-e", 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'];

describe("a process that a test waits for", () => {
  it.each([
    ["that does not end", forever],
    ["that does not end when it is asked to", deaf],
  ])("is ended at the limit: one %s", (_, args) => {
    const { status, signal, error } = spawnSync(node, args, { timeout: 1_000 });
    expect([status, signal, (error as NodeJS.ErrnoException)?.code]).toEqual([null, "SIGKILL", "ETIMEDOUT"]);
    expect(() => execFileSync(node, args, { timeout: 1_000 })).toThrow("ETIMEDOUT");
  });

  it("is run as ever, with options and without", () => {
    expect(execFileSync(node, ["-p", "1"], { encoding: "utf8" })).toBe("1\n");
    expect(execFileSync(node, ["-p", "1"]).toString()).toBe("1\n");
    expect(spawnSync(node, ["-p", "1"], { encoding: "utf8" })).toMatchObject({ status: 0, stdout: "1\n" });
  });
});

it("no test and no bench waits for a process without a limit", () => {
  const root = import.meta.dirname;
  const unbound = /^import \{[^}]*\b(?:spawnSync|execFileSync|execSync)\b[^}]*\} from "(?:node:)?child_process"/m;
  const names = readdirSync(root, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => name.endsWith(".ts") && name !== "bounded-process.ts");
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((name) => unbound.test(readFileSync(join(root, name), "utf8")))).toEqual([]);
});
