import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createPrograms, passedVariables } from "../../adapters/programs.ts";
import { limits } from "../../schema/limits.ts";
import type { ProgramRequest } from "../../schema/ports.ts";
import { lives } from "./interrupts/at-terminal.ts";

/** Real processes, all of them stand-ins of our own: they write files into a scratch folder and nothing else. */
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-programs-")));
const workspace = join(scratch, "workspace");
const outside = join(scratch, "outside");
beforeAll(() => {
  for (const folder of [workspace, outside, join(workspace, "bin")]) mkdirSync(folder, { recursive: true });
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** An executable file that is a script of this Node. */
function script(folder: string, name: string, text: string, mode = 0o755): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!${process.execPath}\n${text}\n`);
  chmodSync(file, mode);
  return file;
}

const digestOf = (file: string): string => `sha256:${createHash("sha256").update(readFileSync(file)).digest("hex")}`;

const variables = {
  PATH: `${join(workspace, "bin")}:relative:${outside}`,
  HOME: "/home/dev",
  LC_ALL: "C",
  TOKEN: "no",
};
const programs = createPrograms({ workspace, variables });

function request(command: readonly string[], more: Partial<ProgramRequest> = {}): ProgramRequest {
  return {
    key: "k",
    rule: "p/r",
    command,
    timeout: 60_000,
    background: false,
    protocol: "json",
    input: "{}",
    variables: { HOOKWARDEN_EVENT: "tool_call", HOOKWARDEN_WORKSPACE: workspace },
    cwd: workspace,
    ...more,
  };
}

const run = (command: readonly string[], more: Partial<ProgramRequest> = {}) => programs.run(request(command, more));

/** Waits for a file that a program writes. */
const written = (name: string): Promise<void> => expect.poll(() => existsSync(join(workspace, name))).toBe(true);

/** Waits until the process has ended whose number stands in a file. */
const gone = (name: string): Promise<void> => expect.poll(() => lives(join(workspace, name))).toBe(false);

describe("a program is started as it is written", () => {
  it("gets the event on stdin, its folder, its arguments untouched by any shell, and answers", async () => {
    const file = script(
      outside,
      "echo-all",
      `let text = ""; process.stdin.on("data", (d) => { text += d; }).on("end", () => {
        process.stdout.write(JSON.stringify({ text, cwd: process.cwd(), args: process.argv.slice(2) }));
        process.stderr.write("said"); process.exit(3); });`,
    );
    const args = ["$HOME", "*", "; touch FORBIDDEN", "$(touch FORBIDDEN)", "`touch FORBIDDEN`", "{event}"];
    const answer = await run([file, ...args], { input: '{"event":"tool_call"}' });
    expect(answer).toEqual({
      exit_code: 3,
      stdout: expect.any(String),
      stderr: "said",
      timed_out: false,
      duration_ms: expect.any(Number),
    });
    expect(answer.duration_ms).toBeGreaterThanOrEqual(1);
    expect(JSON.parse(answer.stdout)).toEqual({ text: '{"event":"tool_call"}', cwd: workspace, args });
    expect(existsSync(join(workspace, "FORBIDDEN"))).toBe(false);
  });

  it("gets variables of the allow-list and of the event, and no other", async () => {
    const file = script(outside, "env", "process.stdout.write(JSON.stringify(process.env))");
    const { stdout } = await run([file]);
    expect(JSON.parse(stdout)).toEqual({
      PATH: outside,
      HOME: "/home/dev",
      LC_ALL: "C",
      HOOKWARDEN_EVENT: "tool_call",
      HOOKWARDEN_WORKSPACE: workspace,
    });
    expect(passedVariables.filter((name) => /TOKEN|KEY|SECRET|NODE|PYTHON|LD_|DYLD/.test(name))).toEqual([]);
  });

  it("output is cut to the bound: an answer in JSON to a larger one, any other to 2,000 units", async () => {
    const file = script(
      outside,
      "much",
      "process.stdout.write('o'.repeat(90000)); process.stderr.write('e'.repeat(9000))",
    );
    const lengths = async (protocol: ProgramRequest["protocol"]) => {
      const { stdout, stderr } = await run([file], { protocol });
      return [stdout.length, stderr.length];
    };
    expect(await lengths("json")).toEqual([limits.programAnswer, limits.captured]);
    expect(await lengths("exit_code")).toEqual([limits.captured, limits.captured]);
  });

  it("one that a signal ends has no exit code", async () => {
    const file = script(outside, "ends-itself", "process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000)");
    expect(await run([file])).toMatchObject({ exit_code: null, timed_out: false });
    expect(await run([file])).not.toHaveProperty("refused");
  });
});

describe("a time-out ends the program and all it started", () => {
  it("its grandchildren too, in its process group or in one of their own", async () => {
    const grandchild = (name: string) =>
      script(
        outside,
        name,
        `const fs = require("fs"); fs.writeFileSync("ready-${name}", String(process.pid));
        setInterval(() => { if (fs.existsSync("go")) fs.writeFileSync("FORBIDDEN-${name}", ""); }, 20);`,
      );
    const [near, far] = [grandchild("near"), grandchild("far")];
    const file = script(
      outside,
      "parent",
      `const { spawn } = require("child_process");
      spawn(${JSON.stringify(near)}, [], { stdio: "ignore" });
      spawn(${JSON.stringify(far)}, [], { stdio: "inherit", detached: true }).unref();
      setInterval(() => {}, 1000);`,
    );
    expect(await run([file], { timeout: 20_000 })).toMatchObject({ exit_code: null, timed_out: true });
    const ready = ["near", "far"].map((name) => existsSync(join(workspace, `ready-${name}`)));
    expect(ready).toEqual([true, true]);
    for (const name of ["near", "far"]) await gone(`ready-${name}`);
    writeFileSync(join(workspace, "go"), "");
    const forbidden = ["near", "far"].map((name) => existsSync(join(workspace, `FORBIDDEN-${name}`)));
    expect(forbidden).toEqual([false, false]);
  });
});

describe("an answer comes in time", () => {
  /** Text of a script that goes on until the test ends, at most for ten minutes, and says when it comes to its end. */
  const lasting = (name: string) =>
    `const fs = require("fs"); const end = Date.now() + 600000;
     setInterval(() => { if (!fs.existsSync("stop") && Date.now() < end) return;
       fs.writeFileSync("ended-${name}", ""); process.exit(); }, 20);`;
  const ended = (name: string): boolean => existsSync(join(workspace, `ended-${name}`));
  const late = { exit_code: null, timed_out: true };

  it.each<[string, (name: string) => string]>([
    [
      "hears no signal",
      (name) =>
        `for (const signal of ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"]) process.on(signal, () => {}); ${lasting(name)}`,
    ],
    ["stops itself", (name) => `${lasting(name)} process.kill(process.pid, "SIGSTOP");`],
    [
      "writes without end",
      (name) => `${lasting(name)} const more = () => process.stdout.write("x".repeat(65536), more); more();`,
    ],
    [
      "closes its output and stays",
      (name) => `${lasting(name)} require("fs").closeSync(1); require("fs").closeSync(2);`,
    ],
  ])("from a program that %s", async (what, text) => {
    const name = what.replace(/\W+/g, "-");
    const file = script(outside, name, text(name));
    expect(await run([file], { timeout: 3_000, input: "x".repeat(3_000_000) })).toMatchObject(late);
    expect(ended(name)).toBe(false);
  });

  it("from a program that cannot be ended", async () => {
    const file = script(outside, "endless", lasting("endless"));
    const kill = vi.spyOn(process, "kill").mockReturnValue(true);
    try {
      expect(await run([file], { timeout: 2_000 })).toMatchObject(late);
      expect(ended("endless")).toBe(false);
    } finally {
      kill.mockRestore();
    }
  });

  afterAll(() => writeFileSync(join(workspace, "stop"), ""));
});

