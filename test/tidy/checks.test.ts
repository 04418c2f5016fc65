import { describe, expect, it } from "vitest";
import { guardFaults, placeFaults } from "../../scripts/build/bundles.ts";
import { checks } from "./checks.ts";
import { codeFixtures } from "./code-fixtures.ts";
import type { Check, Tree } from "./tree.ts";

/** A check by its name; the tests of the tests run it on trees that are broken on purpose. */
function check(name: string): Check {
  const found = checks.find((c) => c.name === name);
  if (!found) throw new Error(`no check \`${name}\``);
  return found;
}

const tree = (files: Record<string, string>): Tree => new Map(Object.entries(files));
const lines = (count: number, line = "//"): string => `${line}\n`.repeat(count);
const doc = "/** Says what it is for. */\n";
const manifest = (dependencies: object, devDependencies = {}): string =>
  JSON.stringify({ dependencies, devDependencies });
const lock = (packages: object): string => JSON.stringify({ packages });
// In two parts, so that this file does not itself hold what is looked for.
const homeOfSomeone = `/${"home"}/someone/project`;
const workFolder = `/${"work"}/project`;
/** In two pieces, so that this file does not hold what it looks for. */
const address = ["import", "meta.url"].join(".");
const mirror = `https://${"mirror"}.corp.internal/packages`;

const dispatcher = { "engine/dispatch.ts": "", "engine/combine.ts": "" };
const readme = (run: string, test: string): string => `# x\n\n\`\`\`sh\n${run}\n\`\`\`\n\n\`\`\`sh\n${test}\n\`\`\`\n`;

type Broken = readonly [why: string, files: Record<string, string>, complaint: string];

