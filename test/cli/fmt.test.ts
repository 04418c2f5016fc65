import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { limits } from "../../schema/limits.ts";
import { demoPolicy, run, Scratch } from "./run.ts";

const scratch = new Scratch();
const rough = demoPolicy.replace("event: [tool_call", "event: [PreToolUse").replace("tool: bash", "matcher: Bash  ");
const read = (name: string): string => readFileSync(join(scratch.path, name), "utf8");

describe("fmt", () => {
  it("writes the canonical form, says which files it changed, and leaves nothing else behind", async () => {
    scratch.put("demo/policy.yaml", rough);
    scratch.put("demo/other.yaml", demoPolicy.replace("policy: demo", "policy: other"));
    const ran = await run(["fmt", "demo"], { cwd: scratch.path });
    expect(ran).toEqual({ code: 0, err: "", out: "demo/policy.yaml formatted\n2 files: 1 changed\n" });
    expect(read("demo/policy.yaml")).toBe(demoPolicy);
    expect(readdirSync(join(scratch.path, "demo")).sort()).toEqual(["other.yaml", "policy.yaml"]);
    expect((await run(["fmt", "demo"], { cwd: scratch.path })).out).toBe("2 files: 0 changed\n");
  });

  it("takes the project's policies when no path is given", async () => {
    scratch.put(".hookwarden/policy.yaml", rough);
    expect((await run(["fmt"], { cwd: scratch.path })).code).toBe(0);
    expect(read(".hookwarden/policy.yaml")).toBe(demoPolicy);
    expect((await run(["fmt"], { cwd: scratch.path, env: {} })).out).toContain("0 changed");
  });

  it("--check writes nothing, is 1 and shows what would change", async () => {
    scratch.put("p.yaml", rough);
    const ran = await run(["fmt", "--check", "p.yaml"], { cwd: scratch.path });
    expect(ran.code).toBe(1);
    expect(ran.out).toContain("p.yaml would change\n  line 5\n");
    expect(ran.out).toContain("  -     matcher: Bash··\n");
    expect(ran.out).toContain("  +     tool: bash\n");
    expect(ran.out).toContain("1 file: 1 would change; run `hookwarden fmt`");
    expect(read("p.yaml")).toBe(rough);
  });

  it("--check is 0 where nothing would change", async () => {
    scratch.put("p.yaml", demoPolicy);
    expect(await run(["fmt", "--check", "p.yaml"], { cwd: scratch.path })).toEqual({
      code: 0,
      err: "",
      out: "1 file: in canonical form\n",
    });
  });

  it("--to converts conditions both ways, and names those that keep their spelling", async () => {
    scratch.put("p.yaml", demoPolicy);
    expect((await run(["fmt", "--to", "expr", "p.yaml"], { cwd: scratch.path })).code).toBe(0);
    expect(read("p.yaml")).toContain(`when: 'c.operands.contains("FORBIDDEN")'`);
    await run(["fmt", "--to", "yaml", "p.yaml"], { cwd: scratch.path });
    expect(read("p.yaml")).toBe(demoPolicy);
    scratch.put("q.yaml", demoPolicy.replace(/when: .*/, `when: 'c.program + "" == "x"'`));
    const kept = await run(["fmt", "--to", "yaml", "q.yaml"], { cwd: scratch.path });
    expect(kept).toMatchObject({ code: 0, out: expect.stringContaining("q.yaml:8:11: kept; YAML tests cannot say") });
  });

  it("leaves suites alone, in folders and by name", async () => {
    scratch.put("demo/policy.yaml", demoPolicy);
    const suite = scratch.put("demo/a.test.yaml", "suite: x   \n");
    expect((await run(["fmt", "demo", "demo/a.test.yaml"], { cwd: scratch.path })).code).toBe(0);
    expect(readFileSync(suite, "utf8")).toBe("suite: x   \n");
  });

  it("keeps permissions, and writes through a symbolic link", async () => {
    const path = scratch.put("real/policy.yaml", rough);
    chmodSync(path, 0o600);
    symlinkSync(path, join(scratch.path, "link.yaml"));
    expect((await run(["fmt", "link.yaml"], { cwd: scratch.path })).code).toBe(0);
    expect(read("real/policy.yaml")).toBe(demoPolicy);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("does not touch shipped packs", async () => {
    const ran = await run(["fmt", "pack:secrets"], { cwd: scratch.path });
    expect(ran).toMatchObject({ code: 2, err: expect.stringContaining("HW701") });
  });
});

describe("bad input", () => {
  const cases: readonly [string, string | Uint8Array | undefined, string][] = [
    ["a missing file", undefined, "HW001"],
    ["an empty file", "", "HW002"],
    ["a file that is not UTF-8", Buffer.from("version: 1 # \xe9\n", "latin1"), "HW003"],
    ["a file of ten megabytes", Buffer.alloc(10_000_000, "#"), "HW004"],
    ["a half-written file", demoPolicy.slice(0, demoPolicy.indexOf("]")), "HW005"],
    ["tabs", demoPolicy.replace("    event", "\tevent"), "HW005"],
    ["an unknown key", demoPolicy.replace("action:", "acton:"), "HW101"],
    ["nesting without end", `version: 1\npolicy: p\nrules: ${"[".repeat(limits.policyBytes / 2)}`, "HW010"],
  ];
  it.each(cases)("%s: a diagnostic, exit code 2, nothing overwritten, not even beside it", async (_, content, code) => {
    if (content !== undefined) scratch.put("p.yaml", content);
    scratch.put("sound.yaml", rough.replace("policy: demo", "policy: sound"));
    const ran = await run(["fmt", "p.yaml", "sound.yaml"], { cwd: scratch.path });
    expect(ran).toMatchObject({ code: 2, out: "", err: expect.stringContaining(`error[${code}]`) });
    expect(ran.err).toContain("no file was changed");
    if (content !== undefined)
      expect(Buffer.from(content).equals(readFileSync(join(scratch.path, "p.yaml")))).toBe(true);
    expect(read("sound.yaml")).toContain("PreToolUse");
  });

  it("a folder without policies: a diagnostic and exit code 2", async () => {
    scratch.put("empty/notes.txt", "notes\n");
    const ran = await run(["fmt", "empty"], { cwd: scratch.path });
    expect(ran).toMatchObject({ code: 2, out: "", err: expect.stringContaining("error[HW012]") });
    expect(await run(["fmt"], { cwd: scratch.path })).toMatchObject({ code: 2, err: expect.stringContaining("HW012") });
  });

  it("a folder in the place of a policy: a diagnostic and exit code 2", async () => {
    scratch.put("demo/policy.yaml/notes.txt", "notes\n");
    const ran = await run(["fmt", "demo"], { cwd: scratch.path });
    expect(ran).toMatchObject({ code: 2, out: "", err: expect.stringContaining("error[HW0") });
  });

  it("line breaks of Windows and a byte order mark stay", async () => {
    scratch.put("p.yaml", `\ufeff${rough.replaceAll("\n", "\r\n")}`);
    expect((await run(["fmt", "p.yaml"], { cwd: scratch.path })).code).toBe(0);
    expect(read("p.yaml")).toBe(`\ufeff${demoPolicy.replaceAll("\n", "\r\n")}`);
  });

  it("an unknown spelling is a usage error", async () => {
    expect(await run(["fmt", "--to", "json"], { cwd: scratch.path })).toMatchObject({ code: 2, out: "" });
  });
});
