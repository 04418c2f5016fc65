import { isAbsolute } from "node:path";
import { closedEngine, digest, type Engine } from "../../runtime.ts";
import { takeApproval } from "../../store/human-decisions.ts";
import { installKey } from "../../store/install-key.ts";
import { stateFolder } from "../../store/state-folder.ts";
import { trustedDigests } from "../../store/trust.ts";
import { type Setup, variablesOf } from "../judge-process/messages.ts";
import { type RemoteOptions, RemoteSessions } from "../judge-process/remote-judge.ts";
import type { PiApi, PiContext } from "./api.ts";
import { type AuditPlace, sessionsOf } from "./audit.ts";
import { type Fault, faultText, internalFault, noPolicy, oneLine } from "./denial.ts";
import { thisMachine } from "./environment.ts";
import { callerOf, type Family, piFamily } from "./family.ts";
import { installGuard, type Judge } from "./guard.ts";
import type { PlanSource } from "./pinned-plans.ts";

type Plan = NonNullable<Engine["plan"]>;

/** A plan, and the place of its audit trail: by default the usual place, none if false. */
export interface CarriedPlan {
  readonly plan: Plan;
  readonly audit?: AuditPlace | false;
}

const recompile = "ask the human to compile the guard again with `hookwarden compile --target pi`";

function own(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

/**
 * Reads the plan that a guard file carries as JSON text. A plan whose digest does not match its content is refused, because
 * somebody changed it after it was compiled. `audit` is the absolute path of the audit file that `compile` was given; any
 * other text means that none was given.
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

/** Source of later plans, without the engines, which this module makes. */
export type Plans = Omit<PlanSource, "engine">;

/** Options of a guard besides its plan. */
export interface GuardWith extends RemoteOptions {
  /** Source of other plans while sessions run. */
  readonly plans?: Plans | undefined;
  readonly family?: Family;
}

/**
 * Puts a plan in front of the sessions of a pi process, judged in a process of ours. A session's state and audit trail are
 * kept for later processes, unless `audit` is false: then nothing is recorded, and a session starts afresh in each process.
 * With `plans`, a change on disk is noticed, and used by new sessions or after `hookwarden reload`. Without it, the plan is
 * used as long as pi runs.
 */
export function guardWithPlan(pi: PiApi, carried: CarriedPlan, given: GuardWith = {}): void {
  const { plans, family = piFamily, ...remote } = given;
  if (carried.plan.policies.length === 0) return guardClosed(pi, noPolicy, family);
  const sessions = remoteSessions(() => new RemoteSessions(setupOf(carried.audit, pi, family), remote));
  // A host may go on unguarded if an extension does not load.
  if ("code" in sessions) return guardClosed(pi, sessions, family);
  const judgeOf = (plan: Plan, before?: Judge): Judge => sessions.judge(plan, before);
  const source = plans && { ...plans, engine: judgeOf };
  const options = {
    machine: thisMachine({ further: sessions.places }),
    takeApproval: (key: string) => takeApproval(stateFolder(process.env), key),
    trusted: () => trustedDigests(stateFolder(process.env)),
    ...(source ? { plans: source } : {}),
  };
  installGuard(pi, () => judgeOf(carried.plan), options, family);
}

function remoteSessions(make: () => RemoteSessions): RemoteSessions | Fault {
  try {
    return make();
  } catch (error) {
    const { message } = internalFault(error);
    return {
      code: "HW508",
      message: `the judge process cannot be started: ${message}`,
      fix: "ask the human to run `hookwarden doctor`",
    };
  }
}

/** Part of the host's time limit that programs of rules may use, so that they answer before the host stops waiting. */
const programsPart = 0.8;

function setupOf(audit: CarriedPlan["audit"], pi: PiApi, family: Family): Setup {
  const { limit } = family;
  const around = {
    state: stateFolder(process.env),
    variables: variablesOf(process.env),
    caller: callerOf(pi, family),
    ...(limit !== undefined && { programs: limit * programsPart }),
  };
  if (audit !== false) return { ...around, ...sessionsOf(audit) };
  const sessionKey = readKey((fault) => noteFault(pi, fault));
  return { ...around, sessions: undefined, ...(sessionKey !== undefined && { sessionKey }) };
}

/** Reads the install key as text, so that a resumed session knows its own tokens; undefined after reporting a fault. */
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

/** Tells the human of a fault that closes nothing, when a session starts. */
function noteFault(pi: PiApi, fault: Fault): void {
  pi.on("session_start", (_event, context) => tell(context, faultText(fault)));
}

/**
 * Installs a guard without a usable plan: it closes every event, and every refused call says why and what to do. The human
 * is told when the session starts.
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
