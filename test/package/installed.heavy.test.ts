import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withToken } from "../cli/human.ts";
import { bytesBelow, filesOfClone, Machine, type Said } from "./machine.ts";
import { pack, root } from "./packed.ts";

/** The package as users install it, by the real npm, on a machine without a compiler. */
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const mostInstalled = 40_000_000;

/** The first hour, each command with its exit code. */
function firstHour(machine: Machine): readonly (readonly [string, number | null, string])[] {
  const call = JSON.stringify({ command: "ls" });
  const install = withToken(machine.home, ["install", "claude-code"]);
  const lines: readonly (readonly string[])[] = [
    ["--version"],
    ["init"],
    ["check"],
    ["test"],
    ["explain", "--tool", "bash", "--args", call],
    install,
    ["doctor", "claude-code"],
    ["test", "pack:secrets"],
    ["compile", "--policy", "pack:shell-safety", "--target", "pi", "-o", "guard.mjs"],
    ["compile", "--policy", "pack:shell-safety", "--target", "opencode", "-o", "guard-opencode.mjs"],
  ];
  return lines.map((line) => {
    const { code, text } = machine.hookwarden(...line);
    return [line.slice(0, 2).join(" "), code, code === 0 ? "" : text] as const;
  });
}

const allWell = (hour: ReturnType<typeof firstHour>): unknown => hour.map(([name]) => [name, 0, ""]);
/** Lines by which npm warns. */
const warnings = ({ text }: Said): readonly string[] =>
  text.split("\n").filter((line) => /^npm (?:warn|error|err!)|deprecated/i.test(line));

describe("a tarball that is installed without a compiler", () => {
  const machine = new Machine();
  let said: Said = { code: null, text: "" };
  const installed = join(machine.prefix, "lib/node_modules/hookwarden");
  beforeAll(() => {
    pack(["--pack-destination", machine.root]);
    const archive = readdirSync(machine.root).find((name) => name.endsWith(".tgz")) ?? "none.tgz";
    said = machine.run(machine.root, ["npm", "install", "--global", `./${archive}`]);
  }, 900_000);
  afterAll(() => machine.remove());

  it(`installs without a warning, and takes at most ${mostInstalled} bytes`, () => {
    expect([said.code, warnings(said)], said.text).toEqual([0, []]);
    expect(bytesBelow(machine.prefix)).toBeLessThanOrEqual(mostInstalled);
  });

  it("carries a user through the first hour", () => {
    const hour = firstHour(machine);
    expect(hour).toEqual(allWell(hour));
  });

  it("gives an application every module that the manifest names", () => {
    const project = join(machine.root, "app");
    mkdirSync(join(project, "node_modules"), { recursive: true });
    symlinkSync(installed, join(project, "node_modules/hookwarden"));
    const names = Object.keys(manifest.exports).filter((name) => !/json$/.test(name));
    const lines = names.map((name, i) => `import * as m${i} from "${name.replace(".", "hookwarden")}";`);
    const counts = names.map((_, i) => `Object.keys(m${i}).length`);
    writeFileSync(
      join(project, "all.mjs"),
      `${lines.join("\n")}\nconsole.log(JSON.stringify([${counts.join(", ")}]));\n`,
    );
    const { code, text } = machine.run(project, ["node", "all.mjs"]);
    expect([code, text.startsWith("[")], text).toEqual([0, true]);
    expect((JSON.parse(text) as number[]).every((count) => count > 0)).toBe(true);
    expect(names.length).toBeGreaterThan(8);
    const schema = 'import s from "hookwarden/schema/policy.schema.json" with { type: "json" }; console.log(typeof s);';
    writeFileSync(join(project, "schema.mjs"), schema);
    expect(machine.run(project, ["node", "schema.mjs"]).text).toContain("object");
  });

  it("gives an application types that compile under strict settings, with those of Node beside them", () => {
    const project = join(machine.root, "typed");
    mkdirSync(join(project, "node_modules/@types"), { recursive: true });
    cpSync(installed, join(project, "node_modules/hookwarden"), { recursive: true });
    for (const name of ["@types/node", "undici-types"])
      symlinkSync(join(root, "node_modules", name), join(project, "node_modules", name));
    const names = Object.keys(manifest.exports).filter((name) => !/json$/.test(name));
    const imports = names.map((name, i) => `import * as m${i} from "${name.replace(".", "hookwarden")}";`);
    const use = `const { plan, diagnostics } = m0.compile({ files: [] });\nexport const engine: m0.Engine = m0.createEngine(plan);\nexport const codes: string[] = diagnostics.map(({ code }) => code);\n`;
    const rest = `export const all: object[] = [${names.map((_, i) => `m${i}`).join(", ")}];\n`;
    writeFileSync(join(project, "package.json"), '{ "type": "module" }');
    writeFileSync(join(project, "all.ts"), `${imports.join("\n")}\n${use}${rest}`);
    const options = "--noEmit --strict --module nodenext --target es2022 --types node all.ts".split(" ");
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    expect(machine.run(project, ["node", tsc, ...options])).toEqual({ code: 0, text: "" });
  });
});

