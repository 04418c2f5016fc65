import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { limits } from "../../schema/limits.ts";
import { run, Scratch } from "./run.ts";

const scratch = new Scratch();

const settings = JSON.stringify(
  { permissions: { allow: ["Bash(ls:*)"], deny: ["Bash(make:*)", "Bash(a | b)"] } },
  null,
  2,
);
const hookify = "---\nname: no-make\nevent: bash\naction: block\npattern: make\n---\nNot here.\n";
const sigma = `title: Make
logsource: { category: process_creation, product: linux }
detection: { s: { Image|endswith: /make }, condition: s }
level: high
`;

const kinds = [
  ["claude", "settings.json", settings],
  ["hookify", "rule.local.md", hookify],
  ["sigma", "rule.yml", sigma],
] as const;

describe.each(kinds)("import %s", (kind, name, text) => {
  it("writes a policy that `check` and `fmt --check` are content with, and that decides", async () => {
    scratch.put(name, text);
    const ran = await run(["import", kind, name, "-o", "policy.yaml"], { cwd: scratch.path });
    expect(ran).toMatchObject({ code: 0, out: "" });
    const checked = await run(["check", "policy.yaml"], { cwd: scratch.path });
    expect(checked).toMatchObject({ code: 0 });
    expect((await run(["fmt", "--check", "policy.yaml"], { cwd: scratch.path })).code).toBe(0);
    const event = JSON.stringify({ event: "tool_call", tool: "bash", args: { command: "make all" } });
    const judged = await run(["eval", "--policy", "policy.yaml"], { cwd: scratch.path, stdin: event });
    expect(JSON.parse(judged.out)).toMatchObject({ outcome: "block" });
  });

  const bad: readonly [string, string | Uint8Array | undefined, string][] = [
    ["a missing file", undefined, "HW001"],
    ["an empty file", "", "HW002"],
    ["a file that is not UTF-8", Buffer.from("---\nname: '\xe9'\n---\n", "latin1"), "HW003"],
    ["a file of 10 MB", Buffer.alloc(10_485_760, "a"), "HW004"],
    ["a file a little too long", Buffer.alloc(limits.policyBytes * 4 + 1, " "), "HW004"],
    ["another format", "[[rules]]\nid = 'r'\n", "HW"],
  ];
  it.each(bad)("%s: a diagnostic, exit code 2, nothing written", async (_, content, code) => {
    if (content !== undefined) scratch.put(name, content);
    const own = scratch.put("p.yaml", "# mine\n");
    for (const out of ["new.yaml", "p.yaml"]) {
      const ran = await run(["import", kind, name, "-o", out, "--force"], { cwd: scratch.path });
      expect(ran).toMatchObject({ code: 2, out: "" });
      expect(ran.err).toContain(`error[${code}`);
      expect(ran.err).toContain("help: ");
    }
    expect(existsSync(join(scratch.path, "new.yaml"))).toBe(false);
    expect(readFileSync(own, "utf8")).toBe("# mine\n");
  });

  it("a half-written file: exit code 2", async () => {
    scratch.put(name, text.slice(0, Math.floor(text.length / 3)));
    const ran = await run(["import", kind, name], { cwd: scratch.path });
    expect(ran).toMatchObject({ code: 2, out: "" });
    expect(ran.err).toMatch(/error\[HW\d{3}\]/);
  });

  it("a folder, and a file of one's own that would be overwritten: exit code 2", async () => {
    scratch.put(name, text);
    scratch.put("own.yaml", "version: 1\n");
    expect((await run(["import", kind, "."], { cwd: scratch.path })).code).toBe(2);
    const ran = await run(["import", kind, name, "-o", "own.yaml"], { cwd: scratch.path });
    expect(ran).toMatchObject({ code: 2, err: expect.stringContaining("error[HW702]") });
    expect(readFileSync(join(scratch.path, "own.yaml"), "utf8")).toBe("version: 1\n");
  });

  it("one bad file among several: nothing is written", async () => {
    scratch.put(name, text);
    const ran = await run(["import", kind, name, "nowhere", "-o", "new.yaml"], { cwd: scratch.path });
    expect(ran).toMatchObject({ code: 2, err: expect.stringContaining("error[HW001]") });
    expect(existsSync(join(scratch.path, "new.yaml"))).toBe(false);
  });
});

describe("the report", () => {
  it("names file, line and what it means", async () => {
    scratch.put("settings.json", settings);
    const ran = await run(["import", "claude", "settings.json"], { cwd: scratch.path });
    expect(ran.err.split("\n")).toEqual([
      "settings.json: 2 of 3 settings became rules; not carried over:",
      "  settings.json:8:7: deny Bash(a | b): deny: it names several commands; a rule judges each by itself (guards less)",
      "",
    ]);
  });

  it("of several files is one, and JSON names the file of each part", async () => {
    scratch.put("a.md", hookify);
    scratch.put("b.md", hookify.replace("no-make", "off").replace("action", "enabled: false\naction"));
    const ran = await run(["import", "hookify", "a.md", "b.md", "--report", "json"], { cwd: scratch.path });
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.err)).toMatchObject({
      source: "2 files",
      rules: 2,
      carried: 1,
      not_carried: [{ rule: "off", field: "enabled", source: "b.md", effect: "none", at: { line: 4, column: 1 } }],
    });
  });

  it("shows no control characters of the file", async () => {
    scratch.put("s.json", '{"permissions":{"deny":["Bash(a\\u001b[31m\\u202e|b)","Bash(make)"]}}');
    const ran = await run(["import", "claude", "s.json"], { cwd: scratch.path });
    expect(ran.code).toBe(0);
    expect(`${ran.out}${ran.err}`).toMatch(/^[\n\x20-\x7e]*$/);
  });
});
