import { existsSync } from "node:fs";
import { join } from "node:path";
import { type HostName, hosts } from "../../schema/hosts.ts";
import { withToken } from "../cli/human.ts";
import { failedProgram, failingPolicy } from "./failing-programs.ts";
import { clientFile, hookwarden, launcherFile } from "./guard-files.ts";
import type { HostVersion, InstalledHost } from "./install.ts";
import { keepGoingCases, stopPolicy, stopsEarly } from "./keep-going.ts";
import type { ScriptedTurn } from "./model-server.ts";
import type { HostRun } from "./process.ts";
import type { Cases } from "./report.ts";
import { fakeSecret, filesBelow, makeScratch, type Scratch, textOfFiles } from "./scratch.ts";

/** How a host's hooks are wired: by one command, or as `hookwarden install` does it. */
export type HookWiring = CommandWiring | { readonly install: readonly string[] };

/** One command as the hook of a host's events: of all, or of the one before a call alone. */
export interface CommandWiring {
  readonly command: string;
  readonly callsOnly?: boolean;
  /** Seconds that the host gives it; 5 where a test does not say. */
  readonly seconds?: number;
}

/** What a run has besides its script. */
export interface RunOptions {
  readonly prompt?: string;
  /** Variables of the host's process besides those that it needs. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Milliseconds after which the run is ended. */
  readonly patience?: number;
}

/** Which of a host's events are wired; the first is the one before a call. */
export function hookedEvents(events: readonly string[], hook: CommandWiring): readonly string[] {
  return hook.callsOnly ? events.slice(0, 1) : events;
}

/** Seconds of a wired command. */
export const hookSeconds = (hook: CommandWiring): number => hook.seconds ?? 5;

/** What the scripted model is asked to do where a test does not say. */
export const usualPrompt = "Please do the scripted work.";

/** Wires a host in the scratch home as its user would; `wire` writes a command's wiring. */
export function wireHooks(
  host: string,
  scratch: Scratch,
  hook: HookWiring | undefined,
  wire: (hook: CommandWiring) => void,
): void {
  if (hook === undefined) return;
  if ("command" in hook) return wire(hook);
  const { status, output } = hookwarden(scratch, withToken(scratch.home, ["install", host, ...hook.install]));
  if (status !== 0) throw new Error(`install ${host} does not work: ${output}`);
}

/** A host whose hooks are a process each, as the tests drive it. */
export interface OneShotHost {
  /** Its row in the table of hosts. */
  readonly row: HostName;
  /** Its name for `hookwarden-hook`. */
  readonly hook: string;
  readonly versions: readonly HostVersion[];
  /** What the model is told where a hook ends with exit 2 and no document, if the host keeps standard error to itself. */
  readonly exitTwoSays?: string;
  /** One headless run, with a hook or without. */
  run(
    host: InstalledHost,
    scratch: Scratch,
    turns: readonly ScriptedTurn[],
    hook: HookWiring | undefined,
    options?: RunOptions,
  ): Promise<HostRun>;
}

/** The policy of these tests. */
const policyFile = join(import.meta.dirname, "hook-policy.yaml");

const bash = (command: string): ScriptedTurn => ({ calls: [{ name: "bash", args: { command } }] });
const read = (path: string): ScriptedTurn => ({ calls: [{ name: "read", args: { path } }] });
const done: ScriptedTurn = { text: "Finished." };

/** What the guarded run must hold, and the run without hooks must not. */
const script: readonly ScriptedTurn[] = [
  bash("touch FORBIDDEN"),
  read("notes.txt"),
  bash("cat notes.txt"),
  bash("echo rewrite-me"),
  done,
];

const has = (scratch: Scratch, file: string): boolean => existsSync(join(scratch.project, file));
const sent = (run: HostRun): string => run.requests.join("\n");
const told = (run: HostRun): string =>
  `exit ${run.exitCode}, ${run.requests.length} requests, stdout: ${run.stdout.slice(-500)}, stderr: ${run.stderr.slice(-500)}`;

/** The end of a request, where its newest messages are. */
const ending = (run: HostRun, at: number): string => (run.requests[at] ?? "no request").slice(-1_200);

/** The command line of our hook, as `install` would write it; the home is the scratch folder's, as the host's shell has it. */
export function hookCommand(host: OneShotHost, policy = policyFile, more = "", launcher = launcherFile): string {
  const places = `--home "$HOME" --state "$HOME/.local/state/hookwarden"`;
  const files = [clientFile, process.execPath, launcher].map((file) => `"${file}"`).join(" ");
  return `/bin/sh -p ${files} ${host.hook} ${places} --policy "${policy}"${more} || exit 2`;
}

