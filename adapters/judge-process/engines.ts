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

/** The part of an engine that a judge process uses; if sessions are kept, it also records a guard's observations. */
export type JudgeEngine = Pick<Engine, "judge" | "answer"> & Pick<Judge, "record" | "end">;

/** Makes the engines of a process; `before` is the engine whose sessions continue with another plan. */
export type EngineMaker = (plan: Plan, before: JudgeEngine | undefined) => JudgeEngine;

/** Ports and facts of a judge process that may change while it runs. */
export interface Live {
  /** Reports that the program of a rule runs, for at most so many milliseconds. */
  readonly waits: (milliseconds: number) => void;
  /** Caller for records; a host may report its version late. */
  readonly caller: Caller;
}

/** Makes the maker of engines, whose sessions are kept on disk or, without `sessions`, in this process alone. */
export function enginesOf(setup: Setup, live: Live): EngineMaker {
  return setup.sessions === undefined ? unrecorded(setup, live) : recorded(setup, setup.sessions, live);
}

/** Keeps sessions on disk. If that fails, for example because the install key is missing or broken, they are closed. */
function recorded(setup: Setup, folder: string, live: Live): EngineMaker {
  const { state, durability, copy } = setup;
  // Link a plan once for all sessions, and only its evaluated parts, because the host waits for it at its first event.
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

/** Keeps sessions in this process alone, without a record. */
function unrecorded(setup: Setup, live: Live): EngineMaker {
  const key = setup.sessionKey === undefined ? {} : { sessionKey: setup.sessionKey };
  const ports = { ...portsOf(setup, live), ...key };
  // `before` was made here, so it is an `Engine`, although its type says less.
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

/** Wraps programs so that they report how long they may take, and time out before the host stops waiting. */
function announced(programs: Programs, limit: number | undefined, waits: Live["waits"]): Programs {
  return {
    run: (request) => {
      const timeout = limit === undefined ? request.timeout : Math.min(request.timeout, limit);
      if (!request.background) waits(timeout);
      return programs.run({ ...request, timeout });
    },
  };
}
