import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, run, Scratch } from "./run.ts";

const scratch = new Scratch();
const root = join(import.meta.dirname, "..", "..");

describe("the command line on the shipped policies", () => {
  it("blocks a root delete with rule and reason, allows a harmless one and a mention by default, byte-equal each time", async () => {
    const environment = { cwd: "/home/dev/app", workspace: "/home/dev/app", home: "/home/dev" };
    const commands = ["rm -rf /", "rm -rf node_modules", "grep -r 'rm -rf /' docs"];
    const events = scratch.put("events.jsonl", commands.map((command) => call(command, { environment })).join(""));
    const ran = await run(["eval", "--policy", "policies/shell-safety", "--events", events], { cwd: root });
    expect(ran.code).toBe(0);
    const decisions = ran.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(decisions).toMatchObject([
      {
        outcome: "block",
        answered: "rule",
        rule: expect.stringMatching(/^shell-safety\//),
        reason: expect.stringMatching(/./),
      },
      { outcome: "allow" },
      { outcome: "allow", answered: "default" },
    ]);
    expect((await run(["eval", "--policy", "policies/shell-safety", "--events", events], { cwd: root })).out).toBe(
      ran.out,
    );
  });

  const clean = { code: 0, err: "", out: expect.stringContaining("no findings") };
  // Each by itself: `read-only` and its like answer before the others, and are not meant to stand beside all of them.
  it.each(readdirSync(join(root, "policies")))("finds nothing to say about %s", async (pack) => {
    expect(await run(["check", `policies/${pack}`], { cwd: root })).toMatchObject(clean);
  });

  it("finds nothing to say about several that are named as packs", async () => {
    const packs = ["pack:shell-safety", "pack:secrets", "pack:context-hygiene"];
    expect(await run(["check", ...packs], { cwd: scratch.path })).toMatchObject(clean);
  });
});
