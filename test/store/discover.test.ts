import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { limits } from "../../schema/limits.ts";
import {
  defaultRoots,
  discoverForAuthoring,
  discoverPolicies,
  discoverRoots,
  importProblem,
  resolveImport,
} from "../../store/discover.ts";
import { packageRoot } from "../../store/packs.ts";
import { execFileSync } from "../bounded-process.ts";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-discover-")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(path: string, text = "version: 1\n"): string {
  const full = join(folder, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  return full;
}

const names = (found: { files: readonly { name: string }[] }): string[] => found.files.map((file) => file.name);

describe("discoverPolicies", () => {
  it("takes files as they are named, whatever their extension", () => {
    const path = put("a.txt", "text");
    const found = discoverPolicies(["a.txt", path], folder);
    expect(found.diagnostics).toEqual([]);
    expect(found.files).toEqual([{ name: "a.txt", path, bytes: new Uint8Array(Buffer.from("text")) }]);
  });

  it("takes the policies of a folder and one level below, never suites or hidden files", () => {
    for (const path of [
      "p/b.yaml",
      "p/a.yml",
      "p/a.test.yaml",
      "p/b.test.yml",
      "p/.hidden.yaml",
      "p/notes.md",
      "p/sub/policy.yaml",
    ])
      put(path);
    for (const path of ["p/sub/other.yaml", "p/sub/deep/policy.yaml", "p/sub/policy.test.yaml"]) put(path);
    expect(names(discoverPolicies(["p"], folder))).toEqual(["p/a.yml", "p/b.yaml", "p/sub/policy.yaml"]);
  });

  it("keeps the order of the arguments and the scope asked for", () => {
    put("z.yaml");
    put("a.yaml");
    const found = discoverPolicies(["z.yaml", "a.yaml"], folder, "managed");
    expect(found.files.map((file) => [file.name, file.scope])).toEqual([
      ["z.yaml", "managed"],
      ["a.yaml", "managed"],
    ]);
  });

  const refused: readonly [string, () => string, string, RegExp, RegExp][] = [
    [
      "a missing file beside one of a like name",
      () => (put("policy.yaml"), "polciy.yaml"),
      "HW001",
      /does not exist/,
      /did you mean `policy.yaml`\?/,
    ],
    [
      "a missing file in a folder",
      () => (put("d/policy.yaml"), "d/polcy.yaml"),
      "HW001",
      /does not exist/,
      /did you mean `d\/policy.yaml`\?/,
    ],
    [
      "a mistyped folder above it",
      () => (put("policies/x.yaml"), "polices/x.yaml"),
      "HW001",
      /does not exist/,
      /did you mean `.*\/policies`\?/,
    ],
    ["a missing file like no other", () => "qqqqqqqq", "HW001", /does not exist/, /there is no `qqqqqqqq`/],
    ["a folder without policies", () => (put("e/readme.md"), "e"), "HW012", /no policy found in `e`/, /\*\.yaml/],
    [
      "a folder with nothing but suites",
      () => (put("e/x.test.yaml"), "e"),
      "HW012",
      /no policy found in `e`/,
      /suites/,
    ],
    ["a pack that does not exist", () => "pack:nowhere-at-all", "HW001", /there is no pack `nowhere-at-all`/, /./],
    ["a device", () => "/dev/null", "HW001", /not a regular file/, /give a file or a folder/],
    [
      "a link to itself",
      () => (symlinkSync("loop.yaml", join(folder, "loop.yaml")), "loop.yaml"),
      "HW001",
      /cannot be read/,
      /check the path/,
    ],
    [
      "a file over the bound",
      () => (put("big.yaml", "#".repeat(limits.policyBytes + 1)), "big.yaml"),
      "HW004",
      /has 1048577 bytes/,
      /split it/,
    ],
  ];
  it.each(refused)("refuses %s, with help", (_, make, code, message, help) => {
    const found = discoverPolicies([make()], folder);
    expect(found.files).toEqual([]);
    expect(found.diagnostics).toHaveLength(1);
    expect(found.diagnostics[0]).toMatchObject({ code, severity: "error" });
    expect(found.diagnostics[0]?.message).toMatch(message);
    expect(found.diagnostics[0]?.help).toMatch(help);
  });

  it("does not wait on a pipe", () => {
    execFileSync("mkfifo", [join(folder, "pipe.yaml")]);
    expect(discoverPolicies(["pipe.yaml"], folder).diagnostics[0]).toMatchObject({ code: "HW001" });
  });

  it("reports an entry of a folder that leads nowhere or in a circle, instead of passing over it", () => {
    put("f/a.yaml");
    symlinkSync("nowhere.yaml", join(folder, "f/b.yaml"));
    symlinkSync("c.yaml", join(folder, "f/c.yaml"));
    const found = discoverPolicies(["f"], folder);
    expect(found.diagnostics.map((d) => [d.code, d.source])).toEqual([
      ["HW001", "f/b.yaml"],
      ["HW001", "f/c.yaml"],
    ]);
    const looped = { managed: join(folder, "f/c.yaml") };
    expect(discoverRoots(looped, folder).diagnostics).toMatchObject([{ code: "HW001" }]);
  });

  it("reports every argument, and still lists what it found", () => {
    put("a.yaml");
    const found = discoverPolicies(["x1", "a.yaml", "x2"], folder);
    expect(names(found)).toEqual(["a.yaml"]);
    expect(found.diagnostics).toHaveLength(2);
  });
});

