import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { hookwarden, packageExtension } from "./guard-files.ts";
import type { InstalledHost } from "./install.ts";
import type { ScriptedTurn } from "./model-server.ts";
import { type PiRun, runPi } from "./pi-process.ts";
import type { Cases } from "./report.ts";
import { fakeSecret, filesBelow, makeScratch, type Scratch } from "./scratch.ts";

/** What a session has read, and which files are marked, must count in the processes that come after. */
const policy = `version: 1
policy: sessions-test
title: What outlives a process
description: The rules of the tests of sessions in several processes. They name harmless stand-ins, nothing else.
default: allow
unknown: block
audit: { mode: required }
labels: { seen_notes: { kind: taint }, private: { kind: mark } }

rules:
  - id: notes-are-read
    title: Whoever reads the notes is marked
    event: tool_call
    tool: read
    when: { args.path: { ends_with: notes.txt } }
    action: { label: { add: [seen_notes] } }

  - id: no-marker-afterwards
    title: The marker file after the notes
    event: tool_call
    tool: bash
    each: { w: effects.writes }
    when: { all: [{ w.path: { glob: "**/FORBIDDEN" } }, { session.labels: { contains: seen_notes } }] }
    action: block
    reason: the session has read the notes

  - id: long-file-is-private
    title: Whoever reads the long file marks it
    event: tool_call
    tool: read
    each: { r: effects.reads }
    when: { r.path: { glob: "**/long.txt" } }
    action: { label: { add: [private], on: path } }

  - id: no-private-file
    title: A marked file in a shell
    event: tool_call
    tool: bash
    each: { r: effects.reads }
    when: paths.labels(r.path).contains("private")
    action: block
    reason: "the file {r.path} is private"

  - id: few-greetings
    title: Two greetings in a session
    event: tool_call
    tool: bash
    budget: { limit: 2 }
    when: { args.command: { starts_with: echo } }
    action: block
    reason: two greetings are enough
`;

const bash = (command: string): ScriptedTurn => ({ calls: [{ name: "bash", args: { command } }] });
const read = (path: string): ScriptedTurn => ({ calls: [{ name: "read", args: { path } }] });
const finished: ScriptedTurn = { text: "Finished." };

const reading = [read("notes.txt"), finished];
const touching = [bash("touch FORBIDDEN"), finished];

const has = (scratch: Scratch, file: string): boolean => existsSync(join(scratch.project, file));
const sent = (run: PiRun): string => run.requests.join("\n");
const told = (run: PiRun): string =>
  `exit ${run.exitCode}, ${run.requests.length} requests, stderr: ${run.stderr.slice(0, 600)}, last request: ${run.requests.at(-1)?.slice(-500)}`;

async function inScratch(work: (scratch: Scratch) => Promise<void>): Promise<void> {
  const scratch = makeScratch();
  try {
    await work(scratch);
  } finally {
    scratch.remove();
  }
}

/** The guard in one file, and the extension of the package: both keep sessions alike. */
const guards: Readonly<Record<string, (scratch: Scratch) => string>> = {
  "compiled guard": compiled,
  "package extension": extension,
};

function compiled(scratch: Scratch): string {
  const guard = join(scratch.root, "guard.mjs");
  const path = scratch.write("policies/sessions.yaml", policy);
  const { status, output } = hookwarden(scratch, ["compile", "--policy", path, "--target", "pi", "-o", guard]);
  if (status !== 0) throw new Error(`the guard cannot be compiled: ${output}`);
  return guard;
}

/** The policy where a user keeps it: nobody names it. */
function extension(scratch: Scratch): string {
  scratch.write("home/.config/hookwarden/sessions.yaml", policy);
  return scratch.write(
    "extension.mjs",
    `export { default } from ${JSON.stringify(pathToFileURL(packageExtension).href)};\n`,
  );
}

/** Sessions of pi over several processes, for one version. */
export async function piSessionCases(host: InstalledHost, cases: Cases): Promise<void> {
  await cases.group("control", () => inScratch((scratch) => control(host, scratch, cases)));
  for (const [name, guardOf] of Object.entries(guards)) {
    const check = (text: string, ok: boolean, seen?: unknown) => cases.check(`${name}: ${text}`, ok, seen);
    await cases.group(`${name}: resumed`, () => inScratch((scratch) => resumed(host, scratch, guardOf, check)));
    await cases.group(`${name}: forked`, () => inScratch((scratch) => forked(host, scratch, guardOf, check)));
    await cases.group(`${name}: files`, () => inScratch((scratch) => labelledFile(host, scratch, guardOf, check)));
  }
  await cases.group("budget", () => inScratch((scratch) => budget(host, scratch, cases)));
  await cases.group("lost state", () => inScratch((scratch) => lostState(host, scratch, cases)));
}

