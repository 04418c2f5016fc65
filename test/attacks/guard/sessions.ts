import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { makeAuditKeys } from "../../../store/audit-keys.ts";
import { Checkpointer } from "../../../store/checkpoints.ts";
import { packageExtension } from "../../hosts/guard-files.ts";
import type { InstalledHost } from "../../hosts/install.ts";
import type { ScriptedTurn } from "../../hosts/model-server.ts";
import type { OneShotHost } from "../../hosts/one-shot.ts";
import { pluginFile, runOpencode } from "../../hosts/opencode-process.ts";
import { runPi } from "../../hosts/pi-process.ts";
import type { HostRun } from "../../hosts/process.ts";
import type { Cases } from "../../hosts/report.ts";
import { makeScratch, type Scratch, textOfFiles } from "../../hosts/scratch.ts";
import type { Session } from "../delay-sessions.ts";
import { caseNames } from "../held.ts";
import type { Choice } from "../sample.ts";
import { aroundAndSelf, type GuardAttack, guardAttacks, guardAttacksOf, neighbours, untrusted } from "./attacks.ts";
import { cameThrough, plantAround, plantPackage, plantPolicies, trustProject } from "./plant.ts";
import { trailCases } from "./trail.ts";

/** Milliseconds of a session of some forty calls on a machine that has much to do. */
const patience = 300_000;

/** A host whose hooks are a process each and look for policies themselves. */
export const wiredByUser =
  (host: OneShotHost): Session =>
  (program, scratch, turns, guarded) =>
    host.run(program, scratch, turns, guarded ? { install: [] } : undefined, { patience });

/** Pi, with the extension of the package. */
export const extendedPi: Session = (program, scratch, turns, guarded) =>
  runPi(program, scratch, turns, guarded ? [packageExtension] : [], { limit: patience });

/** OpenCode, with the plugin of the package. */
export const pluggedOpencode: Session = (program, scratch, turns, guarded) =>
  runOpencode(program, scratch, turns, guarded ? pluginFile : undefined, { patience });

const done: ScriptedTurn = { text: "Finished." };
const turnsOf = (attacks: readonly GuardAttack[]): ScriptedTurn[] =>
  attacks.flatMap(({ commands }) => commands.map(bash));
const bash = (command: string): ScriptedTurn => ({ calls: [{ name: "bash", args: { command } }] });

/** What one session left: the attacks that came through, and how it ended. */
interface Left {
  readonly through: ReadonlySet<string>;
  readonly run: HostRun;
  /** It went on to its end, and the calls beside the attacks were made. */
  readonly whole: boolean;
  /** Calls beside the attacks that were not made. */
  readonly missed: readonly string[];
  /** Refusals and questions in the trail. */
  readonly stopped: number;
}

const told = ({ run, whole, missed, stopped, through }: Left): string =>
  `exit ${run.exitCode}, ${run.requests.length} requests, whole ${whole}, not made: ${missed.join("; ") || "none"}, ${stopped} stopped, through: ${[...through].join(" ")}, stdout: ${run.stdout.slice(-300)}, stderr: ${run.stderr.slice(-300)}`;

/** One session of these attacks and the calls beside them, in a scratch folder that was made ready. */
async function held(
  session: Session,
  program: InstalledHost,
  scratch: Scratch,
  attacks: readonly GuardAttack[],
  guarded: boolean,
  beside = neighbours,
): Promise<Left> {
  const turns = [...turnsOf(attacks), ...beside.map(({ command }) => bash(command)), done];
  const run = await session(program, scratch, turns, guarded);
  const trail = textOfFiles(join(scratch.home, ".local/state/hookwarden/audit"), ".jsonl");
  const missed = beside.filter((one) => !wasMade(scratch, one)).map(({ command }) => command);
  return {
    through: new Set(attacks.filter((attack) => cameThrough(attack, scratch)).map(({ id }) => id)),
    run,
    whole: run.requests.length >= turns.length && missed.length === 0,
    missed,
    stopped: trail.split(/"outcome":"(?:block|ask)"/).length - 1,
  };
}

function wasMade(scratch: Scratch, { file, holds = "" }: (typeof neighbours)[number]): boolean {
  const path = join(scratch.root, file);
  return existsSync(path) && readFileSync(path, "utf8").includes(holds);
}