const broken: Readonly<Record<string, readonly Broken[]>> = {
  "rooms import only what is below them": [
    [
      "a lower room imports a higher one",
      { "facts/a.ts": 'import "../rules/b.ts";' },
      "facts/a.ts:1 imports rules/b.ts",
    ],
    [
      "so does a type",
      { "schema/a.ts": '\nimport type { B } from "../facts/b.ts";' },
      "schema/a.ts:2 imports facts/b.ts",
    ],
    [
      "so does an inline type",
      { "facts/a.ts": 'export type B = import("../rules/b.ts").B;' },
      "facts/a.ts:1 imports rules/b.ts",
    ],
    ["so does a re-export", { "engine/a.ts": 'export * from "../rules/b.ts";' }, "engine/a.ts:1 imports rules/b.ts"],
    [
      "so does a dynamic import",
      { "engine/a.ts": 'await import("../facts/b.ts");' },
      "engine/a.ts:1 imports facts/b.ts",
    ],
    [
      "schema knows spans only",
      { "schema/a.ts": 'import "../diagnostics/codes.ts";' },
      "schema/a.ts:1 imports diagnostics/codes.ts",
    ],
    [
      "the compiler knows the plan only",
      { "compiler/a.ts": 'import "../engine/link.ts";' },
      "compiler/a.ts:1 imports engine/link.ts",
    ],
    [
      "an adapter loads the compiler at once",
      { "adapters/a.ts": 'import "../compiler/compile.ts";' },
      "adapters/a.ts:1 imports compiler/compile.ts",
    ],
    [
      "the run time knows the compiler",
      { "runtime.ts": 'import("./compiler/compile.ts");' },
      "runtime.ts:1 imports compiler/compile.ts",
    ],
    ["code needs a test", { "cli/a.ts": 'import "../test/a.ts";' }, "cli/a.ts:1 imports test/a.ts"],
  ],
  "there is no import circle": [
    [
      "two files",
      { "facts/a.ts": 'import "./b.ts";', "facts/b.ts": 'import "./a.ts";' },
      "facts/a.ts -> facts/b.ts -> facts/a.ts",
    ],
    ["types", { "facts/a.ts": 'import type { A } from "./a.ts";' }, "facts/a.ts -> facts/a.ts"],
  ],
  "dispatch and combine are at most 200 lines together and import only schema and engine": [
    ["too long", { "engine/dispatch.ts": lines(150), "engine/combine.ts": lines(51) }, "201 lines"],
    [
      "a package",
      { ...dispatcher, "engine/combine.ts": 'import "node:crypto";' },
      "engine/combine.ts:1 imports node:crypto",
    ],
    ["gone", { "engine/dispatch.ts": "" }, "engine/combine.ts is missing"],
  ],
  "every package has one home": [
    ["imported elsewhere", { "rules/a.ts": 'import { parse } from "yaml";' }, "rules/a.ts:1 uses yaml"],
    ["only its types", { "compiler/a.ts": 'import type { Node } from "yaml";' }, "compiler/a.ts:1 uses yaml"],
    ["a path inside it", { "facts/a.ts": 'import "re2js/lib/a.js";' }, "facts/a.ts:1 uses re2js"],
    ["loaded on demand", { "cli/a.ts": 'await import("execa");' }, "cli/a.ts:1 uses execa"],
    ["required by name", { "engine/a.ts": 'load("re2");' }, "engine/a.ts:1 uses re2"],
    ["unknown", { "cli/a.ts": 'import "left-pad";' }, "cli/a.ts:1 uses left-pad, which has no home"],
    ["a bare builtin", { "cli/a.ts": 'import "fs";' }, "cli/a.ts:1 imports fs without `node:`"],
  ],
  "the shell parser is known to one file": [
    [
      "two files",
      { "facts/shell/a.ts": 'import "unbash";', "facts/shell/b.ts": 'import "unbash";' },
      "facts/shell/a.ts, facts/shell/b.ts",
    ],
  ],
  "dependencies in package.json equal imports": [
    [
      "not named",
      { "package.json": manifest({}), "compiler/read.ts": 'import "yaml";' },
      "compiler/read.ts:1 imports yaml, which package.json does not name",
    ],
    [
      "installed for users, although a build carries it",
      { "package.json": manifest({ yaml: "2.9.1" }), "compiler/read.ts": 'import "yaml";' },
      "package.json installs yaml, which the programs carry",
    ],
    [
      "not imported",
      { "package.json": manifest({ yaml: "2.9.1" }), "scripts/a.ts": 'import "yaml";' },
      "package.json names yaml, which nothing imports",
    ],
    [
      "a range",
      { "package.json": manifest({}, { vitest: "^4.1.0" }) },
      "package.json gives vitest as ^4.1.0, not as an exact version",
    ],
  ],
  "the lock file has every package for every platform": [
    [
      "another platform's is left out",
      { "package-lock.json": lock({ "node_modules/a": { optionalDependencies: { "@a/win32": "1.0.0" } } }) },
      "node_modules/a needs @a/win32, which the lock file does not have",
    ],
    [
      "one is only inside a stranger",
      { "package-lock.json": lock({ "": { dependencies: { b: "1.0.0" } }, "node_modules/a/node_modules/b": {} }) },
      "package.json needs b, which the lock file does not have",
    ],
  ],
  "facts, rules and engine have no input, output, clock or chance": [
    ["files", { "facts/a.ts": 'import "node:fs";' }, "facts/a.ts:1 imports node:fs"],
    ["a clock", { "engine/a.ts": "export const now = () => Date.now();" }, "engine/a.ts:1 uses Date.now"],
    ["today", { "engine/a.ts": "export const now = new Date();" }, "engine/a.ts:1 uses new Date()"],
    ["chance", { "rules/a.ts": "const x = 1;\nMath.random();" }, "rules/a.ts:2 uses Math.random"],
    ["the process", { "facts/a.ts": "process.env.HOME;" }, "facts/a.ts:1 uses process.env.HOME"],
  ],
  "the top level holds the rooms and nothing else": [
    ["a folder", { "src/a.ts": "" }, "src/"],
    ["a file", { "todo.txt": "" }, "todo.txt"],
  ],
  "no file or folder is named for nothing": [
    ["a file", { "rules/utils.ts": "" }, "rules/utils.ts"],
    ["a test of it", { "test/helpers.test.ts": "" }, "test/helpers.test.ts"],
    ["a folder", { "facts/common/a.ts": "" }, "facts/common/a.ts"],
  ],
  "source files have kebab-case names": [["another case", { "rules/aB.ts": "" }, "rules/aB.ts"]],
  "files have at most 400 lines, functions at most 70": [
    ["a file", { "rules/a.ts": lines(401) }, "rules/a.ts has 401 lines"],
    ["a function", { "rules/a.ts": `function f() {\n${lines(69)}}` }, "rules/a.ts:1 f has 71 lines"],
    ["an arrow function", { "rules/a.ts": `const g = () => {\n${lines(69)}};` }, "rules/a.ts:1 g has 71 lines"],
    ["a method", { "rules/a.ts": `class C {\n  m() {\n${lines(69)}}\n}` }, "rules/a.ts:2 m has 71 lines"],
    [
      "a brace in a string hides nothing",
      { "rules/a.ts": `function f() {\nconst s = "}";\n${lines(68)}}` },
      "rules/a.ts:1 f has 71 lines",
    ],
    ["a test", { "test/a.test.ts": `it("x", () => {\n${lines(69)}});` }, "test/a.test.ts:1 (anonymous) has 71 lines"],
  ],
  "every exported declaration has a docstring": [
    ["a function", { "rules/a.ts": "export function f() {}" }, "rules/a.ts:1 f"],
    ["a constant", { "rules/a.ts": `${doc}export const a = 1;\nexport const b = 2;` }, "rules/a.ts:3 b"],
    ["a type", { "rules/a.ts": "// not a docstring\nexport type T = 1;" }, "rules/a.ts:2 T"],
    ["a default", { "rules/a.ts": "export default function f() {}" }, "rules/a.ts:1 f"],
  ],
  "no test is skipped, left for later or run alone": [
    ["alone", { "test/a.test.ts": 'it.only("x", () => {});' }, "test/a.test.ts:1 it.only"],
    ["skipped", { "test/a.test.ts": '\ndescribe.skip("x", () => {});' }, "test/a.test.ts:2 describe.skip"],
    ["later", { "test/a.test.ts": 'test.todo("x");' }, "test/a.test.ts:1 test.todo"],
    ["sometimes", { "test/a.test.ts": "it.skipIf(true)(1);" }, "test/a.test.ts:1 it.skipIf"],
  ],
  "no path of a home or work folder": [
    ["somebody's home", { "docs/a.md": `x\n${homeOfSomeone}` }, `docs/a.md:2 ${homeOfSomeone.replace("/project", "")}`],
    ["a work folder", { "rules/a.ts": `// ${workFolder}` }, `rules/a.ts:1 ${workFolder.slice(0, 7)}`],
  ],
  "no file is named by the path of an address": [
    [
      "a worker",
      { "store/a.ts": `const worker = new URL("b.ts", ${address}).pathname;` },
      `store/a.ts:1 ${address}).pathname`,
    ],
  ],
  "no mention of a registry's mirror": [
    [
      "in a lock file",
      { "package-lock.json": `"resolved": "${mirror}"` },
      `package-lock.json:1 ${mirror.replace("/packages", "")}`,
    ],
  ],
  "files that documents name are there": [
    ["in a guide", { "docs/guide/a.md": "x\nrun by `test/a.test.ts`" }, "docs/guide/a.md:2 `test/a.test.ts`"],
    [
      "at the top",
      { "README.md": "`examples/opta/gone.mjs`", "examples/opta/a.mjs": "" },
      "README.md:1 `examples/opta/gone.mjs`",
    ],
  ],
  "the README starts with two one-line code blocks, and .ci/run runs them": [
    ["no blocks", { "README.md": "# x\n" }, "README.md has fewer than two code blocks"],
    [
      "two lines in one",
      { "README.md": readme("a\nb", "npm test") },
      "a first code block of README.md is not one line",
    ],
    [
      "no demo",
      { "README.md": readme("npm ci", "npm test"), ".ci/run": "README.md" },
      "the first line does not run the demo: npm ci",
    ],
    [
      "no tests",
      { "README.md": readme("npm run demo", "ls"), ".ci/run": "README.md" },
      "the second line does not run the tests: ls",
    ],
    [
      "a copy",
      { "README.md": readme("npm run demo", "npm test"), ".ci/run": "# README.md\nnpm test" },
      ".ci/run repeats the test line instead of reading it",
    ],
  ],
};

