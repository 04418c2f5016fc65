import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AgentTool, AgentToolResult, HookRunner } from "../../../adapters/hooks/index.ts";
import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import { type EventName, eventTable } from "../../../schema/event-kinds.ts";
import { eventNames } from "../../../schema/events.ts";
import { emissions, secret } from "./every-event.ts";

/**
 * The recipe "In your own agent" of README.md, taken from the page and run, so that who follows it gets a policy that
 * stands at every event.
 */
const root = join(import.meta.dirname, "../../..");

interface Agent {
  readonly runner: HookRunner;
  readonly bash: AgentTool;
  readonly diagnostics: readonly Diagnostic[];
}
type Recipe = (files: readonly object[], bashTool: AgentTool) => Agent;

/** The code block below a heading of a page. */
function blockBelow(page: string, heading: string): string {
  const below = page.slice(page.indexOf(`\n${heading}\n`));
  const block = /^```ts\n([\s\S]*?)^```$/m.exec(below)?.[1];
  if (!page.includes(`\n${heading}\n`) || block === undefined) throw new Error(`there is no code below ${heading}`);
  return block;
}

/** The sources of what a page imports from the package, by the exports that package.json names. */
function fromSources(code: string): string {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return code.replace(/from "hookwarden(\/[\w-]+)?"/g, (_all, path = "") => {
    const built: string = exports[`.${path}`].default;
    const source = built.replace("./dist/", "").replace(/\.js$/, ".ts");
    return `from ${JSON.stringify(pathToFileURL(join(root, source)).href)}`;
  });
}

/** The recipe as a function of what it takes as given. */
async function recipe(folder: string): Promise<Recipe> {
  const code = fromSources(blockBelow(readFileSync(join(root, "README.md"), "utf8"), "### In your own agent"));
  const imports = code.split("\n").filter((line) => line.startsWith("import "));
  const body = code.split("\n").filter((line) => !line.startsWith("import "));
  const wrapped = [...imports, "export default function agent(files, bashTool) {", ...body];
  const file = join(folder, "recipe.mjs");
  writeFileSync(file, [...wrapped, "return { runner, bash, diagnostics };", "}", ""].join("\n"));
  return (await import(/* @vite-ignore */ file)).default as Recipe;
}

/** One rule for each event: a block where the event can be refused, else a redaction, else a note in the record. */
function ruleFor(name: EventName): string {
  const { kind } = eventTable[name];
  const redact = "{ redact: { patterns: [{ name: key, regex: 'KEY=\\S+', replacement: '[gone]' }] } }";
  const redacted = ["tool_result", "context", "before_agent_start", "session_compacting"].includes(name);
  const action = kind === "decide" ? "block" : redacted ? redact : "record";
  return `  - { id: on-${name.replaceAll("_", "-")}, event: ${name}, action: ${action}, reason: not here }\n`;
}

const policy = `version: 1\npolicy: t\ndescription: of a test\nrules:\n${eventNames.map(ruleFor).join("")}`;
const files = (source: string) => [{ name: "t.yaml", path: "/t.yaml", bytes: new TextEncoder().encode(source) }];

interface Seen {
  readonly event: string;
  readonly matched: readonly { readonly rule: string }[];
}

let place: string;
let scratch: string;
let before: string;
let agentOf: Recipe;

beforeAll(async () => {
  mkdirSync(join(root, ".scratch"), { recursive: true });
  place = mkdtempSync(join(root, ".scratch/readme-"));
  scratch = mkdtempSync(join(tmpdir(), "hookwarden-readme-"));
  before = process.cwd();
  process.chdir(scratch);
  agentOf = await recipe(place);
});

afterAll(() => {
  process.chdir(before);
  for (const folder of [place, scratch]) rmSync(folder, { recursive: true });
});

const tool = (run: AgentTool["execute"]): AgentTool => ({ name: "bash", execute: run });
const nothing = tool(async () => ({ content: [] }));

/** Records that the recipe's own audit file got since. */
function recordsAfter(count: number): Seen[] {
  const lines = readFileSync(join(scratch, "audit.jsonl"), "utf8").split("\n").slice(0, -1);
  return lines.map((line) => (JSON.parse(line) as { body: Seen }).body).slice(count);
}

describe("README, In your own agent", () => {
  it("knows how every event of the table is emitted", () => {
    expect(Object.keys(emissions).sort()).toEqual([...eventNames].sort());
  });

  it("has one gate that stands at every event", async () => {
    const { runner, diagnostics } = agentOf(files(policy), nothing);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    const missing: string[] = [];
    let records = 0;
    for (const name of eventNames) {
      const held = await emissions[name].held(runner);
      const seen = recordsAfter(records);
      records += seen.length;
      const rule = `t/on-${name.replaceAll("_", "-")}`;
      const judged = seen.some(({ event, matched }) => event === name && matched.some((match) => match.rule === rule));
      if (!held || !judged) missing.push(`${name}: ${held ? "" : "not held "}${judged ? "" : "not judged"}`);
    }
    expect(missing).toEqual([]);
  });

  it("refuses every event that can be refused when the policies do not compile", async () => {
    const { runner, diagnostics } = agentOf(files("version: 1\npolicy: t\nrules: [{ id: a }]\n"), nothing);
    expect(diagnostics.some(({ severity }) => severity === "error")).toBe(true);
    const open: string[] = [];
    // A stop that could not be judged lets the agent stop: its closed outcome is not to run on (semantics page, section 4).
    const closing = eventNames.filter((name) => eventTable[name].kind !== "observe" && !name.endsWith("stop"));
    for (const name of closing) if (!(await emissions[name].held(runner))) open.push(name);
    expect(open).toEqual([]);
    for (const name of ["stop", "subagent_stop"] as const) expect(await emissions[name].held(runner)).toBe(false);
  });

  it("throws with the reason when a call is blocked, and the tool does not run", async () => {
    let ran = false;
    const { bash } = agentOf(
      files(policy),
      tool(async () => {
        ran = true;
        return { content: [] };
      }),
    );
    await expect(bash.execute("c", { command: "true" })).rejects.toThrow("not here");
    expect(ran).toBe(false);
  });

  it("redacts what a running tool tells of its output", async () => {
    const redacting = `version: 1\npolicy: t\ndescription: d\nrules:\n${ruleFor("tool_result")}`;
    const streams: AgentTool["execute"] = async (_id, _input, _signal, onUpdate) => {
      onUpdate?.({ content: [{ type: "text", text: `so far ${secret}` }], details: { also: secret } });
      return { content: [{ type: "text", text: secret }] };
    };
    const { bash } = agentOf(files(redacting), tool(streams));
    const told: AgentToolResult[] = [];
    const result = await bash.execute("c", { command: "true" }, undefined, (partial) => told.push(partial));
    expect(told).toHaveLength(1);
    expect(JSON.stringify([told, result])).not.toContain(secret);
    expect(JSON.stringify(told)).toContain("so far");
  });
});
