import {
  cpSync,
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
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { spawnSync } from "../../bounded-process.ts";
import { programsOfRun } from "../../built-programs.ts";

const root = join(import.meta.dirname, "../../..");

/** A project in which npm put this package beside others, each of which says that it ran and ends the process in peace. */
describe("a project whose node_modules the agent writes", () => {
  let project = "";
  let bin = "";
  const ran = (): string => join(project, "RAN");

  beforeAll(async () => {
    project = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-hoisted-")));
    const own = join(project, "node_modules/hookwarden");
    bin = join(own, "dist/bin");
    cpSync((await programsOfRun()).dist, join(own, "dist"), { recursive: true });
    cpSync(join(root, "package.json"), join(own, "package.json"));
    cpSync(join(root, "policies"), join(own, "dist/policies"), { recursive: true });
    const marker = `require("node:fs").appendFileSync(${JSON.stringify(ran())}, __filename + "\\n"); process.reallyExit(0);\n`;
    const names = readdirSync(join(root, "node_modules")).filter((name) => !name.startsWith("."));
    const there = names.flatMap((name) =>
      name.startsWith("@") ? readdirSync(join(root, "node_modules", name)).map((one) => `${name}/${one}`) : [name],
    );
    // npm leaves out an optional package that cannot be built here, which an agent could still put there.
    const { optionalDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const packages = new Set([...there, ...Object.keys(optionalDependencies)]);
    for (const folder of [join(project, "node_modules"), join(project, "work/node_modules")])
      for (const name of packages) put(join(folder, name), marker);
  });
  afterAll(() => rmSync(project, { recursive: true, force: true }));
  beforeEach(() => rmSync(ran(), { force: true }));

  function put(folder: string, text: string): void {
    mkdirSync(join(folder, "build/Release"), { recursive: true });
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "x", version: "1.0.0", main: "index.js" }));
    for (const file of ["index.js", "re2.js", "build/Release/re2.node"]) writeFileSync(join(folder, file), text);
  }

  /** One hook of Claude Code as its own process. */
  function hook(rule: string, command: string, where: string): { code: number | null; out: string; err: string } {
    const home = mkdtempSync(join(project, "home-"));
    const policy = join(home, "p.yaml");
    writeFileSync(policy, `version: 1\npolicy: p\ntitle: A policy\ndefault: allow\nrules:\n  - ${rule}\n`);
    const cwd = join(project, where);
    const payload = {
      session_id: "s",
      cwd,
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command },
      tool_use_id: "c",
    };
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(bin, "hookwarden-hook.cjs"), "claude-code", "--policy", policy],
      { cwd, env: { HOME: home, PATH: "/usr/bin:/bin" }, input: JSON.stringify(payload), encoding: "utf8" },
    );
    return { code: status, out: stdout, err: stderr };
  }

  const byPattern =
    '{ id: no, event: tool_call, tool: bash, when: { args.command: { matches: "touch F[A-Z]+N" } }, action: block, reason: not this }';
  const byProgram = (program: string): string =>
    `{ id: asks, event: tool_call, tool: bash, action: { run: { command: [${JSON.stringify(process.execPath)}, ${JSON.stringify(program)}], protocol: exit_code } } }`;

  it("runs nothing of them by itself: the packages are bait that bites", () => {
    const bait = join(project, "node_modules/re2/re2.js");
    spawnSync(process.execPath, [bait], { cwd: project });
    expect(existsSync(ran())).toBe(true);
  });

  it.each([".", "work"])("a pattern is looked for, and a policy compiled, without any of them (in %s)", (where) => {
    const { code, out } = hook(byPattern, "touch FORBIDDEN", where);
    expect([code, out.includes('"deny"'), out.includes("not this"), existsSync(ran())]).toEqual([2, true, true, false]);
  });

  it.each([".", "work"])("the program of a rule runs without any of them (in %s)", (where) => {
    const program = join(project, "refuses.mjs");
    mkdirSync(dirname(program), { recursive: true });
    writeFileSync(program, "console.error('the program said no'); process.exit(2);\n");
    const { code, out } = hook(byProgram(program), "touch x", where);
    expect([code, out.includes('"deny"'), out.includes("the program said no"), existsSync(ran())]).toEqual([
      2,
      true,
      true,
      false,
    ]);
  });
});
