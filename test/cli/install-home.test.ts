import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run, Scratch } from "./run.ts";

const scratch = new Scratch();

const commands: readonly (readonly string[])[] = [
  ["install", "claude-code"],
  ["install", "codex", "--dry-run"],
  ["uninstall", "claude-code"],
  ["doctor"],
  ["doctor", "claude-code"],
  ["serve"],
  ["trust"],
  ["reload"],
  ["approve", "--once", `sha256:${"a".repeat(64)}`],
  ["token", "trust", "--out", "t"],
  ["mcp", "--", "/bin/false"],
  ["audit", "init"],
  ["audit", "verify"],
  ["audit", "prune"],
];

describe("a HOME that is no folder of its own", () => {
  it.each(commands)("%s %s is refused with what to do, and nothing is written", async (...args) => {
    const cwd = join(scratch.path, "here");
    mkdirSync(cwd, { recursive: true });
    const file = scratch.put("file", "");
    const homes = [
      ["", "`HOME` is empty"],
      ["rel", "`HOME` is `rel`, which is no absolute path"],
      ["./rel", "no absolute path"],
      ["~", "no absolute path"],
      [file, `\`HOME\` is \`${file}\`, which is not a folder`],
    ] as const;
    for (const [home, why] of homes) {
      const ran = await run(
        args.filter((word) => word !== undefined),
        { cwd, env: { HOME: home } },
      );
      expect([home, ran.code, ran.out]).toEqual([home, 2, ""]);
      expect(ran.err).toContain("error[HW701]");
      expect(ran.err).toContain(why);
      expect(ran.err).toContain("set `HOME` to your home folder, as an absolute path");
      expect(readdirSync(cwd)).toEqual([]);
    }
  });

  it.each(["", "rel", "./rel"])("a relative XDG folder `%s` is ignored", async (value) => {
    const home = join(scratch.path, "home");
    const cwd = join(scratch.path, "here");
    for (const folder of [home, cwd]) mkdirSync(folder, { recursive: true });
    const env = { HOME: home, XDG_STATE_HOME: value, XDG_DATA_HOME: value };
    const ran = await run(["doctor", "--format", "json"], { cwd, env });
    expect(ran.out).toContain(join(home, ".local/share/hookwarden/"));
    expect(ran.out).toContain(join(home, ".local/state/hookwarden/audit"));
    expect(readdirSync(cwd)).toEqual([]);
  });

  it("leaves commands alone that do not look there", async () => {
    expect((await run(["docs", "HW701"], { env: { HOME: "" } })).err).not.toContain("HOME");
  });
});
