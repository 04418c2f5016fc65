import { chmodSync } from "node:fs";
import {
  behindPrompt,
  brokenGuard,
  compileGuard,
  compilePolicy,
  corruptGuard,
  cutGuard,
  policyFile,
} from "./guard-files.ts";
import { checkHanging, hangingExtension, hangingTurns } from "./hanging-judge.ts";
import type { InstalledHost } from "./install.ts";
import { type PiRun, runPi } from "./pi-process.ts";
import { bash, ending, finished, has, inScratch, read, sent, state, told } from "./pi-script.ts";
import type { Cases } from "./report.ts";
import { fakeSecret, type Scratch } from "./scratch.ts";

/** What goes wrong in hookwarden or beside it: whatever it is, it lets nothing through, and it is said. */
export async function failureCases(host: InstalledHost, cases: Cases): Promise<void> {
  await cases.group("corrupt plan", () => inScratch((scratch) => corruptPlan(host, scratch, cases)));
  await cases.group("closed prompt", () => inScratch((scratch) => closedPrompt(host, scratch, cases)));
  await cases.group("guard that does not load", () => inScratch((scratch) => cutInHalf(host, scratch, cases)));
  await cases.group("internal error", () => inScratch((scratch) => internalError(host, scratch, cases)));
  await cases.group("engine that hangs", () => inScratch((scratch) => hangs(host, scratch, cases)));
  await cases.group("audit that cannot be written", () => inScratch((scratch) => noAudit(host, scratch, cases)));
  await cases.group("broken neighbour", () => inScratch((scratch) => brokenNeighbour(host, scratch, cases)));
  for (const [name, input] of Object.entries(garbledInput)) {
    await cases.group(`${name} as arguments`, () => inScratch((scratch) => garbled(host, scratch, cases, name, input)));
  }
  await cases.group("program that answers", () => inScratch((scratch) => answering(host, scratch, cases)));
  for (const [name, program] of Object.entries(failing)) {
    await cases.group(`program that ${name}`, () =>
      inScratch((scratch) => failingProgram(host, scratch, cases, name, program)),
    );
  }
}

async function corruptPlan(host: InstalledHost, scratch: Scratch, cases: Cases): Promise<void> {
  const turns = [bash("touch HARMLESS"), read("notes.txt"), finished];
  const run = await runPi(host, scratch, turns, [behindPrompt(scratch, corruptGuard(scratch))]);
  cases.check("a changed plan blocks every call", run.requests.length === 3 && !has(scratch, "HARMLESS"), told(run));
  cases.check(
    "and nothing is read",
    run.requests.length === 3 && !sent(run).includes("last line of the notes"),
    told(run),
  );
  cases.check(
    "and the model is told why",
    sent(run).includes("HW508") && sent(run).includes("changed after it was compiled"),
    ending(run.requests.at(-1) ?? ""),
  );
}

/** Without a usable policy the prompt itself is refused, and the human is told. */
async function closedPrompt(host: InstalledHost, scratch: Scratch, cases: Cases): Promise<void> {
  const run = await runPi(host, scratch, [bash("touch HARMLESS"), finished], [corruptGuard(scratch)]);
  cases.check("a guard without a usable plan lets no prompt through", run.requests.length === 0, told(run));
  cases.check("and tells the human why", run.stderr.includes("HW508"), told(run));
}

async function cutInHalf(host: InstalledHost, scratch: Scratch, cases: Cases): Promise<void> {
  const run = await runPi(host, scratch, [bash("touch HARMLESS"), finished], [cutGuard(scratch)]);
  const closed = run.exitCode !== 0 && run.requests.length === 0 && !has(scratch, "HARMLESS");
  cases.check("with a guard that is no module pi does not start", closed, told(run));
  cases.check("and says which file it is", run.stderr.includes("guard.mjs"), told(run));
}

async function internalError(host: InstalledHost, scratch: Scratch, cases: Cases): Promise<void> {
  const run = await runPi(host, scratch, [bash("touch HARMLESS"), finished], [brokenGuard(scratch)]);
  cases.check(
    "an internal error of a handler blocks the call",
    run.requests.length === 2 && !has(scratch, "HARMLESS"),
    told(run),
  );
  cases.check(
    "and nothing reaches the model raw",
    run.requests.length === 2 && !sent(run).includes("do the scripted work"),
    told(run),
  );
  cases.check("and it says so", run.stderr.includes("HW506") || sent(run).includes("HW506"), told(run));
}

async function hangs(host: InstalledHost, scratch: Scratch, cases: Cases): Promise<void> {
  const guard = scratch.write("hanging.mjs", hangingExtension("pi", policyFile));
  const run = await runPi(host, scratch, [...hangingTurns, finished], [guard]);
  checkHanging(cases, run, scratch, { has, trail: state(scratch), told: told(run) });
}

async function noAudit(host: InstalledHost, scratch: Scratch, cases: Cases): Promise<void> {
  scratch.write("home/.local/state/hookwarden", "a file where the audit folder would be");
  const guard = behindPrompt(scratch, compileGuard(scratch));
  const run = await runPi(host, scratch, [bash("touch HARMLESS"), finished], [guard]);
  cases.check(
    "an audit trail that cannot be written blocks the call",
    run.requests.length === 2 && !has(scratch, "HARMLESS"),
    told(run),
  );
  cases.check("and says so", /HW5(?:09|15)/.test(sent(run)), ending(run.requests.at(-1) ?? ""));
}

