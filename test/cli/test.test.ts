import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { demoPolicy, run, Scratch } from "./run.ts";

const scratch = new Scratch();

const suite = (expectation: string, command = "touch FORBIDDEN"): string => `# what people wrote
suite: demo
policies: [policy.yaml]
cases:
  - name: the file  # is named
    events:
      - { event: tool_call, tool: bash, args: { command: ${command} }, expect: ${expectation} }
`;

function put(expectation: string, command?: string): void {
  scratch.put("policy.yaml", demoPolicy);
  scratch.put("policy.test.yaml", suite(expectation, command));
}

const test = (...args: string[]) => run(["test", ...args], { cwd: scratch.path });

const held = "1 suite, 1 case, 2 examples: all hold";
const next = "; see one call with `hookwarden explain`, then run `hookwarden install <host>`";

describe("test", () => {
  it("runs suites and examples below the folder it stands in, and says that all hold", async () => {
    put("{ outcome: block, rule: demo/no-forbidden }");
    expect(await test()).toEqual({ code: 0, err: "", out: `${held}${next}\n` });
  });

  it("gives 1 for a case that does not hold, at its place, and for an example", async () => {
    put("{ outcome: allow }");
    const ran = await test("policy.test.yaml");
    expect(ran.code).toBe(1);
    expect(ran.out).toContain("policy.test.yaml:7:");
    expect(ran.out).toContain("expected outcome `allow`, got `block`");
    expect(ran.out).toContain("1 case failed");
    put("{ outcome: block }");
    scratch.put("policy.yaml", demoPolicy.replace('match: ["touch FORBIDDEN"]', 'match: ["touch other"]'));
    expect(await test()).toMatchObject({ code: 1, out: expect.stringContaining("1 example failed") });
  });

  it("finds suites in folders below, and leaves out packages and hidden folders", async () => {
    for (const folder of ["a/b", "node_modules/x", ".git", ".hookwarden"]) {
      scratch.put(`${folder}/policy.yaml`, demoPolicy);
      scratch.put(`${folder}/x.test.yaml`, suite("{ outcome: block }"));
    }
    const { suites } = JSON.parse((await test("--format", "json")).out) as { suites: { file: string }[] };
    expect(suites.map(({ file }) => file)).toEqual([".hookwarden/x.test.yaml", "a/b/x.test.yaml"]);
  });

  it("runs what a filter names, and refuses one that names nothing", async () => {
    put("{ outcome: allow }");
    expect(await test("--filter", "no-forbidden")).toMatchObject({ code: 0, out: expect.stringContaining("0 cases") });
    expect(await test("--filter", "nowhere")).toMatchObject({ code: 2, out: expect.stringContaining("HW701") });
  });

  it("runs the suite of a shipped pack", async () => {
    expect(await test("pack:opta-builtins")).toMatchObject({ code: 0 });
    expect(await test("pack:opta-bultins")).toMatchObject({ code: 2, out: expect.stringContaining("opta-builtins") });
  });
});

