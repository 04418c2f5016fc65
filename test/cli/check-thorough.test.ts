import { describe, expect, it } from "vitest";
import { run, Scratch } from "./run.ts";

const scratch = new Scratch();

/** A rule about a spelling: the path of the program takes it away. Its `match` stands in line 11. */
const spelled = `version: 1
policy: p
rules:
  - id: publish
    title: Publishing
    severity: high
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: c.text.startsWith("npm publish")
    examples:
      match: [npm publish]
      no_match: [npm test]
    action: block
    reason: nothing is published from here
    guidance: Ask a human to publish.
`;
const meant = spelled.replace('c.text.startsWith("npm publish")', "{ c.program: npm, c.subcommand: publish }");

const check = (...args: string[]) => run(["check", "p.yaml", ...args], { cwd: scratch.path });

async function json(...args: string[]) {
  const { code, out } = await check("--format", "json", ...args);
  const { diagnostics, summary } = JSON.parse(out) as {
    diagnostics: { code: string; severity: string; from: { line: number }; message: string; help: string }[];
    summary: Record<string, unknown>;
  };
  return { code, diagnostics, summary };
}

describe("check without --thorough", () => {
  const oneSided = meant.replace("      no_match: [npm test]\n", "");
  const note = "1 rule has examples of one side alone; `--thorough` judges them in other spellings too\n";

  it("names it in one line where a rule has no example that it must not match", async () => {
    scratch.put("p.yaml", oneSided);
    const { code, out } = await check();
    expect({ code, lines: out.split("\n").length }).toEqual({ code: 0, lines: 4 });
    expect(out).toContain(note);
    scratch.put(
      "p.yaml",
      `${oneSided}${oneSided.slice(oneSided.indexOf("  - id")).replace("id: publish", "id: again").replace("publish }", "link }").replace("npm publish]", "npm link]")}`,
    );
    expect((await check()).out).toContain("2 rules have examples of one side alone");
  });

  it.each([
    ["where both sides have examples", meant, []],
    ["where there is none to judge", meant.replace(/ {4}examples:[\s\S]*?(?= {4}action)/, ""), []],
    ["where an example fails", oneSided.replace("match: [npm publish]", "match: [npm test]"), []],
    ["for a rule that only tells", oneSided.replace("action: block", "action: { notify: { message: x } }"), []],
    ["in JSON", oneSided, ["--format", "json"]],
    ["where it is given", oneSided, ["--thorough"]],
  ] as const)("says nothing of it %s", async (_when, text, options) => {
    scratch.put("p.yaml", text);
    expect((await check(...options)).out).not.toContain("--thorough");
  });
});