describe("what may not run is refused, and says why", () => {
  const inside = () => script(workspace, "bin/check", "process.stdout.write('ran')");
  it.each<[string, () => readonly string[], Partial<ProgramRequest>, RegExp]>([
    ["an empty name", () => [""], {}, /empty/],
    ["no command", () => [], {}, /empty/],
    ["a name that is nowhere", () => ["no-such-program"], {}, /`no-such-program` is not there/],
    ["an absolute path where nothing is", () => [join(outside, "nothing")], {}, /not there/],
    ["a folder", () => [outside], {}, /no file/],
    ["a name with a NUL", () => ["a\0b"], {}, /not there/],
    ["a file that is not executable", () => [script(outside, "plain", "", 0o644)], {}, /not executable/],
    ["a program inside the workspace", () => [inside()], {}, /inside the workspace and has no digest/],
    ["one below the workspace by a relative path", () => (inside(), ["bin/check"]), {}, /has no digest/],
    [
      "one that a link from outside leads into the workspace",
      () => {
        inside();
        symlinkSync(join(workspace, "bin/check"), join(outside, "innocent"));
        return [join(outside, "innocent")];
      },
      {},
      /inside the workspace/,
    ],
    ["a name that only a folder of the workspace on PATH has", () => (inside(), ["check"]), {}, /not there/],
    ["another digest", () => [inside()], { digest: `sha256:${"0".repeat(64)}` }, /has another digest: sha256:/],
    [
      "another digest, outside the workspace",
      () => [script(outside, "a", "")],
      { digest: "sha256:0" },
      /another digest/,
    ],
    ["a folder that is not there", () => [script(outside, "b", "")], { cwd: join(scratch, "gone") }, /./],
    ["a variable that cannot be passed", () => [script(outside, "c", "")], { variables: { A: "a\0b" } }, /./],
  ])("%s", async (_name, command, more, why) => {
    const answer = await run(command(), more);
    expect(answer).toMatchObject({ exit_code: null, stdout: "", timed_out: false });
    expect(answer.refused).toMatch(why);
  });

  it("with the digest of its file, a program of the workspace runs", async () => {
    const file = inside();
    for (const command of [file, "bin/check"])
      expect(await run([command], { digest: digestOf(file) })).toMatchObject({ exit_code: 0, stdout: "ran" });
  });

  it("the workspace of the event counts as well as that of the adapter", async () => {
    const file = script(join(scratch, "other"), "check", "");
    const variables = { HOOKWARDEN_WORKSPACE: join(scratch, "other") };
    expect((await run([file], { variables })).refused).toMatch(/inside the workspace/);
    expect(await run([file])).toMatchObject({ exit_code: 0 });
  });

  it("a name on PATH runs from its folder outside the workspace", async () => {
    script(workspace, "bin/scan", "process.stdout.write('workspace')");
    script(outside, "scan", "process.stdout.write('outside')");
    expect((await run(["scan"])).stdout).toBe("outside");
  });
});

