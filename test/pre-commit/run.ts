import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "../bounded-process.ts";
import { ensureBuilt } from "../hosts/guard-files.ts";
import { Cases, summary } from "../hosts/report.ts";
import {
  cloneRepository,
  cloneVariables,
  hookRepository,
  mustRun,
  runProgram,
  type Said,
  scratchVariables,
} from "./hook-repository.ts";

/**
 * The hooks of `.pre-commit-hooks.yaml` under the real pre-commit: scratch repositories, a scratch home, real commits. Prints
 * its cases and `N passed, N failed`; where pre-commit cannot be had it is `not run`, never a pass. The hooks come from the
 * packed package, or with `--clone` from all files of this repository, which pre-commit then builds: that takes minutes.
 */
const fromClone = process.argv.includes("--clone");
const version = preCommitVersion();
if (version === undefined) {
  const { lines } = summary([], ["pre-commit: it is not installed, and apt cannot install it"]);
  console.log(lines.join("\n"));
  process.exit(1);
}
ensureBuilt();
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-pre-commit-")));
const cases = new Cases(version, console.log);
try {
  await cases.group("the driver of these cases", async () => commits(scratch, cases));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
const { lines, passed } = summary(cases.results, []);
console.log(lines.join("\n"));
process.exitCode = passed ? 0 : 1;

/** The version of pre-commit, installed from the distribution where it is missing and this user may. */
function preCommitVersion(): string | undefined {
  const asked = (): string | undefined => {
    const { status, stdout } = spawnSync("pre-commit", ["--version"], { encoding: "utf8", timeout: 60_000 });
    return status === 0 ? stdout.trim() : undefined;
  };
  const found = asked();
  if (found !== undefined || process.getuid?.() !== 0) return found;
  const install = ["install", "--yes", "--no-install-recommends", "pre-commit"];
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  if (spawnSync("apt-get", install, { env, timeout: 300_000 }).status !== 0) {
    spawnSync("apt-get", ["update"], { env, timeout: 300_000 });
    spawnSync("apt-get", install, { env, timeout: 300_000 });
  }
  return asked();
}

/** A project whose commits pre-commit looks at, made by `init` and `docs`. */
interface Project {
  readonly policy: string;
  readonly suite: string;
  readonly notes: string;
  /** Commits all there is; says what was printed and whether there is such a commit now. */
  commit(message: string): Said & { readonly made: boolean };
}

function makeProject(folder: string): Project {
  const env = fromClone ? cloneVariables(folder) : scratchVariables(folder);
  const hooks = join(folder, "hooks");
  const project = join(folder, "project");
  const revision = fromClone ? cloneRepository(hooks, env) : hookRepository(hooks, env);
  mkdirSync(project);
  mustRun(project, env, ["git", "init", "--quiet"]);
  const hookwarden = [process.execPath, join(import.meta.dirname, "../../dist/bin/hookwarden.js")];
  mustRun(project, env, [...hookwarden, "init", "--no-packs"]);
  mustRun(project, env, [...hookwarden, "docs", "-o", ".hookwarden/README.md"]);
  const ids = ["check", "fmt", "test", "docs"].map((id) => `      - id: hookwarden-${id}\n`).join("");
  writeFileSync(
    join(project, ".pre-commit-config.yaml"),
    `repos:\n  - repo: ${hooks}\n    rev: ${revision}\n    hooks:\n${ids}`,
  );
  mustRun(project, env, ["pre-commit", "install"]);
  return {
    policy: join(project, ".hookwarden", "policy.yaml"),
    suite: join(project, ".hookwarden", "policy.test.yaml"),
    notes: join(project, "notes.txt"),
    commit(message) {
      mustRun(project, env, ["git", "add", "--all"]);
      const said = runProgram(project, env, ["git", "commit", "--quiet", "-m", message]);
      const { text } = runProgram(project, env, ["git", "log", "-1", "--format=%s"]);
      return { ...said, made: text.trim() === message };
    },
  };
}

/** Commits of a project, each with what pre-commit has to say about it. */
function commits(folder: string, cases: Cases): void {
  const { policy, suite, notes, commit } = makeProject(folder);
  const good = readFileSync(policy, "utf8");
  const first = commit("a good policy");
  cases.check("a good policy is committed", first.status === 0 && first.made, first.text);
  for (const id of ["check", "fmt", "test", "docs"])
    cases.check(`hookwarden-${id} passes on it`, new RegExp(`hookwarden ${id}\\.+Passed`).test(first.text), first.text);

  const bad: readonly (readonly [name: string, file: string, text: string, says: RegExp])[] = [
    ["a policy that does not load", policy, good.replace("action: block", "action: blok"), /error\[HW105\]/],
    ["a half-written policy", policy, good.slice(0, good.indexOf("[tool_call") + 5), /error\[HW005\]/],
    [
      "an example that does not hold",
      policy,
      good.replace("- cat package-lock.json", "- tee package-lock.json"),
      /error\[HW403\]/,
    ],
    ["a lint", policy, good.replace("rules:", "lists:\n  unused: [a]\n\nrules:"), /warning\[HW605\]/],
    [
      "a suite that does not hold",
      suite,
      readFileSync(suite, "utf8").replace("outcome: block", "outcome: allow"),
      /HW409/,
    ],
    ["a stale page", policy, good.replace("is a generated file", "is a made file"), /README\.md is stale/],
  ];
  for (const [name, file, text, says] of bad) {
    const before = readFileSync(file, "utf8");
    writeFileSync(file, text);
    const said = commit(name);
    const blocked = said.status === 1 && !said.made && says.test(said.text);
    cases.check(`${name} is not committed`, text !== before && blocked, said.text);
    writeFileSync(file, before);
  }

  writeFileSync(policy, good.replace("action: block", "action: block   "));
  const rough = commit("a policy that is not in canonical form");
  const mended = readFileSync(policy, "utf8") === good;
  cases.check(
    "a policy that is not in canonical form is formatted first",
    rough.status === 1 && !rough.made && mended,
    rough.text,
  );

  writeFileSync(policy, good);
  writeFileSync(notes, "notes\n");
  const other = commit("other files");
  const skipped = (other.text.match(/no files to check\)Skipped/g) ?? []).length;
  cases.check("a commit without policies is not looked at", other.made && skipped === 4, other.text);
}
