import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as hookExports from "../../../adapters/hooks/index.ts";
import { type LoadHooksResult, loadHooks } from "../../../adapters/hooks/loader.ts";

/** Hook modules as people write them, in TypeScript and in JavaScript, loaded on the Node that runs these tests. */
let cwd: string;

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "hookwarden-modules-"));
});

afterEach(() => rmSync(cwd, { recursive: true }));

function put(path: string, source: string): string {
  const file = join(cwd, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, source);
  return file;
}

const load = (...paths: string[]) => loadHooks(paths, cwd, { home: cwd, profile: "pi" });

/** A module whose only handler answers what `expression` is. */
const answering = (imports: string, expression: string): string =>
  `${imports}\nexport default (pi) => { pi.on("input", () => ({ said: ${expression} })); };\n`;

/** What the handlers of `answering` modules say. */
async function said({ hooks, errors }: LoadHooksResult): Promise<unknown[]> {
  expect(errors).toEqual([]);
  const handlers = hooks.flatMap((hook) => [...(hook.handlers.get("input") ?? [])]);
  const answers = await Promise.all(handlers.map(({ handler }) => handler({ type: "input" }, {} as never)));
  return answers.map((answer) => (answer as { said: unknown }).said);
}

describe("TypeScript modules", () => {
  it.each([
    [
      "types of every kind",
      `type A = { a: string }; interface B { b?: A } const x = { a: "1" } satisfies A as A;`,
      "x.a",
      "1",
    ],
    [
      "enums",
      `enum Level { Low = 1, High }\nconst enum Kind { One = "one" }`,
      "[Level.High, Level[1], Kind.One]",
      [2, "Low", "one"],
    ],
    [
      "parameter properties",
      `class P { constructor(private readonly n: number) {} get(): number { return this.n; } }`,
      "new P(3).get()",
      3,
    ],
    ["namespaces", `namespace N { export const a: number = 4; }`, "N.a", 4],
    [
      "generics, overloads and assertions",
      `function f(a: string): string;\nfunction f<T>(a: T): T { return a!; }\nconst g = <T,>(a: T): T => a;`,
      `g<string>(f("5"))`,
      "5",
    ],
    [
      "abstract classes and declared fields",
      `abstract class A { declare x: string; abstract a(): number; }\nclass B extends A { override a(): number { return 6; } }`,
      "new B().a()",
      6,
    ],
    ["a wait at its top", "const x: number = await Promise.resolve(7);", "x", 7],
    [
      "where it stands",
      `import { basename } from "node:path";`,
      "[basename(__filename), basename(import.meta.filename), import.meta.url.endsWith('/m.ts'), __dirname === import.meta.dirname]",
      ["m.ts", "m.ts", true, true],
    ],
    [
      "what Node has",
      `import fs, { existsSync } from "node:fs";\nimport * as path from "path";`,
      "[typeof fs.readFileSync, typeof existsSync, path.basename('/a/b')]",
      ["function", "function", "b"],
    ],
  ])("have %s", async (_name, head, expression, expected) => {
    put("m.ts", answering(head, expression));
    expect(await said(await load("m.ts"))).toEqual([expected]);
  });

  it("load as .ts, .mts and .cts", async () => {
    for (const name of ["a.ts", "b.mts", "c.cts"]) put(name, answering("const x: string = 'y';", "x"));
    expect(await said(await load("a.ts", "b.mts", "c.cts"))).toEqual(["y", "y", "y"]);
  });

  it("import one another as Node, TypeScript and bundlers write it", async () => {
    put("lib/rules.ts", "export const rules: string[] = ['r'];\nexport default 'd';\n");
    put("lib/index.ts", "export * from './rules.ts';\nexport { default as d } from './rules';\n");
    const forms = ["./lib/rules.ts", "./lib/rules.js", "./lib/rules", "./lib/index.ts", "./lib"];
    for (const [at, form] of forms.entries())
      put(`m${at}.ts`, answering(`import { rules } from "${form}";`, "rules[0]"));
    put("all.ts", answering(`import d, * as all from "./lib/rules.ts";`, "[d, Object.keys(all).includes('rules')]"));
    put("later.ts", answering("", "(await import('./lib')).d").replace("() =>", "async () =>"));
    const paths = [...forms.map((_form, at) => `m${at}.ts`), "all.ts", "later.ts"];
    expect(await said(await load(...paths))).toEqual(["r", "r", "r", "r", "r", ["d", true], "d"]);
  });

  it("import JavaScript of both kinds, data and links", async () => {
    put("a.mjs", "export const a = 'a';\n");
    put("b.cjs", "const { c } = require('./c.cjs'); exports.b = 'b' + c;\n");
    put("c.cjs", "module.exports = { c: 'c', d: require('./d.json') };\n");
    put("d.json", '{ "d": "d" }');
    symlinkSync(put("real/e.ts", "import { f } from './f.ts';\nexport const e: string = f;\n"), join(cwd, "e.ts"));
    put("real/f.ts", "export const f = 'f';\n");
    const imports = [
      `import { a } from "./a.mjs";`,
      `import b, { b as named } from "./b.cjs";`,
      `import d from "./d.json" with { type: "json" };`,
      `import { e } from "./e.ts";`,
    ];
    put("m.ts", answering(imports.join("\n"), "[a, b.b, named, d.d, e]"));
    expect(await said(await load("m.ts"))).toEqual([["a", "bc", "bc", "d", "f"]]);
  });

  it("use packages that are installed beside them", async () => {
    put("node_modules/esm/package.json", '{ "name": "esm", "type": "module", "exports": "./i.js" }');
    put("node_modules/esm/i.js", "export default 'default'; export const named = 'named';\n");
    put("node_modules/cjs/package.json", '{ "name": "cjs", "main": "./i.js" }');
    put("node_modules/cjs/i.js", "module.exports = { own: 'own' };\n");
    put(
      "m.ts",
      answering(`import esm, { named } from "esm";\nimport cjs, { own } from "cjs";`, "[esm, named, cjs.own, own]"),
    );
    expect(await said(await load("m.ts"))).toEqual([["default", "named", "own", "own"]]);
  });

  it("can do without what is not there, and are told so as by Node", async () => {
    const codes = (load: string) =>
      `const codes: unknown[] = [];\nfor (const name of ["gone", "./gone.ts", "gone/sub", "@gone/gone"]) try { ${load}; } catch (error) { codes.push((error as { code: unknown }).code); }`;
    put("m.ts", answering(codes("await import(name)"), "codes"));
    put("r.ts", answering(codes("require(name)"), "codes"));
    const [imported, required] = await said(await load("m.ts", "r.ts"));
    expect(imported).toEqual(Array(4).fill("ERR_MODULE_NOT_FOUND"));
    expect(required).toEqual(Array(4).fill("MODULE_NOT_FOUND"));
  });

  it("import modules that stand in the text itself", async () => {
    put("m.ts", answering(`import d from "data:text/javascript,export default 5";`, "d"));
    expect(await said(await load("m.ts"))).toEqual([5]);
  });

  it("import one another in a circle", async () => {
    put(
      "a.ts",
      `import { b } from "./b.ts";\nexport function a(): string { return "a"; }\nexport default (pi) => { pi.on("input", () => ({ said: b() })); };\n`,
    );
    put(
      "b.ts",
      `import { a } from "./a.ts";\nimport { c } from "./c.ts";\nexport const b = (): string => a() + c();\n`,
    );
    put("c.ts", `import { b } from "./b.ts";\nexport const c = (): string => typeof b;\n`);
    expect(await said(await load("a.ts"))).toEqual(["afunction"]);
  });

  it("run after what they import, as far as there is no circle", async () => {
    put("a.ts", `import { order } from './order.ts';\nimport './b.ts';\norder.push('a');\n${answering("", "order")}`);
    put("b.ts", "import { order } from './order.ts';\nimport './a.ts';\nimport './c.ts';\norder.push('b');\n");
    put("c.ts", "import { order } from './order.ts';\nimport './b.ts';\nawait null;\norder.push('c');\n");
    put("order.ts", "export const order: string[] = [];\n");
    expect(await said(await load("a.ts"))).toEqual([["c", "b", "a"]]);
  });

  it("that are imported in a circle at run time do not wait for one another for ever", async () => {
    put(
      "a.ts",
      "export const a = 'a';\nawait Promise.all([import('./b.ts'), import('./c.ts')]);\nexport default (pi) => { pi.on('input', () => ({ said: a })); };\n",
    );
    put("b.ts", "import { c } from './c.ts';\nexport const b = () => c;\n");
    put("c.ts", "import { b } from './b.ts';\nimport { a } from './a.ts';\nexport const c = () => [a, b];\n");
    expect(await said(await load("a.ts"))).toEqual(["a"]);
  });

  it("share what they import within one load", async () => {
    put("count.ts", "let n = 0;\nexport const next = (): number => ++n;\n");
    for (const name of ["a.ts", "b.mts"]) put(name, answering(`import { next } from "./count.ts";`, "next()"));
    expect(await said(await load("a.ts", "b.mts"))).toEqual([1, 2]);
  });

  it("begin once, also when they fail", async () => {
    const counted = "(globalThis as { begun?: number }).begun = ((globalThis as { begun?: number }).begun ?? 0) + 1;\n";
    put("bad.ts", `${counted}throw new Error("no luck");\n`);
    for (const name of ["a.ts", "b.ts"]) put(name, answering(`import "./bad.ts";`, "1"));
    const { errors } = await load("a.ts", "b.ts");
    expect(errors.map(({ error }) => error.includes("no luck"))).toEqual([true, true]);
    expect((globalThis as { begun?: number }).begun).toBe(1);
    delete (globalThis as { begun?: number }).begun;
  });

  it("no variable of the environment changes how modules are read", async () => {
    const before = { ...process.env };
    put("other.ts", "export const d = 'other';\n");
    put("d.ts", "export const d = 'd';\n");
    put("m.ts", answering("import { d } from './d.ts';", "d"));
    Object.assign(process.env, {
      JITI_ALIAS: JSON.stringify({ "./d.ts": join(cwd, "other.ts") }),
      JITI_TRY_NATIVE: "true",
      JITI_EXTENSIONS: "[]",
    });
    try {
      expect(await said(await load("m.ts"))).toEqual(["d"]);
    } finally {
      for (const name of ["JITI_ALIAS", "JITI_TRY_NATIVE", "JITI_EXTENSIONS"]) delete process.env[name];
      Object.assign(process.env, before);
    }
  });
});