describe("a clone", () => {
  const machine = new Machine();
  const clone = join(machine.root, "clone");
  beforeAll(() => {
    for (const path of filesOfClone()) {
      mkdirSync(dirname(join(clone, path)), { recursive: true });
      cpSync(join(root, path), join(clone, path));
    }
  });
  afterAll(() => machine.remove());

  it("is installed by the lines of the guide, without a warning, and carries a user through the first hour", () => {
    const guide = readFileSync(join(root, "docs/guide/install.md"), "utf8");
    const [, block = ""] = /^## From a clone\n[\s\S]*?^```sh\n([\s\S]*?)^```$/m.exec(guide) ?? [];
    const lines = block.trim().split("\n").slice(2);
    expect(lines).toEqual([
      "npm ci --ignore-scripts",
      "npm pack",
      `npm install --global --allow-scripts=re2 ./hookwarden-${manifest.version}.tgz`,
    ]);
    for (const line of lines) {
      const said = machine.run(clone, ["bash", "-c", line]);
      expect([line, said.code, warnings(said)], said.text).toEqual([line, 0, []]);
    }
    const hour = firstHour(machine);
    expect(hour).toEqual(allWell(hour));
  }, 900_000);

  it("is packed without a word on standard output but the name of the tarball, which is all that pre-commit takes it for", () => {
    const { text } = machine.run(clone, ["bash", "-c", "npm pack 2>/dev/null"]);
    expect(text).toBe(`hookwarden-${manifest.version}.tgz\n`);
  }, 900_000);

  it("is linked by the line of the README, where it is built", () => {
    const line = readFileSync(join(root, "README.md"), "utf8").match(/^npm install --global \.(?=\s)/m)?.[0] ?? "";
    const prefix = join(machine.root, "linked");
    mkdirSync(prefix);
    const said = machine.run(clone, ["bash", "-c", line], { npm_config_prefix: prefix });
    expect([said.code, warnings(said)], said.text).toEqual([0, []]);
    const command = join(prefix, "bin/hookwarden");
    expect(machine.run(machine.project, [command, "--version"])).toEqual({ code: 0, text: `${manifest.version}\n` });
  }, 900_000);

  it("is pinned by a project with its integrity, and run there without a registry", () => {
    const project = join(machine.root, "pinning");
    mkdirSync(project);
    writeFileSync(join(project, "package.json"), '{ "name": "pinning", "version": "1.0.0", "private": true }\n');
    // A globally installed one would answer in its place.
    const nowhere = { npm_config_registry: "http://127.0.0.1:9/", npm_config_prefix: project };
    expect(machine.run(project, ["npm", "exec", "--no", "hookwarden", "--", "--version"], nowhere).code).not.toBe(0);
    const archive = join(clone, `hookwarden-${manifest.version}.tgz`);
    const said = machine.run(project, ["npm", "install", "--save-dev", "--omit=optional", archive]);
    expect([said.code, warnings(said)], said.text).toEqual([0, []]);
    const lock = JSON.parse(readFileSync(join(project, "package-lock.json"), "utf8"));
    expect(lock.packages["node_modules/hookwarden"].integrity).toMatch(/^sha512-/);
    const ran = machine.run(project, ["npm", "exec", "--no", "hookwarden", "--", "--version"], nowhere);
    expect(ran).toEqual({ code: 0, text: `${manifest.version}\n` });
  }, 900_000);

  it("is checked by the action, which finds what is wrong with a policy", () => {
    const action = readFileSync(join(root, "action.yml"), "utf8");
    const script = action.slice(action.indexOf("      run: |\n") + 13).replace(/^ {8}/gm, "");
    // As the runner has it: fetched, and neither installed nor built.
    for (const name of ["node_modules", "dist"]) machine.run(clone, ["rm", "-rf", name]);
    const output = join(machine.root, "output");
    const check = (policy: string): Said => {
      const job = join(machine.root, "job");
      mkdirSync(join(job, ".hookwarden"), { recursive: true });
      writeFileSync(join(job, ".hookwarden/policy.yaml"), policy);
      writeFileSync(output, "");
      return machine.run(job, ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
        ...{ GITHUB_ACTION_PATH: clone, GITHUB_OUTPUT: output },
        ...{ HOOKWARDEN_PATHS: "", HOOKWARDEN_SARIF: "found.sarif", HOOKWARDEN_FAIL_LEVEL: "" },
      });
    };
    const good = "version: 1\npolicy: p\ntitle: P\ndescription: A policy of this test.\nrules: []\n";
    const broken = check(`${good.replace("rules: []", "rules: [")}`);
    expect([broken.code, broken.text.includes("::error")], broken.text).toEqual([2, true]);
    const sarif = JSON.parse(readFileSync(join(machine.root, "job/found.sarif"), "utf8"));
    expect(sarif.runs[0].results.length).toBeGreaterThan(0);
    expect(readFileSync(output, "utf8")).toBe("sarif=found.sarif\n");
    // Built once: the second step neither installs nor builds.
    const again = check(good);
    expect([again.code, again.text.includes("::group::")], again.text).toEqual([0, false]);
  }, 900_000);
});
