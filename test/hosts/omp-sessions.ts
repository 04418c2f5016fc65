import { join } from "node:path";
import type { InstalledHost } from "./install.ts";
import type { ScriptedTurn } from "./model-server.ts";
import {
  bash,
  compileGuard,
  finished,
  has,
  inScratch,
  ofHost,
  read,
  runOmp,
  sent,
  state,
  told,
} from "./omp-process.ts";
import type { Cases } from "./report.ts";
import { type Scratch, textOfFiles } from "./scratch.ts";
import { delegation } from "./stand-ins.ts";

type Check = (text: string, ok: boolean, seen?: unknown) => void;

/** Sessions of omp over several processes, and those of its sub-agents. */
export async function ompSessionCases(host: InstalledHost, cases: Cases): Promise<void> {
  await cases.group("sessions, control", () => inScratch((scratch) => sessionsControl(host, scratch, cases)));
  await cases.group("sessions", () => inScratch((scratch) => sessionsOver(host, scratch, cases)));
  await cases.group("sub-agent, control", () => inScratch((scratch) => subAgentControl(host, scratch, cases)));
  for (const args of [[], ["--no-session"]]) {
    const how = args.length === 0 ? "sub-agent" : "sub-agent of a session without a file";
    const check: Check = (text, ok, seen) => cases.check(`${how}: ${text}`, ok, seen);
    await cases.group(how, () => inScratch((scratch) => subAgentUnder(host, scratch, check, args)));
    await cases.group(how, () => inScratch((scratch) => subAgentGivesBack(host, scratch, check, args)));
  }
}

const reading = [read("notes.txt"), finished];
const touching = [bash("touch FORBIDDEN"), finished];

const delegating: ScriptedTurn = { calls: [{ name: "task", args: delegation }] };

/** The main agent reads, and the sub-agent makes the marker file. */
const under = [read("notes.txt"), delegating, bash("touch FORBIDDEN")];

async function subAgentControl(host: InstalledHost, scratch: Scratch, cases: Cases): Promise<void> {
  const run = await runOmp(host, scratch, under, []);
  cases.check("control: a sub-agent makes the marker file", has(scratch, "FORBIDDEN"), told(run));
}

/** A sub-agent begins with what the session that started it has come to. */
async function subAgentUnder(host: InstalledHost, scratch: Scratch, check: Check, args: readonly string[]) {
  const guard = compileGuard(scratch, scratch.write("policies/sessions.yaml", policy));
  const run = await runOmp(host, scratch, under, [guard], { args });
  const refused = records(scratch).some(({ agent, rule }) => agent === "Helper" && rule === "sessions-test/after");
  check("it has the label of the main agent", refused, `${told(run)} ${trail(scratch).slice(-900)}`);
  check("and makes no marker file", !has(scratch, "FORBIDDEN"), told(run));
}

/** What a sub-agent has read counts for the session that started it, then and in the process that goes on with it. */
async function subAgentGivesBack(host: InstalledHost, scratch: Scratch, check: Check, args: readonly string[]) {
  const guard = compileGuard(scratch, scratch.write("policies/sessions.yaml", policy));
  const run = await runOmp(host, scratch, [delegating, ...reading], [guard], { args });
  const labelled = records(scratch).filter(({ state: change }) => change?.labels?.includes("seen_notes") === true);
  const agents = labelled.map(({ agent, event }) => (event === "session_join" ? "main" : agent));
  const joined = agents.includes("Helper") && agents.includes("main");
  check("its label is the main agent's as well", joined, `${told(run)} ${trail(scratch).slice(-900)}`);
  if (args.length > 0) return;
  const again = await runOmp(host, scratch, touching, [guard], { args: ["--continue"] });
  const held = sent(again).includes("the session has read the notes") && !has(scratch, "FORBIDDEN");
  check("and is so in the next process", held, told(again));
}

function trail(scratch: Scratch): string {
  return textOfFiles(join(state(scratch), "audit"), ".jsonl");
}

interface Recorded {
  readonly agent: string;
  readonly event: string;
  readonly rule?: string;
  readonly state?: { readonly labels?: readonly string[] };
}

function records(scratch: Scratch): Recorded[] {
  const lines = trail(scratch).split("\n");
  return lines.filter((line) => line !== "").map((line) => (JSON.parse(line) as { body: Recorded }).body);
}

const policy = `version: 1
policy: sessions-test
default: allow
unknown: allow
labels: { seen_notes: { kind: taint } }
rules:
  - { id: notes, event: tool_call, tool: read, when: { args.path: { ends_with: notes.txt } }, action: { label: { add: [seen_notes] } } }
  - { id: after, event: tool_call, tool: bash, when: { session.labels: { contains: seen_notes } }, action: block, reason: the session has read the notes }
`;

async function sessionsControl(host: InstalledHost, scratch: Scratch, cases: Cases): Promise<void> {
  await runOmp(host, scratch, reading, []);
  const again = await runOmp(host, scratch, touching, [], { args: ["--continue"] });
  const same = sent(again).includes("last line of the notes");
  cases.check(
    "control: a resumed session is the same one, and makes the marker file",
    same && has(scratch, "FORBIDDEN"),
  );
}

/** What a session has read counts in the process that goes on with it, and in a fork, and in no other. */
async function sessionsOver(host: InstalledHost, scratch: Scratch, cases: Cases): Promise<void> {
  const guard = compileGuard(scratch, scratch.write("policies/sessions.yaml", policy));
  await runOmp(host, scratch, reading, [guard]);
  const again = await runOmp(host, scratch, touching, [guard], { args: ["--continue"] });
  const last = again.requests.at(-1) ?? "";
  cases.check("a resumed session still has its label", last.includes("has read the notes"), told(again));
  const [file = ""] = ofHost(scratch).split(" ");
  const fork = await runOmp(host, scratch, touching, [guard], { args: ["--fork", file] });
  const isFork = ofHost(scratch).split(" ").length === 2;
  cases.check("a fork has it too", isFork && sent(fork).includes("has read the notes"), told(fork));
  cases.check("and nothing of it ran", !has(scratch, "FORBIDDEN"), told(fork));
  const fresh = await runOmp(host, scratch, touching, [guard]);
  cases.check("a session of its own has none", has(scratch, "FORBIDDEN"), told(fresh));
}
