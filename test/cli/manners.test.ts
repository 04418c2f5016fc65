import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { demoPolicy, run, Scratch } from "./run.ts";

/** How the command line answers what is wrong: by exit code 2, before anybody is asked, and with the next step. */
const scratch = new Scratch();
const at = (name: string) => join(scratch.path, name);

function typed(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return run(args, { cwd: scratch.path, env, home: at("home") });
}

describe("what is wrong is said before anybody is asked", () => {
  it.each<[string, string[], RegExp]>([
    ["a token that is not there", ["trust", "--token", "none"], /HW710.*there is no such file/],
    ["a token without a name", ["trust", "--token", ""], /HW710.*`--token` names no file/],
    ["a token that is a link", ["trust", "--token", "link"], /HW710.*it is a link/],
    ["a token into a folder that is not there", ["token", "trust", "--out", "no/t"], /HW702.*there is no folder/],
    ["a token over a file", ["token", "trust", "--out", "file"], /HW702.*it is there already/],
    ["a server of which nothing is pinned", ["mcp", "--forget", "--", "nosuch"], /HW701.*nothing is pinned/],
    ["a host to unwire that is none", ["uninstall", "nosuch"], /HW701.*there is no host `nosuch`(?! to)/],
    ["a host to look at that is none", ["doctor", "nosuch"], /HW701.*there is no host `nosuch`(?! to)/],
  ])("%s", async (_, args, said) => {
    scratch.put("file", "x");
    scratch.put(".hookwarden/policy.yaml", demoPolicy);
    symlinkSync(at("file"), at("link"));
    const ran = await typed(args);
    expect([ran.code, ran.err.replace(/\n\s*(?=-->|help)/g, " ")]).toEqual([2, expect.stringMatching(said)]);
  });

  it.each<[string, string[], string]>([
    ["a command", ["trust", "--yes"], "hookwarden trust --help"],
    ["a command of a command", ["audit", "show", "--nosuch"], "hookwarden audit show --help"],
    ["no command", ["--nosuch"], "hookwarden --help"],
  ])("points to the help of %s", async (_, args, help) => {
    expect(await typed(args)).toMatchObject({ code: 2, err: expect.stringContaining(`see \`${help}\``) });
  });
});

describe("nothing to do", () => {
  it("is no fault where no call waits", async () => {
    expect(await typed(["approve"])).toMatchObject({ code: 0, err: "no call of the last day waits\n" });
  });

  it("is said where no event is given", async () => {
    scratch.put("p.yaml", demoPolicy);
    writeFileSync(at("none.jsonl"), "");
    const ran = await typed(["eval", "--policy", "p.yaml", "--events", "none.jsonl"]);
    expect(ran).toMatchObject({ code: 0, out: "", err: expect.stringContaining("no event was given in `none.jsonl`") });
  });

  it("asks nobody where a host is not wired", async () => {
    mkdirSync(at("home"), { recursive: true });
    const ran = await typed(["uninstall", "codex"]);
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining("holds nothing of hookwarden") });
  });
});

describe("an agent", () => {
  it("is one by its variable, also where that is empty", async () => {
    scratch.put(".hookwarden/policy.yaml", demoPolicy);
    expect(await typed(["trust"], { CLAUDECODE: "" })).toMatchObject({
      code: 1,
      err: expect.stringContaining("HW708"),
    });
  });
});
