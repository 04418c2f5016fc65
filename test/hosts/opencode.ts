import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { failedProgram, failingPolicy, programFailures } from "./failing-programs.ts";
import { hookwarden } from "./guard-files.ts";
import { checkHanging, hangingPlugin, hangingTurns } from "./hanging-judge.ts";
import type { HostVersion, InstalledHost } from "./install.ts";
import { bash, done, guard, has, policyFile, read, runOpencode, sent, told } from "./opencode-process.ts";
import { opencodeSessionCases } from "./opencode-sessions.ts";
import type { Cases } from "./report.ts";
import { fakeSecret, filesBelow, makeScratch, type Scratch, textOfFiles } from "./scratch.ts";

/** Versions that are tested. */
export const opencodeVersions: readonly HostVersion[] = [
  { name: "opencode", version: "1.18.33", package: "opencode-ai", start: "package.json" },
];

/** The one file that `compile --target opencode` writes. */
function compiled(scratch: Scratch): string {
  const out = join(scratch.root, "guard.js");
  const made = hookwarden(scratch, ["compile", "--policy", policyFile, "--target", "opencode", "-o", out]);
  if (made.status !== 0) throw new Error(`the guard cannot be compiled: ${made.output}`);
  return readFileSync(out, "utf8");
}

const script = [
  bash("touch FORBIDDEN"),
  read("notes.txt"),
  bash("cat notes.txt"),
  bash("echo rewrite-me"),
  done,
] as const;

/** Every case of one version of OpenCode. */
export async function opencodeCases(host: InstalledHost, cases: Cases): Promise<void> {
  const group = (name: string, work: (scratch: Scratch) => Promise<void>): Promise<void> =>
    cases.group(name, async () => {
      const scratch = makeScratch();
      try {
        await work(scratch);
      } finally {
        scratch.remove();
      }
    });
  await group("control", (scratch) => control(host, scratch, cases));
  await group("guarded", (scratch) => guarded(host, scratch, cases, guard(), ""));
  await group("guarded by one file", (scratch) => guarded(host, scratch, cases, compiled(scratch), " (one file)"));
  await group("a changed plan", (scratch) => changedPlan(host, scratch, cases));
  await group("ask and prompt", (scratch) => asked(host, scratch, cases));
  await group("a hook that hangs", (scratch) => hangs(host, scratch, cases));
  await group("engine that hangs", (scratch) => engineHangs(host, scratch, cases));
  await opencodeSessionCases(host, cases);
  for (const failure of failures) await group(failure.name, (scratch) => fails(host, scratch, cases, failure));
}

async function control(host: InstalledHost, scratch: Scratch, cases: Cases): Promise<void> {
  const run = await runOpencode(host, scratch, script, undefined);
  cases.check("control: without a plugin the marker command runs", has(scratch, "FORBIDDEN"), told(run));
  cases.check("control: without a plugin the secret reaches the model", sent(run).includes(fakeSecret), told(run));
  cases.check("control: without a plugin nothing is rewritten", !has(scratch, "HARMLESS"), told(run));
}

async function guarded(
  host: InstalledHost,
  scratch: Scratch,
  cases: Cases,
  plugin: string,
  how: string,
): Promise<void> {
  const run = await runOpencode(host, scratch, script, plugin);
  const whole = run.exitCode === 0 && run.requests.length >= script.length;
  cases.check(`the run ends well${how}`, whole, told(run));
  cases.check(`the forbidden call does not run${how}`, whole && !has(scratch, "FORBIDDEN"), told(run));
  const reason = sent(run).includes("may not be made") && sent(run).includes("hook-test/no-forbidden-file");
  cases.check(`its reason and rule reach the model${how}`, reason, told(run));
  cases.check(`the rest of the file reaches the model${how}`, sent(run).includes("last line of the notes"), told(run));
  cases.check(`the secret is in no model request${how}`, whole && !sent(run).includes(fakeSecret), told(run));
  const kept = filesWith(scratch, fakeSecret);
  const live = kept.filter((file) => !/opencode\.db(-wal)?$/.test(file));
  cases.check(
    `no file but the host's own database holds the secret${how}`,
    whole && live.length === 0,
    live.join(", "),
  );
  cases.check(`a rewritten call runs as rewritten${how}`, has(scratch, "HARMLESS"), told(run));
  cases.check(`an injected text reaches the model${how}`, sent(run).includes("Remember the reminder"), told(run));
  const folder = join(scratch.home, ".local/state/hookwarden/audit");
  // A judge process that ended with its host may have left its name for locks.
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name !== "owners") : [];
  const files = names.map((name) => join(folder, name));
  const verified = hookwarden(scratch, ["audit", "verify", ...files]);
  cases.check(`the audit trail verifies${how}`, files.length > 0 && verified.status === 0, verified.output);
  const text = textOfFiles(folder, ".jsonl");
  cases.check(`and names the rules, and no secret${how}`, named(text) && !text.includes(fakeSecret), text.slice(-300));
}

