import { chmodSync, existsSync, readFileSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { readYaml } from "../../compiler/read.ts";
import { toValue } from "../../compiler/yaml-node.ts";
import { spawnSync } from "../bounded-process.ts";
import { Scratch } from "./run.ts";

const root = join(import.meta.dirname, "..", "..");
const read = (name: string): unknown => {
  const { root: tree, diagnostics } = readYaml(name, readFileSync(join(root, name)));
  expect(diagnostics).toEqual([]);
  return tree && toValue(tree);
};

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
  readonly runs: {
    readonly using: string;
    readonly steps: readonly [{ readonly shell: string; readonly run: string; readonly env: Record<string, string> }];
  };
}

interface Step {
  readonly code: number | null;
  /** Arguments of each start of hookwarden. */
  readonly calls: string[][];
  /** Arguments of each start of npm, with the folder that it was started in. */
  readonly npm: string[][];
  readonly output: string;
  readonly sarif: string;
  readonly log: string;
}

const scratch = new Scratch();

/** A program that writes down its arguments as one line of JSON. */
const told = (file: string, more: string): string =>
  [
    "#!/usr/bin/env node",
    'const fs = require("node:fs");',
    "const args = process.argv.slice(2);",
    `fs.appendFileSync(process.env.${file}, JSON.stringify(args) + "\\n");`,
    more,
  ].join("\n");

/** Exits with 1 when it is asked for SARIF. */
const hookwarden = told(
  "CALLS",
  'const sarif = args.includes("sarif");\nconsole.log(sarif ? "{}" : "::warning::told");\nprocess.exitCode = sarif ? 1 : 0;\n',
);

/**
 * The step's script over a checkout of the action in which hookwarden is a stand-in: built already, or built by an `npm` that
 * is one too. There is no `npx`, nor any other program of Node.
 */
function runStep(inputs: Readonly<Record<string, string>>, { built = true, npm = 0 } = {}): Step {
  const { inputs: known, runs } = read("action.yml") as Action;
  const [step] = runs.steps;
  const action = join(scratch.path, "an action");
  const program = (folder: string): void => {
    scratch.put(join(folder, "dist/bin/hookwarden.js"), hookwarden);
    scratch.put(join(folder, "dist/THIRD_PARTY_NOTICES.txt"), "");
  };
  scratch.put("an action/package.json", "{}");
  program(built ? "an action" : "made");
  const copies = `if (args[0] === "run") fs.cpSync(${JSON.stringify(join(scratch.path, "made/dist"))}, "dist", { recursive: true });\n`;
  const cwd = 'fs.appendFileSync(process.env.NPM, JSON.stringify([process.cwd()]) + "\\n");\n';
  chmodSync(scratch.put("bin/npm", told("NPM", `${cwd}${copies}process.exitCode = ${npm};\n`)), 0o755);
  chmodSync(scratch.put("bin/npx", "#!/bin/sh\nexit 9\n"), 0o755);
  symlinkSync(process.execPath, join(scratch.path, "bin/node"));
  const files = Object.fromEntries(["CALLS", "NPM", "GITHUB_OUTPUT"].map((name) => [name, scratch.put(name, "")]));
  const given = Object.fromEntries(
    Object.entries(step.env).map(([name, value]) => {
      const input = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value)?.[1] ?? "none";
      return [name, inputs[input] ?? known[input]?.default ?? "missing"];
    }),
  );
  const PATH = [join(scratch.path, "bin"), "/usr/bin", "/bin"].join(delimiter);
  const env = { ...given, ...files, PATH, GITHUB_ACTION_PATH: action };
  const cwdOfJob = dirname(scratch.put("project/x", ""));
  const options = ["--noprofile", "--norc", "-eo", "pipefail", "-c", step.run];
  const ran = spawnSync("bash", options, { cwd: cwdOfJob, env, encoding: "utf8", timeout: 120_000 });
  expect(ran.stderr).toBe("");
  const lines = (name: string): string[][] =>
    readFileSync(files[name] as string, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as string[]);
  const sarif = join(cwdOfJob, inputs["sarif"] ?? "hookwarden.sarif");
  return {
    code: ran.status,
    calls: lines("CALLS"),
    npm: lines("NPM"),
    output: readFileSync(files["GITHUB_OUTPUT"] as string, "utf8"),
    sarif: existsSync(sarif) ? readFileSync(sarif, "utf8") : "",
    log: ran.stdout,
  };
}

