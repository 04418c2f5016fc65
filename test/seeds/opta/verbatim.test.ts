// The code, the configuration and the scripts of the seed opta-hook-system, read out of the seed itself and run as they are.

import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { transformSync } from "esbuild";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { type HookDefinition, HookManager, loadOptaHooks, OptaConfigSchema } from "../../../adapters/opta/index.ts";
import { runProgram } from "../../../adapters/run.ts";
import { execFileSync } from "../../bounded-process.ts";
import { seedBlocks, withSeeds } from "../seed-text.ts";

const blocks = seedBlocks("opta-hook-system");
const root = join(import.meta.dirname, "../../..");
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-opta-seed-")));
const project = join(scratch, "project");
const home = join(scratch, "home");
const bin = join(scratch, "bin");
const log = join(scratch, "log");
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function program(file: string, text: string): void {
  writeFileSync(file, text);
  chmodSync(file, 0o755);
}

/** The seed's scripts want jq. Where the machine has none, a stand-in of ours reads the two filters that they use. */
const jq = (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, "jq")));
const jqStandIn = `#!${process.execPath}
const [, name] = /^\\.(\\w+) \\/\\/ empty$/.exec(process.argv[3]);
const value = JSON.parse(require("fs").readFileSync(0, "utf8"))[name];
if (value !== undefined && value !== null) console.log(value);
`;

for (const folder of [bin, home, join(project, ".opta/hooks")]) mkdirSync(folder, { recursive: true });
if (!jq) program(join(bin, "jq"), jqStandIn);
// Stand-ins for what the scripts start: they write down how they were called.
for (const name of ["npx", "ruff", "npm"]) program(join(bin, name), `#!/bin/sh\necho "${name} $*" >> '${log}'\n`);
const slept = join(scratch, "slept");
program(join(bin, "sleep"), `#!/bin/sh\n/bin/sleep "$@" && : > '${slept}'\n`);
const config = blocks.find(({ language }) => language === "json")?.text ?? "";
writeFileSync(join(project, ".opta/config.json"), config);
const scripts = blocks.filter(({ language }) => language === "bash");
for (const { above, text } of scripts)
  program(join(project, ".opta/hooks", /`([\w-]+\.sh)`/.exec(above)?.[1] ?? "unnamed"), text);

const variables = { ...process.env, HOME: home, PATH: `${bin}${delimiter}${process.env["PATH"]}` };
const context = (tool_name: string, args: unknown) => ({
  session_id: "s1",
  cwd: project,
  tool_name,
  tool_args: JSON.stringify(args),
});
const calls = () => (existsSync(log) ? readFileSync(log, "utf8").split("\n").filter(Boolean) : []);
beforeEach(() => rmSync(log, { force: true }));

withSeeds("the seed's own tests", () => {
  const tests = blocks.filter(({ language, text }) => language === "typescript" && /^it\(/m.test(text));

  it("are all seven blocks", () => {
    expect(tests).toHaveLength(7);
  });

  for (const { above, text } of tests) {
    const found: [string, () => unknown][] = [];
    const given = {
      it: (name: string, run: () => unknown) => void found.push([name, run]),
      expect,
      HookManager: { create: (hooks?: readonly HookDefinition[]) => HookManager.create(hooks, { variables }) },
      OptaConfigSchema,
      // The seed's two bounds on time are for a quiet machine: here its clock jumps when a `sleep` has come to its own end.
      Date: { now: () => (existsSync(slept) ? 1e9 : 0) },
    };
    const { code: script } = transformSync(text, { loader: "ts" });
    new Function(...Object.keys(given), script)(...Object.values(given));
    describe(above.replace(/^#+ /, ""), () => {
      for (const [name, run] of found) it(name, async () => void (await run()));
    });
  }
});

withSeeds(
  `the seed's configuration and scripts, with ${jq ? "the machine's own jq" : "a stand-in of ours for jq"}`,
  () => {
    it("are three hooks and three scripts, and load without a finding", () => {
      const { findings, manager } = loadOptaHooks({ project, home });
      expect(findings).toEqual([]);
      expect(manager.list().map(({ definition }) => definition)).toEqual(
        (JSON.parse(config) as { hooks: unknown }).hooks,
      );
      expect(scripts).toHaveLength(3);
    });

    const remove = ["rm", "-rf"].join(" ");
    it.each([
      [`${remove} x`, true],
      ["rm -r x", true],
      ["rm --recursive x", true],
      ["rm x", false],
      ["ls", false],
      // The seed's pattern looks for -r first; the script that is shipped finds this too.
      ["rm -fr x", false],
    ])("block-rm.sh looks at the text %j, which nobody runs: %s", async (command, cancelled) => {
      const { manager } = loadOptaHooks({ project, home, variables });
      const result = await manager.fire("tool.pre", { event: "tool.pre", ...context("run_command", { command }) });
      expect(result).toEqual(cancelled ? { cancelled, reason: "Blocked: destructive rm" } : { cancelled });
    });

    it.each([
      ["edit_file", "a.ts", ["npx eslint --fix a.ts"]],
      ["write_file", "b.py", ["ruff check --fix b.py"]],
      ["write_file", "c.md", []],
      ["read_file", "a.ts", []],
    ])("auto-lint.sh after %s of %s", async (tool, path, expected) => {
      const { manager } = loadOptaHooks({ project, home, variables });
      await manager.fire("tool.post", { event: "tool.post", ...context(tool, { path }) });
      expect(calls()).toEqual(expected);
    });

    it("auto-test.sh runs the tests in the background", async () => {
      const hook = { event: "tool.post", command: ".opta/hooks/auto-test.sh", background: true } as const;
      const manager = HookManager.create([hook], { variables });
      await manager.fire("tool.post", { event: "tool.post", ...context("edit_file", { path: "a.ts" }) });
      await expect.poll(calls).toEqual(["npm test -- --run --reporter=dot"]);
    });

    it("session.end commits, though the agent ends right after it", async () => {
      const git = (...args: string[]) => execFileSync("git", args, { cwd: project, encoding: "utf8", env: variables });
      git("init", "-q");
      git("config", "user.email", "dev@example.com");
      git("config", "user.name", "Dev");
      const agent = join(scratch, "agent.mts");
      writeFileSync(
        agent,
        `import { loadOptaHooks } from ${JSON.stringify(join(root, "adapters/opta/index.ts"))};
      const { manager } = loadOptaHooks();
      await manager.fire("session.end", { event: "session.end", session_id: "s", cwd: process.cwd() });
      process.exit(0);`,
      );
      const tsx = join(root, "node_modules/tsx/dist/cli.mjs");
      const env = variables as Record<string, string>;
      const ended = await runProgram([process.execPath, tsx, agent], { cwd: project, env });
      expect(ended).toMatchObject({ exitCode: 0, stderr: "" });
      const logged = () => {
        try {
          return git("log", "--format=%s");
        } catch {
          return "";
        }
      };
      await expect.poll(logged).toBe("opta: done\n");
    });
  },
);
