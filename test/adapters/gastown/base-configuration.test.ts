import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { loadConfig } from "../../../adapters/gastown/config.ts";
import { createHookLog } from "../../../adapters/gastown/log.ts";
import { toolSubject } from "../../../adapters/gastown/matcher.ts";
import { type Happening, machineWorld, runHooks } from "../../../adapters/gastown/run-hooks.ts";

/**
 * Gastown's own base configuration, as its hooks page lists it, run by real shells. `gt` is a stand-in of ours that writes
 * down how it was called; the commands that hooks judge are data and never run.
 */
const home = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-gastown-base-")));
afterAll(() => {
  writeFileSync(join(home, "stop"), "");
  rmSync(home, { recursive: true, force: true });
});
const base = readFileSync(join(import.meta.dirname, "base-hooks.json"), "utf8");
const read = (name: string) => (existsSync(join(home, name)) ? readFileSync(join(home, name), "utf8") : "");

mkdirSync(join(home, "bin"));
const gt = [
  "#!/bin/sh",
  'echo "gt $*" >> "$HOME/asked"',
  'case "$*" in',
  '  *dangerous*) echo "{\\"decision\\":\\"deny\\",\\"reason\\":\\"too dangerous\\"}" ;;',
  '  "tap guard"*) echo "use the refinery" >&2; exit 2 ;;',
  '  costs*) while [ ! -e "$HOME/stop" ]; do sleep 0.1; done; echo recorded; echo done > "$HOME/recorded" ;;',
  "  *) echo ok ;;",
  "esac",
];
writeFileSync(join(home, "bin/gt"), `${gt.join("\n")}\n`);
chmodSync(join(home, "bin/gt"), 0o755);
// A login shell that greets: the JSON of a hook never stands alone.
writeFileSync(join(home, ".profile"), 'PATH="$HOME/bin:$PATH"; export PATH\necho "Welcome back"\n');

async function happens(event: Happening["event"], command?: string) {
  const lines: Record<string, unknown>[] = [];
  const log = createHookLog({ file: (line) => void lines.push(JSON.parse(line)), screen: () => {}, verbose: false });
  const config = loadConfig({
    option: undefined,
    variable: base,
    claudeSettings: false,
    gastownMode: false,
    cwd: home,
  });
  if (!config || "problem" in config) throw new Error("the configuration is invalid");
  const world = { ...machineWorld(log), env: { PATH: "/usr/bin:/bin", HOME: home } };
  const input = command === undefined ? undefined : { command };
  const call = input && { input, subject: () => toolSubject("bash", input) };
  const verdict = await runHooks(config, { event, cwd: home, payload: () => ({}), ...call }, world);
  return { ...verdict, lines, notes: config.notes };
}

describe("Gastown's base configuration", () => {
  it.each([
    ["a pull request", "gh pr create --fill", "use the refinery"],
    ["a branch", "git checkout -b work", "use the refinery"],
    ["a branch behind another command", "cd a && git switch -c work", "use the refinery"],
    ["a forced push", "git push --force origin main", "too dangerous"],
    ["a forced push in short", "git push -f", "too dangerous"],
    ["a recursive delete from the root", ["rm", "-rf", "/tmp/nothing-of-anyone"].join(" "), "too dangerous"],
  ])("denies %s, though the login shell prints first", async (_name, command, reason) => {
    const { denied, notes } = await happens("PreToolUse", command);
    expect([denied, notes]).toEqual([reason, []]);
  });

  it("asks nobody about other commands", async () => {
    rmSync(join(home, "asked"), { force: true });
    expect((await happens("PreToolUse", "git status")).denied).toBeUndefined();
    expect(read("asked")).toBe("");
  });

  it("tells the model what start, prompt and compaction say", async () => {
    for (const event of ["SessionStart", "UserPromptSubmit", "PreCompact"] as const)
      expect((await happens(event)).context).toEqual([{ event, text: "Welcome back\nok" }]);
    expect(read("asked").split("\n").slice(-4)).toEqual([
      "gt prime --hook",
      "gt mail check --inject",
      "gt prime --hook",
      "",
    ]);
  });

  it("neither waits for what Stop leaves in the background nor ends it", async () => {
    const { denied, lines } = await happens("Stop");
    expect([denied, lines]).toEqual([
      undefined,
      [expect.objectContaining({ level: "info", message: "the hook ran", exitCode: 0 })],
    ]);
    // It is still at work here: had it been waited for, nobody would have let it end.
    expect(read("recorded")).toBe("");
    writeFileSync(join(home, "stop"), "");
    await expect.poll(() => read("recorded")).toBe("done\n");
  });
});
