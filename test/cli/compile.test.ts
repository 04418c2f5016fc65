import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { buildGuard, guardsFile } from "../../cli/guard.ts";
import type { Plan } from "../../engine/plan.ts";
import { demoPolicy, run, Scratch } from "./run.ts";

const scratch = new Scratch();

function compile(...args: string[]) {
  if (!existsSync(join(scratch.path, "p.yaml"))) scratch.put("p.yaml", demoPolicy);
  return run(["compile", "--policy", "p.yaml", ...args], { cwd: scratch.path });
}

const read = (name: string): string => readFileSync(join(scratch.path, name), "utf8");

describe("compile --target plan", () => {
  it("writes canonical JSON, the same bytes each time, and nothing beside it", async () => {
    expect(await compile("-o", "plan.json")).toMatchObject({
      code: 0,
      out: "",
      err: expect.stringMatching(/^wrote plan\.json: 1 policy, 1 rule, sha256:/),
    });
    const first = read("plan.json");
    expect(JSON.parse(first)).toMatchObject({
      format: 1,
      rules: expect.arrayContaining([expect.objectContaining({ id: "demo/no-forbidden" })]),
    });
    await compile("-o", "plan.json");
    expect(read("plan.json")).toBe(first);
    expect(readdirSync(scratch.path).sort()).toEqual(["p.yaml", "plan.json"]);
    expect((await compile("-o", "-")).out).toBe(first);
  });

  it("writes nothing when a policy has an error, and leaves what was there", async () => {
    await compile("-o", "plan.json");
    const before = read("plan.json");
    scratch.put("p.yaml", demoPolicy.replace("action: block", "acton: block"));
    expect(await compile("-o", "plan.json")).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining("error[HW"),
    });
    expect(await compile("-o", "other.json")).toMatchObject({ code: 2 });
    expect(read("plan.json")).toBe(before);
    expect(existsSync(join(scratch.path, "other.json"))).toBe(false);
  });

  it("does not overwrite a file that it did not write, unless told to", async () => {
    scratch.put("mine.json", '{"format":1}');
    expect(await compile("-o", "mine.json")).toMatchObject({
      code: 2,
      err: expect.stringMatching(/HW702.*hookwarden did not write it[\s\S]*--force/),
    });
    expect(read("mine.json")).toBe('{"format":1}');
    expect(await compile("-o", "mine.json", "--force")).toMatchObject({ code: 0 });
    expect(read("mine.json")).toContain("demo/no-forbidden");
  });

  it("never writes through a link or over a folder", async () => {
    scratch.put("folder/x", "");
    scratch.put("target.json", "");
    symlinkSync("target.json", join(scratch.path, "link.json"));
    expect(await compile("-o", "link.json")).toMatchObject({ code: 2 });
    expect(await compile("-o", "folder")).toMatchObject({ code: 2 });
    expect(await compile("-o", "nowhere/plan.json")).toMatchObject({ code: 2, err: expect.stringContaining("HW702") });
    expect(read("target.json")).toBe("");
  });
});

describe("buildGuard", () => {
  const plan = {
    format: 1,
    digest: "sha256:1",
    policies: [],
    rules: [],
    conditions: {},
    engine: "0",
    tables: { note: `$& $\` "__HOOKWARDEN_AUDIT__" \u2028 \\ </script> \n` },
  } as unknown as Plan;
  /** A template as the build compresses it. */
  const packed = (guards: unknown): string => {
    const path = scratch.put("guards.json.br", "");
    writeFileSync(path, brotliCompressSync(JSON.stringify(guards)));
    return path;
  };
  const template = (): string =>
    packed({
      pi: 'export const plan = JSON.parse("__HOOKWARDEN_PLAN__");\nexport const audit = "__HOOKWARDEN_AUDIT__";\n',
      opencode: 'export const opencode = ["__HOOKWARDEN_PLAN__", "__HOOKWARDEN_AUDIT__"];\n',
    });

  it("carries the plan unharmed, whatever its texts hold", async () => {
    const guard = buildGuard(plan, '/var/log/a "b".jsonl', "1.2.3", "pi", template());
    if (!("text" in guard)) throw new Error(guard.problem);
    const module = (await import(scratch.put("guard.mjs", guard.text))) as { plan: unknown; audit: string };
    expect(module.plan).toEqual(plan);
    expect(module.audit).toBe('/var/log/a "b".jsonl');
    expect(guard.text).toMatch(/^\/\/ hookwarden guard 1\.2\.3, policy sha256:1\./);
  });

  it("leaves the audit place as it is when no path is given", () => {
    const guard = buildGuard(plan, undefined, "1.2.3", "pi", template());
    expect("text" in guard && guard.text).toContain('audit = "__HOOKWARDEN_AUDIT__"');
  });

  it.each([
    ["pi", "export const plan"],
    ["omp", "export const plan"],
    ["opencode", "export const opencode"],
  ] as const)("fills the guard of %s", (host, begins) => {
    const guard = buildGuard(plan, undefined, "1.2.3", host, template());
    expect("text" in guard && guard.text.split("\n")[1]).toMatch(new RegExp(`^${begins}`));
  });

  it("takes guards from the build", () => {
    expect(guardsFile()).toBe(join(import.meta.dirname, "../..", "dist/guard/guards.json.br"));
  });

  it("says what to do when the guard was not built, or has no single place", () => {
    const built = (file: string): unknown => buildGuard(plan, undefined, "1", "pi", file);
    expect(built(join(scratch.path, "none"))).toMatchObject({ help: expect.stringContaining("npm run build") });
    for (const text of ["nothing", '"__HOOKWARDEN_PLAN__" "__HOOKWARDEN_PLAN__"'])
      expect(built(packed({ pi: text }))).toMatchObject({ problem: expect.stringContaining("no single place") });
    for (const file of [packed({ opencode: "x" }), packed("pi"), scratch.put("half.json.br", "nothing")])
      expect(built(file)).toMatchObject({ problem: expect.stringContaining(`${file}\` cannot be read`) });
  });
});