describe("check --thorough", () => {
  it("tells each spelling that does not hold at the line of the example, with the call, and fails", async () => {
    scratch.put("p.yaml", spelled);
    const { code, out, err } = await check("--thorough");
    expect({ code, err }).toEqual({ code: 1, err: "" });
    expect(out).toContain("warning[HW673]: rule `p/publish` lets its example through with the path of its program");
    expect(out).toContain("--> p.yaml:11:15");
    expect(out).toContain("`/usr/bin/npm publish` is let through");
    expect(out).toMatch(/^\d+ other spellings of 1 example: \d+ hold, 1 do not; \d+ cannot be made$/m);
  });

  it("is fine without it, and says nothing of other spellings", async () => {
    scratch.put("p.yaml", spelled);
    const plain = await json();
    expect(plain.diagnostics.map((d) => d.code)).not.toContain("HW673");
    expect(plain.summary).not.toHaveProperty("thorough");
  });

  it("is fine where the rule is about what the call does, for what is the same call", async () => {
    scratch.put("p.yaml", meant);
    const { diagnostics, summary } = await json("--thorough");
    expect(diagnostics.filter(({ code }) => code === "HW673")).toEqual([]);
    const { judged, hold, failed, ignored } = summary["thorough"] as Record<string, number>;
    expect(judged).toBe((hold ?? 0) + (failed ?? 0) + (ignored ?? 0));
    expect(hold).toBeGreaterThanOrEqual(10);
  });

  it.each([
    ["sarif", /"ruleId":"HW673"/],
    ["github", /^::warning .*file=p\.yaml,line=11.*HW673/m],
    ["junit", /HW673/],
  ])("reports as %s", async (format, expected) => {
    scratch.put("p.yaml", spelled);
    const { code, out } = await check("--thorough", "--format", format);
    expect(code).toBe(1);
    expect(out).toMatch(expected);
  });

  it("leaves out what a comment ignores with a reason, which is idle only where it ignores nothing", async () => {
    const ignoring = (text: string): string =>
      text.replace("      match:", "      # hookwarden-ignore HW673: nobody calls it by its path\n      match:");
    scratch.put("p.yaml", ignoring(spelled));
    expect((await json("--thorough")).diagnostics.map(({ code }) => code)).not.toContain("HW673");
    expect((await json()).diagnostics.map(({ code }) => code)).not.toContain("HW610");
    scratch.put("p.yaml", ignoring(meant));
    expect((await json("--thorough")).diagnostics.map(({ code }) => code)).toContain("HW610");
  });

  it("goes by the level of a configuration", async () => {
    scratch.put("p.yaml", spelled);
    scratch.put(".hookwarden/check.yaml", "version: 1\nlevels: { HW673: info }\n");
    expect((await json("--thorough")).code).toBe(0);
    expect((await json("--thorough", "--fail-level", "info")).code).toBe(1);
  });

  it("tells what `unsure: ignore` lets through as a note, and in the summary", async () => {
    const ignoring = meant
      .replace("each: { c: shell.commands }", "each: { w: effects.writes }\n    unsure: ignore")
      .replace("{ c.program: npm, c.subcommand: publish }", '{ w.path: { glob: "dist/**" } }')
      .replace("[npm publish]", "[touch dist/a]");
    scratch.put("p.yaml", ignoring);
    const { code, diagnostics, summary } = await json("--thorough");
    expect(code).toBe(0);
    expect(diagnostics).toMatchObject([{ code: "HW675", severity: "info", from: { line: 4 } }]);
    expect(summary["thorough"]).toMatchObject({ ignored: 1, failed: 0 });
    expect((await check("--thorough")).out).toContain("1 ignored by `unsure: ignore`");
  });

  it("judges what is mended with `--fix`", async () => {
    const twice = spelled
      .replace("rules:", "lists: { hosts: [a.test, a.test] }\nrules:")
      .replace('c.text.startsWith("npm publish")', 'c.text.startsWith("npm publish") && !(c.text in lists.hosts)');
    scratch.put("p.yaml", twice);
    const { diagnostics, summary } = await json("--thorough", "--fix");
    expect(summary).toMatchObject({ fixed: 1 });
    expect(diagnostics.map(({ code }) => code)).toContain("HW673");
  });

  it("judges nothing where a policy has an error", async () => {
    scratch.put("p.yaml", spelled.replace("action: block", "action: blok"));
    const { code, summary } = await json("--thorough");
    expect(code).toBe(2);
    expect(summary["thorough"]).toMatchObject({ examples: 0, judged: 0 });
  });
});

describe("a rule that blocks or asks, and no example of what it stops", () => {
  it.each([
    ["has none", "      match: [npm publish]\n      no_match: [npm test]\n", "      no_match: [npm test]\n", true],
    ["has one", "      no_match: [npm test]\n", "", false],
  ])("%s", async (_, from, to, isFound) => {
    scratch.put("p.yaml", meant.replace(from, to));
    const { code, diagnostics } = await json();
    expect(diagnostics.some((d) => d.code === "HW632" && d.severity === "warning")).toBe(isFound);
    expect(code).toBe(isFound ? 1 : 0);
  });
});