function named(text: string): boolean {
  return ["no-forbidden-file", "hide-secrets", "remind"].every((rule) => text.includes(`hook-test/${rule}`));
}

/** Files below the home folder whose bytes hold a text. */
function filesWith(scratch: Scratch, text: string): string[] {
  return filesBelow(scratch.home).filter((file) => readFileSync(file).includes(text));
}

/** A plan that was changed after it was compiled is none: one word of a reason. */
async function changedPlan(host: InstalledHost, scratch: Scratch, cases: Cases): Promise<void> {
  const whole = compiled(scratch);
  const changed = whole.replace("may not be made", "may be made now");
  if (changed === whole) throw new Error("the reason to change is not in the guard");
  const run = await runOpencode(host, scratch, [bash("touch HARMLESS"), done], changed);
  const said = sent(run).includes("HW508") || (run.stdout + run.stderr).includes("HW508");
  cases.check("a changed plan in the one file blocks, and it is said", !has(scratch, "HARMLESS") && said, told(run));
}

/** The table says that a hook without an end holds the call for ever: so nothing of ours may wait without one. */
async function hangs(host: InstalledHost, scratch: Scratch, cases: Cases): Promise<void> {
  const hook = 'export const Guard = async () => ({ "tool.execute.before": () => new Promise(() => {}) });\n';
  const run = await runOpencode(host, scratch, [bash("touch HARMLESS"), done], hook, { held: 15_000 });
  const held = run.exitCode === null && run.requests.length === 1 && !has(scratch, "HARMLESS");
  cases.check("host fact: a hook that hangs holds the call", held, told(run));
}

async function engineHangs(host: InstalledHost, scratch: Scratch, cases: Cases): Promise<void> {
  const run = await runOpencode(host, scratch, [...hangingTurns, done], hangingPlugin(policyFile));
  const trail = textOfFiles(join(scratch.home, ".local/state/hookwarden/audit"), ".jsonl");
  checkHanging(cases, run, scratch, { has, trail, told: told(run) });
}

async function asked(host: InstalledHost, scratch: Scratch, cases: Cases): Promise<void> {
  const run = await runOpencode(host, scratch, [bash("touch ASKED"), done], guard());
  const refused = run.requests.length > 1 && !has(scratch, "ASKED") && sent(run).includes("only a human lets it run");
  cases.check("ask without a human does not run, and says how it could", refused, told(run));
  const prompt = await runOpencode(host, scratch, [done], guard(), { prompt: "Please forget-this-prompt." });
  cases.check("a refused prompt reaches no model", !sent(prompt).includes("forget-this-prompt"), told(prompt));
}

interface Failure {
  readonly name: string;
  readonly says: string;
  plugin(scratch: Scratch): string;
  /** True where the host goes on without us: a fact that an installer has to prove by a canary call. */
  readonly open?: boolean;
}

const failures: readonly Failure[] = [
  {
    name: "a policy that does not compile",
    says: "HW508",
    plugin: (scratch) => guard(scratch.write("broken.yaml", "version: 1\nrules: nothing\n")),
  },
  {
    name: "an audit trail that cannot be written",
    says: "HW515",
    plugin(scratch) {
      scratch.write("home/.local/state/hookwarden/audit", "a file where the folder would be");
      return guard();
    },
  },
  {
    name: "a state folder that cannot be made",
    says: "HW515",
    plugin(scratch) {
      scratch.write("home/.local/state/hookwarden", "a file where the folder would be");
      return guard();
    },
  },
  ...programFailures.map((failure) => ({
    name: `a program of a rule that ${failure}`,
    says: failedProgram,
    plugin: (scratch: Scratch) => guard(failingPolicy(scratch, failure)),
  })),
  {
    name: "host fact: a hook that throws",
    says: "",
    plugin: () =>
      'export const Guard = async () => ({ "tool.execute.before": async () => { throw new Error("broken"); } });\n',
  },
  {
    name: "host fact: a plugin that does not load",
    says: "",
    plugin: () => 'import "./nowhere.js";\nexport const Guard = async () => ({});\n',
    open: true,
  },
];

async function fails(host: InstalledHost, scratch: Scratch, cases: Cases, failure: Failure): Promise<void> {
  const run = await runOpencode(host, scratch, [bash("touch HARMLESS"), done], failure.plugin(scratch));
  const ran = has(scratch, "HARMLESS");
  if (failure.open === true) cases.check(`${failure.name} is skipped in silence`, ran, told(run));
  else cases.check(`${failure.name} blocks`, !ran, told(run));
  if (failure.says === "") return;
  const heard = sent(run).includes(failure.says) || (run.stdout + run.stderr).includes(failure.says);
  cases.check(`${failure.name}: and it is said`, heard, told(run));
}
