import { existsSync } from "node:fs";
import { join } from "node:path";
import type { InstalledHost } from "../hosts/install.ts";
import type { ScriptedTurn } from "../hosts/model-server.ts";
import { hookCommand, type OneShotHost } from "../hosts/one-shot.ts";
import type { HostRun } from "../hosts/process.ts";
import type { Cases } from "../hosts/report.ts";
import { filesBelow, makeScratch, type Scratch, textOfFiles } from "../hosts/scratch.ts";
import { envelopeAttacks, payloadChanges } from "./envelope-attacks.ts";
import { caseNames } from "./held.ts";
import { inTurns } from "./in-turns.ts";
import type { Choice } from "./sample.ts";

/** A program between host and hook that makes one fault in the payload of a forbidden call. */
function relay(scratch: Scratch, id: string): string {
  const code = `const text = require("node:fs").readFileSync(0, "utf8");
const given = JSON.parse(text);
const args = ["tool_input", "toolArgs"].find((name) => name in given);
const event = "hook_event_name" in given ? "hook_event_name" : "hookName";
const quiet = { command: "echo hello" };
const other = (name) => (name === "tool_input" ? "toolInput" : "tool_input");
const said = args && JSON.stringify(given[args]).includes("FORBIDDEN") ? ${payloadChanges[id]?.code} : text;
process.stdout.write(said);
`;
  return `"${process.execPath}" "${scratch.write(`relay-${id}.cjs`, code)}"`;
}

/** A hook that reads what it knows of a payload, as people write one: it denies a shell's command that names the file. */
function naiveReader(scratch: Scratch, host: string): string {
  const code = `const given = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
const known = ["PreToolUse", "BeforeTool", undefined].includes(given.hook_event_name ?? given.hookName);
const isCall = known && !("tool_response" in given) && !("toolResult" in given);
const { command } = given.toolArgs ?? given.tool_input ?? {};
if (isCall && String(command).includes("FORBIDDEN")) {
  console.error("may not be made");
  process.exit(2);
}
`;
  return `"${process.execPath}" "${scratch.write(`naive-reader-${host}.cjs`, code)}"`;
}

const turns: readonly ScriptedTurn[] = [
  { calls: [{ name: "bash", args: { command: "touch FORBIDDEN" } }] },
  { text: "Finished." },
];

/** One run with a relay before a hook: whether the forbidden call ran, and whether a refusal is on record. */
async function attacked(
  host: OneShotHost,
  program: InstalledHost,
  id: string | undefined,
  hook: (scratch: Scratch) => string,
): Promise<{ readonly run: HostRun; readonly call: boolean; readonly recorded: boolean }> {
  const scratch = makeScratch();
  try {
    const before = id === undefined ? "" : `${relay(scratch, id)} | `;
    const command = `${before}${hook(scratch)}`;
    const run = await host.run(program, scratch, turns, { command, callsOnly: true, seconds: 60 });
    const state = join(scratch.home, ".local/state");
    const recorded =
      filesBelow(join(state, "hookwarden/audit")).length > 0 &&
      textOfFiles(state, ".jsonl").includes('"outcome":"block"');
    return { run, call: existsSync(join(scratch.project, "FORBIDDEN")), recorded };
  } finally {
    scratch.remove();
  }
}

const told = (seen: Awaited<ReturnType<typeof attacked>>): string =>
  `call ${seen.call}, recorded ${seen.recorded}, exit ${seen.run.exitCode}, stdout: ${seen.run.stdout.slice(-300)}, stderr: ${seen.run.stderr.slice(-300)}`;

/** Every fault of an envelope on one version of a host: a naive reader leaks, ours refuses, on record. */
export async function envelopeCases(
  host: OneShotHost,
  program: InstalledHost,
  cases: Cases,
  choice: Choice,
): Promise<void> {
  const event = { "gemini-cli": "BeforeTool", copilot: "preToolUse" }[host.row as string] ?? "PreToolUse";
  await cases.group("envelope: no attack", async () => {
    const seen = await attacked(host, program, undefined, (scratch) => naiveReader(scratch, host.hook));
    cases.check("envelope: a naive reader holds where nobody attacks it", !seen.call, told(seen));
  });
  await inTurns(choice("envelope", envelopeAttacks), 2, ({ id }) => {
    const name = `envelope/${id}`;
    return cases.group(name, async () => {
      const control = await attacked(host, program, id, (scratch) => naiveReader(scratch, host.hook));
      cases.check(caseNames.leaks(name), control.call, told(control));
      const guarded = await attacked(host, program, id, () => hookCommand(host, undefined, ` --event ${event}`));
      cases.check(caseNames.held(name), !guarded.call && guarded.recorded, told(guarded));
    });
  });
}
