import { join } from "node:path";
import type { ScriptedTurn } from "./model-server.ts";
import type { Cases } from "./report.ts";
import type { Scratch } from "./scratch.ts";

/** The real guard in a real host, with a judge process that hangs over `touch ASKED` (`hostile-judge.mjs`). */

const root = join(import.meta.dirname, "../..");
const modules = JSON.stringify(join(root, "dist/bin/hookwarden-modules.cjs"));
const hostile = JSON.stringify(join(root, "test/adapters/judge-process/hostile-judge.mjs"));

/** Milliseconds until the guard gives up: enough for a process to begin on a machine with much to do. */
const budget = 8_000;

/** What runs the process is what runs the host, as in the guard that users have. */
const remote = `{ budget: ${budget}, command: { ...packageJudge(), command: [packageJudge().command[0], ${hostile}] } }`;

/** Exports of a module of ours, taken as the users' guard takes them. */
const from = (source: string): string => `= modules.module("hosts", "adapters/${source}")`;
const imports = [
  `import modules from ${modules};`,
  `const { packageJudge } ${from("judge-process/program.ts")};`,
  `const { load } ${from("pi/entry.ts")};`,
];

/** The module of an extension for pi or omp. */
export function hangingExtension(host: "pi" | "omp", policy: string): string {
  return [
    ...imports,
    `const { guardWithPlan } ${from("pi/plan-file.ts")};`,
    `const { ${host}Family: family } ${from(`${host}/family.ts`)};`,
    `export default async (pi) => guardWithPlan(pi, await load({ policies: [${JSON.stringify(policy)}] }), { family, ...${remote} });`,
    "",
  ].join("\n");
}

/** The module of a plugin for OpenCode. */
export function hangingPlugin(policy: string): string {
  return [
    ...imports,
    `const { pluginOf } ${from("opencode/with-plan.ts")};`,
    `const find = ({ directory }) => load({ cwd: directory, policies: [${JSON.stringify(policy)}] });`,
    `export const Guard = pluginOf(find, ${remote});`,
    "",
  ].join("\n");
}

const bash = (command: string): ScriptedTurn => ({ calls: [{ name: "bash", args: { command } }] });

/** A call over which the engine loops for ever, and one after it. */
export const hangingTurns: readonly ScriptedTurn[] = [bash("touch ASKED"), bash("touch HARMLESS")];

/** What one run with `hangingTurns` must have come to. */
export function checkHanging(
  cases: Cases,
  run: { readonly requests: readonly string[]; readonly exitCode: number | null },
  scratch: Scratch,
  seen: { has(scratch: Scratch, file: string): boolean; readonly trail: string; readonly told: string },
): void {
  const whole = run.exitCode === 0 && run.requests.length > hangingTurns.length;
  cases.check("a call over which the engine hangs does not run", whole && !seen.has(scratch, "ASKED"), seen.told);
  const said = run.requests.join("\n").includes(`no decision was made within ${budget} ms`);
  cases.check("and the model is told that there was no decision", said, seen.told);
  cases.check("and the next call is judged, and runs", seen.has(scratch, "HARMLESS"), seen.told);
  cases.check(
    "and the refusal is on record",
    seen.trail.includes("no decision was made within"),
    seen.trail.slice(-400),
  );
}
