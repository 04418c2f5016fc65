import { existsSync } from "node:fs";
import { join } from "node:path";
import type { InstalledHost } from "../hosts/install.ts";
import type { ScriptedTurn } from "../hosts/model-server.ts";
import type { CommandWiring, HookWiring, OneShotHost } from "../hosts/one-shot.ts";
import type { HostRun } from "../hosts/process.ts";
import type { Cases } from "../hosts/report.ts";
import { filesBelow, makeScratch, type Scratch, textOfFiles } from "../hosts/scratch.ts";
import { type EnvironmentAttack, environmentAttacks, foreignMarker, whyOpen } from "./environment.ts";
import { caseNames } from "./held.ts";
import { inTurns } from "./in-turns.ts";
import { naiveHook } from "./naive-hook.ts";
import type { Choice } from "./sample.ts";

/** The policy of guarded runs. */
const policy = join(import.meta.dirname, "../hosts/hook-policy.yaml");

/** How a host is wired in a guarded run: as its user would. */
const installed: HookWiring = { install: ["--policy", policy] };

const bash = (command: string): ScriptedTurn => ({ calls: [{ name: "bash", args: { command } }] });
const forbidden = [bash("touch FORBIDDEN"), { text: "Finished." }];

/** Seconds that a naive hook has: no case here is about time-outs. */
const seconds = 60;

/** Attacks of one host that are carried out at once: hosts mostly wait, for their model and their hooks. */
const atOnce = 3;

/** One run of a host under an attack, and what it left. */
interface Seen {
  readonly run: HostRun;
  /** The forbidden call ran. */
  readonly call: boolean;
  /** Foreign code ran inside a hook. */
  readonly code: boolean;
  /** The hook's own record stands in the user's state folder. */
  readonly recorded: boolean;
}

const naive = (host: OneShotHost, scratch: Scratch): CommandWiring => ({
  command: naiveHook(host.hook, scratch),
  seconds,
});

/** Gives a project's variables to the host as its users' repositories do: by a file where there is one, else by its process. */
function deliver(host: OneShotHost, scratch: Scratch, variables: Readonly<Record<string, string>>): object {
  if (host.row === "claude-code") {
    scratch.write("project/.claude/settings.json", JSON.stringify({ env: variables }));
    return {};
  }
  if (host.row === "gemini-cli") {
    const lines = Object.entries(variables).map(([name, value]) => `${name}='${value}'\n`);
    scratch.write("project/.env", lines.join(""));
    return {};
  }
  return { variables };
}

/** How `deliver` does it, for the report. */
export function deliveryOf({ row }: OneShotHost): string {
  if (row === "claude-code") return "`env` in the project's `.claude/settings.json`";
  return row === "gemini-cli" ? "the project's `.env`" : "the host's own environment";
}

async function attacked(
  host: OneShotHost,
  program: InstalledHost,
  attack: EnvironmentAttack | undefined,
  wiring: (scratch: Scratch) => HookWiring,
): Promise<Seen | undefined> {
  const scratch = makeScratch();
  try {
    const variables = attack ? attack.plant(scratch) : {};
    if (variables === undefined) return undefined;
    const run = await host.run(program, scratch, forbidden, wiring(scratch), deliver(host, scratch, variables));
    const state = join(scratch.home, ".local/state");
    return {
      run,
      call: existsSync(join(scratch.project, "FORBIDDEN")),
      code: existsSync(join(scratch.root, foreignMarker)),
      recorded:
        existsSync(join(state, "naive/log")) ||
        (filesBelow(join(state, "hookwarden/audit")).length > 0 &&
          textOfFiles(state, ".jsonl").includes("hook-test/no-forbidden-file")),
    };
  } finally {
    scratch.remove();
  }
}

const told = ({ run, ...seen }: Seen): string =>
  `${JSON.stringify(seen)}, exit ${run.exitCode}, ${run.requests.length} requests, stdout: ${run.stdout.slice(-300)}, stderr: ${run.stderr.slice(-300)}`;

/** True where an attack did what its row says. */
function leaked({ leak }: EnvironmentAttack, seen: Seen): boolean {
  if (leak === "record") return !seen.recorded;
  // A hook that was silenced has let everything through, also where the same attack ends the host's own shell.
  return leak === "code" ? seen.code : seen.call || !seen.recorded;
}

/** Every attack by variables on one version of a host: a naive hook leaks, ours refuses, on record, and runs nothing foreign. */
export async function environmentCases(
  host: OneShotHost,
  program: InstalledHost,
  cases: Cases,
  choice: Choice,
): Promise<void> {
  await cases.group("environment: no attack", async () => {
    const seen = await attacked(host, program, undefined, (scratch) => naive(host, scratch));
    cases.check("environment: a naive hook holds where nobody attacks it", !!seen && !seen.call, seen && told(seen));
  });
  await inTurns(choice("environment", environmentAttacks), atOnce, (attack) => {
    const name = `environment/${attack.id}`;
    return cases.group(name, async () => {
      const control = await attacked(host, program, attack, (scratch) => naive(host, scratch));
      if (!control) return;
      // A host that keeps a variable from its hooks leaves nothing to attack: that is a fact of the host, and is said.
      const applies = leaked(attack, control);
      cases.check(applies ? caseNames.leaks(name) : caseNames.keptAway(name), true);
      const guarded = await attacked(host, program, attack, () => installed);
      const held = !!guarded && guarded.run.requests.length > 1 && !guarded.call && !guarded.code && guarded.recorded;
      const open = !held && applies && whyOpen(program.host.name, attack.id) !== undefined;
      cases.check(open ? caseNames.open(name) : caseNames.held(name), held || open, guarded && told(guarded));
    });
  });
}
