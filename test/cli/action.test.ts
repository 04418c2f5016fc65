import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { readYaml } from "../../compiler/read.ts";
import { toValue } from "../../compiler/yaml-node.ts";
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
  readonly calls: string[][];
  readonly output: string;
  readonly sarif: string;
}

const scratch = new Scratch();

/** The step's script with a stand-in for `npx` that writes down its arguments, and exits with 1 when it is asked for SARIF. */
function runStep(inputs: Readonly<Record<string, string>>): Step {
  const { runs } = read("action.yml") as Action;
  const [step] = runs.steps;
  const npx = scratch.put(
    "bin/npx",
    '#!/usr/bin/env node\nconst fs = require("node:fs");\nconst args = process.argv.slice(2);\n' +
      'fs.appendFileSync(process.env.CALLS, `${JSON.stringify(args)}\\n`);\nconst sarif = args.includes("sarif");\n' +
      'console.log(sarif ? "{}" : "::warning::told");\nprocess.exitCode = sarif ? 1 : 0;\n',
  );
  chmodSync(npx, 0o755);
  const calls = scratch.put("calls", "");
  const output = scratch.put("output", "");
  const given = Object.fromEntries(
    Object.entries(step.env).map(([name, value]) => {
      const input = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value)?.[1] ?? "none";
      return [name, inputs[input] ?? (read("action.yml") as Action).inputs[input]?.default ?? "missing"];
    }),
  );
  const PATH = [join(scratch.path, "bin"), process.env["PATH"] ?? ""].join(delimiter);
  const env = { ...given, PATH, CALLS: calls, GITHUB_OUTPUT: output };
  const options = ["--noprofile", "--norc", "-eo", "pipefail", "-c", step.run];
  const { status, stderr } = spawnSync("bash", options, { cwd: scratch.path, env, encoding: "utf8", timeout: 120_000 });
  expect(stderr).toBe("");
  const lines = readFileSync(calls, "utf8").trim().split("\n");
  return {
    code: status,
    calls: lines.map((line) => JSON.parse(line) as string[]),
    output: readFileSync(output, "utf8"),
    sarif: readFileSync(join(scratch.path, inputs["sarif"] ?? "hookwarden.sarif"), "utf8"),
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
        ["--yes", "hookwarden", "check", "--format", "sarif", "--"],
        ["--yes", "hookwarden", "check", "--format", "github", "--"],
      ],
      output: "sarif=hookwarden.sarif\n",
      sarif: "{}\n",
    });
  });

  it("gives each line of `paths` as one argument, whatever it holds", () => {
    const paths = "policies\n\na b/*.yaml\n$(touch FORBIDDEN); `touch FORBIDDEN`\n--fix";
    const { calls } = runStep({ paths, version: "1.2.3", "fail-level": "error", sarif: "out file.sarif" });
    expect(calls[0]).toEqual([
      ...["--yes", "hookwarden@1.2.3", "check", "--format", "sarif", "--fail-level=error", "--"],
      ...["policies", "a b/*.yaml", "$(touch FORBIDDEN); `touch FORBIDDEN`", "--fix"],
    ]);
    expect(() => readFileSync(join(scratch.path, "FORBIDDEN"))).toThrow();
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