async function inScratch(work: (scratch: Scratch) => Promise<void>): Promise<void> {
  const scratch = makeScratch();
  try {
    await work(scratch);
  } finally {
    scratch.remove();
  }
}

/** Every case of one version of a host. */
export async function oneShotCases(driver: OneShotHost, host: InstalledHost, cases: Cases): Promise<void> {
  const group = (name: string, work: (scratch: Scratch) => Promise<void>): Promise<void> =>
    cases.group(name, () => inScratch(work));
  await group("control", (scratch) => control(driver, host, scratch, cases));
  await group("guarded", (scratch) => guarded(driver, host, scratch, cases));
  await group("ask", (scratch) => asked(driver, host, scratch, cases));
  await group("prompt", (scratch) => refusedPrompt(driver, host, scratch, cases));
  await cases.group("stop", () => keepsGoing(driver, host, cases));
  for (const mode of ["crash", "timeout", "malformed"] as const)
    await group(`hook fails: ${mode}`, (scratch) => hostFails(driver, host, scratch, cases, mode));
  for (const failure of ownFailures)
    await group(failure.name, (scratch) => weFail(driver, host, scratch, cases, failure));
}

/** Without hooks the script does what the guarded run must not let it do; otherwise that would prove nothing. */
async function control(driver: OneShotHost, host: InstalledHost, scratch: Scratch, cases: Cases): Promise<void> {
  const run = await driver.run(host, scratch, script, undefined);
  cases.check("control: without a hook the marker command runs", has(scratch, "FORBIDDEN"), told(run));
  cases.check("control: without a hook the secret reaches the model", sent(run).includes(fakeSecret), told(run));
  cases.check("control: without a hook nothing is rewritten", !has(scratch, "HARMLESS"), told(run));
}

async function guarded(driver: OneShotHost, host: InstalledHost, scratch: Scratch, cases: Cases): Promise<void> {
  const run = await driver.run(host, scratch, script, { command: hookCommand(driver) });
  const whole = run.exitCode === 0 && run.requests.length >= script.length;
  cases.check("the run ends well", whole, told(run));
  cases.check("the forbidden call does not run", whole && !has(scratch, "FORBIDDEN"), told(run));
  const reason = sent(run).includes("may not be made") && sent(run).includes("hook-test/no-forbidden-file");
  cases.check("its reason and rule reach the model", reason, ending(run, 1));
  cases.check("the rest of the file reaches the model", sent(run).includes("last line of the notes"), ending(run, 2));
  cases.check("the secret is in no model request", whole && !sent(run).includes(fakeSecret), told(run));
  cases.check("a rewritten call runs as rewritten", has(scratch, "HARMLESS"), ending(run, 4));
  cases.check("an injected text reaches the model", sent(run).includes("Remember the reminder"), ending(run, 0));
  trailCases(scratch, cases);
}

function trailCases(scratch: Scratch, cases: Cases): void {
  const files = filesBelow(join(scratch.home, ".local/state/hookwarden/audit")).filter((f) => f.endsWith(".jsonl"));
  const verified = hookwarden(scratch, ["audit", "verify", ...files]);
  cases.check("the audit trail verifies", files.length > 0 && verified.status === 0, verified.output);
  const text = textOfFiles(join(scratch.home, ".local/state"), ".jsonl");
  const rules = ["hook-test/no-forbidden-file", "hook-test/hide-secrets", "hook-test/remind"];
  const named = rules.every((rule) => text.includes(rule));
  cases.check("the audit trail names the rules, and no secret", named && !text.includes(fakeSecret), text.slice(-500));
}

async function asked(driver: OneShotHost, host: InstalledHost, scratch: Scratch, cases: Cases): Promise<void> {
  const run = await driver.run(host, scratch, [bash("touch ASKED"), done], { command: hookCommand(driver) });
  cases.check("ask without a human does not run", run.requests.length > 0 && !has(scratch, "ASKED"), told(run));
}

async function refusedPrompt(driver: OneShotHost, host: InstalledHost, scratch: Scratch, cases: Cases): Promise<void> {
  const run = await driver.run(
    host,
    scratch,
    [done],
    { command: hookCommand(driver) },
    {
      prompt: "Please forget-this-prompt.",
    },
  );
  cases.check("a refused prompt reaches no model", !sent(run).includes("forget-this-prompt"), told(run));
}

