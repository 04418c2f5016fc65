import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hookLine } from "../../../adapters/install/command.ts";
import { execFileSync } from "../../bounded-process.ts";
import { type Ended, LineWorld } from "./line-world.ts";

const world = new LineWorld();
afterAll(() => world.remove());

/** Seconds after which the client of these tests ends what it started; that of the product has its own. */
const deadline = 2;

/** Programs in the launcher's place that never come to an answer, though no work is counted in them. */
const stuck = {
  "a busy loop": "for (;;);",
  "a folder made below a file system that refuses it":
    'require("node:fs").mkdirSync("/proc/x/y", { recursive: true });\nfor (;;);',
  "one long call of native code": '/^(?:a+)+$/.test("a".repeat(60) + "b");',
  "a loop after an `await`": "(async () => { await null; for (;;); })();",
} as const;

/** Of these a limit of processor time notices nothing: they wait. */
const waiting = {
  "opening a pipe that nobody writes": `require("node:fs").openSync(${JSON.stringify(join(world.root, "pipe"))}, "r");`,
  "a wait that never ends": "setInterval(() => undefined, 1e6);",
} as const;

const all: Readonly<Record<string, string>> = { ...stuck, ...waiting };

/** Writes the client with a deadline of these tests; without a program that it would look for, as on a bare system. */
function client(folder: string, without: readonly string[]): void {
  const text = readFileSync(join(world.root, "bin/hookwarden-client.sh"), "utf8").replace(
    /^deadline=\d+$/m,
    `deadline=${deadline}`,
  );
  world.write(
    `${folder}/hookwarden-client.sh`,
    without.reduce((made, name) => made.replaceAll(name, "/nonexistent"), text),
  );
}

beforeAll(async () => {
  await world.build();
  execFileSync("mkfifo", [join(world.root, "pipe")]);
  mkdirSync(join(world.root, "alarm"), { recursive: true });
  client("alarm", []);
  client("timeout", ["/usr/bin/perl"]);
  client("limit", ["/usr/bin/perl", "/usr/bin/timeout"]);
});

async function ended(folder: string, code: string, input = world.call("touch FORBIDDEN")): Promise<Ended> {
  const name = `${folder}/hookwarden-hook.cjs`;
  world.write(name, `${code}\n`);
  return world.run("dash", {}, input, hookLine("claude-code", "PreToolUse", world.place(join(world.root, name))));
}

describe.each([
  ["alarm", Object.keys(all)],
  ["timeout", Object.keys(all)],
  ["limit", Object.keys(stuck)],
] as const)("what never answers is ended by %s", (folder, names) => {
  it.each(names)("%s: the answer is the host's own refusal", async (name) => {
    const { code, out, err } = await ended(folder, all[name] as string);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("Blocked by hookwarden: this could not be judged (no decision was made in time");
    // None of these programs ever ends by itself, so that an answer shows that it was ended. `npm run bench` times it.
  });
});

describe("the client", () => {
  it("has seconds enough left before hosts stop waiting", () => {
    const text = readFileSync(join(world.root, "bin/hookwarden-client.sh"), "utf8");
    expect(Number(/^deadline=(\d+)$/m.exec(text)?.[1])).toBeLessThanOrEqual(12);
  });

  it.each([
    ["ends by itself with a code that is no answer", "process.exit(3);", "ended with code 3"],
    ["is no program", "this is no program", "ended with code 1"],
    ["is ended from outside", 'process.kill(process.pid, "SIGKILL");', "was stopped"],
    ["breaks down", "process.abort();", "ended with code 134"],
  ])("refuses where the launcher %s", async (_, code, says) => {
    const { code: exit, err } = await ended("alarm", code);
    expect([exit, err.includes(says)]).toEqual([2, true]);
  });

  it("hands on an answer as it is, with its code", async () => {
    const answer = 'process.stdout.write("{}\\n"); process.stderr.write("why"); process.exitCode = 2;';
    expect(await ended("alarm", answer)).toMatchObject({ code: 2, out: "{}\n", err: "why" });
    expect(await ended("alarm", "process.stdin.pipe(process.stdout);", "as it came")).toMatchObject({
      code: 0,
      out: "as it came",
    });
  });

  it("refuses where Node is gone, and where it is gone itself", async () => {
    const place = { ...world.place(), program: { ...world.place().program, node: "/nonexistent/node" } };
    const noNode = await world.run("dash", {}, world.call("touch x"), hookLine("claude-code", "PreToolUse", place));
    expect([noNode.code, noNode.err.includes("Blocked by hookwarden")]).toEqual([2, true]);
    const away = hookLine("claude-code", "PreToolUse", world.place(join(world.root, "away/hookwarden-hook.cjs")));
    for (const shell of ["dash", "bash as sh", "bash", "none"] as const) {
      const gone = await world.run(shell, {}, world.call("touch x"), away);
      expect([gone.code, gone.err !== ""]).toEqual([2, true]);
    }
  });

  it.each([
    ["claude-code", "PostToolUse", { continue: false, hookSpecificOutput: { updatedToolOutput: [{ type: "text" }] } }],
    ["copilot", "postToolUse", { modifiedResult: { resultType: "failure" } }],
    ["copilot", "userPromptTransformed", { modifiedTransformedPrompt: expect.stringContaining("Blocked") }],
    ["copilot", "userPromptSubmitted", { decision: "block" }],
    ["cline", "PreToolUse", { cancel: true, errorMessage: expect.stringContaining("Blocked") }],
  ])("%s, %s: refuses by the document that this host reads alone", async (host, event, expected) => {
    world.write("alarm/hookwarden-hook.cjs", "process.exit(3);\n");
    const launcher = join(world.root, "alarm/hookwarden-hook.cjs");
    const { code, out } = await world.run("dash", {}, "{}", hookLine(host, event, world.place(launcher)));
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject(expected);
  });
});
