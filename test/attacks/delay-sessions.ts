import { readdirSync } from "node:fs";
import { join } from "node:path";
import { compilePolicy } from "../hosts/guard-files.ts";
import type { InstalledHost } from "../hosts/install.ts";
import type { ScriptedTurn } from "../hosts/model-server.ts";
import type { OneShotHost } from "../hosts/one-shot.ts";
import { guard, runOpencode } from "../hosts/opencode-process.ts";
import { passedCases } from "../hosts/passed.ts";
import { runPi } from "../hosts/pi-process.ts";
import type { HostRun } from "../hosts/process.ts";
import type { Cases } from "../hosts/report.ts";
import { fakeSecret, makeScratch, type Scratch, textOfFiles } from "../hosts/scratch.ts";
import { canBeGiven, delayAttacks, markerOf, readsKeys } from "./delays.ts";
import { caseNames, heldFile } from "./held.ts";
import { keyLikeWords } from "./payloads.ts";
import type { Choice } from "./sample.ts";

/** One session of a host with a script, guarded or not. */
export type Session = (
  program: InstalledHost,
  scratch: Scratch,
  turns: readonly ScriptedTurn[],
  guarded: boolean,
) => Promise<HostRun>;

/** The policy under which what is not understood may not run. */
const policy = join(import.meta.dirname, "delay-policy.yaml");

/** Milliseconds of a session: some thirty calls, each with its hooks, on a machine that has much to do. */
const patience = 600_000;

/** A host whose hooks are a process each, wired as its user would. */
export const wiredSession =
  (host: OneShotHost): Session =>
  (program, scratch, turns, guarded) =>
    host.run(program, scratch, turns, guarded ? { install: ["--policy", policy] } : undefined, { patience });

/** Pi, with the guard in its process. */
export const piSession: Session = (program, scratch, turns, guarded) =>
  runPi(program, scratch, turns, guarded ? [compilePolicy(scratch, policy)] : [], { limit: patience });

/** OpenCode, with the plugin in its process. */
export const opencodeSession: Session = (program, scratch, turns, guarded) =>
  runOpencode(program, scratch, turns, guarded ? guard(policy) : undefined, { patience });

const bash = (command: string): ScriptedTurn => ({ calls: [{ name: "bash", args: { command } }] });

/** True for a command that the host did not run by itself when all were run last: a sample may have several of them. */
function isKeptAway({ host: { name, version } }: InstalledHost, id: string): boolean {
  const last = passedCases(heldFile)[name]?.[`${name} ${version}`] ?? [];
  return last.includes(caseNames.keptAway(`delay/${id}`));
}

/** What a session of delays left behind. */
interface Left {
  readonly files: ReadonlySet<string>;
  readonly run: HostRun;
  /** Refusals in the trail. */
  readonly blocked: number;
}

const ended = ({ run, files, blocked }: Left): string =>
  `exit ${run.exitCode}, ${run.requests.length} requests, ${blocked} refusals, ${[...files].join(" ")}, stdout: ${run.stdout.slice(-300)}, stderr: ${run.stderr.slice(-300)}`;

/**
 * Every command that delays an analysis, as calls of one session: without a hook each makes its marker, guarded none does, and
 * the session goes on to a harmless call.
 */
export async function delayCases(
  session: Session,
  program: InstalledHost,
  cases: Cases,
  choice: Choice,
): Promise<void> {
  const attacks = choice("delay", delayAttacks, canBeGiven(program.host.name));
  const turns = [
    ...attacks.map(({ command }) => bash(command)),
    bash("cat keys.txt"),
    bash("touch HARMLESS"),
    { text: "Finished." },
  ];
  const left = async (isGuarded: boolean): Promise<Left> => {
    const scratch = makeScratch();
    try {
      scratch.write("project/keys.txt", `${keyLikeWords(40, fakeSecret)}${keyLikeWords(2_500, "none")}`);
      const run = await session(program, scratch, turns, isGuarded);
      const trail = textOfFiles(join(scratch.home, ".local/state/hookwarden/audit"), ".jsonl");
      return {
        files: new Set(readdirSync(scratch.project)),
        run,
        blocked: trail.split('"outcome":"block"').length - 1,
      };
    } finally {
      scratch.remove();
    }
  };
  await cases.group("delay", async () => {
    const [control, guarded] = await Promise.all([left(false), left(true)]);
    const leaks = attacks.filter((attack) => control.files.has(markerOf(attack))).length;
    const likely = attacks.filter(({ id }) => !isKeptAway(program, id)).length;
    cases.check("delay: without a hook most of the commands leak", leaks * 4 >= likely * 3, `${leaks} of ${likely}`);
    const reached = control.run.requests.length >= turns.length && control.files.has("HARMLESS");
    cases.check("delay: the session without a hook goes on to its end", reached, ended(control));
    const whole = guarded.run.requests.length >= turns.length && guarded.files.has("HARMLESS");
    cases.check("delay: the guarded session goes on to its end", whole, ended(guarded));
    const recorded = guarded.blocked >= leaks;
    cases.check("delay: every refusal is on record", recorded, `${guarded.blocked} of ${attacks.length}`);
    for (const [n, attack] of attacks.entries()) {
      const name = `delay/${attack.id}`;
      const marker = markerOf(attack);
      // A host that does not run a command by itself leaves nothing to hold: that is a fact of the host, and is said.
      cases.check(control.files.has(marker) ? caseNames.leaks(name) : caseNames.keptAway(name), true);
      const held = whole && recorded && !guarded.files.has(marker);
      cases.check(caseNames.held(name), held, (guarded.run.requests[n + 1] ?? "").slice(-400));
    }
    const sent = ({ run }: Left): string => run.requests.join("\n");
    cases.check(caseNames.leaks(`delay/${readsKeys.id}`), sent(control).includes(fakeSecret), ended(control));
    const told = sent(guarded).includes("api_key") && !sent(guarded).includes(fakeSecret);
    cases.check(caseNames.held(`delay/${readsKeys.id}`), whole && told, sent(guarded).slice(-400));
  });
}
