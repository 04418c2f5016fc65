import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exit, processIo } from "../../cli/io.ts";
import { runCommandLine } from "../../cli/program.ts";
import { type HostVersion, type InstalledHost, installHost } from "../hosts/install.ts";
import { type CaseResult, Cases, summary } from "../hosts/report.ts";
import { LanguageServer } from "./language-server.ts";

/**
 * What an author sees in an editor: the files that `init` writes, under the real yaml-language-server, which finds their
 * schema by the modeline. It is installed from the registry into a cache; where it cannot be had it is `not run`.
 */
const servers: readonly HostVersion[] = [
  {
    name: "yaml-language-server",
    version: "1.25.0",
    package: "yaml-language-server",
    start: "bin/yaml-language-server",
  },
];
const packs = join(import.meta.dirname, "..", "..", "policies");
/** What is proposed where; `|` is the cursor. */
const places: readonly (readonly [name: string, text: string, proposed: readonly string[]])[] = [
  ["keys of a policy", "version: 1\npolicy: p\n|", ["rules", "exceptions", "parameters", "imports", "default"]],
  ["keys of a rule", "rules:\n  - id: a\n    |", ["event", "when", "action", "guidance", "examples", "sequence"]],
  ["severities", "rules:\n  - id: a\n    severity: |", ["low", "critical"]],
  ["events", "rules:\n  - id: a\n    event: |", ["tool_call", "user_bash", "before_agent_start"]],
  ["tools", "rules:\n  - id: a\n    tool: |", ["bash", "write", "mcp__*"]],
  ["actions", "rules:\n  - id: a\n    action: |", ["block", "ask"]],
  ["parameters of an action", "rules:\n  - id: a\n    action:\n      redact:\n        |", ["detectors", "patterns"]],
  ["names in a condition", "rules:\n  - id: a\n    when:\n      |", ["environment.branch", "all", "some"]],
  ["operators", "rules:\n  - id: a\n    when:\n      environment.branch:\n        |", ["glob", "starts_with"]],
  ["rules to begin with", "rules:\n  - |", ["rule: command", "rule: network"]],
];

let opened = 0;
const results: CaseResult[] = [];
const notRun: string[] = [];
for (const known of servers) {
  const title = `${known.name} ${known.version}`;
  let installed: InstalledHost;
  try {
    installed = installHost(known);
  } catch (error) {
    notRun.push(`${title}: ${error instanceof Error ? error.message : String(error)}`);
    continue;
  }
  const cases = new Cases(title, console.log);
  await cases.group("the driver of these cases", () => inProject(installed, cases));
  results.push(...cases.results);
}
const { lines, passed } = summary(results, notRun);
console.log(lines.join("\n"));
process.exitCode = passed ? 0 : 1;

async function inProject(installed: InstalledHost, cases: Cases): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-editor-")));
  const home = join(folder, "home");
  mkdirSync(home);
  const server = new LanguageServer(installed, home);
  try {
    const io = { ...processIo(), cwd: folder, home, env: {}, out: async () => {} };
    if ((await runCommandLine(["init", "--yes"], io)) !== exit.fine) throw new Error("`init` failed");
    await server.start(folder);
    await diagnostics(server, folder, cases);
    await proposals(server, folder, cases);
    await hovers(server, folder, cases);
  } finally {
    server.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What is found in a policy and a suite, good and bad. */
async function diagnostics(server: LanguageServer, folder: string, cases: Cases): Promise<void> {
  const policy = join(folder, ".hookwarden", "policy.yaml");
  const suite = join(folder, ".hookwarden", "policy.test.yaml");
  const good = readFileSync(policy, "utf8");
  const found = async (path: string, text: string): Promise<string> => {
    const shown = await server.open(another(path), text);
    return shown.map(({ message, range }) => `${range.start.line + 1}: ${message}`).join("\n");
  };
  const none = await found(policy, good);
  cases.check("finds nothing in the policy that init writes", none === "", none);
  const own = await found(suite, readFileSync(suite, "utf8"));
  cases.check("finds nothing in the suite that init writes", own === "", own);
  for (const pack of readdirSync(packs).sort()) {
    const text = readFileSync(join(packs, pack, "policy.yaml"), "utf8").replace(/^# yaml-language-server.*\n/, "");
    const said = await found(policy, `${good.split("\n")[0]}\n${text}`);
    cases.check(`finds nothing in the shipped policy ${pack}`, said === "", said);
  }
  const bad: readonly (readonly [name: string, from: string, to: string, says: RegExp])[] = [
    ["an unknown key of a rule", "severity:", "severty:", /severty/],
    ["a severity that there is not", "severity: medium", "severity: grave", /"?critical"?/],
    ["an action that there is not", "action: block", "action: blok", /"?block"?/],
    ["a missing key", "    action: block\n", "", /action/],
    ["a value of the wrong type", "version: 1", "version: one", /1/],
  ];
  for (const [name, from, to, says] of bad) {
    const said = await found(policy, good.replace(from, to));
    cases.check(`shows ${name}`, says.test(said), said);
  }
  const wrong = await found(suite, readFileSync(suite, "utf8").replace("outcome: block", "outcome: deny"));
  cases.check("shows an outcome that there is not", /block/.test(wrong), wrong);
}

async function proposals(server: LanguageServer, folder: string, cases: Cases): Promise<void> {
  const first = readFileSync(join(folder, ".hookwarden", "policy.yaml"), "utf8").split("\n")[0];
  for (const [name, text, proposed] of places) {
    const before = `${first}\n${text.slice(0, text.indexOf("|"))}`.split("\n");
    const path = another(join(folder, ".hookwarden", "proposed.yaml"));
    await server.open(path, `${before.join("\n")}\n`);
    const list = await server.completion(path, before.length - 1, before.at(-1)?.length ?? 0);
    const labels = list.map(({ label }) => label);
    const missing = proposed.filter((label) => !labels.includes(label));
    cases.check(`proposes ${name}`, missing.length === 0, `missing ${missing.join(", ")} of ${labels.join(", ")}`);
  }
}

async function hovers(server: LanguageServer, folder: string, cases: Cases): Promise<void> {
  const text = readFileSync(join(folder, ".hookwarden", "policy.yaml"), "utf8");
  const path = another(join(folder, ".hookwarden", "hovered.yaml"));
  const at = (word: string): readonly [number, number] => {
    const lines = text.split("\n");
    const line = lines.findIndex((each) => each.trimStart().startsWith(word));
    return [line, (lines[line] ?? "").indexOf(word) + 1];
  };
  await server.open(path, text);
  for (const [word, says] of [
    ["severity", "How bad it is when the rule fires"],
    ["guidance", "what to do instead"],
    ["examples", "Calls that prove the rule"],
  ] as const) {
    const shown = await server.hover(path, ...at(word));
    cases.check(`explains \`${word}\``, shown.includes(says), shown);
  }
}

/** A name that no text was opened under before, so that what is said of one text is not taken for another's. */
function another(path: string): string {
  opened += 1;
  return path.replace(/\.(test\.)?yaml$/, `-${opened}.$1yaml`);
}
