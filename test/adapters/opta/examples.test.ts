import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createOptaGuard, loadOptaHooks } from "../../../adapters/opta/index.ts";
import { createPrograms } from "../../../adapters/programs.ts";
import { compile } from "../../../compiler/compile.ts";
import { createEngine } from "../../../runtime.ts";
import { discoverPolicies, resolveImport } from "../../../store/discover.ts";

/** The shipped scripts and the pack of the same name, run with stand-ins for the programs that they start. */
const root = join(import.meta.dirname, "../../..");
const scripts = join(root, "examples/opta");
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-opta-examples-")));
const project = join(scratch, "project");
const bin = join(scratch, "bin");
const log = join(scratch, "log");
const path = `${bin}${delimiter}${process.env["PATH"]}`;

/** A stand-in that writes down how it was called. */
function standIn(name: string): void {
  const file = join(bin, name);
  writeFileSync(file, `#!/bin/sh\nprintf '%s\\n' "${name} $*" >> '${log}'\n`);
  chmodSync(file, 0o755);
}

beforeAll(() => {
  for (const folder of [bin, join(project, ".opta/hooks")]) mkdirSync(folder, { recursive: true });
  for (const name of ["npx", "ruff", "npm"]) standIn(name);
  for (const name of readdirSync(scripts).filter((file) => file.endsWith(".sh"))) {
    copyFileSync(join(scripts, name), join(project, ".opta/hooks", name));
    chmodSync(join(project, ".opta/hooks", name), 0o755);
  }
  copyFileSync(join(scripts, "config.json"), join(project, ".opta/config.json"));
});
beforeEach(() => rmSync(log, { force: true }));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const calls = () => (existsSync(log) ? readFileSync(log, "utf8").split("\n").filter(Boolean).sort() : []);

const context = (event: "tool.pre" | "tool.post", tool_name: string, args: unknown) => ({
  event,
  session_id: "s1",
  cwd: project,
  tool_name,
  tool_args: JSON.stringify(args),
});
const hooks = (PATH = path) => loadOptaHooks({ project, home: join(scratch, "home"), variables: { PATH } });

describe("the scripts in examples/opta", () => {
  it("are configured by the example", () => {
    const { findings, manager } = hooks();
    expect(findings).toEqual([]);
    const written = JSON.parse(readFileSync(join(scripts, "config.json"), "utf8"));
    expect({ hooks: manager.list().map(({ definition }) => definition) }).toEqual(written);
    expect(manager.list().map(({ definition }) => definition.command)).toEqual([
      ".opta/hooks/block-rm.sh",
      ".opta/hooks/auto-lint.sh",
      ".opta/hooks/auto-test.sh",
    ]);
  });

  it.each([
    ["a recursive rm", "echo rm -r x", true],
    ["a recursive rm in its long form", "echo rm --recursive x", true],
    ["a recursive rm with other options first", "echo rm -fr x", true],
    ["the rm of one file", "echo rm x", false],
    ["another command", "ls -r", false],
  ])("block-rm: %s", async (_name, command, cancelled) => {
    const result = await hooks().manager.fire("tool.pre", context("tool.pre", "run_command", { command }));
    expect(result).toEqual(cancelled ? { cancelled, reason: "Blocked: destructive rm" } : { cancelled });
  });

  it("block-rm: arguments that cannot be read are blocked", async () => {
    const broken = { ...context("tool.pre", "run_command", {}), tool_args: "{" };
    expect((await hooks().manager.fire("tool.pre", broken)).cancelled).toBe(true);
  });

  it.each([
    ["edit_file", "a.ts", ["npm test -- --run --reporter=dot", "npx eslint --fix a.ts"]],
    ["multi_edit", "a.jsx", ["npx eslint --fix a.jsx"]],
    ["write_file", "a.py", ["ruff check --fix a.py"]],
    ["write_file", "-c.js", ["npx eslint --fix ./-c.js"]],
    ["write_file", "a.md", []],
    ["read_file", "a.ts", []],
  ])("auto-lint and auto-test after %s of %s", async (tool, file, expected) => {
    const fired = await hooks().manager.fire("tool.post", context("tool.post", tool, { path: file }));
    expect(fired).toEqual({ cancelled: false });
    await expect.poll(calls).toEqual(expected);
  });
});

describe("the pack opta-builtins", () => {
  const { files } = discoverPolicies(["pack:opta-builtins"], root);
  const { plan } = compile({ files, resolveImport });
  const engine = createEngine(plan, { programs: createPrograms({ variables: { PATH: path } }) });
  const guard = createOptaGuard(engine, { log: () => {} });

  it("blocks a recursive delete that the script cannot see, and lets text about one pass", async () => {
    const fire = (command: string) => guard.fire("tool.pre", context("tool.pre", "run_command", { command }));
    expect((await fire("find x -delete")).cancelled).toBe(true);
    expect((await fire("echo rm -r x")).cancelled).toBe(false);
  });

  it.each([
    ["edit_file", "a.ts", ["npm test -- --run --reporter=dot", "npx eslint --fix a.ts"]],
    ["multi_edit", "a.py", ["ruff check --fix a.py"]],
    ["read_file", "a.ts", []],
  ])("lints and tests after %s of %s", async (tool, file, expected) => {
    const given = { ...context("tool.post", tool, { path: file }), tool_result: "ok" };
    expect(await guard.fire("tool.post", given)).toEqual({ cancelled: false });
    await expect.poll(calls).toEqual(expected);
  });
});