describe("default locations", () => {
  it("are those of the semantics page", () => {
    expect(defaultRoots("/w", "/home/dev")).toEqual({
      managed: "/etc/hookwarden",
      user: "/home/dev/.config/hookwarden",
      project: "/w/.hookwarden",
    });
  });

  it("are read in scope order, and may be absent", () => {
    put("managed/a.yaml");
    put("project/a.yaml");
    const roots = { managed: join(folder, "managed"), user: join(folder, "user"), project: join(folder, "project") };
    expect(discoverRoots(roots, folder).files.map((file) => file.scope)).toEqual(["managed", "project"]);
  });

  it("give authoring commands the project's folder and HOOKWARDEN_POLICY", () => {
    put(".hookwarden/a.yaml");
    put("b.yaml");
    put("c.yaml");
    expect(discoverForAuthoring(folder, "b.yaml:c.yaml").files.map((file) => file.scope)).toEqual([
      "project",
      undefined,
      undefined,
    ]);
    expect(discoverForAuthoring(folder, "b.yaml:pack:nowhere-at-all").diagnostics[0]?.message).toBe(
      "there is no pack `nowhere-at-all`",
    );
  });

  it("say so when there is nothing", () => {
    expect(discoverForAuthoring(folder, undefined).diagnostics).toMatchObject([
      { code: "HW012", help: expect.stringContaining(".hookwarden/policy.yaml") },
    ]);
  });
});

describe("resolveImport", () => {
  const from = (path: string) => ({
    name: path,
    path: join(folder, path),
    bytes: new Uint8Array(),
    scope: "managed" as const,
  });

  it("finds a file beside the importing one and keeps its scope", () => {
    put("d/x.yaml", "x");
    expect(resolveImport({ file: "./x.yaml" }, from("d/policy.yaml"))).toMatchObject({
      name: "d/x.yaml",
      path: join(folder, "d/x.yaml"),
      scope: "managed",
    });
    expect(resolveImport({ file: "../d/x.yaml" }, from("d/policy.yaml"))?.path).toBe(join(folder, "d/x.yaml"));
  });

  it("follows a link that stays in the folder, refuses one that leads out", () => {
    put("d/x.yaml", "x");
    put("outside.yaml", "x");
    symlinkSync("x.yaml", join(folder, "d/inner.yaml"));
    symlinkSync("../outside.yaml", join(folder, "d/outer.yaml"));
    expect(resolveImport({ file: "inner.yaml" }, from("d/policy.yaml"))?.path).toBe(join(folder, "d/x.yaml"));
    expect(resolveImport({ file: "outer.yaml" }, from("d/policy.yaml"))).toBeUndefined();
    expect(importProblem({ file: "outer.yaml" }, from("d/policy.yaml"))).toMatch(/symbolic link/);
  });

  it.each([
    [{ file: "nowhere.yaml" }, /does not exist/],
    [{ file: "/etc/x.yaml" }, /relative/],
    [{ pack: "nowhere-at-all" }, /no pack/],
  ])("says why %j cannot be used", (ref, why) => {
    expect(resolveImport(ref, from("policy.yaml"))).toBeUndefined();
    expect(importProblem(ref, from("policy.yaml"))).toMatch(why);
  });
});

describe("a folder that holds too much", () => {
  it.each<[string, () => void, RegExp]>([
    ["entries", () => many(limits.policyEntries + 1, (i) => `d${i}.txt`), /more than 1024 entries/],
    ["files", () => many(limits.policyFiles + 1, (i) => `p${i}.yaml`), /more than 256 policy files/],
    ["bytes", () => many(10, (i) => `p${i}.yaml`, "#".repeat(limits.policyBytes)), /more than 8388608 bytes/],
  ])("is refused whole, and by the bound that it is over: %s", (_, make, message) => {
    make();
    const { files, diagnostics } = discoverRoots({ project: join(folder, ".hookwarden") }, folder);
    expect(files).toEqual([]);
    expect(diagnostics).toMatchObject([{ code: "HW013", message: expect.stringMatching(message) }]);
  });

  it("is taken at its bounds", () => {
    many(limits.policyFiles, (i) => `p${i}.yaml`);
    many(limits.policyEntries - limits.policyFiles, (i) => `d${i}.txt`);
    const { files, diagnostics } = discoverRoots({ project: join(folder, ".hookwarden") }, folder);
    expect([files.length, diagnostics]).toEqual([limits.policyFiles, []]);
  });

  function many(count: number, name: (i: number) => string, text = ""): void {
    for (let i = 0; i < count; i++) put(`.hookwarden/${name(i)}`, text);
  }
});

describe("packageRoot", () => {
  it("is found from the sources and from any depth of a build", () => {
    const root = packageRoot();
    expect(root).toBe(join(import.meta.dirname, "..", ".."));
    for (const module of ["dist/store/packs.js", "dist/cli.mjs", "dist/a/b/c.js"])
      expect(packageRoot(new URL(module, `file://${root}/`).href)).toBe(root);
    expect(packageRoot("file:///nowhere/x.js")).toBeUndefined();
  });
});
