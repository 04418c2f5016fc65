import { describe, expect, it } from "vitest";
import { createHookLog, type LogEntry } from "../../../adapters/gastown/log.ts";

/** Put together here, so that no file of the repository holds what looks like a key. */
const secret = ["sk_live", "51HqLyj2x9KaZ4bQmT7wRvNc8UeXfG3sPdYo6B"].join("_");

const entry: LogEntry = {
  level: "info",
  message: "the hook ran",
  event: "PreToolUse",
  configSource: "cli",
  command: "check",
  durationMs: 12,
  exitCode: 0,
  decision: "allow",
  reason: "fine",
  stdout: "out",
  stderr: "err",
};

function logged(verbose: boolean, ...entries: LogEntry[]) {
  const file: string[] = [];
  const screen: string[] = [];
  const log = createHookLog({ verbose, file: (l) => void file.push(l), screen: (l) => void screen.push(l) }, () => 0);
  for (const one of entries) log.write(one);
  return { file, screen };
}

describe("the log of hooks", () => {
  it("has event, command, duration, exit code, decision, reason and source, always in one order", () => {
    const { file } = logged(false, entry);
    expect(file).toEqual([
      '{"time":"1970-01-01T00:00:00.000Z","level":"info","message":"the hook ran","event":"PreToolUse","command":"check","durationMs":12,"exitCode":0,"decision":"allow","reason":"fine","configSource":"cli","stdout":"out","stderr":"err"}',
    ]);
  });

  it("shows warnings and errors, and the rest only when verbose", () => {
    const all = (["info", "warning", "error"] as const).map((level) => ({ ...entry, level }));
    expect(logged(false, ...all).screen).toHaveLength(2);
    expect(logged(true, ...all).screen).toHaveLength(3);
    expect(logged(false, ...all).file).toHaveLength(3);
  });

  it.each([[false], [true]])("masks secrets at every level (verbose: %s)", (verbose) => {
    const dirty = {
      ...entry,
      command: `a ${secret}`,
      reason: secret,
      stdout: `x=${secret}`,
      stderr: secret,
      message: secret,
    };
    const levels = (["info", "warning", "error"] as const).map((level) => ({ ...dirty, level }));
    const { file, screen } = logged(verbose, ...levels);
    expect(file).toHaveLength(3);
    expect([...file, ...screen].join()).not.toContain(secret.slice(0, 20));
  });

  it("cuts stdout and stderr to 2,000 characters each, after masking", () => {
    const long = `${"x ".repeat(990)}${secret} ${"y ".repeat(3_000)}`;
    const [line = ""] = logged(false, { ...entry, stdout: long, stderr: long }).file;
    const { stdout, stderr } = JSON.parse(line) as { stdout: string; stderr: string };
    expect(stdout).toHaveLength(2_000);
    expect(stderr).toHaveLength(2_000);
    expect(line).not.toContain(secret.slice(0, 12));
  });

  it("tells that it masked or cut only when verbose", () => {
    const dirty = { ...entry, stdout: secret, stderr: "y ".repeat(3_000) };
    const read = (verbose: boolean) => JSON.parse(logged(verbose, dirty).file[0] ?? "") as Record<string, unknown>;
    expect(read(true)).toMatchObject({ redacted: ["stdout"], truncated: ["stderr"] });
    expect(read(false)).not.toHaveProperty("redacted");
    expect(read(false)).not.toHaveProperty("truncated");
  });

  it("adds no warnings for masking", () => {
    expect(logged(false, { ...entry, stdout: secret })).toMatchObject({ screen: [], file: [expect.any(String)] });
  });

  it("that cannot be written throws nothing", () => {
    const broken = () => {
      throw new Error("disk full");
    };
    expect(() => createHookLog({ file: broken, screen: broken }).write({ ...entry, level: "error" })).not.toThrow();
  });
});
