import { engineVersion } from "../../schema/version.ts";
import { stateFolder } from "../../store/state-folder.ts";
import { guardJudge, isGuardJudge } from "../judge-process/program.ts";
import { serveGuard } from "../judge-process/serve.ts";
import { beat } from "../omp/canary.ts";
import { isOmp, ompFamily } from "../omp/family.ts";
import type { PiApi } from "./api.ts";
import { piFamily } from "./family.ts";
import { guardClosed, guardWithPlan, readCarriedPlan } from "./plan-file.ts";

/**
 * The self-contained guard, for both pi and omp. `hookwarden compile --target pi` (or `omp`) writes this module as a bundle. It
 * replaces the first literal by the plan's JSON text and the second, if given, by the absolute path of the audit file. The
 * bundle imports nothing from the host. Source: hosts page pi-and-omp, section 4, "module shape".
 */
const planText = "__HOOKWARDEN_PLAN__";
const auditText = "__HOOKWARDEN_AUDIT__";

if (isGuardJudge(import.meta.url)) serveGuard();

/** The extension. */
export default function hookwarden(pi: PiApi): void {
  const carried = readCarriedPlan(planText, auditText);
  const family = isOmp(pi) ? ompFamily : piFamily;
  if ("code" in carried) guardClosed(pi, carried, family);
  else guardWithPlan(pi, carried, { family, command: guardJudge(import.meta.url) });
  const state = "code" in carried ? "closed" : "guarded";
  const time = new Date().toISOString();
  beat(stateFolder(process.env), { host: family.host, state, pid: process.pid, time, version: engineVersion });
}
