import { randomBytes } from "node:crypto";
import { isAbsolute } from "node:path";
import { closedEngine, createEngine, digest, type Engine } from "../../runtime.ts";
import type { AuditStore } from "../../schema/ports.ts";
import { takeApproval } from "../../store/human-decisions.ts";
import { stateFolder } from "../../store/state-folder.ts";
import { liveFiles } from "../live-files.ts";
import type { PiApi, PiContext } from "./api.ts";
import { type AuditPlace, auditStore } from "./audit.ts";
import { type Fault, faultText, oneLine } from "./denial.ts";
import { installGuard, type Judge } from "./guard.ts";
import type { PlanSource } from "./pinned-plans.ts";

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
export function guardWithPlan(pi: PiApi, carried: CarriedPlan, plans?: Plans): void {
  if (carried.plan.policies.length === 0) return guardClosed(pi, noPolicy);
  const store: AuditStore | undefined = carried.audit === false ? undefined : auditStore(carried.audit);
  const sessionKey = randomBytes(32).toString("hex");
  const clock = { now: () => performance.now() };
  const engine = (plan: Plan, before?: Engine): Engine =>
    createEngine(plan, {
      files: liveFiles,
      clock,
      sessionKey,
      ...(store ? { store } : {}),
      ...(before ? { continues: before } : {}),
    });
  // What this makes are engines; a guard knows less of them.
  const source = plans && { ...plans, engine: (plan: Plan, before: Judge): Judge => engine(plan, before as Engine) };
  installGuard(pi, () => engine(carried.plan), {
    takeApproval: (key) => takeApproval(stateFolder(process.env), key),
    ...(store ? { store } : {}),
    ...(source ? { plans: source } : {}),
  });
}

/**
 * A guard that has no plan it may use: every event is closed, every refused call says why and what to do, and the human is
 * told when the session starts.
 */
export function guardClosed(pi: PiApi, fault: Fault): void {
  installGuard(pi, () => closedEngine(undefined, oneLine(fault)));
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
