import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadConfig } from "../../../adapters/gastown/config.ts";
import { createHookLog } from "../../../adapters/gastown/log.ts";
import { toolSubject } from "../../../adapters/gastown/matcher.ts";
import { machineWorld, runHooks } from "../../../adapters/gastown/run-hooks.ts";
import { lives } from "../interrupts/at-terminal.ts";
import { inFolder } from "./fake-session.ts";

/** Runs one real PreToolUse hook in a folder; its commands are harmless. */
async function real(folder: string, command: string, timeout = 5) {
  const lines: Record<string, unknown>[] = [];
  const log = createHookLog({
    file: (line) => void lines.push(JSON.parse(line)),
    screen: () => undefined,
    verbose: false,
  });
  const variable = JSON.stringify({ PreToolUse: [{ hooks: [{ type: "command", command, timeout }] }] });
  const config = loadConfig({ option: undefined, variable, claudeSettings: false, gastownMode: false, cwd: folder });
  if (!config || "problem" in config) throw new Error("the configuration is invalid");
  const input = { command: "touch '$(touch FORBIDDEN)'; `touch FORBIDDEN`" };
  const world = { ...machineWorld(log), env: { PATH: "/usr/bin:/bin", HOME: folder } };
  const verdict = await runHooks(
    config,
    {
      event: "PreToolUse",
      subject: () => toolSubject("bash", input),
      cwd: folder,
      payload: () => ({ tool_input: input }),
      input,
    },
    world,
  );
  return { verdict, lines, input };
}

describe("a real hook", () => {
  it("reads the event from standard input, and nothing of the event is run", () =>
    inFolder(async (folder) => {
      const { input } = await real(folder, "cat > seen.json");
      expect(JSON.parse(readFileSync(join(folder, "seen.json"), "utf8"))).toEqual({
        hook_event_name: "PreToolUse",
        cwd: folder,
        tool_input: input,
      });
      expect(existsSync(join(folder, "FORBIDDEN"))).toBe(false);
    }));

  it("blocks with exit code 2 and what it wrote to standard error", () =>
    inFolder(async (folder) => {
      const { verdict, lines } = await real(folder, "echo wait-for-review >&2; exit 2");
      expect(verdict.denied).toBe("wait-for-review");
      expect(lines[0]).toMatchObject({
        exitCode: 2,
        decision: "deny",
        reason: "wait-for-review",
        stderr: "wait-for-review\n",
      });
    }));

  it("gets the environment of the user's login shell", () =>
    inFolder(async (folder) => {
      writeFileSync(join(folder, ".profile"), "FROM_PROFILE=yes; export FROM_PROFILE\n");
      const { verdict } = await real(folder, 'echo "$FROM_PROFILE $CLAUDE_PROJECT_DIR"');
      expect(verdict.context).toEqual([{ event: "PreToolUse", text: `yes ${folder}` }]);
    }));

  it("that a signal ends after it denied has denied", () =>
    inFolder(async (folder) => {
      writeFileSync(join(folder, "answer"), '{"decision":"deny","reason":"frozen"}');
      const { verdict, lines } = await real(folder, "cat answer; kill -9 $$");
      expect(verdict.denied).toBe("frozen");
      expect(lines[0]).toMatchObject({ level: "warning", exitCode: null, decision: "deny", reason: "frozen" });
    }));

  it("whose program is missing is skipped", () =>
    inFolder(async (folder) => {
      const { verdict, lines } = await real(folder, "no-such-program-of-hookwarden");
      expect(verdict.denied).toBeUndefined();
      expect(lines[0]).toMatchObject({ exitCode: 127, message: expect.stringContaining("missing") });
    }));

  it("that takes too long is ended with all it started, and the call goes on", () =>
    inFolder(async (folder) => {
      const late = "(while [ ! -e go ]; do sleep 0.05; done; touch LATE) & echo $! > child; sleep 1000";
      const { verdict, lines } = await real(folder, late, 3);
      expect(verdict.denied).toBeUndefined();
      expect(lines[0]).toMatchObject({
        level: "warning",
        exitCode: null,
        message: expect.stringContaining("took too long"),
      });
      await expect.poll(() => lives(join(folder, "child"))).toBe(false);
      writeFileSync(join(folder, "go"), "");
      expect(existsSync(join(folder, "LATE"))).toBe(false);
    }));
});
