import { guardJudge, isGuardJudge } from "../judge-process/program.ts";
import { serveGuard } from "../judge-process/serve.ts";
import { readCarriedPlan } from "../pi/plan-file.ts";
import type { Plugin } from "./api.ts";
import { pluginOf } from "./with-plan.ts";

/**
 * The self-contained guard for OpenCode. `hookwarden compile --target opencode` writes this module, bundled. It replaces the
 * first literal by the plan's JSON text and the second, if given, by the absolute path of the audit file. The host takes
 * every export for a plugin, so there is one. Source: semantics section 6.
 */
const planText = "__HOOKWARDEN_PLAN__";
const auditText = "__HOOKWARDEN_AUDIT__";

const isJudge = isGuardJudge(import.meta.url);
if (isJudge) serveGuard();

/** The plugin. */
export const Hookwarden: Plugin = pluginOf(
  async () => {
    const carried = readCarriedPlan(planText, auditText);
    if (!("code" in carried)) return carried;
    return { ...carried, fix: "ask the human to compile the guard again with `hookwarden compile --target opencode`" };
  },
  isJudge ? {} : { command: guardJudge(import.meta.url) },
);
