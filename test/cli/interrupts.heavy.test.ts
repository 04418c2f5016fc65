import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type BuiltPackage, builtPackage } from "../adapters/install/built-package.ts";
import {
  atTerminal,
  ctrlC,
  dismiss,
  type Ended,
  lives,
  type Step,
  waiter,
} from "../adapters/interrupts/at-terminal.ts";
import { demoPolicy } from "./run.ts";

/** Commands that wait on a real terminal until the human ends them by Ctrl+C or closes it. */
let made: BuiltPackage;
let world = "";
const at = (name: string): string => join(world, name);
beforeAll(async () => {
  made = await builtPackage();
});
afterAll(() => made.remove());
beforeEach(() => {
  world = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-cli-end-")));
  writeFileSync(at("policy.yaml"), demoPolicy);
  mkdirSync(at("home"));
});
afterEach(() => {
  dismiss(at("waiter"));
  rmSync(world, { recursive: true, force: true });
});

const hookwarden = (args: readonly string[], steps: readonly Step[]): Promise<Ended> =>
  atTerminal([process.execPath, made.command, ...args], steps, {
    cwd: world,
    env: { HOME: at("home"), PATH: process.env["PATH"] ?? "" },
  });

const clean = { forced: false, left: 0, restored: true };
const ways = [
  ["Ctrl+C", { press: ctrlC }, 0],
  ["a terminal that goes away", { hang_up: true }, -1],
] as const;

describe("the end that a human wants", { timeout: 300_000 }, () => {
  it.each(ways)("%s ends mcp and its server", async (_, how) => {
    // A server that does not end by itself is ended, which is no good end of it.
    const code = "press" in how ? 1 : -1;
    const args = ["mcp", "--policy", "policy.yaml", "--", "sh", "-c", waiter(at("waiter"))];
    expect(await hookwarden(args, [{ file: at("waiter"), ...how }])).toMatchObject({ ...clean, code });
    await expect.poll(() => lives(at("waiter"))).toBe(false);
  });

  it.each(ways)("%s ends serve, and its place is free again", async (_, how, code) => {
    const shows = "answering hooks at";
    expect(await hookwarden(["serve"], [{ shows, ...how }])).toMatchObject({ ...clean, code });
    const folder = at("home/.local/state/hookwarden/daemon");
    expect(existsSync(join(folder, "hook.sock")), readdirSync(folder).join()).toBe(false);
  });

  it.each(ways)("%s ends test --watch with the code of the last run", async (_, how, code) => {
    const event = "{ event: tool_call, tool: bash, args: { command: touch FORBIDDEN }, expect: { outcome: block } }";
    const cases = `cases:\n  - name: one\n    events:\n      - ${event}\n`;
    writeFileSync(at("policy.test.yaml"), `suite: demo\npolicies: [policy.yaml]\n${cases}`);
    const ran = await hookwarden(["test", "--watch"], [{ shows: "watching 2 files", ...how }]);
    expect(ran).toMatchObject({ ...clean, code });
  });

  it.each(ways)("%s ends eval, which waits for events at the terminal", async (_, how) => {
    // What is typed is shown by the terminal before the command reads it; the answer is its own.
    const event = `${JSON.stringify({ event: "tool_call", tool: "bash", args: { command: "ls" } })}\n`;
    const steps: readonly Step[] = [
      { shows: "", press: event },
      { shows: '"outcome"', ...how },
    ];
    expect(await hookwarden(["eval", "--policy", "policy.yaml"], steps)).toMatchObject({
      ...clean,
      code: "press" in how ? -2 : -1,
    });
  });
});