const codeCheck = codeFixtures(["HW101", "HW102"], { HW102: "step 4" });
const sound = { "compiler/a.ts": '"HW101"', "test/fixtures/codes/HW101.yaml": "" };

describe("every check fails on a tree that breaks its invariant", () => {
  for (const [name, cases] of Object.entries(broken)) {
    it.each(cases)(`${name}: %s`, (_, files, complaint) => {
      expect(check(name).run(tree(files))).toContain(complaint);
    });
  }

  it("each check is broken here at least once", () => {
    const here = new Set([...Object.keys(broken), codeCheck.name]);
    expect(checks.map((c) => c.name).filter((name) => !here.has(name))).toEqual([]);
  });
});

describe("codes without fixtures", () => {
  it.each<readonly [why: string, files: Record<string, string>, complaints: readonly string[]]>([
    ["a used code with a fixture and a reserved one are fine", sound, []],
    ["a used code needs a fixture", { "compiler/a.ts": '"HW101"' }, ["HW101 has no fixture"]],
    [
      "naming it in a test is not enough",
      { "compiler/a.ts": '"HW101"', "test/a.test.ts": "HW101" },
      ["HW101 has no fixture"],
    ],
    ["an unused code needs a step", {}, ["HW101 is used nowhere and reserved for no step"]],
    ["a used code is not reserved", { ...sound, "cli/a.ts": '"HW102"' }, ["HW102 is used, yet reserved for step 4"]],
    [
      "a reserved code has no fixture",
      { ...sound, "test/fixtures/codes/HW102-x.yaml": "" },
      ["HW102 has a fixture, yet is reserved for step 4"],
    ],
    ["the list is closed", { ...sound, "rules/a.ts": '"HW999"' }, ["HW999 is not in the closed list"]],
  ])("%s", (_, files, complaints) => {
    expect(codeCheck.run(tree(files))).toEqual(complaints);
  });

  it("a code that no policy text can raise needs a test that names it", () => {
    const runTime = codeFixtures(["HW501"], {});
    expect(runTime.run(tree({ "engine/a.ts": '"HW501"' }))).toEqual(["HW501 has no fixture"]);
    expect(runTime.run(tree({ "engine/a.ts": '"HW501"', "test/tidy/a.ts": "HW501" }))).toEqual([
      "HW501 has no fixture",
    ]);
    expect(runTime.run(tree({ "engine/a.ts": '"HW501"', "test/engine/a.test.ts": '"HW501"' }))).toEqual([]);
  });
});

