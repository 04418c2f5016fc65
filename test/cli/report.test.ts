import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { reportDiagnostics, reportFormats } from "../../cli/report/diagnostics.ts";
import { uriOf } from "../../cli/report/sarif.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { Source } from "../../diagnostics/source.ts";
import { demoPolicy, run, Scratch } from "./run.ts";

/** The published schema is of draft 4, of which it uses nothing that draft 7 reads otherwise but its `id`. */
const {
  $schema: _,
  id: __,
  ...schema
} = JSON.parse(
  readFileSync(join(import.meta.dirname, "..", "fixtures", "sarif", "sarif-2.1.0-rtm.5.json"), "utf8"),
) as Record<string, unknown>;
const ajv = new Ajv({ strict: false, unicodeRegExp: false, allErrors: true });
ajv.addFormat("uri", (text: string) => /^[a-z][a-z0-9+.-]*:\S+$/i.test(text));
ajv.addFormat("uri-reference", (text: string) => !/[\s<>"{}|\\^`]/.test(text) && !/%(?![0-9A-F]{2})/i.test(text));
ajv.addFormat("date-time", true);
const isSarif = ajv.compile(schema);

const scratch = new Scratch();
const source = new Source("a b/policy, 100%.yaml", "version: 1\npolicy: demo\nrules: []\n");
const sources = new Map([[source.name, source]]);
const finding: Diagnostic = {
  code: "HW605",
  severity: "warning",
  message: "list `x` [see](http://evil.example) <b>&\u0007\u202e, 100%::error\nfile=1",
  source: source.name,
  span: { start: 11, end: 17 },
  help: "remove it\r\n::error::pwned",
  related: [{ message: "first `here`", source: source.name, span: { start: 0, end: 7 } }],
  fix: { title: "remove it", meaning: "same", edits: [{ span: { start: 11, end: 24 }, text: "" }] },
};
const unread: Diagnostic = {
  code: "HW001",
  severity: "error",
  message: "`gone.yaml` does not exist",
  source: "gone.yaml",
  span: { start: 0, end: 0 },
  help: "check the path",
};
const all = {
  base: "/repo",
  diagnostics: [finding, unread],
  sources,
  fails: (d: Diagnostic) => d.severity === "error",
};

interface Log {
  runs: [
    {
      tool: { driver: { rules: { id: string; helpUri: string }[] } };
      results: { ruleId: string; ruleIndex: number; level: string; message: { text: string }; locations: unknown[] }[];
    },
  ];
}

describe("sarif", () => {
  const log = JSON.parse(reportDiagnostics("sarif", all)) as Log;
  const [{ tool, results }] = log.runs;

  it("fits the published schema of SARIF 2.1.0, with and without findings", () => {
    for (const text of [log, JSON.parse(reportDiagnostics("sarif", { ...all, diagnostics: [] }))]) {
      isSarif(text);
      expect(isSarif.errors ?? []).toEqual([]);
    }
  });

  it("is refused by that schema when it is not SARIF", () => {
    expect(isSarif({ ...log, runs: [{ results }] })).toBe(false);
  });

  it("gives each code one rule with its page, which results refer to by index", () => {
    expect(tool.driver.rules.map(({ id }) => id)).toEqual(["HW001", "HW605"]);
    for (const { ruleId, ruleIndex } of results) {
      const rule = tool.driver.rules[ruleIndex];
      expect(rule?.id).toBe(ruleId);
      expect(rule?.helpUri).toBe(`https://hookwarden.dev/reference/codes/${ruleId}`);
    }
  });

  it("names file and region; a file that could not be read has no region", () => {
    expect(results.map(({ locations }) => locations)).toEqual([
      [
        {
          physicalLocation: {
            artifactLocation: { uri: "a%20b/policy%2C%20100%25.yaml" },
            region: { startLine: 2, startColumn: 1, endLine: 2, endColumn: 7 },
          },
        },
      ],
      [{ physicalLocation: { artifactLocation: { uri: "gone.yaml" } } }],
    ]);
  });

  it("carries fixes and second places", () => {
    expect(results[0]).toMatchObject({
      level: "warning",
      relatedLocations: [{ message: { text: "first `here`" } }],
      fixes: [
        {
          description: { text: "remove it" },
          artifactChanges: [
            {
              replacements: [
                {
                  deletedRegion: { startLine: 2, startColumn: 1, endLine: 3, endColumn: 1 },
                  insertedContent: { text: "" },
                },
              ],
            },
          ],
        },
      ],
    });
  });

  it("tells files below the folder of the command from there, others in full", () => {
    const at = (name: string) => ({ ...unread, source: name });
    const absolute = ["/repo/.hookwarden/p.yaml", "/repository/p.yaml"].map(at);
    const text = reportDiagnostics("github", { ...all, diagnostics: absolute });
    expect([...text.matchAll(/file=([^,]*)/g)].map(([, file]) => file)).toEqual([
      ".hookwarden/p.yaml",
      "/repository/p.yaml",
    ]);
  });

  it("makes no link of a policy's text and hides none of it", () => {
    expect(results[0]?.message.text).toContain("[see] (http://evil.example)");
    expect(results[0]?.message.text).toContain("\\u{202e}");
  });

  it.each([
    ["policy.yaml", "policy.yaml"],
    ["../x/ä #1?.yaml", "../x/%C3%A4%20%231%3F.yaml"],
    ["pack:secrets", "pack:secrets"],
    ["/etc/hookwarden/a b.yaml", "file:///etc/hookwarden/a%20b.yaml"],
    ["a:b.yaml", "a%3Ab.yaml"],
  ])("writes %s as a URI", (name, uri) => {
    expect(uriOf(name)).toBe(uri);
  });
});

describe("github", () => {
  it("writes one escaped command a line, whatever a policy says", () => {
    const lines = reportDiagnostics("github", all).split("\n");
    expect(lines).toHaveLength(3);
    expect(lines[0]).toBe(
      "::warning file=a b/policy%2C 100%25.yaml,line=2,endLine=2,col=1,endColumn=6,title=HW605::" +
        "list `x` [see](http://evil.example) <b>&\\u{7}\\u{202e}, 100%25::error\\nfile=1%0A" +
        "help: remove it\\u{d}\\n::error::pwned",
    );
    expect(lines[1]).toBe("::error file=gone.yaml,title=HW001::`gone.yaml` does not exist%0Ahelp: check the path");
  });

  it("names lines alone where a finding has several", () => {
    const wide = { ...finding, span: { start: 0, end: 20 } };
    expect(reportDiagnostics("github", { ...all, diagnostics: [wide] })).toContain(",line=1,endLine=2,title=");
  });

  it("tells what is only told as a notice, and nothing where there is nothing", () => {
    expect(reportDiagnostics("github", { ...all, diagnostics: [{ ...unread, severity: "info" }] })).toMatch(
      /^::notice /,
    );
    expect(reportDiagnostics("github", { ...all, diagnostics: [] })).toBe("");
  });
});

describe("junit", () => {
  const text = reportDiagnostics("junit", all);

  it("has a suite for each file and a case for each finding, of which those that fail have a failure", () => {
    expect(text).toContain('<testsuites name="hookwarden check" tests="2" failures="1" errors="0" time="0.000">');
    expect(text).toContain('<testsuite name="a b/policy, 100%.yaml" tests="1" failures="0" errors="0" time="0.000">');
    expect(text).toContain('<failure message="`gone.yaml` does not exist" type="HW001">gone.yaml: error[HW001]');
    expect(text).toContain("<system-out>a b/policy, 100%.yaml:2:1: warning[HW605]: list `x`");
  });

  it("writes what XML cannot carry as escapes", () => {
    expect(text).toContain("&lt;b&gt;&amp;\\u{7}");
    expect(text).toContain("::error&#10;file=1");
    expect([...text].filter((c) => /[\u0000-\u0008\u000b-\u001f\ufffe]/.test(c))).toEqual([]);
  });

  it("has a case that passed for a file without findings", () => {
    expect(reportDiagnostics("junit", { ...all, diagnostics: [] })).toContain('<testcase name="no findings"');
  });
});

describe("check", () => {
  const unused = demoPolicy.replace("rules:", "lists:\n  unused: [a]\nrules:");

  it.each(reportFormats)("prints %s, with the exit code of the findings", async (format) => {
    scratch.put("p.yaml", unused);
    const ran = await run(["check", "p.yaml", "--format", format], { cwd: scratch.path });
    expect(ran).toMatchObject({ code: 1, err: "" });
    expect(ran.out).toContain("HW605");
    scratch.put("p.yaml", "version: 1\n");
    expect(await run(["check", "p.yaml", "--format", format], { cwd: scratch.path })).toMatchObject({ code: 2 });
    scratch.put("p.yaml", demoPolicy);
    expect(await run(["check", "p.yaml", "--format", format], { cwd: scratch.path })).toMatchObject({ code: 0 });
  });

  it("prints SARIF that fits its schema for real findings", async () => {
    scratch.put("p.yaml", unused);
    const ran = await run(["check", "p.yaml", "gone.yaml", "--format", "sarif"], { cwd: scratch.path });
    isSarif(JSON.parse(ran.out));
    expect(isSarif.errors ?? []).toEqual([]);
  });
});
