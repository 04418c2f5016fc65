import { existsSync } from "node:fs";
import { join } from "node:path";
import { failedProgram, failingPolicy, programFailures } from "./failing-programs.ts";
import type { HostVersion, InstalledHost } from "./install.ts";
import { anthropicMessages } from "./model/anthropic.ts";
import { openaiChat } from "./model/openai-chat.ts";
import { type ModelApi, startScriptedModel } from "./model/server.ts";
import type { ScriptedTurn } from "./model-server.ts";
import { runToEnd } from "./process.ts";
import type { Cases } from "./report.ts";
import { fakeSecret, makeScratch, type Scratch } from "./scratch.ts";

/** Versions that are tested; each has a program under `frameworks/`. */
export const frameworks: readonly HostVersion[] = [
  { name: "ai-sdk", version: "7.0.173", package: "ai", start: "package.json", with: ["zod@4"], node: 24 },
  { name: "openai-agents", version: "0.20.0", package: "@openai/agents", start: "package.json", with: ["zod@4"] },
  {
    name: "langchain",
    version: "1.5.14",
    package: "langchain",
    start: "package.json",
    with: ["@langchain/core@1", "@langchain/openai@1", "zod@4"],
  },
  { name: "mastra", version: "1.71.0", package: "@mastra/core", start: "package.json", with: ["zod@4"], node: 24 },
  {
    name: "claude-agent-sdk",
    version: "0.3.330",
    package: "@anthropic-ai/claude-agent-sdk",
    start: "package.json",
    with: ["zod@4"],
  },
];

/** What the model of a framework speaks; AI SDK has a mock of its own, and leaves the server alone. */
function apiOf(name: string, project: string): ModelApi {
  return name === "claude-agent-sdk"
    ? anthropicMessages(project)
    : openaiChat(({ name: tool, args }) => ({ name: tool, args }));
}

const root = join(import.meta.dirname, "..", "..");
const bash = (command: string): ScriptedTurn => ({ calls: [{ name: "bash", args: { command } }] });
const read = (path: string): ScriptedTurn => ({ calls: [{ name: "read", args: { path } }] });
const done: ScriptedTurn = { text: "Finished." };
const script = [bash("touch FORBIDDEN"), read("notes.txt"), bash("echo rewrite-me"), done] as const;

/** How a program is to behave besides. */
interface Mode {
  readonly guarded: boolean;
  readonly approve?: boolean;
  readonly stream?: boolean;
  readonly wrapOnly?: boolean;
  /** Policy file; by default that of these tests. */
  readonly policy?: string;
  /** True for an engine that throws when it is asked. */
  readonly throws?: boolean;
}

interface Run {
  readonly ok: boolean;
  /** Everything that the model was sent. */
  readonly sent: string;
  /** What an application that streams was given. */
  readonly parts: string;
  /** What an application that reads all messages was told. */
  readonly said: string;
  readonly asked: number;
  readonly told: string;
}

/** Every case of one framework. */
export async function frameworkCases(installed: InstalledHost, cases: Cases): Promise<void> {
  const start = (scratch: Scratch, turns: readonly ScriptedTurn[], mode: Mode): Promise<Run> =>
    runProgram(installed, scratch, turns, mode);
  const group = (name: string, work: (scratch: Scratch) => Promise<void>): Promise<void> =>
    cases.group(name, () => inScratch(work));
  await group("control", async (scratch) => control(await start(scratch, script, { guarded: false }), scratch, cases));
  await group("guarded", async (scratch) =>
    guarded("", await start(scratch, script, { guarded: true }), scratch, cases),
  );
  if (installed.host.name === "ai-sdk") {
    await group("streamed", async (scratch) =>
      guarded("streamed: ", await start(scratch, script, { guarded: true, stream: true }), scratch, cases),
    );
    await group("tools alone", async (scratch) =>
      guarded("tools alone: ", await start(scratch, script, { guarded: true, wrapOnly: true }), scratch, cases),
    );
  }
  await group("ask", (scratch) => asks(scratch, start, cases));
  for (const failure of programFailures)
    await group(`a program that ${failure}`, async (scratch) => {
      const mode = { guarded: true, policy: failingPolicy(scratch, failure) };
      const run = await start(scratch, [bash("touch HARMLESS"), done], mode);
      fails(`a program of a rule that ${failure}`, failedProgram, run, scratch, cases);
    });
  await group("an engine that throws", async (scratch) => {
    const run = await start(scratch, [bash("touch HARMLESS"), done], { guarded: true, throws: true });
    if (installed.host.name === "claude-agent-sdk") return promptRefused(run, scratch, cases);
    return fails("an engine that throws", "HW506", run, scratch, cases);
  });
}