describe("a background program", () => {
  it("is not waited for, and what it writes and how it ends is nobody's", async () => {
    const file = script(
      outside,
      "slow",
      `const fs = require("fs"); let text = "";
      process.stdin.on("data", (d) => { text += d; }).on("end", () => setInterval(() => {
        if (!fs.existsSync("answered")) return;
        fs.writeFileSync("saw.new", text); fs.renameSync("saw.new", "saw");
        process.stdout.write("x".repeat(1e6)); process.exit(7); }, 20));`,
    );
    const answer = await run([file], { background: true, input: "the event" });
    expect(answer).toEqual({ exit_code: null, stdout: "", stderr: "", timed_out: false });
    expect(existsSync(join(workspace, "saw"))).toBe(false);
    writeFileSync(join(workspace, "answered"), "");
    await written("saw");
    expect(readFileSync(join(workspace, "saw"), "utf8")).toBe("the event");
  });

  it("ends with all it started when its time is over", async () => {
    const file = script(
      outside,
      "endless",
      `const fs = require("fs"); fs.writeFileSync("begun", String(process.pid));
      setInterval(() => { if (fs.existsSync("go-on")) fs.writeFileSync("FORBIDDEN-endless", ""); }, 20);`,
    );
    await run([file], { background: true, timeout: 15_000 });
    await written("begun");
    await gone("begun");
    writeFileSync(join(workspace, "go-on"), "");
    expect(existsSync(join(workspace, "FORBIDDEN-endless"))).toBe(false);
  });

  it("does not keep the process that started it, and outlives it", async () => {
    const late = script(
      outside,
      "late",
      `const fs = require("fs"); fs.writeFileSync("late-begun", "");
      setInterval(() => { if (fs.existsSync("host-ended")) { fs.writeFileSync("late-done", ""); process.exit(0); } }, 20);
      setTimeout(() => process.exit(1), 300000);`,
    );
    const host = script(
      outside,
      "host.mts",
      `import { startProgram } from ${JSON.stringify(join(import.meta.dirname, "../../adapters/run.ts"))};
      await startProgram([${JSON.stringify(late)}], { cwd: ${JSON.stringify(workspace)}, input: "x".repeat(500000), timeout: 600000 });`,
    );
    const tsx = join(import.meta.dirname, "../../node_modules/tsx/dist/cli.mjs");
    const { runProgram } = await import("../../adapters/run.ts");
    const result = await runProgram([process.execPath, tsx, host], { cwd: workspace, timeout: 120_000 });
    expect(result).toMatchObject({ exitCode: 0, timedOut: false });
    writeFileSync(join(workspace, "host-ended"), "");
    await written("late-done");
  });

  it("that may not run is refused like any other", async () => {
    expect((await run(["no-such-program"], { background: true })).refused).toMatch(/not there/);
    expect(
      (await run([script(outside, "d", "")], { background: true, cwd: join(scratch, "gone") })).refused,
    ).toBeDefined();
  });
});

describe("the status message", () => {
  it("is shown while the program runs, and taken away", async () => {
    const shown: unknown[] = [];
    const told = createPrograms({ variables, status: (message, rule) => shown.push([rule, message]) });
    const file = script(outside, "quick", "");
    await told.run(request([file], { status: "scanning" }));
    await told.run(request([file]));
    expect(shown).toEqual([
      ["p/r", "scanning"],
      ["p/r", undefined],
    ]);
  });

  it("that cannot be shown changes nothing", async () => {
    const broken = createPrograms({
      variables,
      status: () => {
        throw new Error("no screen");
      },
    });
    expect(await broken.run(request([script(outside, "quick", "")], { status: "scanning" }))).toMatchObject({
      exit_code: 0,
    });
  });
});
