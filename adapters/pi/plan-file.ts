import { isAbsolute } from "node:path";
import { closedEngine, createEngine, digest, type Engine } from "../../runtime.ts";
import type { AuditStore, Programs } from "../../schema/ports.ts";
import { takeApproval } from "../../store/human-decisions.ts";
import { installKey } from "../../store/install-key.ts";
import { stateFolder } from "../../store/state-folder.ts";
import { trustedDigests } from "../../store/trust.ts";
import { liveFiles } from "../live-files.ts";
import { createPrograms } from "../programs.ts";
import { liveSecretValues } from "../secret-values.ts";
import type { PiApi, PiContext } from "./api.ts";
import { type AuditPlace, auditStore } from "./audit.ts";
import { type Fault, faultText, oneLine } from "./denial.ts";
import { type Family, piFamily } from "./family.ts";
import { installGuard, type Judge } from "./guard.ts";
import { observationBody } from "./observations.ts";
import type { PlanSource } from "./pinned-plans.ts";
import { sessionId } from "./session.ts";

type Plan = NonNullable<Engine["plan"]>;

/** A plan, with where its audit trail goes; the default place when not given. */
export interface CarriedPlan {
  readonly plan: Plan;
  readonly audit?: AuditPlace | false;
}

/** The fault of a guard that is installed but has nothing to go by. */
export const noPolicy: Fault = {
  code: "HW012",
  message: "hookwarden is installed but no policy was found",
  fix: "put a policy into ~/.config/hookwarden/ or .hookwarden/ (see `hookwarden new policy`), or remove the extension",
};

const recompile = "compile the guard again with `hookwarden compile --target pi`";

function own(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

/**
 * Reads the plan that a guard file carries as JSON text. A plan whose digest does not fit its content is refused, for then
 * somebody changed it after it was compiled. `audit` is the absolute path of the audit file that `compile` was given; any
 * other text means none was.
 */
export function readCarriedPlan(text: string, audit: string): CarriedPlan | Fault {
  let plan: unknown;
  try {
    plan = JSON.parse(text);
  } catch {
    return { code: "HW508", message: "this guard carries no plan that can be read", fix: recompile };
  }
  const claimed = own(plan, "digest");
  if (typeof claimed !== "string" || own(plan, "format") !== 1) {
    return { code: "HW508", message: "this guard carries a plan of another version", fix: recompile };
  }
  const { digest: _, ...rest } = plan as Plan;
  if (digest(rest) !== claimed) {
    return { code: "HW508", message: "the plan in this guard was changed after it was compiled", fix: recompile };
  }
  return { plan: plan as Plan, ...(isAbsolute(audit) ? { audit: { file: audit } } : {}) };
}

/** Where the plans of later come from, but for the engines that this module makes of them. */
export type Plans = Omit<PlanSource, "engine">;

/**
 * Puts a plan in front of a pi session, with an audit trail unless `audit` is false. With `plans` a change on disk is
 * noticed, and used by new sessions or after `hookwarden reload`; without, the plan serves as long as pi runs.
 */
export function guardWithPlan(pi: PiApi, carried: CarriedPlan, plans?: Plans, family: Family = piFamily): void {
  if (carried.plan.policies.length === 0) return guardClosed(pi, noPolicy, family);
  const store: AuditStore | undefined = carried.audit === false ? undefined : auditStore(carried.audit);
  const sessionKey = readKey((fault) => noteFault(pi, carried.plan, store, fault, family));
  const clock = { now: () => performance.now() };
  const programs = boundedPrograms(createPrograms(), family.limit);
  const engine = (plan: Plan, before?: Engine): Engine =>
    createEngine(plan, {
      files: liveFiles,
      clock,
      secretValues: liveSecretValues(process.env),
      programs,
      ...(sessionKey === undefined ? {} : { sessionKey }),
      ...(store ? { store } : {}),
      ...(before ? { continues: before } : {}),
    });
  // What this makes are engines; a guard knows less of them.
  const source = plans && { ...plans, engine: (plan: Plan, before: Judge): Judge => engine(plan, before as Engine) };
  const options = {
    takeApproval: (key: string) => takeApproval(stateFolder(process.env), key),
    trusted: () => trustedDigests(stateFolder(process.env)),
    ...(store ? { store } : {}),
    ...(source ? { plans: source } : {}),
  };
  installGuard(pi, () => engine(carried.plan), options, family);
}

/** Programs that answer before the host stops waiting: one that takes longer has timed out. */
function boundedPrograms(programs: Programs, limit: number | undefined): Programs {
  if (limit === undefined) return programs;
  return { run: (request) => programs.run({ ...request, timeout: Math.min(request.timeout, limit * 0.8) }) };
}

/** The install key as text, the same in every process, so that a resumed session knows its own tokens; undefined with a fault. */
function readKey(failed: (fault: Fault) => void): string | undefined {
  try {
    return installKey(stateFolder(process.env)).toString("hex");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    failed({
      code: "HW509",
      message: `there is no install key, so tokens of redaction name the kind of secret alone: ${why}`,
      fix: "make the state folder of hookwarden writable for yourself alone, or take the broken key away",
    });
    return undefined;
  }
}

/** Tells the human and the audit trail of a fault that closes nothing, when a session starts. */
function noteFault(pi: PiApi, plan: Plan, store: AuditStore | undefined, fault: Fault, family: Family): void {
  pi.on("session_start", (_event, context) => {
    const session = { id: sessionId(context) };
    const frame = { id: "install-key", time: new Date().toISOString(), host: family.host, environment: {}, session };
    try {
      store?.append(observationBody(plan, frame, { event: "error", outcome: "allow", fault, observed: {} }), 0);
    } catch {
      // A trail that cannot be written closes the events that need it.
    }
    return tell(context, faultText(fault));
  });
}

/**
 * A guard that has no plan it may use: every event is closed, every refused call says why and what to do, and the human is
 * told when the session starts.
 */
export function guardClosed(pi: PiApi, fault: Fault, family: Family = piFamily): void {
  installGuard(pi, () => closedEngine(undefined, oneLine(fault)), {}, family);
  pi.on("session_start", (_event, context) => tell(context, faultText(fault)));
}

function tell(context: PiContext, text: string): undefined {
  try {
    if (context.hasUI === true) context.ui.notify(text, "error");
    else process.stderr.write(`${text}\n`);
  } catch {
    // Every refused call says the same.
  }
}