describe("checks accept what is allowed", () => {
  it.each<readonly [name: string, files: Record<string, string>]>([
    [
      "files that documents name are there",
      {
        "docs/a.md": "`test/a.test.ts`, `test/codes/HWxxx.yaml`, `test/hosts/`",
        "test/a.test.ts": "",
        "test/a.md": "`test/b.ts`",
      },
    ],
    [
      "the lock file has every package for every platform",
      {
        "package-lock.json": lock({
          "node_modules/a/node_modules/b": { dependencies: { c: "1.0.0", d: "1.0.0" } },
          "node_modules/a/node_modules/c": {},
          "node_modules/d": {},
        }),
      },
    ],
    ["rooms import only what is below them", { "adapters/a.ts": 'await import("../compiler/compile.ts");' }],
    ["rooms import only what is below them", { "compiler/a.ts": 'import type { Plan } from "../engine/plan.ts";' }],
    ["there is no import circle", { "facts/a.ts": 'await import("./b.ts");', "facts/b.ts": 'import "./a.ts";' }],
    [
      "every package has one home",
      { "compiler/parse/lexer.ts": 'import "chevrotain";', "facts/regex.ts": 'load("re2");' },
    ],
    [
      "files have at most 400 lines, functions at most 70",
      { "rules/a.ts": `// Generated by scripts/generate.ts\n${lines(500)}` },
    ],
    [
      "files have at most 400 lines, functions at most 70",
      { "test/a.test.ts": `describe("x", () => {\n${lines(90)}});` },
    ],
    [
      "files have at most 400 lines, functions at most 70",
      { "test/a.test.ts": `describe.each([])("x", () => {\n${lines(90)}});` },
    ],
    [
      "every exported declaration has a docstring",
      { "rules/a.ts": `${doc}export const a = 1;\nexport * from "./b.ts";\nexport { c } from "./c.ts";` },
    ],
    [
      "facts, rules and engine have no input, output, clock or chance",
      { "facts/a.ts": "const a = { process: 1 };\na.process;\nDate.UTC(2000);" },
    ],
    ["no test is skipped, left for later or run alone", { "test/a.test.ts": 'const text = "it.only";' }],
    ["no path of a home or work folder", { "test/a.ts": '"/home/dev/project", "src/work/a.ts", "/Users/alice"' }],
    [
      "no mention of a registry's mirror",
      { "docs/a.md": "https://registry.npmjs.org/ and https://www.npmjs.com/package/yaml" },
    ],
    [
      "the README starts with two one-line code blocks, and .ci/run runs them",
      { "README.md": readme("npm ci && npm run demo", "npm ci && npm test"), ".ci/run": "sed README.md" },
    ],
  ])("%s", (name, files) => {
    expect(check(name).run(tree(files))).toEqual([]);
  });
});