describe("test on input that it cannot use gives a diagnostic and 2", () => {
  it.each<[string, string | Uint8Array, string]>([
    ["half-written", suite("{ outcome: block }").slice(0, -20), "HW005"],
    ["with tabs", suite("{ outcome: block }").replace("    events", "\tevents"), "HW005"],
    ["empty", "", "HW002"],
    ["of another form", "suite: x\n", "HW103"],
    ["of 10 MB", "# ".padEnd(10_000_000, "x"), "HW004"],
    ["that is no text", new Uint8Array([0xff, 0xfe, 0x00]), "HW003"],
    ["with a wrong duration", suite("{ outcome: block }").replace("tool: bash", "tool: bash, after: soon"), "HW104"],
  ])("a suite %s, which --update leaves alone", async (_, content, code) => {
    scratch.put("policy.yaml", demoPolicy);
    const path = scratch.put("policy.test.yaml", content);
    const before = readFileSync(path);
    for (const flags of [[], ["--update"], ["--mutate", "--coverage"]])
      expect(await test(...flags)).toMatchObject({ code: 2, out: expect.stringContaining(code) });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("a file that is missing, a folder without suites, a policy with an error", async () => {
    expect(await test("nowhere.test.yaml")).toMatchObject({ code: 2, out: expect.stringContaining("HW001") });
    mkdirSync(join(scratch.path, "empty"));
    expect(await test("empty")).toMatchObject({
      code: 2,
      out: expect.stringContaining("error[HW014]: no suite found in `empty`"),
    });
    put("{ outcome: block }");
    scratch.put("policy.yaml", demoPolicy.replace("action: block", "action: blok"));
    expect(await test()).toMatchObject({ code: 2, out: expect.stringContaining("HW") });
  });

  it("flags that say nothing together", async () => {
    put("{ outcome: block }");
    for (const flags of [
      ["--min", "5"],
      ["--min-score", "5"],
      ["--update", "--filter", "x"],
      ["--min", "x"],
    ])
      expect((await test(...flags)).code, flags.join(" ")).toBe(2);
  });

  it("a suite with CRLF line ends or a byte order mark is fine", async () => {
    put("{ outcome: block }");
    scratch.put("policy.test.yaml", suite("{ outcome: block }").replaceAll("\n", "\r\n"));
    expect((await test()).code).toBe(0);
    scratch.put("policy.test.yaml", `\ufeff${suite("{ outcome: block }")}`);
    expect((await test()).code).toBe(0);
  });
});

describe("test --coverage", () => {
  it("says which tests were never true or never false, with their place, and holds a threshold", async () => {
    scratch.put("policy.yaml", demoPolicy.replace(/\n {4}examples:[\s\S]*/, "\n"));
    scratch.put("policy.test.yaml", suite("{ outcome: block }"));
    const ran = await test("--coverage", "--min", "90");
    expect(ran.code).toBe(1);
    expect(ran.out).toMatch(/policy\.yaml:8:13 {2}never false {2}c\.operands/);
    expect(ran.out).toMatch(/all +2 of 3 +66\.6 % {2}less than 90 %/);
    expect((await test("--coverage", "--min", "60")).code).toBe(0);
  });

  it("tells policies of the same name apart by the folder of their suite", async () => {
    for (const folder of ["a", "b"]) {
      scratch.put(`${folder}/policy.yaml`, `${"#\n".repeat(folder === "a" ? 0 : 5)}${demoPolicy}`);
      scratch.put(`${folder}/x.test.yaml`, suite("{ outcome: block }"));
    }
    const { out } = await test("--coverage", "--filter", "the file");
    expect(out).toMatch(/all +4 of 6/);
    expect(out).toMatch(/^ {2}a\/policy\.yaml:8:13 .*\n {2}b\/policy\.yaml:13:13 /m);
  });

  it("as JSON", async () => {
    put("{ outcome: block }");
    const { coverage } = JSON.parse((await test("--coverage", "--format", "json")).out) as { coverage: object };
    expect(coverage).toMatchObject({ all: { percent: 100, reached: 3, wanted: 3 }, uncovered: [] });
  });
});

describe("test --mutate", () => {
  it("tells the mutants that nothing noticed, with before and after, and holds a score", async () => {
    put("{ rule: demo/no-forbidden }");
    const ran = await test("--mutate", "--min-score", "100");
    expect(ran.code).toBe(1);
    expect(ran.out).toContain("change the strength of an action");
    expect(ran.out).toMatch(/mutation {2}\d+ of \d+ mutants noticed, score [\d.]+ % {2}less than 100 %/);
    put("{ outcome: block, rule: demo/no-forbidden }");
    const better = await test("--mutate", "--format", "json");
    const survived = JSON.parse(better.out) as { mutation: { survived: { operator: string }[] } };
    expect(survived.mutation.survived.map(({ operator }) => operator)).not.toContain(
      "change the strength of an action",
    );
    expect(await test("--mutate", "--format", "json")).toEqual(better);
  });

  it("leaves out suites that do not hold themselves, and says so", async () => {
    put("{ outcome: allow }");
    expect((await test("--mutate")).out).toContain("1 suite left out");
  });
});

describe("test --update", () => {
  it("rewrites what differs, keeps everything else, says what it did, and then everything holds", async () => {
    put("{ outcome: allow, rule: demo/other }");
    const ran = await test("--update");
    expect(ran.code).toBe(0);
    expect(ran.out).toContain("updated policy.test.yaml:7");
    expect(readFileSync(join(scratch.path, "policy.test.yaml"), "utf8")).toBe(
      suite("{ outcome: block, rule: demo/no-forbidden }"),
    );
    expect((await test("--update")).out).toBe(`${held}${next}\n`);
  });

  it.each([
    ["{ outcome: block, rule: demo/x, reason: y, answered: rule }", "{ outcome: allow, answered: default }"],
    ["{ rule: demo/x, outcome: allow }", "{ outcome: allow }"],
    ["{ outcome: allow, rule: demo/x }", "{ outcome: allow }"],
    ["{ rule: demo/x, reason: y }", "{ outcome: allow }"],
    ["{ rule: demo/x } # why", "{ outcome: allow } # why"],
    ["{ outcome: block, # so\n          rule: x }", "{ outcome: allow, # so\n           }"],
  ])("takes away what there is none of: %s", async (before, after) => {
    scratch.put("policy.yaml", demoPolicy);
    const text = (given: string): string =>
      `suite: demo\npolicies: [policy.yaml]\ncases:\n  - name: a\n    events:\n      - event: tool_call\n        tool: bash\n        args: { command: touch other }\n        expect: ${given}\n`;
    const path = scratch.put("policy.test.yaml", text(before));
    expect(await test("--update")).toMatchObject({ code: 0 });
    expect(readFileSync(path, "utf8")).toBe(text(after));
  });

  it("keeps the comments of a block, a byte order mark and line ends", async () => {
    scratch.put("policy.yaml", demoPolicy);
    const text = (given: string): string =>
      `\ufeffsuite: demo\npolicies: [policy.yaml]\ncases:\n  - name: a\n    events:\n      - event: tool_call\n        tool: bash\n        args: { command: touch other }\n        expect:${given}`.replaceAll(
        "\n",
        "\r\n",
      );
    const path = scratch.put(
      "policy.test.yaml",
      text("\n          rule: demo/x # first\n          outcome: block # second\n          reason: y\n"),
    );
    expect(await test("--update")).toMatchObject({ code: 0 });
    expect(readFileSync(path, "utf8")).toBe(text(" # first\n          outcome: allow # second\n"));
  });

  it("writes nothing where it cannot, and says so", async () => {
    scratch.put("policy.yaml", demoPolicy);
    // So long a name that there is none for a file beside it.
    const path = scratch.put(`${"x".repeat(240)}.test.yaml`, suite("{ outcome: allow }"));
    expect(await test("--update")).toMatchObject({ code: 2, out: expect.stringContaining("HW702") });
    expect(readFileSync(path, "utf8")).toBe(suite("{ outcome: allow }"));
  });
});

describe("test --format junit", () => {
  it("has a test for each case and each rule with examples, and the failure in full", async () => {
    put("{ outcome: allow }");
    const { out, code } = await test("--format", "junit");
    expect(code).toBe(1);
    expect(out).toContain('<testsuites name="hookwarden test" tests="2" failures="1" errors="0"');
    expect(out).toContain('<testcase name="the file" classname="policy.test.yaml" file="policy.test.yaml" line="5"');
    expect(out).toContain("<failure message=");
    expect(out).toContain('name="examples of demo/no-forbidden"');
  });

  it("has an error for what could not be run", async () => {
    expect((await test("nowhere", "--format", "junit")).out).toMatch(/errors="1"[\s\S]*<error message=/);
  });
});