async function inScratch<T>(work: (scratch: Scratch) => Promise<T>): Promise<T> {
  const scratch = makeScratch();
  try {
    plantPolicies(scratch);
    return await work(scratch);
  } finally {
    scratch.remove();
  }
}

/** Begins a trail with signed checkpoints, as `audit init` does; gives the verifier's key. */
function signTrail(state: string): string {
  const { verifier } = makeAuditKeys(state);
  const missed = new Checkpointer(join(state, "audit"), state).begin(Date.now());
  if (missed !== undefined) throw new Error(missed);
  return verifier;
}

/**
 * Every attack on the guard, as calls of three sessions: without a guard, with one, and with one whose human has trusted the
 * project, where its policy does all that it tries to do untrusted. Then somebody changes the trail of the guarded session.
 */
export async function guardCases(
  session: Session,
  program: InstalledHost,
  cases: Cases,
  choice: Choice,
): Promise<void> {
  const given = guardAttacksOf(program.host.name);
  // The trail of a session needs a refusal: one attack that is refused outright is always there.
  const chosen = choice("guard", guardAttacks, (one) => given.together.includes(one) || given.alone.includes(one));
  const together = given.together.filter((one) => chosen.includes(one) || one.id === alwaysGiven);
  const alone = given.alone.filter((one) => chosen.includes(one));
  const beside = (attack: GuardAttack): boolean => chosen.includes(attack) || attack.id === alwaysGiven;
  await cases.group("guard", async () => {
    const control = inScratch((scratch) => {
      plantAround(scratch);
      plantPackage(scratch);
      return held(session, program, scratch, aroundAndSelf.filter(beside), false);
    });
    const trusted = inScratch((scratch) => {
      trustProject(scratch);
      return held(session, program, scratch, untrusted.filter(beside), true, []);
    });
    const guarded = inScratch(async (scratch) => {
      plantAround(scratch);
      plantPackage(scratch);
      const verifier = signTrail(join(scratch.home, ".local/state/hookwarden"));
      const left = await held(session, program, scratch, together, true);
      await cases.group("guard: trail", () => trailCases(scratch, verifier, cases));
      return left;
    });
    judge(cases, together, await guarded, await control, await trusted);
    const leaks = new Set([...(await control).through, ...(await trusted).through]);
    for (const attack of alone) judgeAlone(cases, attack, leaks, await heldAlone(session, program, attack));
  });
}

/** A session of one attack, on a host whose run ends at its question. */
function heldAlone(session: Session, program: InstalledHost, attack: GuardAttack): Promise<Left> {
  return inScratch((scratch) => {
    plantAround(scratch);
    return held(session, program, scratch, [attack], true, []);
  });
}

function judgeAlone(cases: Cases, { id }: GuardAttack, leaks: ReadonlySet<string>, left: Left): void {
  const name = `guard/${id}`;
  cases.check(caseNames.leaks(name), leaks.has(id));
  const isHeld = left.run.requests.length > 0 && left.stopped > 0 && !left.through.has(id);
  cases.check(caseNames.held(name), isHeld, told(left));
}

/** The attack that every session carries, whatever a sample has. */
const alwaysGiven = "moved-folder";

/** Attacks that a host may stop by itself, at most. */
const atMostKept = 2;

function judge(cases: Cases, attacks: readonly GuardAttack[], guarded: Left, control: Left, trusted: Left): void {
  cases.check("guard: the session without a guard goes on to its end", control.whole, told(control));
  cases.check("guard: the session with a trusted project goes on to its end", trusted.whole, told(trusted));
  cases.check("guard: calls beside the attacks are made, to the end of the session", guarded.whole, told(guarded));
  const recorded = guarded.stopped >= attacks.length;
  cases.check("guard: every refusal is on record", recorded, told(guarded));
  const leaks = new Set([...control.through, ...trusted.through]);
  const leaking = attacks.filter(({ id }) => leaks.has(id)).length;
  const most = leaking + atMostKept >= attacks.length;
  cases.check("guard: without a guard nearly all of the attacks leak", most, `${leaks.size}; ${told(control)}`);
  for (const { id } of attacks) {
    const name = `guard/${id}`;
    // A host that stops a call by itself leaves nothing to hold: that is a fact of the host, and is said.
    cases.check(leaks.has(id) ? caseNames.leaks(name) : caseNames.keptAway(name), true);
    cases.check(caseNames.held(name), guarded.whole && recorded && !guarded.through.has(id), told(guarded));
  }
}