describe("faults of the guard", () => {
  const metafile = (inputs: readonly string[], imports: readonly string[], outputs = ["pi.mjs"]) => ({
    inputs: Object.fromEntries(inputs.map((path) => [path, { bytes: 1, imports: [] }])),
    outputs: Object.fromEntries(
      outputs.map((path) => [
        path,
        {
          bytes: 1,
          inputs: {},
          exports: [],
          imports: imports.map((i) => ({ path: i, kind: "import-statement" as const, external: true })),
        },
      ]),
    ),
  });

  it.each([
    [
      "a parser",
      metafile(["node_modules/yaml/dist/index.js"], []),
      ["guard carries yaml (node_modules/yaml/dist/index.js)"],
    ],
    ["a pass of the compiler", metafile(["compiler/read.ts"], []), ["guard carries compiler/read.ts"]],
    ["a package to load", metafile(["runtime.ts"], ["re2"]), ["guard imports re2"]],
    ["two files", metafile(["runtime.ts"], [], ["a.mjs", "b.mjs"]), ["guard is not one file"]],
    ["nothing wrong", metafile(["runtime.ts", "node_modules/re2js/build/index.esm.js"], ["node:module"]), []],
  ])("%s", (_, given, faults) => {
    expect(guardFaults(given)).toEqual(faults);
  });

  it.each([
    ["both places", '"__HOOKWARDEN_PLAN__" "__HOOKWARDEN_AUDIT__"', []],
    ["one is gone", '"__HOOKWARDEN_PLAN__"', ["guard has 0 places for __HOOKWARDEN_AUDIT__"]],
    [
      "one is there twice",
      '"__HOOKWARDEN_PLAN__" "__HOOKWARDEN_PLAN__" "__HOOKWARDEN_AUDIT__"',
      ["guard has 2 places for __HOOKWARDEN_PLAN__"],
    ],
  ])("%s", (_, text, faults) => {
    expect(placeFaults(text)).toEqual(faults);
  });
});