describe("a reload", () => {
  it.each(["m.ts", "m.mts", "m.mjs", "m.js", "m.cjs"])("of %s gets the new module", async (name) => {
    const source = (version: number): string =>
      name === "m.cjs"
        ? `module.exports = (pi) => { pi.on("input", () => ({ said: ${version} })); };\n`
        : answering("", String(version));
    for (const version of [1, 2, 3]) {
      put(name, source(version));
      expect(await said(await load(name))).toEqual([version]);
    }
  });

  it.each([
    ["d.ts", "import { d } from './d.ts';", "m.ts", "export const d = "],
    ["d.mjs", "import { d } from './d.mjs';", "m.mjs", "export const d = "],
    ["d.cjs", "const { d } = require('./d.cjs');", "m.cjs", "exports.d = "],
    ["d.json", "import { d } from './d.json' with { type: 'json' };", "m.ts", undefined],
  ])("gets what the module imports anew too: %s", async (dependency, imports, name, head) => {
    const module = answering(imports, "d");
    put(name, name === "m.cjs" ? module.replace("export default", "module.exports =") : module);
    for (const version of [1, 2]) {
      put(dependency, head === undefined ? `{ "d": ${version} }` : `${head}${version};\n`);
      expect(await said(await load(name))).toEqual([version]);
    }
  });

  it("leaves the modules that were loaded before as they are", async () => {
    put("m.ts", answering("", "1"));
    const first = await load("m.ts");
    put("m.ts", answering("", "2"));
    expect([await said(await load("m.ts")), await said(first)]).toEqual([[2], [1]]);
  });
});

