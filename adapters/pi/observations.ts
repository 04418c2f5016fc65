import { digest, type Engine } from "../../runtime.ts";
import type { AuditBody } from "../../schema/generated.ts";
import type { Fault } from "./denial.ts";
import type { Frame } from "./translate.ts";

/** Observation of the adapter itself, for the audit trail besides the engine's own records. */
export interface Observation {
  readonly event: "error" | "approval" | "reload_pending" | "reloaded" | "hook_answer" | "stop_limit" | "not_judged";
  readonly outcome: "allow" | "block";
  readonly tool?: string;
  readonly call_id?: string;
  readonly fault?: Fault;
  /** Facts by name, without any text of the session. */
  readonly observed: Readonly<Record<string, unknown>>;
}

/** Makes the record body of an observation: semantics section 5, "observations are recorded by adapters". */
export function observationBody(plan: Engine["plan"], frame: Frame, seen: Observation): AuditBody {
  const { fault } = seen;
  return {
    v: 1,
    kind: "note",
    event: seen.event,
    id: frame.id,
    time: frame.time,
    host: frame.host,
    session: frame.session.id ?? "",
    agent: frame.session.agent?.id ?? "main",
    ...(seen.tool === undefined ? {} : { tool: seen.tool }),
    ...(seen.call_id === undefined ? {} : { call_id: seen.call_id }),
    event_digest: digest({ ...frame, ...seen }),
    outcome: seen.outcome,
    answered: fault ? "error" : "none",
    matched: [],
    would: [],
    transforms: [],
    errors: fault ? [{ code: fault.code, message: fault.message }] : [],
    observations: { ...seen.observed },
    policy_digest: plan?.digest ?? "",
    engine: plan?.engine ?? "",
    tables: { ...plan?.tables },
  };
}
