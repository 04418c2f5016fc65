import type { Engine } from "../../runtime.ts";
import type { AuditStore } from "../../schema/ports.ts";
import { observationBody } from "../pi/observations.ts";
import type { Frame } from "../pi/translate.ts";
import type { HookErrorListener } from "./chain.ts";

/** Options of `hookFaultAudit`. */
export interface HookFaultAudit {
  readonly store: AuditStore;
  /** The plan that was in force, for its digest. */
  readonly plan: Engine["plan"];
  /** Returns the fields common to every record of this session, with a new id on each call. */
  frame(): Frame;
  /** Masks secrets in an error's text. Without it the text is withheld, since a module may quote anything in it. */
  mask?(text: string): string;
}

/** Maximum number of characters of an error's text in a record. */
const longestError = 2_000;

/**
 * Makes the audit port of a runner: each `HookError` becomes one record of event `error` with HW512. The store handles its own
 * failures (`audit.mode`); they do not change the answer to the event.
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
