import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../../engine/canonical.ts";
import { stateFolder } from "../../../store/state-folder.ts";
import { guardVerbs, makeToken } from "../../../store/tokens.ts";
import { spawnSync } from "../../bounded-process.ts";
import { withToken } from "../../cli/human.ts";
import { hookwarden } from "../../hosts/guard-files.ts";
import type { Scratch } from "../../hosts/scratch.ts";
import { evil, folders, type GuardAttack, later, standIns } from "./attacks.ts";

const root = join(import.meta.dirname, "../../..");

/** A file that wires a host, as far as anybody can see from outside. */
const wiring = JSON.stringify({ version: 1, hooks: { preToolUse: [{ command: "hookwarden-client.sh cursor" }] } });
const evilWiring = JSON.stringify({ version: 1, hooks: {}, note: evil });

/** Writes the user's policy, and the project's own, into a scratch folder. */
export function plantPolicies(scratch: Scratch): void {
  const policy = (name: string): string => readFileSync(join(import.meta.dirname, name), "utf8");
  scratch.write("home/.config/hookwarden/policy.yaml", policy("policy.yaml"));
  const program = standInAt(scratch, "project/tools/mark", 'touch "$(dirname "$0")/../MARK-project-program"');
  const digest = sha256(readFileSync(program, "utf8"));
  scratch.write("project/.hookwarden/project.yaml", policy("project.yaml").replace("DIGEST", digest));
}

/** A human trusts the project's policy: what it then does is the control of what it does untrusted. */
export function trustProject(scratch: Scratch): void {
  done(scratch, withToken(scratch.home, ["trust"]));
}

/** What attacks around the guard find in a scratch project. */
export function plantAround(scratch: Scratch): void {
  for (const { commands } of standIns) {
    const [path] = /around\/\S+\/[a-z]+(?= )/.exec(commands[0] ?? "") ?? [];
    standInAt(scratch, `project/${path}`);
  }
  standInAt(scratch, "project/around/plain/claude");
  for (const { id } of [...folders, ...later]) plantFolder(scratch, id);
  scratch.write("project/.cursor/hooks.json", wiring);
  scratch.write("project/.windsurf/hooks.json", wiring);
  scratch.write("project/around/notes/notes.md", "plain");
  run(scratch, "tar", "-cf", "around/notes/notes.tar", "-C", "around/notes", "notes.md");
  scratch.write("project/around/notes/notes.md", "older");
}

/** A program that touches a marker beside itself, and does nothing else. */
function standInAt(scratch: Scratch, path: string, line = 'touch "$(dirname "$0")/RAN"'): string {
  const file = scratch.write(path, `#!/bin/sh\n${line}\n`);
  chmodSync(file, 0o755);
  return file;
}

/** The folder of one attack: wired, with another wiring beside it, in git and in an archive. */
function plantFolder(scratch: Scratch, id: string): void {
  const at = `around/${id}`;
  scratch.write(`project/${at}/.cursor/hooks.json`, wiring);
  for (const file of [".cursor/hooks.json", ".windsurf/hooks.json"])
    if (id !== "copied-tree" || file.startsWith(".c")) scratch.write(`project/${at}/evil/${file}`, evilWiring);
  const member = id === "archive" ? ".windsurf" : ".cursor";
  if (id.startsWith("archive")) run(scratch, "tar", "-cf", `${at}/a.tar`, "-C", `${at}/evil`, `${member}/hooks.json`);
  if (!id.includes("git")) return;
  const git = (...args: readonly string[]): void => run(scratch, "git", "-C", at, ...args);
  git("init", "-q", "-b", "main");
  const commit = (): void => {
    git("add", ".cursor");
    git("-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "-q", "-m", "x");
  };
  commit();
  git("checkout", "-q", "-b", "other");
  scratch.write(`project/${at}/.cursor/hooks.json`, evilWiring);
  commit();
  git("checkout", "-q", "main");
}

/** A copy of the built package as a project has it, Node beside it, a wired host, and a token that a human left lying about. */
export function plantPackage(scratch: Scratch): void {
  const folder = join(scratch.project, "node_modules/hookwarden");
  for (const part of ["dist", "package.json"])
    cpSync(join(root, part), join(folder, part), {
      recursive: true,
      filter: (path) => !/\/dist\/meta(?:\/|$)|\.(?:d\.ts|txt)$/.test(path),
    });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  mkdirSync(join(scratch.project, "node_modules/.bin"), { recursive: true });
  symlinkSync("../hookwarden/dist/bin/hookwarden.js", join(scratch.project, "node_modules/.bin/hookwarden"));
  symlinkSync(process.execPath, join(scratch.project, "tools/node"));
  done(scratch, withToken(scratch.home, ["install", "cursor"]));
  const state = stateFolder({}, scratch.home);
  const leave = makeToken(state, { verbs: guardVerbs, until: Date.now() + 3_600_000, anywhere: true }, 16);
  writeFileSync(join(scratch.project, "leave"), leave, { mode: 0o600 });
}

/** Whether an attack came through. */
export function cameThrough({ tells: { file, leak } }: GuardAttack, scratch: Scratch): boolean {
  const path = join(scratch.root, file);
  if (leak === "there") return existsSync(path);
  if (leak === "gone") return !existsSync(path);
  return existsSync(path) && readFileSync(path, "utf8").includes(leak.holds);
}

function done(scratch: Scratch, args: readonly string[]): void {
  const { status, output } = hookwarden(scratch, args);
  if (status !== 0) throw new Error(`${args[0]} does not work: ${output}`);
}

function run({ project, home }: Scratch, program: string, ...args: readonly string[]): void {
  const env = { PATH: "/usr/bin:/bin", HOME: home };
  const { status, stderr, error } = spawnSync(program, args, { cwd: project, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${error?.message ?? stderr}`);
}
