import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { discoverAndLoadHooks, loadHooks } from "../../../adapters/hooks/loader.ts";
import { execFileSync } from "../../bounded-process.ts";
import { profileNames } from "./modules.ts";

/** Hook modules that cannot be loaded, and those that load and do nothing. */
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

const good = `import type { ExtensionAPI } from "@oh-my-pi/pi-coding-agent";\nexport default (pi: ExtensionAPI): void => { pi.on("tool_call", () => undefined); };\n`;

describe("bad modules give one entry each, and the rest loads", () => {
  it.each([
    ["a file that is not there", "gone.ts", undefined, /is not there/],
    ["a folder", "folder", "folder", /is a folder/],
    ["an empty file", "bad.ts", "", /no default export that is a function/],
    ["an empty JavaScript file", "bad.mjs", "", /no default export that is a function/],
    [
      "no default",
      "bad.ts",
      "export const hook = (pi: unknown): void => {};\n",
      /no default export that is a function/,
    ],
    ["a default that is no function", "bad.ts", "export default { on: 1 };\n", /no default export that is a function/],
    ["a throw at load", "bad.ts", "throw new Error('no luck');\n", /no luck/],
    ["a throw that is no error", "bad.ts", "throw 'no luck';\n", /no luck/],
    ["a throw in the factory", "bad.ts", "export default (): void => { throw new Error('no luck'); };\n", /no luck/],
    ["a syntax error", "bad.ts", "export default (pi: => {};\n", /bad\.ts:1:\d+/],
    ["a syntax error in JavaScript", "bad.mjs", "export default (\n", /bad\.mjs:2:\d+/],
    ["a syntax error in CommonJS", "bad.cjs", "module.exports = (\n", /Unexpected/],
    ["types in JavaScript", "bad.mjs", "export default (pi: unknown) => {};\n", /bad\.mjs:1:\d+/],
    [
      "an import of a file that is not there",
      "bad.ts",
      "import { a } from './gone.ts';\nexport default () => a;\n",
      /`\.\/gone\.ts`.*is not there/,
    ],
    [
      "an import of a package that is not there",
      "bad.ts",
      "import a from 'gone';\nexport default () => a;\n",
      /`gone`.*is not there/,
    ],
    [
      "an import of a name that is not there",
      "bad.ts",
      "import { gone } from './good.ts';\nexport default () => gone;\n",
      /`gone`.*`\.\/good\.ts`/,
    ],
    [
      "an import of a name that Node does not have",
      "bad.ts",
      "import { gone } from 'node:fs';\nexport default () => gone;\n",
      /`gone`.*`node:fs`/,
    ],
    [
      "a name in a circle that is not there",
      "bad.ts",
      "import './half.ts';\nexport const here = 1;\nexport default () => {};\n",
      /`gone`.*`\.\/bad\.ts`/,
    ],
    [
      "an import of an address",
      "bad.ts",
      "import a from 'https://example.invalid/a.js';\nexport default () => a;\n",
      /bad\.ts` imports `https:\/\/example\.invalid\/a\.js`.*is not there/,
    ],
    [
      "an import of another runtime's module",
      "bad.ts",
      "import { Database } from 'bun:sqlite';\nexport default () => Database;\n",
      /bad\.ts` imports `bun:sqlite`.*is not there/,
    ],
    [
      "an import of a module that Node does not have",
      "bad.mjs",
      "import a from 'node:nothing';\nexport default () => a;\n",
      /bad\.mjs` imports `node:nothing`/,
    ],
    [
      "an import of a file that is no module",
      "bad.ts",
      "import a from './notes';\nexport default () => a;\n",
      /bad\.ts` imports `\.\/notes`/,
    ],
    [
      "an import of a package that throws",
      "bad.ts",
      "import a from 'throws';\nexport default () => a;\n",
      /bad\.ts` imports `throws`.*no luck/,
    ],
    [
      "syntax that is not known yet, in one line",
      "bad.ts",
      "class A { accessor x = 1; }\nexport default () => A;\n",
      /^[^\n]*bad\.ts:1:\d+\)$/,
    ],
    ["a shell script", "bad.sh", "#!/bin/sh\ntrue\n", /`\.sh`/],
    ["data", "bad.json", "{}", /no default export that is a function/],
    ["data that cannot be read", "bad.json", "{", /bad\.json/],
    ["a class", "bad.ts", "export default class { private a = 1; }\n", /is a class/],
    ["a generator", "bad.ts", "export default function* (pi: unknown) { yield pi; }\n", /is a generator/],
    ["an async generator", "bad.mjs", "export default async function* (pi) { yield pi; }\n", /is a generator/],
    [
      "a function that gives a generator back",
      "bad.ts",
      "function* g() { yield 1; }\nexport default () => g();\n",
      /gave back a generator/,
    ],
    [
      "an event that no module may have",
      "bad.ts",
      "export default (pi) => { pi.on('user_python', 'no'); };\n",
      /is not a function/,
    ],
    [
      "a command without a handler",
      "bad.ts",
      "export default (pi) => { pi.registerCommand('a', {}); };\n",
      /`a`.*handler/,
    ],
    [
      "a command of which nothing is said",
      "bad.ts",
      "export default (pi) => { pi.registerCommand('a'); };\n",
      /`a`.*handler/,
    ],
    [
      "a command without a name",
      "bad.ts",
      "export default (pi) => { pi.registerCommand('', { handler() {} }); };\n",
      /name/,
    ],
    [
      "a renderer that is none",
      "bad.ts",
      "export default (pi) => { pi.registerMessageRenderer('a', 1); };\n",
      /`a`.*function/,
    ],
  ])("%s", async (_name, path, source, expected) => {
    put("notes", "these: are no module\n");
    put("node_modules/throws/index.js", "throw new Error('no luck');\n");
    put("half.ts", "import { gone } from './bad.ts';\nexport const half = () => gone;\n");
    put("good.ts", good);
    put("other.mjs", "export default (pi) => { pi.on('input', () => undefined); };\n");
    if (source === "folder") mkdirSync(join(cwd, path));
    else if (source !== undefined) put(path, source);
    const { hooks, errors, warnings } = await load("other.mjs", path, "good.ts");
    expect(hooks.map((hook) => hook.path)).toEqual(["other.mjs", "good.ts"]);
    expect(errors.map((error) => error.path)).toEqual([path]);
    expect(errors[0]?.error).toMatch(expected);
    expect(warnings).toEqual([]);
  });

  it.each([
    ["a named pipe", (path: string) => void execFileSync("mkfifo", [path])],
    ["a link to a device", (path: string) => symlinkSync("/dev/zero", path)],
    ["a link that leads to itself", (path: string) => symlinkSync(path, path)],
    [
      "a file larger than any module",
      (path: string) => {
        writeFileSync(path, "");
        truncateSync(path, 1_073_741_824);
      },
    ],
  ])("%s is not waited for, named or found", async (_name, make) => {
    put("good.ts", good);
    make(join(cwd, "bad.ts"));
    put("imports.ts", "import './bad.ts';\nexport default (pi) => { pi.on('input', () => undefined); };\n");
    const { hooks, errors } = await load("bad.ts", "imports.ts", "good.ts");
    expect(hooks.map((hook) => hook.path)).toEqual(["good.ts"]);
    expect(errors.map((error) => error.path)).toEqual(["bad.ts", "imports.ts"]);
    mkdirSync(join(cwd, ".pi/extensions/odd"), { recursive: true });
    make(join(cwd, ".pi/extensions/odd/package.json"));
    put(".pi/extensions/odd/index.ts", good);
    const found = await discoverAndLoadHooks([], cwd, { home: cwd, profile: "pi" });
    expect(found.hooks.map((hook) => hook.path)).toEqual([join(cwd, ".pi/extensions/odd/index.ts")]);
  });

  it.each([
    ["a module that waits for ever", "await new Promise(() => setInterval(() => {}, 1_000_000).unref());\n"],
    ["an import that waits for ever", "import './waits.ts';\n"],
    ["a factory that waits for ever", "", "async", "await new Promise(() => {});"],
  ])("%s is waited for as long as the host says", async (_name, before, kind = "", body = "") => {
    put("good.ts", good);
    put("waits.ts", "await new Promise(() => {});\nexport {};\n");
    put("bad.ts", `${before}export default ${kind} (pi) => { ${body} pi.on("input", () => undefined); };\n`);
    const { hooks, errors } = await loadHooks(["bad.ts", "good.ts"], cwd, {
      home: cwd,
      profile: "pi",
      loadTimeout: 300,
    });
    expect(hooks.map((hook) => hook.path)).toEqual(["good.ts"]);
    expect(errors).toEqual([{ path: "bad.ts", error: expect.stringContaining("took longer than 300 ms to load") }]);
  });

  it.each(profileNames)("%s: a generator is no factory (omp-authoring-hooks, Factory signature)", async (profile) => {
    put("g.ts", "export default function* (pi: { on: Function }) { pi.on('tool_call', () => ({ block: true })); }\n");
    const { hooks, errors } = await loadHooks(["g.ts"], cwd, { home: cwd, profile });
    expect([hooks.length, errors[0]?.error]).toEqual([0, expect.stringContaining("is a generator")]);
  });

  it("an async factory in TypeScript is refused where the profile takes none, and waited for elsewhere", async () => {
    put("a.ts", "export default async (pi): Promise<void> => { await null; pi.on('tool_call', () => undefined); };\n");
    for (const profile of profileNames) {
      const { hooks, errors } = await loadHooks(["a.ts"], cwd, { home: cwd, profile });
      expect([hooks.length, errors.length]).toEqual(profile === "omp-hookapi" ? [0, 1] : [1, 0]);
    }
  });
});

describe("a module that registers nothing", () => {
  it("is reported, and kept", async () => {
    put("none.ts", "export default (): void => {};\n");
    put("good.ts", good);
    const { hooks, errors, warnings } = await load("none.ts", "good.ts");
    expect([hooks.length, errors]).toEqual([2, []]);
    expect(warnings).toEqual([{ path: "none.ts", warning: expect.stringContaining("registered nothing") }]);
  });

  it.each([
    ["a handler", "pi.on('input', () => undefined)"],
    ["a command", "pi.registerCommand('a', { handler: () => undefined })"],
    ["a renderer", "pi.registerMessageRenderer('a', () => undefined)"],
  ])("has not registered %s", async (_name, call) => {
    put("m.ts", `export default (pi): void => { ${call}; };\n`);
    expect((await load("m.ts")).warnings).toEqual([]);
  });
});
