import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { HookManager } from "../../adapters/opta/index.ts";
import { createPrograms } from "../../adapters/programs.ts";
import { runProgram } from "../../adapters/run.ts";
import { type ProgramVerdict, readAnswer } from "../../runtime.ts";
import type { Protocol } from "../../schema/ports.ts";

/**
 * Programs that end while a process which they left behind still holds their pipes. What is left lives until the test ends
 * it, so that an answer which waits for it never comes: nothing here looks at a clock.
 */
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-pipes-")));
const codes = [0, 1, 2, 7] as const;
const helpers = {
  "standard output": "./helper 2> /dev/null &",
  "standard error": "./helper > /dev/null &",
  both: "./helper &",
  "both, in a session of its own": "setsid ./helper &",
  neither: "./helper > /dev/null 2>&1 &",
} as const;
const protocols: readonly Protocol[] = ["json", "exit_code", "claude", "opta"];
/** Longer than any test may take: reaching it is a failure. */
const timeout = 250_000;

let count = 0;

/** A folder with a program that says something, leaves a helper behind and ends with this code. */
function world(code: number, helper: string, said = "{}"): string {
  const folder = join(scratch, String(++count));
  mkdirSync(folder);
  const write = (name: string, ...lines: string[]) =>
    writeFileSync(join(folder, name), ["#!/bin/sh", ...lines, ""].join("\n"), { mode: 0o755 });
  write("helper", "echo $$ > alive.tmp; mv alive.tmp alive", "while [ ! -e stop ]; do sleep 0.1; done", "touch ended");
  const wait = helper === "" ? "" : "while [ ! -e alive ]; do sleep 0.05; done";
  write("program", helper, wait, `printf '%s' '${said}'`, "echo because >&2", `exit ${code}`);
  return folder;
}

function lives(folder: string): boolean {
  try {
    return process.kill(Number(readFileSync(join(folder, "alive"), "utf8")), 0);
  } catch {
    return false;
  }
}

/** Lets the helper of a folder end, and says whether it came to its own end. */
async function dismissed(folder: string): Promise<void> {
  writeFileSync(join(folder, "stop"), "");
  await expect.poll(() => existsSync(join(folder, "ended"))).toBe(true);
}

async function verdict(folder: string, protocol: Protocol): Promise<ProgramVerdict> {
  const programs = createPrograms({ workspace: join(scratch, "workspace") });
  const variables = { HOOKWARDEN_EVENT: "tool_call" };
  const request = { key: "k", rule: "p/r", timeout, background: false, protocol, input: "{}", variables, cwd: folder };
  const answer = await programs.run({ ...request, command: [join(folder, "program")] });
  expect(answer.timed_out).toBe(false);
  return readAnswer(answer, protocol, "tool_call");
}

afterAll(() => {
  for (let n = 1; n <= count; n++)
    if (existsSync(join(scratch, String(n)))) writeFileSync(join(scratch, `${n}/stop`), "");
  rmSync(scratch, { recursive: true, force: true });
});

describe.each(Object.entries(helpers))("a program whose helper holds %s", (_name, helper) => {
  it.each(codes)("and that ends with %d has ended: what it said counts, and the helper lives on", async (code) => {
    const folder = world(code, helper, "spoken");
    const result = await runProgram([join(folder, "program")], { cwd: folder, timeout });
    expect(result).toMatchObject({ exitCode: code, stdout: "spoken", stderr: "because\n", timedOut: false });
    expect(result).toMatchObject({ killed: false, failed: false, started: true });
    expect(lives(folder)).toBe(true);
    await dismissed(folder);
  });

  it.each(codes.flatMap((code) => protocols.map((protocol) => [code, protocol] as const)))(
    "means with exit code %d by the protocol %s what it means without one",
    async (code, protocol) => {
      const said = code === 0 ? '{"decision":"deny","reason":"no"}' : "";
      const [held, free] = [world(code, helper, said), world(code, "", said)];
      expect(await verdict(held, protocol)).toEqual(await verdict(free, protocol));
      expect(lives(held)).toBe(true);
      await dismissed(held);
    },
  );

  it.each([
    [0, "env", { cancelled: false }],
    [1, "env", { cancelled: true, reason: "because" }],
    [2, "env", { cancelled: true, reason: "because" }],
    [0, "json", { cancelled: true, reason: "no" }],
    [1, "json", { cancelled: true, reason: "no" }],
  ] as const)("as a hook of Opta with exit code %d, protocol %s", async (code, protocol, expected) => {
    const folder = world(code, helper, '{"decision":"deny","reason":"no"}');
    const hooks = HookManager.create([{ event: "tool.pre", command: "./program", protocol, timeout: 60_000 }]);
    const context = { event: "tool.pre", session_id: "s", cwd: folder, tool_name: "run_command" } as const;
    expect(await hooks.fire("tool.pre", context)).toEqual(expected);
    expect(lives(folder)).toBe(true);
    await dismissed(folder);
  });
});

describe("what stands in the pipes when a program ends", () => {
  it("is read to its end, whoever holds them", async () => {
    const folder = world(0, helpers.both, "x".repeat(60_000));
    const result = await runProgram([join(folder, "program")], { cwd: folder, timeout, captured: 100_000 });
    expect(result.stdout).toHaveLength(60_000);
    await dismissed(folder);
  });

  it("from a helper that writes without end is bounded", async () => {
    const folder = world(3, "./helper & yes &");
    const result = await runProgram([join(folder, "program")], { cwd: folder, timeout, captured: 1_000 });
    expect(result).toMatchObject({ exitCode: 3, timedOut: false, truncated: true });
    await dismissed(folder);
  });
});
