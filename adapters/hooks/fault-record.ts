import type { Engine } from "../../runtime.ts";
import type { AuditStore } from "../../schema/ports.ts";
import { observationBody } from "../pi/observations.ts";
import type { Frame } from "../pi/translate.ts";
import type { HookErrorListener } from "./chain.ts";

/** What it takes to put the faults of hook modules on record. */
export interface HookFaultAudit {
  readonly store: AuditStore;
  /** The plan that was in force, for its digest. */
  readonly plan: Engine["plan"];
  /** What every record of this session carries; each call gives an id of its own. */
  frame(): Frame;
  /** Masks secrets in an error's text. Without it the text is withheld, since a module may quote anything in it. */
  mask?(text: string): string;
}

/** Characters of an error's text in a record. */
const longestError = 2_000;

/**
 * The audit port of a runner: each `HookError` becomes one record of event `error` with HW512. A store that fails is the store's
 * own matter (`audit.mode`); the event that failed is answered all the same.
 * Source: semantics page section 3, "Shared runner" (`HookError` goes to listeners and audit).
 */
export function hookFaultAudit(audit: HookFaultAudit): HookErrorListener {
  return ({ hookPath, event, error }) => {
    const said = (audit.mask?.(error) ?? "(withheld)").slice(0, longestError);
    const observed = { hook_path: hookPath, hook_event: event };
    const outcome = event === "tool_call" ? "block" : "allow";
    const body = observationBody(audit.plan, audit.frame(), { event: "error", outcome, observed });
    audit.store.append({ ...body, answered: "error", errors: [{ code: "HW512", message: said }] }, 0);
  };
}
