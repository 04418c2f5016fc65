import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { compilePolicy } from "./guard-files.ts";
import type { InstalledHost } from "./install.ts";
import type { EchoTurn, ScriptedTurn } from "./model-server.ts";
import { type PiRun, runPi } from "./pi-process.ts";
import { bash, ending, inScratch, read, sent, sessions, state, told } from "./pi-script.ts";
import type { Cases } from "./report.ts";
import { fakeSecret, type Scratch } from "./scratch.ts";

/** Known by value alone: they look like nothing that a detector knows. */
const ofVariable = "plum-orchard-velvet-anchor";
const ofFile = "quiet lantern/meadow+harbour";
const variable = "HOST_TEST_PHRASE";

const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** Everything that nobody may see, by the name that a report has for it. */
const secrets: Readonly<Record<string, string>> = {
  "a key": fakeSecret,
  "a key in base64": base64(fakeSecret),
  "the value of a variable": ofVariable,
  "the value of a variable in base64": base64(ofVariable),
  "a value of a file": ofFile,
  "a value of a file in base64": base64(ofFile),
};

/** Standard output, error output of a command that fails, and a file; then the model says again all that it was sent. */
const turns: readonly (ScriptedTurn | EchoTurn)[] = [
  bash("cat notes.txt"),
  bash("cat folders/*"),
  read("notes.txt"),
  { echo: true },
];

const prompt = `Please do the work with ${Object.values(secrets).join(" , ")} now.`;

/** What guards differ in. */
type Guard = "none" | "records" | "redacts";

/** A secret in a prompt, in output, in error output and in a file: unguarded it is everywhere, guarded it is nowhere. */
export async function secretCases(host: InstalledHost, cases: Cases): Promise<void> {
  await cases.group("secrets, control", () => inScratch((scratch) => unguarded(host, scratch, cases)));
  await cases.group("secrets, control of the audit trail", () =>
    inScratch((scratch) => recorded(host, scratch, cases)),
  );
  await cases.group("secrets, guarded", () => inScratch((scratch) => redacted(host, scratch, cases)));
}

async function unguarded(host: InstalledHost, scratch: Scratch, cases: Cases): Promise<void> {
  const run = await work(host, scratch, "none");
  const all = Object.keys(secrets);
  const everywhere = { "a model request": sent(run), "the session file": sessions(scratch), stdout: run.stdout };
  for (const [place, text] of Object.entries(everywhere)) {
    const seen = leaks(text);
    cases.check(`control: every secret is in ${place}`, seen.length === all.length, `${seen}; ${told(run)}`);
  }
  const answers = resultsOf(run);
  cases.check(
    "control: output, error output and a file have them",
    answers.length === 3 &&
      [answers[0], answers[2]].every((text) => leaks(text ?? "").length === all.length) &&
      (answers[1] ?? "").includes(`folders/${fakeSecret}: Is a directory`) &&
      (answers[1] ?? "").includes(`folders/${ofVariable}: Is a directory`),
    answers.map((text) => text.slice(0, 300)),
  );
}

/** A trail that keeps events has what no rule names; otherwise a trail without it would prove nothing. */
async function recorded(host: InstalledHost, scratch: Scratch, cases: Cases): Promise<void> {
  const run = await work(host, scratch, "records");
  const seen = leaks(state(scratch));
  cases.check(
    "control: the audit trail keeps values that no rule names",
    seen.includes("the value of a variable") && seen.includes("a value of a file"),
    `${seen}; ${told(run)}`,
  );
}

async function redacted(host: InstalledHost, scratch: Scratch, cases: Cases): Promise<void> {
  const run = await work(host, scratch, "redacts");
  cases.check(
    "every prompt and result of the script reaches the model",
    run.exitCode === 0 && run.requests.length === turns.length && sent(run).includes("Please do the work with"),
    told(run),
  );
  const answers = resultsOf(run);
  cases.check(
    "and so does what stands round a secret",
    answers.length === 3 &&
      [answers[0], answers[2]].every((text) => (text ?? "").includes("last line of the notes")) &&
      (answers[1] ?? "").includes("Is a directory"),
    ending(run.requests.at(-1) ?? ""),
  );
  const places = {
    "any model request": sent(run),
    "the session file": sessions(scratch),
    "the audit trail, though it keeps events": state(scratch),
    "what print mode prints": run.stdout + run.stderr,
  };
  for (const [place, text] of Object.entries(places)) {
    const seen = leaks(text);
    cases.check(`no secret is in ${place}`, text.includes("[REDACTED:") && seen.length === 0, seen.join(", "));
  }
  const tokens = new Set(sent(run).match(/\[REDACTED:stripe-[\w-]+:[0-9a-f]{10}\]/g));
  cases.check("a key has one token in plain text, and one in base64", tokens.size === 2, [...tokens]);
}

async function work(host: InstalledHost, scratch: Scratch, guard: Guard): Promise<PiRun> {
  scratch.write("project/notes.txt", `first line\n${Object.values(secrets).join("\n")}\nlast line of the notes\n`);
  for (const name of [fakeSecret, ofVariable]) mkdirSync(join(scratch.project, "folders", name), { recursive: true });
  const file = scratch.write("home/secrets.txt", `# known\n${ofFile}\n`);
  chmodSync(file, 0o600);
  const extensions = guard === "none" ? [] : [compilePolicy(scratch, policy(scratch, guard, file))];
  return runPi(host, scratch, turns, extensions, { prompt, env: { [variable]: ofVariable } });
}

/** A policy of this run: the file of secrets has another place in each. */
function policy(scratch: Scratch, guard: Guard, file: string): string {
  const known = `{ redact: { detectors: ["secrets/*"], values: { env: [${variable}], file: ${file} } } }`;
  const lines = [
    "version: 1",
    "policy: known-values",
    "title: Values that are known",
    "description: What a run of a real host must not let out.",
    "default: allow",
    "audit: { mode: required, keep: views }",
    "rules:",
    "  - id: hide",
    "    title: Secrets",
    "    event: [tool_result, context, input, before_agent_start]",
    `    action: ${guard === "redacts" ? known : "record"}`,
    "",
  ];
  return scratch.write("known-values.yaml", lines.join("\n"));
}

/** Names of the secrets that stand in a text as they are, or as JSON has them. */
function leaks(text: string): string[] {
  const stands = (value: string): boolean => text.includes(value) || text.includes(value.replaceAll("/", "\\/"));
  return Object.entries(secrets).flatMap(([name, value]) => (stands(value) ? [name] : []));
}

/** Texts of the tool results in the last model request. */
function resultsOf(run: PiRun): string[] {
  const { messages = [] } = JSON.parse(run.requests.at(-1) ?? "{}") as {
    messages?: { role: string; content: unknown }[];
  };
  return messages
    .filter(({ role }) => role === "tool")
    .map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content)));
}
