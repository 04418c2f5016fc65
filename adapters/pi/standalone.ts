import type { PiApi } from "./api.ts";
import { guardClosed, guardWithPlan, readCarriedPlan } from "./plan-file.ts";

/**
 * The self-contained guard: `hookwarden compile --target pi` writes this module, bundled, with the first literal replaced
 * by the plan's JSON text and the second, where one was given, by the absolute path of the audit file. It imports nothing
 * of the host. Source: hosts page pi-and-omp, section 4, "module shape".
 */
const planText = "__HOOKWARDEN_PLAN__";
const auditText = "__HOOKWARDEN_AUDIT__";

/** The pi extension. */
export default function hookwarden(pi: PiApi): void {
  const carried = readCarriedPlan(planText, auditText);
  if ("code" in carried) guardClosed(pi, carried);
  else guardWithPlan(pi, carried);
}
