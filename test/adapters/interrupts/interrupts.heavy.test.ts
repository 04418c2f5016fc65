import {
  copyFileSync,
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
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { installedPackage } from "../installed.ts";
import { atTerminal, ctrlC, dismiss, type Ended, lives, type Step, waiter } from "./at-terminal.ts";

/**
 * Agents on a real terminal, where a human presses Ctrl+C while something is under way. Whatever it is, the process ends as
 * one that Ctrl+C ended, the terminal is as it was, and nothing that was waited for runs on.
 */
const root = join(import.meta.dirname, "../../..");
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-interrupts-")));
const [home, project] = [join(scratch, "home"), join(scratch, "project")];
const at = (name: string): string => join(project, name);
const read = (name: string): string => (existsSync(at(name)) ? readFileSync(at(name), "utf8") : "");

beforeAll(async () => {
  mkdirSync(project, { recursive: true });
  await installedPackage(project, ["opta/index", "hooks/index", "gastown/entry"]);
  for (const name of ["agent.mjs", "judge.mjs"]) copyFileSync(join(root, "examples/opta", name), at(name));
  copyFileSync(join(import.meta.dirname, "agent.mjs"), at("loop.mjs"));
  for (const name of ["module.mjs", "gastown.mjs"]) copyFileSync(join(import.meta.dirname, name), at(name));
});
beforeEach(() => mkdirSync(join(home, ".config/opta"), { recursive: true }));
afterEach(() => {
  for (const name of ["waiter", "second"]) dismiss(at(name));
  for (const name of ["waiter", "second", "log", "under-way", ".opta", "turns.json"])
    rmSync(at(name), { recursive: true, force: true });
  rmSync(home, { recursive: true, force: true });
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const node = (
  words: readonly string[],
  steps: readonly Step[],
  more: Readonly<Record<string, string>> = {},
): Promise<Ended> =>
  atTerminal([process.execPath, ...words], steps, {
    cwd: project,
    env: { HOME: home, PATH: process.env["PATH"] ?? "", ...more },
  });

/** Waits until the process whose number stands in a file has ended; one that was ended is there for a moment more. */
const gone = (name: string): Promise<void> => expect.poll(() => lives(at(name))).toBe(false);

/** It ended by itself, of what the human did, and the terminal is as it was. */
const clean = { forced: false, left: 0, restored: true };

describe("the example's agent (seed opta-hook-system)", () => {
  const log = (event: string) => ({ event, command: `echo ${event} >> log` });
  const waits = { command: waiter("waiter"), timeout: 60_000 };
  /** Runs the example with these hooks and turns; each logs the end of the session. */
  const agent = (hooks: readonly unknown[], turns: unknown, steps: readonly Step[]): Promise<Ended> => {
    mkdirSync(at(".opta"), { recursive: true });
    writeFileSync(at(".opta/config.json"), JSON.stringify({ hooks: [...hooks, log("session.end"), log("error")] }));
    writeFileSync(at("turns.json"), JSON.stringify(turns));
    return node(["agent.mjs", "turns.json", "go"], steps);
  };
  const once: readonly Step[] = [{ file: join(project, "waiter"), press: ctrlC }];
  const calls = [{ calls: [{ tool: "run_command", args: { command: "true" } }] }];

  it.each(["session.start", "prompt.pre", "tool.pre", "tool.post", "stop"])(
    "Ctrl+C while a hook of %s runs ends the hook, fires session.end once, then ends the process by that signal",
    async (event) => {
      const ran = await agent([{ event, ...waits }], calls, once);
      expect(ran).toMatchObject({ ...clean, code: -2 });
      await gone("waiter");
      expect(read("log")).toBe("session.end\n");
    },
  );

  it("Ctrl+C while a tool runs ends what the tool started, fires session.end once, then ends the process by that signal", async () => {
    const turns = [{ calls: [{ tool: "run_command", args: { command: `(${waiter("waiter")}); true` } }] }];
    expect(await agent([], turns, once)).toMatchObject({ ...clean, code: -2 });
    await gone("waiter");
    expect(read("log")).toBe("session.end\n");
  });

  it("a second Ctrl+C does not wait for the hooks of session.end", async () => {
    const hooks = [
      { event: "tool.pre", ...waits },
      { event: "session.end", command: waiter("second"), timeout: 60_000 },
    ];
    const steps: readonly Step[] = [...once, { file: at("second"), press: ctrlC }];
    expect(await agent(hooks, calls, steps)).toMatchObject({ ...clean, code: -2 });
    await gone("waiter");
    await gone("second");
  });

  it("Ctrl+C leaves a background hook of session.end running", async () => {
    const hooks = [
      { event: "tool.pre", ...waits },
      { event: "session.end", command: waiter("second"), background: true },
    ];
    expect(await agent(hooks, calls, once)).toMatchObject({ ...clean, code: -2 });
    await expect.poll(() => existsSync(at("second"))).toBe(true);
    expect(lives(at("second"))).toBe(true);
  });

  it.each([
    ["SIGTERM", { signal: 15 }, -15],
    ["a terminal that goes away", { hang_up: true }, -1],
  ] as const)("%s ends it as Ctrl+C does", async (_, how, code) => {
    const ran = await agent([{ event: "tool.pre", ...waits }], calls, [{ file: at("waiter"), ...how }]);
    expect(ran).toMatchObject({ ...clean, code });
    await gone("waiter");
    expect(read("log")).toBe("session.end\n");
  });
});

describe("an agent on hookwarden/hooks (seed pi-hook-reference, sections 2 and 5)", () => {
  const log = (): string[] => read("log").trim().split("\n");
  const ended = ["turn_end", "agent_end", "session_shutdown"];
  const press = (file = "under-way"): readonly Step[] => [{ file: at(file), press: ctrlC }];

  it.each(["model", "tool", "handler"])(
    "Ctrl+C while the %s works ends turn and run, then the session, then the process by that signal",
    async (work) => {
      expect(await node(["loop.mjs", work, "ended"], press())).toMatchObject({ ...clean, code: -2 });
      expect(log().slice(-3)).toEqual(ended);
      expect(log().filter((line) => ended.includes(line))).toHaveLength(3);
    },
  );

  it("Ctrl+C while a module's program runs ends the program too", async () => {
    expect(await node(["loop.mjs", "exec", "ended"], press("waiter"))).toMatchObject({ ...clean, code: -2 });
    await gone("waiter");
    expect(log().slice(-3)).toEqual(ended);
  });

  it.each(["command", "idle"])("Ctrl+C at %s: the session ends, and no run that has not begun", async (work) => {
    expect(await node(["loop.mjs", work, "ended"], press())).toMatchObject({ ...clean, code: -2 });
    expect(log()).toEqual([`begun ${work}`, "session_shutdown"]);
  });

  it("a second Ctrl+C waits for nothing", async () => {
    const steps: readonly Step[] = [...press(), { shows: "^C", press: ctrlC }];
    expect(await node(["loop.mjs", "handler", "ended"], steps)).toMatchObject({ ...clean, code: -2 });
  });

  it.each([
    ["Ctrl+C", { press: ctrlC }, -2],
    ["SIGTERM", { signal: 15 }, -15],
    ["a terminal that goes away", { hang_up: true }, -1],
  ] as const)("%s, where nothing watches for the end, still ends the programs that run", async (_, how, code) => {
    const ran = await node(["loop.mjs", "exec"], [{ file: at("waiter"), ...how }]);
    expect(ran).toMatchObject({ ...clean, code });
    await gone("waiter");
  });
});

describe("an agent whose terminal is raw, so that Ctrl+C is a key", () => {
  it.each([
    ["a program runs", "exec", "waiter", "alone"],
    ["a program has run", "ran", "under-way", "alone"],
    ["a program runs in a watched session", "exec", "waiter", "ended"],
    ["the model works in a watched session", "model", "under-way", "ended"],
  ])("SIGTERM while %s leaves the terminal as it was", async (_, work, file, ended) => {
    const ran = await node(["loop.mjs", work, ended, "raw"], [{ file: at(file), signal: 15 }]);
    expect(ran).toMatchObject({ ...clean, code: -15 });
  });
});

describe("hooks of a Gastown configuration (seed gastown-hooks-v1.1)", () => {
  it.each([
    ["SessionStart", "session_start"],
    ["UserPromptSubmit", "before_agent_start"],
    ["PreToolUse", "tool_call"],
    ["PostToolUse", "tool_result"],
    ["PreCompact", "session_before_compact"],
    ["Stop", "agent_end"],
    ["SessionEnd", "session_shutdown"],
  ])("Ctrl+C while a hook of %s runs ends the hook with the host", async (name, event) => {
    const hook = { type: "command", command: waiter(at("waiter")), timeout: 60 };
    const PI_HOOKS_JSON = JSON.stringify({ [name]: [{ hooks: [hook] }] });
    const ran = await node(["gastown.mjs", event], [{ file: at("waiter"), press: ctrlC }], { PI_HOOKS_JSON });
    expect(ran).toMatchObject({ ...clean, code: -2 });
    await gone("waiter");
  });
});
