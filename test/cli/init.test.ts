import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runSuite } from "../../authoring/suite.ts";
import { packNames } from "../../store/packs.ts";
import { type Ran, run, Scratch } from "./run.ts";

const scratch = new Scratch();
const read = (name: string): string => readFileSync(join(scratch.path, name), "utf8");
const here = (args: readonly string[], options: object = {}): Promise<Ran> =>
  run(args, { cwd: scratch.path, ...options });
const suite = (name: string) => runSuite(join(scratch.path, name));

describe("init", () => {
  it("writes a policy, a suite and schemas, of which nothing is found wrong, in canonical form", async () => {
    const ran = await here(["init"]);
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(ran.out).toContain(".hookwarden/policy.yaml written\n");
    expect(ran.out).toContain("hookwarden new rule <id>");
    expect(readdirSync(join(scratch.path, ".hookwarden")).sort()).toEqual([
      "policy.test.yaml",
      "policy.yaml",
      "schema",
    ]);
    expect(await here(["check", "--fail-level", "info"])).toMatchObject({
      code: 0,
      out: expect.stringContaining("no findings"),
    });
    expect(await here(["fmt", "--check"])).toMatchObject({ code: 0 });
    expect(suite(".hookwarden/policy.test.yaml")).toMatchObject({ cases: 2, failed: 0, diagnostics: [] });
    expect(read(".hookwarden/policy.yaml")).toContain("  - pack: shell-safety\n  - pack: secrets\n");
  });

  it("never overwrites: what is there stays, and nothing else is written", async () => {
    scratch.put(".hookwarden/policy.yaml", "mine\n");
    const ran = await here(["init"]);
    expect(ran).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining("error[HW702]: `.hookwarden/policy.yaml` is there"),
    });
    expect(read(".hookwarden/policy.yaml")).toBe("mine\n");
    expect(readdirSync(join(scratch.path, ".hookwarden"))).toEqual(["policy.yaml"]);
  });

  it("asks on a terminal which packs to import", async () => {
    await here(["init"], { answer: "secrets" });
    expect(read(".hookwarden/policy.yaml").match(/pack: .*/g)).toEqual(["pack: secrets"]);
  });

  it.each([
    [["--no-packs"], null],
    [["--pack", "secrets", "--pack", "pack:secrets"], ["pack: secrets"]],
    [
      ["--packs", "secrets, git-safety,pack:secrets"],
      ["pack: secrets", "pack: git-safety"],
    ],
    [
      ["--packs", "secrets", "--pack", "git-safety"],
      ["pack: git-safety", "pack: secrets"],
    ],
    [["--yes"], ["pack: shell-safety", "pack: secrets"]],
  ])("takes its packs from %j", async (options, packs) => {
    await here(["init", ...options], { answer: "none" });
    expect(read(".hookwarden/policy.yaml").match(/pack: .*/g)).toEqual(packs);
    expect((await here(["check"])).code).toBe(0);
  });

  it.each([
    ["--pack", "secret"],
    ["--packs", "git-safety,secret"],
  ])("knows the packs that there are: %s %s", async (...options) => {
    const ran = await here(["init", ...options]);
    expect(ran).toMatchObject({ code: 2, err: expect.stringContaining("did you mean `secrets`?") });
    expect(existsSync(join(scratch.path, ".hookwarden"))).toBe(false);
  });

  it("offers every pack but the built-in one, each in one line of one group, before it asks", async () => {
    const asked = await here(["init"], { answer: "none" });
    const listed = await here(["init", "--list"]);
    expect(listed).toMatchObject({ code: 0, err: "" });
    expect(asked.out).toContain(listed.out);
    const names = [...listed.out.matchAll(/^ {2}(\S+) {2,}\S.*$/gm)].map(([, name]) => name);
    expect([...names].sort()).toEqual(packNames().filter((name) => name !== "self-protection"));
    const groups = listed.out.split("\n\n").map((block) => [...block.matchAll(/^ {2}(\S+)/gm)].map(([, name]) => name));
    expect(groups).toHaveLength(3);
    expect(groups[0]).toEqual(["ci", "read-only", "recommended", "strict"]);
    expect(groups[1]).toContain("shell-safety");
    expect(groups[2]).toContain("databases");
  });

  it("writes nothing where packs are only listed", async () => {
    await here(["init", "--list"]);
    expect(existsSync(join(scratch.path, ".hookwarden"))).toBe(false);
  });

  it.each([
    ["secrets", false],
    ["recommended", true],
  ])("says of %s whether it waits for trust", async (pack, waits) => {
    const ran = await here(["init", "--packs", pack]);
    expect(ran.out.includes("hookwarden trust")).toBe(waits);
  });

  it("names the schemas of an installed package instead of copying them", async () => {
    scratch.put("node_modules/hookwarden/dist/schema/policy-editor.schema.json", "{}");
    scratch.put("node_modules/hookwarden/dist/schema/suite.schema.json", "{}");
    await here(["init"]);
    expect(read(".hookwarden/policy.yaml").split("\n")[0]).toBe(
      "# yaml-language-server: $schema=../node_modules/hookwarden/dist/schema/policy-editor.schema.json",
    );
    expect(existsSync(join(scratch.path, ".hookwarden/schema"))).toBe(false);
  });

  it("writes nothing for a host that there is not", async () => {
    const home = join(scratch.path, "home");
    mkdirSync(home);
    const unknown = await here(["init", "--host", "emacs"], { home });
    expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining("no host `emacs`") });
    expect(existsSync(join(scratch.path, ".hookwarden"))).toBe(false);
  });

  it("makes an id of any folder's name", async () => {
    for (const [name, id] of [
      ["2 My App!", "my-app"],
      ["***", "policy"],
    ] as const) {
      const folder = join(scratch.path, name);
      mkdirSync(folder);
      expect((await run(["init", "--yes"], { cwd: folder })).code).toBe(0);
      expect(readFileSync(join(folder, ".hookwarden/policy.yaml"), "utf8")).toContain(`policy: ${id}\n`);
    }
  });
});

