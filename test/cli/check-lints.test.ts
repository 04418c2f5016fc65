import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkPolicies } from "../../authoring/lint/check-policies.ts";
import { limits } from "../../schema/limits.ts";
import { discoverPolicies, importProblem, resolveImport } from "../../store/discover.ts";
import { packNames } from "../../store/packs.ts";
import { readDocument } from "../literate/document.ts";
import { policyFile } from "../literate/policies.ts";
import { demoPolicy, run, Scratch } from "./run.ts";

const scratch = new Scratch();
const root = join(import.meta.dirname, "../..");

const twice = `version: 1
policy: p
lists: { hosts: [a.com, a.com] }
rules:
  - id: one
    event: tool_call
    each: { n: effects.network }
    unless: { n.url.host: { host_in: $hosts } }
    action: ask
    reason: the host is not known
    examples: { match: ["curl https://b.com/"] }
`;
const once = twice.replace("[a.com, a.com]", "[a.com]");

interface Found {
  readonly code: string;
  readonly severity: string;
  readonly source: string;
  readonly help: string;
  readonly fix?: { readonly edits: readonly object[] };
}

async function checkJson(...args: string[]) {
  const ran = await run(["check", "--format", "json", ...args], { cwd: scratch.path });
  const { diagnostics, summary } = JSON.parse(ran.out) as {
    diagnostics: readonly Found[];
    summary: Record<string, number>;
  };
  return { code: ran.code, diagnostics, summary, told: diagnostics.filter(({ severity }) => severity !== "info") };
}

describe("what is shipped and shown", () => {
  it.each(packNames())("the pack %s comes out without a warning", (name) => {
    const found = discoverPolicies([`pack:${name}`], root);
    const { diagnostics } = checkPolicies(found.files, { resolveImport, importProblem, now: Date.UTC(2026, 0, 1) });
    expect(diagnostics.filter(({ severity }) => severity !== "info")).toEqual([]);
  });

  const pages = readdirSync(join(root, "docs/guide")).filter((name) => name.endsWith(".md"));
  const policies = pages.flatMap((page) =>
    readDocument(readFileSync(join(root, "docs/guide", page), "utf8")).flatMap(({ title, blocks }) =>
      blocks
        .filter(({ language, text }) => language === "yaml" && /^version: 1$/m.test(text) && /^policy:/m.test(text))
        .map(({ text }) => [`${page}, ${title}`, text] as const),
    ),
  );
  it.each(policies)("the policy of docs/guide/%s comes out without a warning", (_, text) => {
    const { diagnostics } = checkPolicies([policyFile(text)], { resolveImport, importProblem });
    expect(diagnostics.filter(({ severity }) => severity === "warning")).toEqual([]);
  });
});

describe("check --fix", () => {
  it("writes what it mended, tells how many, and finds nothing afterwards", async () => {
    const path = scratch.put("p.yaml", twice);
    const first = await checkJson("p.yaml");
    expect(first.told).toMatchObject([{ code: "HW634", fix: { meaning: "same" } }]);
    expect(readFileSync(path, "utf8")).toBe(twice);
    const ran = await run(["check", "p.yaml", "--fix"], { cwd: scratch.path });
    expect(ran.code).toBe(0);
    expect(ran.out).toMatch(/^1 finding mended; 1 policy/);
    expect(readFileSync(path, "utf8")).toBe(once);
    expect(readdirSync(scratch.path)).toEqual(["p.yaml"]);
  });

  it.each([
    ["an error", twice.replace("action: ask", "acton: ask"), 2],
    ["half a file", twice.slice(0, 120), 2],
    ["tabs", twice.replace("    event", "\tevent"), 2],
    ["bytes that are no text", "\u0000\u0001", 2],
    ["10 MB", `${twice}#${"x".repeat(10 * 1024 * 1024)}\n`, 2],
  ])("leaves a file with %s as it is, and the sound one beside it too", async (_, text, code) => {
    scratch.put("d/a.yaml", text);
    const sound = twice.replace("policy: p", "policy: q");
    scratch.put("d/b.yaml", sound);
    const { code: exit, diagnostics } = await checkJson("d", "--fix");
    expect(exit).toBe(code);
    expect(diagnostics.every(({ help }) => help !== "")).toBe(true);
    expect(readFileSync(join(scratch.path, "d/a.yaml"), "utf8")).toBe(text);
    expect(readFileSync(join(scratch.path, "d/b.yaml"), "utf8")).toBe(sound);
  });

  it("takes Windows line ends and a byte order mark as they are", async () => {
    const windows = `\ufeff${twice.replaceAll("\n", "\r\n")}`;
    const path = scratch.put("p.yaml", windows);
    expect((await checkJson("p.yaml", "--fix")).code).toBe(0);
    expect(readFileSync(path, "utf8")).toBe(windows.replace("[a.com, a.com]", "[a.com]"));
  });

  it("changes no shipped pack", async () => {
    const path = join(root, "policies/shell-safety/policy.yaml");
    const before = { text: readFileSync(path, "utf8"), time: statSync(path).mtimeMs };
    await checkJson("pack:shell-safety", "--fix");
    expect({ text: readFileSync(path, "utf8"), time: statSync(path).mtimeMs }).toEqual(before);
  });
});

