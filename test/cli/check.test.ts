import { describe, expect, it } from "vitest";
import { limits } from "../../schema/limits.ts";
import { demoPolicy, run, Scratch } from "./run.ts";

const scratch = new Scratch();

describe("check", () => {
  it("is 0 for a policy without findings, and says what was checked and what comes next", async () => {
    scratch.put("demo/policy.yaml", demoPolicy);
    const ran = await run(["check", "demo"], { cwd: scratch.path });
    expect(ran).toEqual({
      code: 0,
      err: "",
      out: expect.stringMatching(/^1 policy, 1 rule, 2 examples: no findings; try .*explain/),
    });
  });

  it("takes the project's policies when no path is given", async () => {
    scratch.put(".hookwarden/policy.yaml", demoPolicy);
    expect((await run(["check"], { cwd: scratch.path })).out).toContain("1 policy");
  });

  it("takes what HOOKWARDEN_POLICY names when no path is given", async () => {
    scratch.put("named.yaml", demoPolicy);
    expect(await run(["check"], { cwd: scratch.path, env: { HOOKWARDEN_POLICY: "named.yaml" } })).toMatchObject({
      code: 0,
    });
    expect(await run(["check"], { cwd: scratch.path })).toMatchObject({
      code: 2,
      out: expect.stringContaining("HW012"),
    });
  });

  it("is 1 when an example does not hold, with the example's own place", async () => {
    scratch.put("p.yaml", demoPolicy.replace('"touch other"', '"ls FORBIDDEN"'));
    const ran = await run(["check", "p.yaml"], { cwd: scratch.path });
    expect(ran.code).toBe(1);
    expect(ran.out).toContain("error[HW403]");
    expect(ran.out).toContain("--> p.yaml:14:18");
    expect(ran.out).toContain("1 example failed");
  });

  it("leaves the examples of an import to its own file: parameters, overrides and exceptions judge them otherwise", async () => {
    const policy = `version: 1
policy: p
imports:
  - pack: shell-safety
    with: { shared_programs: [node] }
    overrides: [{ rule: shell-safety/fork-bomb, enabled: false }]
exceptions:
  - { rules: [shell-safety/kill-shared-name], when: { k.via: killall }, owner: platform, reason: tests, expires: 2099-12-31 }
rules: []
`;
    scratch.put("p.yaml", policy);
    expect(await run(["check", "p.yaml"], { cwd: scratch.path })).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^2 policies, \d+ rules, 0 examples: no findings/),
    });
  });

  it("is 1 when there is only a lint finding", async () => {
    scratch.put("p.yaml", demoPolicy.replace("[tool_call, user_bash]", "tool_call"));
    const ran = await run(["check", "p.yaml"], { cwd: scratch.path });
    expect(ran.code).toBe(1);
    expect(ran.out).toContain("warning[HW601]");
    expect(ran.out).toContain("1 warning");
  });

  it("prints one JSON object, with places as line and column", async () => {
    scratch.put("p.yaml", demoPolicy.replace("action: block", "acton: block"));
    const ran = await run(["check", "p.yaml", "--format", "json"], { cwd: scratch.path });
    expect(ran.code).toBe(2);
    const { diagnostics, summary } = JSON.parse(ran.out) as {
      diagnostics: { code: string; from: object; source: string }[];
      summary: object;
    };
    expect(ran.out.endsWith("}\n")).toBe(true);
    expect(diagnostics.find((d) => d.code === "HW101")).toMatchObject({
      source: "p.yaml",
      from: { line: 9, column: 5 },
      severity: "error",
    });
    expect(summary).toMatchObject({ failed: 0, warnings: 0 });
  });

  it("uses colours only on a screen", async () => {
    scratch.put("p.yaml", demoPolicy.replace("action: block", "acton: block"));
    const escape = "\u001b[";
    expect((await run(["check", "p.yaml"], { cwd: scratch.path })).out).not.toContain(escape);
    expect((await run(["check", "p.yaml"], { cwd: scratch.path, color: true })).out).toContain(escape);
  });
});

/** Ten aliases of ten aliases of …: small as a file, huge when expanded. */
const aliasBomb = `version: 1
policy: bomb
lists:
  a: &a [x, x, x, x, x, x, x, x, x, x]
${["b", "c", "d", "e", "f", "g", "h"].map((name, i) => `  ${name}: &${name} [${Array(10).fill(`*${"abcdefg"[i]}`).join(", ")}]`).join("\n")}
rules: []
`;

describe("bad input", () => {
  const rule = "rules:\n  - { id: r, event: tool_call, action: block, reason: x, when: { tool.name: bash } }\n";
  const cases: readonly [string, string | Uint8Array | undefined, string, number][] = [
    ["a missing file", undefined, "HW001", 0],
    ["an empty file", "", "HW002", 0],
    ["a file of comments", "# nothing\n", "HW002", 0],
    ["a binary file", Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0]), "HW003", 0],
    ["a file that is not UTF-8", Buffer.from("version: 1 # \xe9\n", "latin1"), "HW003", 0],
    ["an oversized file", `#${"x".repeat(limits.policyBytes)}\n`, "HW004", 0],
    ["broken YAML", "version: 1\npolicy: [x\n", "HW005", 3],
    ["an unknown key", `version: 1\npolicy: p\nrulez: []\n${rule}`, "HW101", 3],
    ["a wrong type", `version: 1\npolicy: p\ntitle: [1]\n${rule}`, "HW102", 3],
    ["a duplicate key", `version: 1\npolicy: p\npolicy: q\n${rule}`, "HW009", 3],
    ["a duplicate id", `version: 1\npolicy: p\n${rule}${rule.split("\n")[1]}\n`, "HW401", 5],
    ["an alias bomb", aliasBomb, "HW008", 0],
    [
      "a regular expression that RE2 refuses",
      `version: 1\npolicy: p\n${rule.replace("tool.name: bash", "tool.name: { matches: '(?=x)' }")}`,
      "HW307",
      4,
    ],
  ];
  it.each(cases)("%s: one error with code, place and help; exit code 2", async (_, content, code, line) => {
    if (content !== undefined) scratch.put("p.yaml", content);
    const ran = await run(["check", "p.yaml", "--format", "json"], { cwd: scratch.path });
    const { diagnostics } = JSON.parse(ran.out) as {
      diagnostics: { code: string; severity: string; help: string; source: string; from?: { line: number } }[];
    };
    const [error, ...others] = diagnostics.filter(({ severity }) => severity === "error");
    expect(others).toEqual([]);
    expect([error?.code, error?.source]).toEqual([code, "p.yaml"]);
    expect(error?.help).not.toBe("");
    if (line > 0) expect(error?.from?.line).toBe(line);
    expect(ran.code).toBe(2);
  });

  it.each(cases)("%s: nothing is judged, not even by the sound policy beside it", async (_, content) => {
    if (content !== undefined) scratch.put("p.yaml", content);
    scratch.put("sound.yaml", demoPolicy);
    const ran = await run(["eval", "--policy", "p.yaml", "sound.yaml"], {
      cwd: scratch.path,
      stdin: '{"event":"tool_call","tool":"bash","args":{"command":"ls"}}\n',
    });
    expect(ran).toMatchObject({ code: 2, out: "" });
  });
});
