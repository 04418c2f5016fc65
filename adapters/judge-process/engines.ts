import { type Caller, createEngine, createRegexEngine, type Engine, type LinkedPlan } from "../../runtime.ts";
import type { Programs } from "../../schema/ports.ts";
import { installKey } from "../../store/install-key.ts";
import { liveFiles } from "../live-files.ts";
import { auditStore } from "../pi/audit.ts";
import type { Judge } from "../pi/judge.ts";
import { LiveSessions } from "../pi/live-sessions.ts";
import { createPrograms } from "../programs.ts";
import { liveSecretValues } from "../secret-values.ts";
import type { Setup } from "./messages.ts";

type Plan = NonNullable<Engine["plan"]>;

/** An engine as a judge process has it: it judges with programs, and where sessions are kept it records what a guard saw. */
export type JudgeEngine = Pick<Engine, "judge" | "answer"> & Pick<Judge, "record" | "end">;

/** Makes the engines of a process; `before` is the engine whose sessions go on with another plan. */
export type EngineMaker = (plan: Plan, before: JudgeEngine | undefined) => JudgeEngine;

/** What of its surroundings a judge process may change while it runs. */
export interface Live {
  /** Says that the program of a rule runs, for so many milliseconds at most. */
  readonly waits: (milliseconds: number) => void;
  /** Who is named in records; a host may say its version late. */
  readonly caller: Caller;
}

/** Engines whose sessions are kept on the disk, or in this process alone. */
export function enginesOf(setup: Setup, live: Live): EngineMaker {
  return setup.sessions === undefined ? unrecorded(setup, live) : recorded(setup, setup.sessions, live);
}

/** Sessions that are kept on disk. Where they cannot be, the install key missing or broken among others, they are closed. */
function recorded(setup: Setup, folder: string, live: Live): EngineMaker {
  const { state, durability, copy } = setup;
  // A plan is linked once for all sessions, and of it what is evaluated: the host waits for it at its first event.
  const ports = { ...portsOf(setup, live), links: new WeakMap<Plan, LinkedPlan>(), once: true };
  const sessions = new LiveSessions(
    {
      folder,
      state,
      ...(durability && { durability }),
      ...(copy !== undefined && { copy: auditStore({ file: copy, ...(durability && { durability }) }) }),
    },
    (plan, held) => createEngine(plan, { ...ports, sessionKey: installKey(state).toString("hex"), ...held }),
  );
  return (plan) => sessions.judge(plan);
}

/** Sessions of this process alone, without a record. */
function unrecorded(setup: Setup, live: Live): EngineMaker {
  const key = setup.sessionKey === undefined ? {} : { sessionKey: setup.sessionKey };
  const ports = { ...portsOf(setup, live), ...key };
  // What this makes are engines; a process knows less of them.
  return (plan, before) => createEngine(plan, { ...ports, ...(before && { continues: before as Engine }) });
}

function portsOf({ variables, workspace, programs }: Setup, { caller, waits }: Live) {
  return {
    caller,
    files: liveFiles,
    clock: { now: () => performance.now() },
    // The addon is made for Node.
    regex: createRegexEngine(process.versions["bun"] === undefined ? {} : { prefer: "re2js" }),
    secretValues: liveSecretValues(variables),
    programs: announced(createPrograms({ variables, ...(workspace !== undefined && { workspace }) }), programs, waits),
  };
}

/** Programs that say how long they may take, and answer before the host stops waiting: one that takes longer has timed out. */
function announced(programs: Programs, limit: number | undefined, waits: Live["waits"]): Programs {
  return {
    run: (request) => {
      const timeout = limit === undefined ? request.timeout : Math.min(request.timeout, limit);
      if (!request.background) waits(timeout);
      return programs.run({ ...request, timeout });
    },
  };
}