type Check = (text: string, ok: boolean, seen?: unknown) => void;
type GuardOf = (scratch: Scratch) => string;

/** Without a guard the marker file is made and the file read; otherwise the guarded runs would prove nothing. */
async function control(host: InstalledHost, scratch: Scratch, cases: Cases): Promise<void> {
  await runPi(host, scratch, reading, []);
  const again = await runPi(host, scratch, touching, [], { args: ["--continue"] });
  cases.check("control: the resumed session is the same one", sent(again).includes(fakeSecret), told(again));
  cases.check("control: and without a policy the marker command runs", has(scratch, "FORBIDDEN"), told(again));
}

async function resumed(host: InstalledHost, scratch: Scratch, guardOf: GuardOf, check: Check): Promise<void> {
  const guard = guardOf(scratch);
  const first = await runPi(host, scratch, reading, [guard]);
  check("the first process reads the notes", sent(first).includes("last line of the notes"), told(first));
  const again = await runPi(host, scratch, touching, [guard], { args: ["--continue"] });
  check(
    "a resumed session still has its label",
    again.requests.length === 2 && !has(scratch, "FORBIDDEN"),
    told(again),
  );
  check("and the model is told why", sent(again).includes("the session has read the notes"), told(again));
  const files = trails(scratch);
  const verified = hookwarden(scratch, ["audit", "verify", ...files]);
  check("the trail of both processes verifies", files.length > 0 && verified.status === 0, verified.output);
  const fresh = await runPi(host, scratch, touching, [guard]);
  check("a session of its own has no label", has(scratch, "FORBIDDEN"), told(fresh));
}

async function forked(host: InstalledHost, scratch: Scratch, guardOf: GuardOf, check: Check): Promise<void> {
  const guard = guardOf(scratch);
  await runPi(host, scratch, reading, [guard]);
  const [session = ""] = filesBelow(join(scratch.agent, "sessions")).filter((file) => file.endsWith(".jsonl"));
  const fork = await runPi(host, scratch, touching, [guard], { args: ["--fork", session] });
  const isFork = filesBelow(join(scratch.agent, "sessions")).filter((file) => file.endsWith(".jsonl")).length === 2;
  check("a session forked from another has that one's label", isFork && !has(scratch, "FORBIDDEN"), told(fork));
  check("and the model is told why", sent(fork).includes("the session has read the notes"), told(fork));
}

/** The same file before and after another session marked it. */
async function labelledFile(host: InstalledHost, scratch: Scratch, guardOf: GuardOf, check: Check): Promise<void> {
  const guard = guardOf(scratch);
  const before = await runPi(host, scratch, [bash("cat long.txt"), finished], [guard]);
  check("control: a file without a label is read", sent(before).includes("a plain line of text"), told(before));
  await runPi(host, scratch, [read("long.txt"), finished], [guard]);
  const after = await runPi(host, scratch, [bash("cat long.txt"), finished], [guard]);
  const closed = sent(after).includes("is private") && !sent(after).includes("a plain line of text");
  check("a file that one session marked is marked in the next", closed, told(after));
}

async function budget(host: InstalledHost, scratch: Scratch, cases: Cases): Promise<void> {
  const guard = compiled(scratch);
  await runPi(host, scratch, [bash("echo one"), finished], [guard]);
  const turns = [bash("echo two"), bash("echo three"), finished];
  const again = await runPi(host, scratch, turns, [guard], { args: ["--continue"] });
  const [, second = "", third = ""] = again.requests;
  const goesOn = !second.includes("two greetings are enough") && third.includes("two greetings are enough");
  cases.check("a resumed session has what is left of its budget", goesOn, told(again));
}

/** Records that were altered are no state: the session is closed, others are not. */
async function lostState(host: InstalledHost, scratch: Scratch, cases: Cases): Promise<void> {
  const guard = compiled(scratch);
  await runPi(host, scratch, reading, [guard]);
  const [trail = ""] = trails(scratch);
  scratch.write(trail.slice(scratch.root.length + 1), "not a record\n");
  const again = await runPi(host, scratch, [bash("touch HARMLESS"), finished], [guard], { args: ["--continue"] });
  cases.check("a session whose records are gone is closed", !has(scratch, "HARMLESS"), told(again));
  cases.check("and says so", again.stderr.includes("HW515") || sent(again).includes("HW515"), told(again));
  const fresh = await runPi(host, scratch, [bash("touch HARMLESS"), finished], [guard]);
  cases.check("and another is not", has(scratch, "HARMLESS"), told(fresh));
}

function trails(scratch: Scratch): string[] {
  return filesBelow(join(scratch.home, ".local/state/hookwarden/audit"))
    .filter((file) => file.endsWith(".jsonl"))
    .sort();
}