/** A framework that asks about prompts too goes no further than that. */
function promptRefused(run: Run, scratch: Scratch, cases: Cases): void {
  const kept = run.ok && run.sent === "" && !has(scratch, "HARMLESS");
  cases.check("an engine that throws lets no prompt through", kept, run.told);
  cases.check(
    "an engine that throws: and the application is told",
    run.said.includes("could not be judged"),
    run.said.slice(-800),
  );
}

/** The call is not run, and the model is told that it could not be judged. */
function fails(name: string, says: string, run: Run, scratch: Scratch, cases: Cases): void {
  cases.check(`${name} blocks the call`, run.sent !== "" && !has(scratch, "HARMLESS"), run.told);
  cases.check(`${name}: and the model is told`, run.sent.includes(says), run.told);
}

async function inScratch(work: (scratch: Scratch) => Promise<void>): Promise<void> {
  const scratch = makeScratch();
  try {
    await work(scratch);
  } finally {
    scratch.remove();
  }
}

async function runProgram(
  { host, node, script: start }: InstalledHost,
  scratch: Scratch,
  turns: readonly ScriptedTurn[],
  mode: Mode,
): Promise<Run> {
  const model = await startScriptedModel(apiOf(host.name, scratch.project), turns);
  const modules = start.slice(0, start.lastIndexOf("node_modules") + "node_modules".length);
  const policy = join(import.meta.dirname, "hook-policy.yaml");
  const given = { policy, ...mode, url: model.url, modules, dist: join(root, "dist"), project: scratch.project, turns };
  const program = join(import.meta.dirname, "frameworks", `${host.name}.mjs`);
  const env = {
    PATH: "/usr/bin:/bin",
    HOME: scratch.home,
    TMPDIR: join(scratch.root, "tmp"),
    LANG: "C.UTF-8",
    ANTHROPIC_API_KEY: "not-a-key",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    MASTRA_TELEMETRY_DISABLED: "1",
  };
  try {
    const { exitCode, stdout, stderr } = await runToEnd([node, program, JSON.stringify(given)], scratch.project, env);
    const report = reportOf(stdout);
    const sent = [...model.requests, ...(report.seen ?? [])].join("\n");
    const parts = (report.parts ?? []).join("\n");
    const said = (report.said ?? []).join("\n");
    const told = `exit ${exitCode}, sent: ${sent.slice(-1_500)}, stderr: ${stderr.slice(-800)}`;
    return { ok: exitCode === 0, sent, parts, said, asked: report.asked ?? 0, told };
  } finally {
    await model.close();
  }
}

function reportOf(stdout: string): { seen?: string[]; parts?: string[]; said?: string[]; asked?: number } {
  try {
    return JSON.parse(stdout.trim().split("\n").at(-1) ?? "{}") as { seen?: string[] };
  } catch {
    return {};
  }
}

const has = (scratch: Scratch, file: string): boolean => existsSync(join(scratch.project, file));

function control(run: Run, scratch: Scratch, cases: Cases): void {
  cases.check("control: without a guard the marker command runs", run.ok && has(scratch, "FORBIDDEN"), run.told);
  cases.check("control: without a guard the secret reaches the model", run.sent.includes(fakeSecret), run.told);
  cases.check("control: without a guard nothing is rewritten", !has(scratch, "HARMLESS"), run.told);
}

function guarded(prefix: string, run: Run, scratch: Scratch, cases: Cases): void {
  cases.check(`${prefix}the forbidden call does not run`, run.ok && !has(scratch, "FORBIDDEN"), run.told);
  const reason = run.sent.includes("may not be made") && run.sent.includes("hook-test/no-forbidden-file");
  cases.check(`${prefix}its reason and rule reach the model`, reason, run.told);
  cases.check(`${prefix}the rest of the file reaches the model`, run.sent.includes("last line of the notes"), run.told);
  const whole = run.ok && run.sent.includes("last line of the notes");
  cases.check(`${prefix}the secret reaches nobody`, whole && !(run.sent + run.parts).includes(fakeSecret), run.told);
  cases.check(`${prefix}a rewritten call runs as rewritten`, has(scratch, "HARMLESS"), run.told);
}

async function asks(
  scratch: Scratch,
  start: (scratch: Scratch, turns: readonly ScriptedTurn[], mode: Mode) => Promise<Run>,
  cases: Cases,
): Promise<void> {
  const turns = [bash("touch ASKED"), done];
  const refused = await start(scratch, turns, { guarded: true });
  cases.check("a call that nobody approves does not run", refused.asked > 0 && !has(scratch, "ASKED"), refused.told);
  const approved = await start(scratch, turns, { guarded: true, approve: true });
  cases.check("a call that a human approves runs", approved.asked > 0 && has(scratch, "ASKED"), approved.told);
}
