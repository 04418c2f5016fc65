import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Metafile } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { extensionFaults } from "../../../scripts/build/bundles.ts";
import { buildExtension, type ExtensionHost, extensionModules } from "../../../scripts/build/extensions.ts";

const root = join(import.meta.dirname, "../../..");

const hosts = Object.entries(extensionModules) as [ExtensionHost, string][];

describe.each(hosts)("the extension of %s as one file", (host, module) => {
  let folder = "";
  let metafile: Metafile;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "hookwarden-extension-"));
    metafile = await buildExtension(root, host, folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("carries nothing that it must not, and imports the compiler only when it is asked for", () => {
    expect(extensionFaults(metafile)).toEqual([]);
    const kinds = Object.values(metafile.outputs).flatMap(({ imports }) =>
      imports.filter(({ path }) => path.includes("compiler")).map(({ kind }) => kind),
    );
    expect(new Set(kinds)).toEqual(new Set(["dynamic-import"]));
  });

  it("exports what its module exports", async () => {
    const source = (await import(pathToFileURL(join(root, "adapters", host, `${module}.ts`)).href)) as object;
    const built = (await import(pathToFileURL(join(folder, `${module}.js`)).href)) as Record<string, unknown>;
    expect(Object.keys(built).sort()).toEqual(Object.keys(source).sort());
    expect(Object.values(built).some((one) => typeof one === "function")).toBe(true);
    expect(Object.values(built).every((one) => one !== undefined)).toBe(true);
  });

  it("is of one byte per character, so that it takes half the memory in a process that forks", () => {
    const text = readFileSync(join(folder, `${module}.cjs`), "utf8");
    expect([...text].filter((character) => character > "\u007f")).toEqual([]);
  });

  it("goes with the licences of what it carries", () => {
    expect(existsSync(join(folder, `${module}.cjs.LEGAL.txt`))).toBe(true);
    expect(readFileSync(join(folder, `${module}.cjs`), "utf8")).not.toContain("import.meta");
  });
});

describe("extensionFaults", () => {
  const of = (inputs: string[], imports: string[]): Metafile => ({
    inputs: Object.fromEntries(inputs.map((path) => [path, { bytes: 1, imports: [] }])),
    outputs: {
      "entry.cjs": {
        bytes: 1,
        inputs: {},
        exports: [],
        imports: imports.map((path) => ({ path, kind: "import-statement", external: true })),
      },
    },
  });

  it.each<[string, string[], string[], string[]]>([
    ["nothing", ["adapters/pi/entry.ts"], ["node:fs", "../../bin/hookwarden-compiler.mjs"], []],
    ["the compiler", ["compiler/compile.ts"], [], ["extension carries compiler/compile.ts"]],
    ["yaml", ["node_modules/yaml/index.js"], [], ["extension carries yaml (node_modules/yaml/index.js)"]],
    ["a package of the host", [], ["typebox"], ["extension imports typebox"]],
    ["a package by its name", [], ["re2", "execa"], ["extension imports re2", "extension imports execa"]],
  ])("finds %s", (_, inputs, imports, faults) => {
    expect(extensionFaults(of(inputs, imports))).toEqual(faults);
  });
});
