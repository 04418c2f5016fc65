import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { discoverHooks, type HookProvider } from "../../../adapters/hooks/discovery.ts";
import { discoverAndLoadHooks, loadHooks, resolveHookPath } from "../../../adapters/hooks/loader.ts";
import { profileNames } from "./modules.ts";

const good = "export default function (api) { api.on('tool_call', () => undefined); }\n";

let root: string;
let cwd: string;
let home: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "hookwarden-loader-"));
  cwd = join(root, "project");
  home = join(root, "home");
  mkdirSync(cwd);
  mkdirSync(home);
});

afterEach(() => rmSync(root, { recursive: true }));

function put(path: string, source = good): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, source);
  return path;
}

const load = (paths: string[], profile: (typeof profileNames)[number] = "omp-hookapi") =>
  loadHooks(paths, cwd, { home, profile });

describe("path resolution (omp-hooks, Path resolution)", () => {
  it.each([
    ["an absolute path is used as it is", "/a/b.js", "/a/b.js"],
    ["~ is expanded", "~/h.js", "/home/u/h.js"],
    ["~ alone is the home", "~", "/home/u"],
    ["a relative path is resolved against cwd", "./h.js", "/project/h.js"],
    ["~ inside a name is no home", "a~/h.js", "/project/a~/h.js"],
  ])("%s", (_name, path, expected) => {
    expect(resolveHookPath(path, "/project", "/home/u")).toBe(expected);
  });
});

describe("loadHooks (omp-hooks, Discovery and loading)", () => {
  it("loads .js, .mjs and .cjs by absolute, home and relative path, in the order given", async () => {
    const absolute = put(join(root, "a.mjs"));
    put(join(home, "b.mjs"));
    put(join(cwd, "c.cjs"), "module.exports = (api) => { api.on('tool_call', () => undefined); };\n");
    put(join(cwd, "package.json"), '{"type":"module"}');
    put(join(cwd, "d.js"));
    const { hooks, errors } = await load([absolute, "~/b.mjs", "c.cjs", "./d.js"]);
    expect(errors).toEqual([]);
    expect(hooks.map((hook) => hook.resolvedPath)).toEqual([
      absolute,
      join(home, "b.mjs"),
      join(cwd, "c.cjs"),
      join(cwd, "d.js"),
    ]);
    expect(hooks.every((hook) => hook.handlers.get("tool_call")?.length === 1)).toBe(true);
  });

  it("a CommonJS module that was compiled from ESM has its factory in exports.default", async () => {
    put(
      join(cwd, "c.cjs"),
      "exports.__esModule = true; exports.default = (api) => { api.on('context', () => undefined); };\n",
    );
    expect((await load(["c.cjs"])).hooks[0]?.handlers.has("context")).toBe(true);
  });

  it("a path that was loaded already is left out, by its absolute form", async () => {
    put(join(cwd, "a.mjs"));
    const { hooks } = await load(["a.mjs", "./a.mjs", join(cwd, "a.mjs"), "x/../a.mjs"]);
    expect(hooks).toHaveLength(1);
  });

  it("errors are collected with their path and loading goes on (omp-hooks, Load-time)", async () => {
    put(join(cwd, "none.mjs"), "export const a = 1;\n");
    put(join(cwd, "text.mjs"), "export default 'hook';\n");
    put(join(cwd, "throws.mjs"), "export default () => { throw new Error('no luck'); };\n");
    put(join(cwd, "syntax.mjs"), "export default (\n");
    put(join(cwd, "class.mjs"), "export default class Hook { }\n");
    put(join(cwd, "good.mjs"));
    const paths = ["none.mjs", "text.mjs", "throws.mjs", "syntax.mjs", "class.mjs", "missing.mjs", "good.mjs"];
    const { hooks, errors } = await load(paths);
    expect(hooks.map((hook) => hook.path)).toEqual(["good.mjs"]);
    expect(errors.map((error) => error.path)).toEqual(paths.slice(0, -1));
    const [none, notFunction, threw, , isClass] = errors.map((error) => error.error);
    expect(none).toContain("no default export that is a function");
    expect(notFunction).toContain("no default export that is a function");
    expect(threw).toContain("no luck");
    expect(isClass).toContain("is a class");
  });

  it("a shell-style hook file is reported as an error (omp-hooks, Important legacy mismatch)", async () => {
    put(join(cwd, "check.sh"), "#!/bin/sh\ntrue\n");
    const { errors } = await load(["check.sh"]);
    expect(errors.map((error) => error.path)).toEqual(["check.sh"]);
  });

  it("imports as the host says, where it says how", async () => {
    const urls: string[] = [];
    const importModule = async (url: string) => {
      urls.push(url);
      return { default: (api: { on(name: string, handler: () => void): void }) => api.on("context", () => undefined) };
    };
    const { hooks } = await loadHooks(["a.ts"], cwd, { home, importModule });
    expect([urls, hooks[0]?.handlers.has("context")]).toEqual([[pathToFileURL(join(cwd, "a.ts")).href], true]);
  });

  it("omp-hookapi refuses async factories and says why (omp-authoring-hooks, Factory signature)", async () => {
    put(join(cwd, "async.mjs"), "export default async function (api) { api.on('tool_call', () => undefined); }\n");
    put(join(cwd, "promise.mjs"), "export default () => Promise.reject(new Error('late'));\n");
    const { hooks, errors } = await load(["async.mjs", "promise.mjs"]);
    expect(hooks).toEqual([]);
    expect(errors.every((error) => error.error.includes("the factory is async"))).toBe(true);
  });

  it("pi and omp wait for async factories (hosts page, section 2)", async () => {
    put(
      join(cwd, "async.mjs"),
      "export default async (api) => { await null; api.on('tool_call', () => undefined); };\n",
    );
    for (const profile of ["pi", "omp"] as const) {
      expect((await load(["async.mjs"], profile)).hooks[0]?.handlers.has("tool_call")).toBe(true);
    }
  });

  it("omp-hookapi refuses extension-only events and names them (omp-authoring-hooks, Event catalog)", async () => {
    put(join(cwd, "extension.mjs"), "export default (api) => { api.on('user_bash', () => undefined); };\n");
    const { errors } = await load(["extension.mjs"]);
    expect(errors[0]?.error).toContain("`user_bash` is not an event of `omp-hookapi`");
  });

  it.each(profileNames)("%s: a handler that is no function is a load error", async (profile) => {
    put(join(cwd, "handler.mjs"), "export default (api) => { api.on('tool_call', 'block'); };\n");
    expect((await load(["handler.mjs"], profile)).errors[0]?.error).toContain("is not a function");
  });
});

