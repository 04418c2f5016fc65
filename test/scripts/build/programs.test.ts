import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Metafile } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import { execaFaults, programFaults } from "../../../scripts/build/bundles.ts";
import { type BuiltPrograms, importedModules } from "../../../scripts/build/programs.ts";
import { spawnSync } from "../../bounded-process.ts";
import { programsOfRun } from "../../built-programs.ts";

const root = join(import.meta.dirname, "../../..");

const policyText = `version: 1
policy: p
title: A policy of these tests
default: allow
rules:
  - { id: no, event: tool_call, tool: bash, when: { args.command: touch FORBIDDEN }, action: block, reason: not this }
`;

describe("the programs of a package", () => {
  let dist = "";
  let built: BuiltPrograms;
  const file = (name: string): string => join(dist, "bin", name);
  beforeAll(async () => {
    ({ dist, ...built } = await programsOfRun());
  });

  it("carry nothing that they must not", () => {
    expect(built.programs.map(({ name }) => name)).toEqual(["hook", "hosts", "rest"]);
    for (const { name, bundled } of built.programs) expect(programFaults(name, bundled.metafile)).toEqual([]);
    expect(execaFaults(built.others.execa)).toEqual([]);
  });

  it("have each module and each package once, but for validators, of which each has its own", () => {
    const seen = new Map<string, string>();
    for (const { name, bundled } of built.programs)
      for (const path of Object.keys(bundled.metafile.inputs)) {
        if (/^(?:elsewhere|program|crypto):|\/validators\.generated\.js$/.test(path)) continue;
        expect(seen.get(path), path).toBeUndefined();
        seen.set(path, name);
      }
    expect(seen.size).toBeGreaterThan(1_000);
  });

  it("hold the engine in the first, and what only hosts load in the second", () => {
    const [hook, hosts, rest] = built.programs.map(({ modules }) => modules);
    expect([hook?.has("engine/decide.ts"), hook?.has("compiler/compile.ts")]).toEqual([true, false]);
    expect([hosts?.has("adapters/pi/entry.ts"), hosts?.has("adapters/judge-process/main.ts")]).toEqual([true, true]);
    expect([rest?.has("compiler/compile.ts"), rest?.has("cli/main.ts")]).toEqual([true, true]);
  });

  it.each(importedModules)("give `%s` with what it exports", async (source) => {
    const wanted = (await import(pathToFileURL(join(root, source)).href)) as object;
    const given = (await import(pathToFileURL(join(dist, source.replace(/\.ts$/, ".js"))).href)) as object;
    expect(Object.keys(given).sort()).toEqual(Object.keys(wanted).sort());
    expect(Object.values(given).every((one) => one !== undefined)).toBe(true);
  });

  it("are read when one of their modules is asked for, and each module is there once in a process", () => {
    const script = `const { module } = require(${JSON.stringify(file("hookwarden-modules.cjs"))});
      const read = [];
      const { readFileSync } = require("node:fs");
      require("node:fs").readFileSync = (path, ...more) => (read.push(String(path)), readFileSync(path, ...more));
      require("node:module").syncBuiltinESMExports();
      module("hosts", "adapters/pi/entry.ts");
      const own = () => read.filter((path) => path.endsWith(".program")).map((path) => path.replace(/.*\\/|\\.\\w+\\.program/g, ""));
      const first = own();
      const same = module("hook", "facts/regex.ts") === module("hook", "facts/regex.ts");
      module("rest", "compiler/compile.ts");
      let missing = "";
      try { module("rest", "no/such.ts"); } catch (error) { missing = error.message; }
      console.log(JSON.stringify([first, own(), same, missing]));`;
    const { stdout, stderr } = spawnSync(process.execPath, ["-e", script], { encoding: "utf8", env: {} });
    const [first, all, same, missing] = JSON.parse(stdout || JSON.stringify([stderr])) as unknown[];
    expect([(first as string[]).includes("hookwarden"), [...(all as string[])].sort(), same, missing]).toEqual([
      false,
      ["hookwarden", "hookwarden-hook", "hookwarden-hosts"],
      true,
      "hookwarden has no module `no/such.ts`",
    ]);
  });

  it("keep the code of a hook whose plan was cached, not of one that compiled its policies", () => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-kept-code-")));
    try {
      const policy = join(home, "p.yaml");
      writeFileSync(policy, policyText);
      const input = JSON.stringify({
        session_id: "s1",
        cwd: home,
        hook_event_name: "PreToolUse",
        tool_name: "Bash",
        tool_input: { command: "touch FORBIDDEN" },
      });
      const code = join(home, ".local/state/hookwarden/code");
      const kept = Array.from({ length: 3 }, () => {
        const given = [file("hookwarden-hook.cjs"), "claude-code", "--policy", policy];
        const env = { HOME: home, PATH: "/usr/bin:/bin" };
        const { stdout } = spawnSync(process.execPath, given, { encoding: "utf8", input, env, cwd: home });
        expect(stdout).toContain("not this");
        return existsSync(code) ? readdirSync(code).filter((name) => name.endsWith(".seal")).length : 0;
      });
      expect(kept).toEqual([0, 1, 1]);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });

  it("are of one byte per character, name what they are by their content, and go with licences", () => {
    const names = readdirSync(join(dist, "bin"));
    expect(names.filter((name) => name.endsWith(".program"))).toHaveLength(3);
    for (const name of names.filter((one) => /\.(?:program|cjs|mjs)$/.test(one))) {
      const text = readFileSync(file(name), "utf8");
      expect([...text].filter((character) => character > "\u007f")).toEqual([]);
      expect(text.includes("import.meta") && !name.endsWith(".mjs")).toBe(false);
    }
    expect(existsSync(file("hookwarden-hook.program.cjs.LEGAL.txt"))).toBe(true);
    expect(existsSync(file("hookwarden.program.cjs.LEGAL.txt"))).toBe(true);
  });
});

describe("programFaults", () => {
  const of = (inputs: readonly string[], imports: readonly string[]): Metafile => ({
    inputs: Object.fromEntries(inputs.map((path) => [path, { bytes: 1, imports: [] }])),
    outputs: {
      "x.cjs": {
        bytes: 1,
        inputs: {},
        exports: [],
        imports: imports.map((path) => ({ path, kind: "require-call" as const, external: true })),
      },
    },
  });

  it.each<["hook" | "hosts" | "rest", string[], string[], string[]]>([
    ["hook", ["lazy:adapters/pi/entry.ts"], ["node:fs", "./hookwarden-modules.cjs", "./hookwarden-execa.mjs"], []],
    ["hook", ["lazy:compiler/compile.ts"], [], ["hook carries lazy:compiler/compile.ts"]],
    ["hook", [], ["jiti", "@opentelemetry/resources"], ["hook imports jiti", "hook imports @opentelemetry/resources"]],
    ["hosts", ["elsewhere:rest compiler/compile.ts"], ["node:fs"], []],
    ["hosts", ["node_modules/yaml/index.js"], [], ["hosts carries yaml (node_modules/yaml/index.js)"]],
    ["hosts", [], ["typebox", "re2"], ["hosts imports typebox", "hosts imports re2"]],
    ["rest", ["lazy:cli/main.ts", "node_modules/yaml/index.js"], ["jiti", "@opentelemetry/resources"], []],
    ["rest", [], ["execa", "@opentelemetry"], ["rest imports execa", "rest imports @opentelemetry"]],
  ])("of %s with %j and %j are %j", (program, inputs, imports, faults) => {
    expect(programFaults(program, of(inputs, imports))).toEqual(faults);
  });
});
