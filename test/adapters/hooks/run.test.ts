import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRegistrar } from "../../../adapters/hooks/api.ts";
import { execCommand } from "../../../adapters/hooks/exec.ts";
import { profiles } from "../../../adapters/hooks/profiles.ts";
import { createRunner, runProgram } from "../../../adapters/run.ts";
import { limits } from "../../../schema/limits.ts";
import { lives } from "../interrupts/at-terminal.ts";

const node = process.execPath;

let scratch: string;

beforeEach(() => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-run-")));
});

afterEach(() => rmSync(scratch, { recursive: true }));

describe("execCommand (omp-hooks, Export surface)", () => {
  it("gives stdout, stderr, code and killed", async () => {
    const program = "console.log('out'); console.error('err'); process.exitCode = 3";
    const result = await execCommand(node, ["-e", program], scratch);
    expect(result).toEqual({ stdout: "out\n", stderr: "err\n", code: 3, killed: false, truncated: false });
  });

  it("is what `pi.exec` runs, also for a program without arguments", async () => {
    const registrar = createRegistrar("m", "m", scratch, profiles.pi);
    const exec = registrar.api.exec as (command: string) => ReturnType<typeof execCommand>;
    expect(await exec("pwd")).toMatchObject({ stdout: `${scratch}\n`, code: 0 });
  });

  it("runs in the folder given", async () => {
    const result = await execCommand(node, ["-p", "process.cwd()"], scratch);
    expect(result.stdout.trim()).toBe(scratch);
  });

  it("never uses a shell: arguments arrive as they are", async () => {
    const argument = "$(touch FORBIDDEN); `touch FORBIDDEN` > FORBIDDEN && touch FORBIDDEN";
    const result = await execCommand(node, ["-p", "process.argv[1]", argument], scratch);
    expect(result.stdout.trim()).toBe(argument);
    expect(existsSync(join(scratch, "FORBIDDEN"))).toBe(false);
  });

  it("a command text with blanks is one program name, not a command line", async () => {
    const result = await execCommand("touch FORBIDDEN", [], scratch);
    expect([result.code, result.killed]).toEqual([1, false]);
    expect(result.stderr).not.toBe("");
    expect(existsSync(join(scratch, "FORBIDDEN"))).toBe(false);
  });

  it("a time-out kills", async () => {
    const result = await execCommand(node, ["-e", "setInterval(() => {}, 1000)"], scratch, { timeout: 200 });
    expect([result.killed, result.code]).toEqual([true, 1]);
  });

  it("a signal kills, also one that was aborted before", async () => {
    const controller = new AbortController();
    const running = execCommand(node, ["-e", "setInterval(() => {}, 1000)"], scratch, { signal: controller.signal });
    setTimeout(() => controller.abort(), 150);
    expect((await running).killed).toBe(true);
    const late = await execCommand("touch", ["FORBIDDEN"], scratch, { signal: controller.signal });
    expect([late.killed, existsSync(join(scratch, "FORBIDDEN"))]).toEqual([true, false]);
  });

  it("output beyond the bound is dropped and the program still ends by itself", async () => {
    const program = "process.stdout.write('x'.repeat(3_000_000))";
    const result = await execCommand(node, ["-e", program], scratch);
    expect([result.code, result.killed, result.truncated]).toEqual([0, false, true]);
    expect(result.stdout).toHaveLength(limits.execOutput);
  });
});

describe("createRunner (schema/ports.ts, Runner; semantics section 2, run)", () => {
  const { run } = createRunner();

  it("gives stdin, and nothing of this process's environment beside what is given", async () => {
    const program =
      "process.stdin.on('data', (d) => process.stdout.write(d)).on('end', () => console.log(Object.keys(process.env).join()))";
    const result = await run([node, "-e", program], { cwd: scratch, input: "hello ", env: { HOOKWARDEN_EVENT: "1" } });
    expect(result.stdout).toBe("hello HOOKWARDEN_EVENT\n");
    expect([result.exitCode, result.failed, result.timedOut]).toEqual([0, false, false]);
  });

  it("a program that does not read its stdin is no failure", async () => {
    const result = await run([node, "-e", ""], { cwd: scratch, input: "x".repeat(1_000_000) });
    expect([result.exitCode, result.failed]).toEqual([0, false]);
  });

  it("keeps at most the captured bound of each stream", async () => {
    const program = "process.stdout.write('o'.repeat(9000)); process.stderr.write('e'.repeat(9000))";
    const result = await run([node, "-e", program], { cwd: scratch });
    expect([result.stdout.length, result.stderr.length]).toEqual([limits.captured, limits.captured]);
  });

  it("characters that are split between chunks stay whole", async () => {
    const program =
      "const b = Buffer.from('é'); process.stdout.write(b.subarray(0, 1), () => setTimeout(() => process.stdout.write(b.subarray(1)), 50))";
    expect((await run([node, "-e", program], { cwd: scratch })).stdout).toBe("é");
  });

  it.each([
    ["an empty command", []],
    ["an empty name", [""]],
    ["a program that does not exist", ["hookwarden-no-such-program"]],
    ["a name with a NUL", ["a\0b"]],
  ])("never throws: %s answers failed", async (_name, command) => {
    const result = await run(command, { cwd: scratch });
    expect([result.failed, result.exitCode]).toEqual([true, undefined]);
    expect(result.stderr).not.toBe("");
  });

  it("a time-out ends the whole process tree: a grandchild writes nothing any more", async () => {
    const program = "(while [ ! -e go ]; do sleep 0.05; done; touch FORBIDDEN) & echo $! > child; wait";
    const result = await run(["/bin/sh", "-c", program], { cwd: scratch, timeout: 2_500 });
    expect([result.timedOut, result.failed]).toEqual([true, true]);
    await expect.poll(() => lives(join(scratch, "child"))).toBe(false);
    writeFileSync(join(scratch, "go"), "");
    expect(existsSync(join(scratch, "FORBIDDEN"))).toBe(false);
  });

  it("says that it was killed, beside the port's fields", async () => {
    const result = await runProgram([node, "-e", "setInterval(() => {}, 1000)"], { cwd: scratch, timeout: 100 });
    expect(result).toMatchObject({ killed: true, timedOut: true, exitCode: undefined });
  });
});

describe("adapters/run.ts", () => {
  it("loads execa only when a program runs (semantics: an event without `run` must not pay for it)", () => {
    const source = readFileSync(new URL("../../../adapters/run.ts", import.meta.url), "utf8");
    expect(source).not.toMatch(/^import .*"execa"/m);
    expect(source).toContain('await import("execa")');
  });
});
