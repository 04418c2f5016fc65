import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { spawnSync } from "../bounded-process.ts";
import { programsOfRun } from "../built-programs.ts";
import { demoPolicy } from "./run.ts";

const root = join(import.meta.dirname, "../..");
let folder = "";

/** The command line as a package has it. */
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-cli-")));
  cpSync((await programsOfRun()).dist, join(folder, "dist"), { recursive: true });
  cpSync(join(root, "policies/git-safety"), join(folder, "dist/policies/git-safety"), { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "name": "hookwarden", "version": "0.0.7", "type": "module" }\n');
  writeFileSync(join(folder, "policy.yaml"), demoPolicy);
  writeFileSync(join(folder, "broken.yaml"), "version: 1\npolicy: [\n");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What one process says, with that folder for its state. */
function run(args: readonly string[], state: string): { status: number | null; stdout: string; stderr: string } {
  const command = [join(folder, "dist/bin/hookwarden.js"), ...args];
  const env = { XDG_STATE_HOME: join(folder, state), HOME: folder };
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: folder, env, encoding: "utf8" });
  return { status, stdout, stderr };
}

/** A folder in which hookwarden has kept something before. */
function used(state: string): string {
  mkdirSync(join(folder, state, "hookwarden"), { recursive: true, mode: 0o700 });
  return join(folder, state, "hookwarden", "code");
}

const commands: readonly (readonly string[])[] = [
  ["--version"],
  ["check", "policy.yaml"],
  ["check", "broken.yaml"],
  ["check", "pack:git-safety"],
  ["fmt", "--check", "policy.yaml"],
  ["explain", "-p", "policy.yaml", "--tool", "bash", "--args", '{"command":"ls"}'],
  ["chek"],
];

describe("the command line as built", () => {
  it("keeps nothing for a user without a state folder", () => {
    expect(run(["--version"], "none")).toEqual({ status: 0, stdout: "0.0.7\n", stderr: "" });
    expect(existsSync(join(folder, "none"))).toBe(false);
  });

  it("says the same with kept code, with none, and with code that is not its own", () => {
    const code = used("some");
    const first = commands.map((args) => run(args, "none"));
    expect(first.map(({ status }) => status)).toEqual([0, 0, 2, 0, 0, 0, 2]);
    expect(commands.map((args) => run(args, "some"))).toEqual(first);
    // Of the programs of hooks and of the rest, and where a command needed it of hosts.
    const kept = readdirSync(code).filter((name) => name.endsWith(".code"));
    expect(kept.length).toBeGreaterThanOrEqual(2);
    expect(kept.length).toBeLessThanOrEqual(3);
    expect(commands.map((args) => run(args, "some"))).toEqual(first);
    for (const name of readdirSync(code).filter((one) => one.endsWith(".code"))) {
      const path = join(code, name);
      const bytes = readFileSync(path);
      bytes.fill(0x41, 64);
      writeFileSync(path, bytes);
    }
    expect(commands.map((args) => run(args, "some"))).toEqual(first);
  });

  it("adds to the kept code what it had to compile, a few times", () => {
    const code = used("often");
    const generations = Array.from({ length: 14 }, () => {
      run(["--version"], "often");
      const seal = readdirSync(code).find((name) => name.endsWith(".seal")) ?? "";
      return (JSON.parse(readFileSync(join(code, seal), "utf8")) as { generation: number }).generation;
    });
    expect(generations).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 12, 12]);
  });
});