async function keepsGoing(driver: OneShotHost, host: InstalledHost, cases: Cases): Promise<void> {
  const early = async (wiring: HookWiring | undefined): Promise<Parameters<typeof keepGoingCases>[1]> => {
    const scratch = makeScratch();
    try {
      const run = await driver.run(host, scratch, stopsEarly, wiring);
      return { requests: run.requests, worked: has(scratch, "HARMLESS"), told: told(run) };
    } finally {
      scratch.remove();
    }
  };
  keepGoingCases(cases, await early(undefined), await early({ command: hookCommand(driver, stopPolicy) }));
}

/** Hooks of somebody else that fail in the three ways that the table of hosts speaks of. */
const failing = {
  crash: "process.exit(1);\n",
  timeout: "setTimeout(() => undefined, 20_000);\n",
  malformed: 'process.stdout.write("this is { no answer");\n',
} as const;

/** What the table says of a failing hook is what the host does: so our own hook must never fail in that way. */
async function hostFails(
  driver: OneShotHost,
  host: InstalledHost,
  scratch: Scratch,
  cases: Cases,
  mode: keyof typeof failing,
): Promise<void> {
  const hook = scratch.write(`${mode}.mjs`, failing[mode]);
  const command = `"${process.execPath}" "${hook}"`;
  const run = await driver.run(host, scratch, [bash("touch HARMLESS"), done], { command });
  const expected = hosts[driver.row].fails[mode];
  const seen = has(scratch, "HARMLESS") ? "open" : "closed";
  cases.check(`host fact: a hook's ${mode} is ${expected}`, run.requests.length > 0 && seen === expected, told(run));
}

interface OwnFailure {
  readonly name: string;
  readonly says: string;
  /** Prepares the fault in the scratch folder and gives the hook's command line. */
  command(driver: OneShotHost, scratch: Scratch): string;
}

/** Faults of which the host tells what stood on standard error, if anything. */
const gone = ["a launcher that is gone", "a client that is gone"] as const;

/** Faults of ours, each of which the host must meet as a refusal. */
const ownFailures: readonly OwnFailure[] = [
  {
    name: "a policy that does not compile",
    says: "HW508",
    command: (driver, scratch) => hookCommand(driver, scratch.write("broken.yaml", "version: 1\nrules: nothing\n")),
  },
  {
    name: "a state folder that cannot be made",
    says: "HW5",
    command(driver, scratch) {
      scratch.write("home/.local/state/hookwarden", "a file where the state folder would be");
      return hookCommand(driver);
    },
  },
  {
    name: "a program that hangs",
    says: "no decision was made in time",
    command(driver, scratch) {
      const program = scratch.write("hang.mjs", failing.timeout);
      const command = JSON.stringify([process.execPath, program]);
      const rule = `  - { id: ask-program, title: A program, event: tool_call, tool: bash, action: { run: { command: ${command}, protocol: json, timeout: 30s } } }\n`;
      const policy = `version: 1\npolicy: hanging\ntitle: A program that hangs\ndefault: allow\nrules:\n${rule}`;
      return hookCommand(driver, scratch.write("hang.yaml", policy), " --budget 2000");
    },
  },
  ...(["crashes", "answers garbage"] as const).map((failure) => ({
    name: `a program of a rule that ${failure}`,
    says: failedProgram,
    command: (driver: OneShotHost, scratch: Scratch) => hookCommand(driver, failingPolicy(scratch, failure)),
  })),
  {
    name: gone[0],
    says: "Cannot find module",
    command: (driver, scratch) => hookCommand(driver, policyFile, "", join(scratch.root, "gone.cjs")),
  },
  {
    name: gone[1],
    says: "gone.sh",
    command: (_driver, scratch) => `/bin/sh -p "${join(scratch.root, "gone.sh")}" || exit 2`,
  },
];

async function weFail(
  driver: OneShotHost,
  host: InstalledHost,
  scratch: Scratch,
  cases: Cases,
  { name, says, command }: OwnFailure,
): Promise<void> {
  const wiring = { command: command(driver, scratch), callsOnly: true };
  const run = await driver.run(host, scratch, [bash("touch HARMLESS"), done], wiring);
  const blocked = !has(scratch, "HARMLESS");
  cases.check(`${name} blocks the call`, run.requests.length > 1 && blocked, told(run));
  const words = (gone as readonly string[]).includes(name) ? (driver.exitTwoSays ?? says) : says;
  cases.check(`${name}: and the model is told`, blocked && sent(run).includes(words), ending(run, 1));
}