/** A hook module of somebody else that throws wherever it is asked: before the guard and behind it. */
async function brokenNeighbour(host: InstalledHost, scratch: Scratch, cases: Cases): Promise<void> {
  const lines = [
    'const names = ["input", "before_agent_start", "context", "tool_result", "agent_end", "session_start"];',
    "const fail = () => { throw new Error('the neighbour is broken'); };",
    "export default (pi) => names.forEach((name) => pi.on(name, fail));",
    "",
  ];
  const neighbour = scratch.write("neighbour.mjs", lines.join("\n"));
  const turns = [bash("touch FORBIDDEN"), bash("cat notes.txt"), finished];
  const run = await runPi(host, scratch, turns, [neighbour, compileGuard(scratch), neighbour]);
  const safe = run.requests.length === 3 && !has(scratch, "FORBIDDEN") && !sent(run).includes(fakeSecret);
  cases.check("beside a hook module that throws, the guard still blocks and redacts", safe, told(run));
  cases.check(
    "and the rest of the work goes on",
    sent(run).includes("last line of the notes"),
    ending(run.requests.at(-1) ?? ""),
  );
}

/** What an extension that is asked first may leave of a call's arguments, as JavaScript. */
const garbledInput: Readonly<Record<string, string>> = {
  "a circle": "event.input.self = event.input",
  "a number": "event.input.command = 7",
  nothing: "delete event.input.command",
};

async function garbled(
  host: InstalledHost,
  scratch: Scratch,
  cases: Cases,
  name: string,
  change: string,
): Promise<void> {
  const text = `export default (pi) => pi.on("tool_call", (event) => { ${change}; });\n`;
  const extensions = [scratch.write("garbler.mjs", text), compileGuard(scratch)];
  const run = await runPi(host, scratch, [bash("touch HARMLESS"), finished], extensions);
  const last = run.requests.at(-1) ?? "";
  cases.check(
    `a call with ${name} as arguments does not run`,
    run.requests.length === 2 && !has(scratch, "HARMLESS"),
    told(run),
  );
  cases.check(`and the model is told (${name})`, last.includes("hookwarden"), ending(last));
}

/** Programs of a rule that do not do what they are asked for, as shell scripts, with what the model is told about each. */
const failing: Readonly<Record<string, { readonly lines: readonly string[]; readonly told: string }>> = {
  hangs: { lines: ["sleep 60"], told: "took too long" },
  crashes: { lines: ["kill -9 $$"], told: "ended by a signal" },
  fails: { lines: ["exit 7"], told: "exit code 7" },
  "answers garbage": { lines: ['printf \'{"decision": "allo\''], told: "did not answer with a JSON object" },
  "answers an unknown decision": { lines: ['printf \'{"decision": "maybe"}\''], told: "decision that is not known" },
};

/** A program for one rule, and the guard that asks it about every command. */
function withProgram(scratch: Scratch, lines: readonly string[]): string {
  const program = scratch.write("home/bin/judge", ["#!/bin/sh", "touch ASKED", ...lines, ""].join("\n"));
  chmodSync(program, 0o755);
  const policy = [
    "version: 1",
    "policy: asks-a-program",
    "title: Asks a program",
    "description: What a run of a real host asks a stand-in for.",
    "default: allow",
    "audit: { mode: required }",
    "rules:",
    "  - id: ask-the-judge",
    "    title: The program decides",
    "    event: tool_call",
    "    tool: bash",
    `    action: { run: { command: [${program}], timeout: 2s } }`,
    "",
  ];
  return compilePolicy(scratch, scratch.write("program.yaml", policy.join("\n")));
}

const marked = [bash("touch HARMLESS"), finished];

/** Without this the others would only show that programs block everything. */
async function answering(host: InstalledHost, scratch: Scratch, cases: Cases): Promise<void> {
  const run = await runPi(host, scratch, marked, [withProgram(scratch, ["printf '{}'"])]);
  cases.check("control: a program that answers lets the call run", has(scratch, "HARMLESS"), told(run));
}

async function failingProgram(
  host: InstalledHost,
  scratch: Scratch,
  cases: Cases,
  name: string,
  program: { readonly lines: readonly string[]; readonly told: string },
): Promise<void> {
  const run: PiRun = await runPi(host, scratch, marked, [withProgram(scratch, program.lines)]);
  const last = run.requests.at(-1) ?? "";
  const closed = has(scratch, "ASKED") && run.requests.length === 2 && !has(scratch, "HARMLESS");
  cases.check(`a program that ${name} blocks the call`, closed, told(run));
  cases.check(`and the model is told (${name})`, last.includes("HW513") && last.includes(program.told), ending(last));
  cases.check(`and it is on record (${name})`, state(scratch).includes("HW513"), state(scratch).slice(-600));
  cases.check(`and the run goes on (${name})`, run.exitCode === 0, told(run));
}