describe("discovery (omp-hooks, Discovery-level ordering)", () => {
  it("finds .omp and .claude, pre and post, in the project and the home; omp first, the project first", () => {
    const paths = [cwd, home].flatMap((base) =>
      [".omp", ".claude"].flatMap((folder) => ["pre", "post"].map((type) => [base, folder, type] as const)),
    );
    for (const [index, [base, folder, type]] of paths.entries())
      put(join(base, folder, "hooks", type, `h${index}.mjs`));
    const found = discoverHooks(cwd, home).map((hook) => hook.path.slice(root.length + 1));
    expect(found).toEqual([
      "project/.omp/hooks/pre/h0.mjs",
      "project/.omp/hooks/post/h1.mjs",
      "home/.omp/hooks/pre/h4.mjs",
      "home/.omp/hooks/post/h5.mjs",
      "project/.claude/hooks/pre/h2.mjs",
      "project/.claude/hooks/post/h3.mjs",
      "home/.claude/hooks/pre/h6.mjs",
      "home/.claude/hooks/post/h7.mjs",
    ]);
  });

  it("pi: extensions of the project before those of the user, in each of pi's layouts; configured ones last", async () => {
    const at = (base: string, folder: string, name: string, source = good) => put(join(base, folder, name), source);
    const manifest = JSON.stringify({ pi: { extensions: ["./src/main.mjs", "./other.mjs"] } });
    const expected = [
      at(cwd, ".pi/extensions", "a.mjs"),
      at(cwd, ".pi/extensions", "b/index.mjs"),
      at(cwd, ".pi/extensions", "c/src/main.mjs"),
      at(cwd, ".pi/extensions", "c/other.mjs"),
      at(home, ".pi/agent/extensions", "a.mjs"),
      put(join(cwd, "own.mjs")),
    ];
    at(cwd, ".pi/extensions", "c/package.json", manifest);
    at(cwd, ".pi/extensions", "c/index.mjs");
    at(cwd, ".pi/extensions", "d/package.json", "{ broken");
    at(cwd, ".pi/extensions", "notes.md", "text");
    at(cwd, ".claude/hooks/pre", "x.mjs");
    const { hooks, errors } = await discoverAndLoadHooks(["own.mjs"], cwd, { home, profile: "pi" });
    expect([hooks.map((hook) => hook.resolvedPath), errors]).toEqual([expected, []]);
  });

  it("an extension that a manifest names and that is not there is an error, and the rest loads", async () => {
    put(join(cwd, ".pi/extensions/a/package.json"), JSON.stringify({ pi: { extensions: ["gone.mjs"] } }));
    const there = put(join(cwd, ".pi/extensions/b.mjs"));
    const { hooks, errors } = await discoverAndLoadHooks([], cwd, { home, profile: "pi" });
    expect([hooks.map((hook) => hook.resolvedPath), errors.map((error) => error.path)]).toEqual([
      [there],
      [join(cwd, ".pi/extensions/a/gone.mjs")],
    ]);
  });

  it("of one key `type:tool:name` the first wins and the others are marked", async () => {
    const winner = put(join(cwd, ".omp/hooks/pre/bash.mjs"));
    const loser = put(join(cwd, ".claude/hooks/pre/bash.mjs"));
    put(join(cwd, ".claude/hooks/post/bash.mjs"));
    const { discovered, hooks } = await discoverAndLoadHooks([], cwd, { home });
    expect(discovered.map((hook) => [hook.key, hook.provider, hook.shadowedBy])).toEqual([
      ["pre:bash:bash.mjs", "omp", undefined],
      ["pre:bash:bash.mjs", "claude", winner],
      ["post:bash:bash.mjs", "claude", undefined],
    ]);
    expect(hooks.map((hook) => hook.resolvedPath)).not.toContain(loser);
    expect(hooks).toHaveLength(2);
  });

  it("providers are sorted by priority, higher first, whatever their order", () => {
    const provider = (name: string, priority: number): HookProvider => ({
      name,
      priority,
      list: () => [{ type: "pre", tool: name, name: `${name}.mjs`, path: `/${name}.mjs`, level: "project" }],
    });
    const found = discoverHooks(cwd, home, [provider("low", 1), provider("high", 9), provider("middle", 5)]);
    expect(found.map((hook) => hook.provider)).toEqual(["high", "middle", "low"]);
  });

  it("files of a folder come in byte order (a deviation from readdir order)", () => {
    const names = ["b.mjs", "B.mjs", "é.mjs", "a.mjs", "10.mjs", "9.mjs", "😀.mjs", "ﬀ.mjs"];
    for (const name of names) put(join(cwd, ".omp/hooks/pre", name));
    const found = discoverHooks(cwd, home).map((hook) => hook.name);
    expect(found).toEqual(["10.mjs", "9.mjs", "B.mjs", "a.mjs", "b.mjs", "é.mjs", "ﬀ.mjs", "😀.mjs"]);
  });

  it("folders, hidden files and broken links are left out; links to files count", () => {
    const target = put(join(root, "target.mjs"));
    mkdirSync(join(cwd, ".omp/hooks/pre/folder.mjs"), { recursive: true });
    put(join(cwd, ".omp/hooks/pre/.hidden.mjs"));
    symlinkSync(target, join(cwd, ".omp/hooks/pre/linked.mjs"));
    symlinkSync(join(root, "nowhere.mjs"), join(cwd, ".omp/hooks/pre/broken.mjs"));
    expect(discoverHooks(cwd, home).map((hook) => hook.name)).toEqual(["linked.mjs"]);
  });

  it("configured paths come after discovered ones, deduped by absolute path", async () => {
    const found = put(join(cwd, ".omp/hooks/pre/a.mjs"));
    const configured = put(join(cwd, "b.mjs"));
    const { hooks } = await discoverAndLoadHooks(["b.mjs", ".omp/hooks/pre/a.mjs"], cwd, { home });
    expect(hooks.map((hook) => hook.resolvedPath)).toEqual([found, configured]);
  });

  it("discovered shell-style files are reported and the rest loads (omp-hooks, Important legacy mismatch)", async () => {
    const shell = put(join(cwd, ".claude/hooks/pre/bash.sh"), "#!/bin/sh\ntrue\n");
    put(join(cwd, ".claude/hooks/pre/read.mjs"));
    const { hooks, errors } = await discoverAndLoadHooks([], cwd, { home });
    expect(errors.map((error) => error.path)).toEqual([shell]);
    expect(hooks).toHaveLength(1);
  });
});