const hostPackages = ["@mariozechner/pi-coding-agent", "@earendil-works/pi-coding-agent", "@oh-my-pi/pi-coding-agent"];
const hostSpecifiers = hostPackages.flatMap((name) => [name, `${name}/hooks`, `${name}/extensibility/hooks`]);

describe("values of the hosts' own packages", () => {
  it.each([...hostSpecifiers, "hookwarden/hooks"])("%s is hookwarden/hooks", async (specifier) => {
    put("m.ts", answering(`import { isToolCallEventType as is, type HookAPI } from "${specifier}";`, "is"));
    put("m.mjs", answering(`import * as all from "${specifier}";`, "all.isToolCallEventType"));
    put(
      "c.cjs",
      `const { isToolCallEventType } = require("${specifier}");\n${answering("", "isToolCallEventType").replace("export default", "module.exports =")}`,
    );
    const own = hookExports.isToolCallEventType;
    for (const found of await said(await load("m.ts", "m.mjs", "c.cjs"))) expect(found).toBe(own);
  });

  it("also where the host is installed", async () => {
    put("node_modules/@mariozechner/pi-coding-agent/package.json", '{ "main": "i.js" }');
    put("node_modules/@mariozechner/pi-coding-agent/i.js", "exports.isToolCallEventType = 'another';\n");
    put(
      "m.ts",
      answering(`import { isToolCallEventType } from "@mariozechner/pi-coding-agent";`, "isToolCallEventType"),
    );
    expect(await said(await load("m.ts"))).toEqual([hookExports.isToolCallEventType]);
  });

  it("types alone need no package, marked or not", async () => {
    const types = `import { HookAPI, ToolCallEvent } from "@oh-my-pi/pi-coding-agent/hooks";\nimport type { Gone } from "not-there";\n`;
    put(
      "m.ts",
      `${types}export default function (pi: HookAPI): void { pi.on("input", () => ({ said: 1 as unknown as Gone })); }\n`,
    );
    expect(await said(await load("m.ts"))).toEqual([1]);
  });

  it("what only the host has is a load error that says who stands in", async () => {
    put("m.ts", answering(`import { createBashTool } from "@mariozechner/pi-coding-agent";`, "createBashTool"));
    const { errors } = await load("m.ts");
    expect(errors[0]?.error).toMatch(/`createBashTool`.*`@mariozechner\/pi-coding-agent`.*hookwarden\/hooks/);
  });
});