describe("action.yml", () => {
  it("is a composite action whose script gets inputs as variables only", () => {
    const { inputs, runs } = read("action.yml") as Action;
    expect(runs.using).toBe("composite");
    expect(Object.values(inputs).every(({ description }) => description.length > 0)).toBe(true);
    for (const { run, shell } of runs.steps) {
      expect(shell).toBe("bash");
      expect(run).not.toContain("${{");
    }
  });

  it("writes SARIF, shows annotations, and ends with the exit code of the check", () => {
    expect(runStep({})).toEqual({
      code: 1,
      calls: [
        ["check", "--format", "sarif", "--"],
        ["check", "--format", "github", "--"],
      ],
      npm: [],
      output: "sarif=hookwarden.sarif\n",
      sarif: "{}\n",
      log: "::warning::told\n",
    });
  });

  it("builds its own checkout with its lock file where that is not built, and runs no script of a package for it", () => {
    const { calls, npm, code, log } = runStep({}, { built: false });
    const folder = [join(scratch.path, "an action")];
    const install = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
    expect(npm).toEqual([install, folder, ["run", "build"], folder]);
    expect([calls.length, code]).toEqual([2, 1]);
    expect(log).toMatch(/^::group::.*\n::endgroup::\n::warning::told\n$/);
  });

  it("fails where its checkout cannot be built, and checks nothing", () => {
    const { calls, code, npm } = runStep({}, { built: false, npm: 7 });
    expect([calls, code, npm.length]).toEqual([[], 7, 2]);
  });

  it("gives each line of `paths` as one argument, whatever it holds", () => {
    const paths = "policies\n\na b/*.yaml\n$(touch FORBIDDEN); `touch FORBIDDEN`\n--fix";
    const { calls } = runStep({ paths, "fail-level": "error", sarif: "out file.sarif" });
    expect(calls[0]).toEqual([
      ...["check", "--format", "sarif", "--fail-level=error", "--"],
      ...["policies", "a b/*.yaml", "$(touch FORBIDDEN); `touch FORBIDDEN`", "--fix"],
    ]);
    for (const folder of ["", "project", "an action"])
      expect(existsSync(join(scratch.path, folder, "FORBIDDEN"))).toBe(false);
  });
});

describe(".pre-commit-hooks.yaml", () => {
  const hooks = (): readonly Record<string, unknown>[] => read(".pre-commit-hooks.yaml") as Record<string, unknown>[];

  it("has the four hooks, each a command that there is", () => {
    expect(hooks().map(({ id }) => id)).toEqual(["check", "fmt", "test", "docs"].map((name) => `hookwarden-${name}`));
    for (const { entry, language } of hooks()) {
      expect(language).toBe("node");
      expect(entry).toMatch(/^hookwarden (check|fmt|test|docs)( --check)?$/);
    }
  });

  it("looks at policies, wherever `.hookwarden` is, and at nothing else", () => {
    for (const { files } of hooks()) {
      const looksAt = new RegExp(String(files));
      expect(looksAt.test(".hookwarden/policy.yaml")).toBe(true);
      expect(looksAt.test("services/a/.hookwarden/x/policy.yml")).toBe(true);
      expect(looksAt.test("src/policy.yaml")).toBe(false);
      expect(looksAt.test("x.hookwarden/policy.yaml")).toBe(false);
    }
  });
});