describe("check --fail-level", () => {
  it.each([
    ["error", 0],
    ["warning", 1],
    ["info", 1],
  ])("%s, with a warning there", async (level, code) => {
    scratch.put("p.yaml", twice);
    expect((await checkJson("p.yaml", "--fail-level", level)).code).toBe(code);
  });

  it("shows what only tells when it fails on it, and counts it otherwise", async () => {
    scratch.put("p.yaml", once);
    const quiet = await run(["check", "p.yaml"], { cwd: scratch.path });
    expect(quiet).toMatchObject({ code: 0, out: expect.stringContaining("2 notes not shown") });
    expect(quiet.out).not.toContain("HW664");
    const loud = await run(["check", "p.yaml", "--fail-level", "info"], { cwd: scratch.path });
    expect(loud).toMatchObject({ code: 1, out: expect.stringContaining("info[HW664]") });
  });

  it("fails on a failed example whatever the level", async () => {
    scratch.put("p.yaml", demoPolicy.replace('"touch other"', '"ls FORBIDDEN"'));
    expect((await checkJson("p.yaml", "--fail-level", "error")).code).toBe(1);
  });
});

describe("check with a configuration", () => {
  const config = (text: string): string => `version: 1\n${text}`;

  it("takes the nearest one at or above the policy", async () => {
    scratch.put(".hookwarden/check.yaml", config("levels: { HW634: { level: off, reason: they come from a list } }\n"));
    scratch.put("a/b/p.yaml", twice);
    expect(await checkJson("a/b/p.yaml")).toMatchObject({ code: 0, told: [] });
    scratch.put("a/.hookwarden/check.yaml", config("levels: { HW634: error }\n"));
    expect(await checkJson("a/b/p.yaml", "--fail-level", "error")).toMatchObject({
      code: 1,
      told: [{ code: "HW634", severity: "error" }],
    });
  });

  it("ends its search at the root of a repository", async () => {
    scratch.put(".hookwarden/check.yaml", config("levels: { HW634: error }\n"));
    mkdirSync(join(scratch.path, "repo/.git"), { recursive: true });
    scratch.put("repo/p.yaml", twice);
    expect((await checkJson("repo/p.yaml")).told).toMatchObject([{ code: "HW634", severity: "warning" }]);
  });

  it("takes the one that is named, its level of failing, and its paths", async () => {
    scratch.put("ci.yaml", config("fail_level: error\npaths: [policies]\n"));
    scratch.put("policies/p.yaml", twice);
    expect(await checkJson("--config", "ci.yaml")).toMatchObject({ code: 0, told: [{ code: "HW634" }] });
    expect(await checkJson("--config", "ci.yaml", "--fail-level", "warning")).toMatchObject({ code: 1 });
  });

  it("is no policy, although it stands beside them", async () => {
    scratch.put(".hookwarden/check.yaml", config("fail_level: info\n"));
    scratch.put(".hookwarden/policy.yaml", demoPolicy);
    const { code, summary } = await checkJson();
    expect(code).toBe(0);
    expect(summary).toMatchObject({ policies: 1, errors: 0, infos: 0, warnings: 0 });
  });

  it.each([
    ["is missing", undefined, "HW001"],
    ["is wrong", "version: 2\n", "HW104"],
    ["is half written", "version: [", "HW005"],
    ["is too large", `#${"x".repeat(limits.policyBytes)}\n`, "HW004"],
  ])("that %s is an error, and nothing is mended", async (_, text, code) => {
    if (text !== undefined) scratch.put("ci.yaml", text);
    const path = scratch.put("p.yaml", twice);
    const ran = await checkJson("p.yaml", "--fix", "--config", "ci.yaml");
    expect(ran.code).toBe(2);
    expect(ran.diagnostics.map((d) => d.code)).toContain(code);
    expect(readFileSync(path, "utf8")).toBe(twice);
  });
});

describe("bad input", () => {
  it.each([
    ["a missing file", "nothing.yaml", "HW001"],
    ["a folder without policies", "empty", "HW012"],
    ["a folder of suites only", "suites", "HW012"],
  ])("%s", async (_, name, code) => {
    mkdirSync(join(scratch.path, "empty"));
    scratch.put("suites/p.test.yaml", "suite: p\n");
    const ran = await checkJson(name, "--fix");
    expect(ran.code).toBe(2);
    expect(ran.diagnostics.map((d) => d.code)).toEqual([code]);
    expect(existsSync(join(scratch.path, "nothing.yaml"))).toBe(false);
  });
});