describe("new policy", () => {
  it("writes a policy and a suite that hold", async () => {
    const ran = await here(["new", "policy", "deploys"]);
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect((await here(["check", ".hookwarden/deploys.yaml", "--fail-level", "info"])).code).toBe(0);
    expect(suite(".hookwarden/deploys.test.yaml")).toMatchObject({ cases: 2, failed: 0, diagnostics: [] });
    expect((await here(["fmt", "--check", ".hookwarden/deploys.yaml"])).code).toBe(0);
  });

  it("stands beside what `init` wrote", async () => {
    await here(["init"]);
    await here(["new", "policy", "deploys"]);
    expect((await here(["check", "--fail-level", "info"])).code).toBe(0);
  });

  it("never overwrites, and refuses what is no id", async () => {
    scratch.put("p/deploys.test.yaml", "mine\n");
    expect(await here(["new", "policy", "deploys", "--folder", "p"])).toMatchObject({ code: 2, out: "" });
    expect(readdirSync(join(scratch.path, "p"))).toEqual(["deploys.test.yaml"]);
    expect(await here(["new", "policy", "../x"])).toMatchObject({ code: 2, err: expect.stringContaining("HW701") });
    expect(await here(["new", "policy", "No Deploys"])).toMatchObject({ code: 2 });
  });
});

describe("new rule", () => {
  const policy =
    "# mine\nversion: 1\npolicy: p # here\nrules:\n- id: a\n  event: tool_call\n  action: ask # why\n\n# last\nexceptions: []\n";

  it.each(["command", "file", "network", "redact", "remind"])("adds a %s rule that loads and holds", async (kind) => {
    await here(["init", "--no-packs"]);
    const before = read(".hookwarden/policy.yaml");
    const ran = await here(["new", "rule", "second-rule", "--kind", kind]);
    expect(ran).toMatchObject({ code: 0, err: "", out: expect.stringContaining(".hookwarden/policy.yaml:25: rule") });
    expect(read(".hookwarden/policy.yaml").startsWith(before)).toBe(true);
    const checked = await here(["check", "--fail-level", "warning"]);
    const duplicate = kind === "file" ? /HW616/ : /^$/;
    const codes = [...checked.out.matchAll(/\[(HW\d+)\]/g)].map(([, code]) => code).filter((code) => code !== "HW606");
    expect(codes.join()).toMatch(duplicate);
  });

  it("keeps comments, indentation and what stands behind the rules", async () => {
    scratch.put("p.yaml", policy);
    expect((await here(["new", "rule", "b", "--policy", "p.yaml"])).code).toBe(0);
    const [head, tail] = policy.split("\n\n# last");
    const after = read("p.yaml");
    expect(after.startsWith(`${head}\n\n- id: b\n  title: B\n`)).toBe(true);
    expect(after.endsWith(`\n\n# last${tail}`)).toBe(true);
  });

  it("keeps line breaks of Windows and a byte order mark", async () => {
    writeFileSync(join(scratch.path, "p.yaml"), `\ufeff${policy.replaceAll("\n", "\r\n")}`);
    expect((await here(["new", "rule", "b", "--policy", "p.yaml"])).code).toBe(0);
    const after = read("p.yaml");
    expect(after.startsWith("\ufeff# mine\r\n")).toBe(true);
    expect(after.replaceAll("\r\n", "")).not.toContain("\n");
  });

  it("fills an empty list, and does without a line break at the end", async () => {
    scratch.put("p.yaml", "version: 1\npolicy: p\nrules: []");
    expect((await here(["new", "rule", "b", "--policy", "p.yaml"])).code).toBe(0);
    expect((await here(["new", "rule", "c", "--policy", "p.yaml"])).code).toBe(0);
    expect((await here(["check", "p.yaml", "--format", "json"])).out).toContain('"rules":2');
  });

  const refused: readonly [string, string | undefined, string][] = [
    ["a missing policy", undefined, "begin with `hookwarden init`"],
    ["an id that is taken", policy.replace("id: a", "id: b"), "`p/b` already"],
    ["a policy with an error", policy.replace("action: ask", "action: asc"), "HW105"],
    [
      "rules in brackets",
      "version: 1\npolicy: p\nrules: [{ id: a, event: tool_call, action: ask }]\n",
      "as a list with one dash",
    ],
    ["a half-written policy", policy.slice(0, 40), "HW"],
    ["a file of ten megabytes", "#".repeat(10_000_000), "HW004"],
  ];
  it.each(refused)("refuses %s, and writes nothing", async (_, text, message) => {
    if (text !== undefined) scratch.put("p.yaml", text);
    const ran = await here(["new", "rule", "b", "--policy", "p.yaml"]);
    expect(ran).toMatchObject({ code: 2, out: "", err: expect.stringContaining(message) });
    if (text === undefined) expect(readdirSync(scratch.path)).toEqual([]);
    else expect(read("p.yaml") === text).toBe(true);
  });
});
