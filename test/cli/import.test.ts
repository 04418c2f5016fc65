import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { limits } from "../../schema/limits.ts";
import { run, Scratch } from "./run.ts";

const scratch = new Scratch();
const config = `[[rules]]
id = "acme-key"
regex = 'acme_[0-9a-f]{8}'
keywords = ['acme_']

[[rules]]
id = "look"
regex = 'key(?=x)'
`;

describe("import gitleaks", () => {
  it("prints the policy, and the report beside it; 0 although something stayed behind", async () => {
    scratch.put("g.toml", config);
    const ran = await run(["import", "gitleaks", "g.toml"], { cwd: scratch.path });
    expect(ran.code).toBe(0);
    expect(ran.out).toContain("- name: 'acme-key'");
    const [head, first, second, ...rest] = ran.err.split("\n");
    expect(head).toBe("g.toml: 1 of 2 rules became patterns; not carried over:");
    expect(first).toBe(
      "  g.toml:4:1: acme-key: keywords: a pattern runs on every text, also where no keyword stands (finds more)",
    );
    expect(second).toMatch(/^ {2}g\.toml:8:13: look: regex: refused: .+ \(finds less\)$/);
    expect(rest).toEqual([""]);
  });

  it("writes a file that `check` and `fmt --check` are content with", async () => {
    scratch.put("g.toml", config);
    const ran = await run(["import", "gitleaks", "g.toml", "-o", "policy.yaml"], { cwd: scratch.path });
    expect(ran).toMatchObject({ code: 0, out: "" });
    expect((await run(["check", "policy.yaml"], { cwd: scratch.path })).code).toBe(0);
    expect((await run(["fmt", "--check", "policy.yaml"], { cwd: scratch.path })).code).toBe(0);
    expect(readdirSync(scratch.path).sort()).toEqual(["g.toml", "policy.yaml"]);
  });

  it("overwrites what an import wrote, and nothing else without `--force`", async () => {
    scratch.put("g.toml", config);
    const own = scratch.put("own.yaml", "version: 1\n");
    const args = ["import", "gitleaks", "g.toml", "-o"];
    const ran = await run([...args, "own.yaml"], { cwd: scratch.path });
    expect(ran).toMatchObject({ code: 2, out: "", err: expect.stringContaining("error[HW702]") });
    expect(readFileSync(own, "utf8")).toBe("version: 1\n");
    expect((await run([...args, "own.yaml", "--force"], { cwd: scratch.path })).code).toBe(0);
    expect((await run([...args, "own.yaml"], { cwd: scratch.path })).code).toBe(0);
    mkdirSync(join(scratch.path, "folder"));
    expect((await run([...args, "folder", "--force"], { cwd: scratch.path })).code).toBe(2);
    expect((await run([...args, "nowhere/p.yaml"], { cwd: scratch.path })).code).toBe(2);
  });

  it("--report json is one object with places", async () => {
    scratch.put("g.toml", config);
    const ran = await run(["import", "gitleaks", "g.toml", "--report", "json"], { cwd: scratch.path });
    const report = JSON.parse(ran.err);
    expect(report).toMatchObject({
      source: "g.toml",
      rules: 2,
      carried: 1,
      not_carried: [
        { rule: "acme-key", field: "keywords", effect: "finds_more", at: { line: 4, column: 1 } },
        { rule: "look", field: "regex", effect: "finds_less", at: { line: 8 } },
      ],
    });
  });

  it("says so when everything was carried over", async () => {
    scratch.put("g.toml", "[[rules]]\nid = 'r'\nregex = 'k_[0-9]+'\n");
    const ran = await run(["import", "gitleaks", "g.toml"], { cwd: scratch.path });
    expect(ran.err).toBe("g.toml: 1 of 1 rule became patterns; everything was carried over\n");
  });

  it("shows no control characters of the file", async () => {
    scratch.put("g.toml", '[[rules]]\nid = "a\\u001b[31m\\u202e"\nregex = "k_[0-9]+"\ntags = ["t"]\n');
    const ran = await run(["import", "gitleaks", "g.toml"], { cwd: scratch.path });
    expect(ran.code).toBe(0);
    expect(`${ran.out}${ran.err}`).toMatch(/^[\n\x20-\x7e]*$/);
  });
});

describe("files that cannot be used", () => {
  const cases: readonly [string, string | Uint8Array | undefined, string, string][] = [
    ["a missing file", undefined, "HW001", "does not exist"],
    ["an empty file", "", "HW002", "g.toml"],
    ["a file that is not UTF-8", Buffer.from("title = '\xe9'\n", "latin1"), "HW003", "UTF-8"],
    ["a huge file", Buffer.alloc(limits.policyBytes * 4, "#"), "HW004", "import each"],
    ["YAML", "version: 1\npolicy: p\nrules: []\n", "HW705", "g.toml:1:"],
    ["a wrong type", "[[rules]]\nid = 'r'\nregex = 1\n", "HW102", "g.toml:3:1"],
    ["an id given twice", "[[rules]]\nid='r'\nregex='a'\n[[rules]]\nid='r'\nregex='b'\n", "HW401", "g.toml:5:1"],
    ["no rule that can be carried over", "[[rules]]\nid = 'r'\npath = 'a'\n", "HW705", "a rule about paths only"],
  ];
  it.each(cases)("%s: a diagnostic, exit code 2, nothing written", async (_, content, code, text) => {
    if (content !== undefined) scratch.put("g.toml", content);
    const ran = await run(["import", "gitleaks", "g.toml", "-o", "p.yaml"], { cwd: scratch.path });
    expect(ran).toMatchObject({ code: 2, out: "" });
    expect(ran.err).toContain(`error[${code}]`);
    expect(ran.err).toContain(text);
    expect(ran.err).toContain("help: ");
    expect(existsSync(join(scratch.path, "p.yaml"))).toBe(false);
    const json = await run(["import", "gitleaks", "g.toml", "--report", "json"], { cwd: scratch.path });
    expect(json).toMatchObject({ code: 2, out: "" });
    for (const line of json.err.trim().split("\n")) expect(JSON.parse(line)).toBeTypeOf("object");
  });

  it("a folder, and usage", async () => {
    expect((await run(["import", "gitleaks", "."], { cwd: scratch.path })).code).toBe(2);
    expect((await run(["import", "gitleaks"], { cwd: scratch.path })).code).toBe(2);
    expect((await run(["import", "gitleaks", "a", "--report", "xml"], { cwd: scratch.path })).code).toBe(2);
    expect((await run(["import", "other", "a"], { cwd: scratch.path })).code).toBe(2);
  });
});
