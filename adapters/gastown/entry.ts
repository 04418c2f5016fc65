import { defaultRoots, discoverRoots } from "../../store/discover.ts";
import { type ExtensionOptions, guardSession } from "../pi/entry.ts";
import { type Family, piFamily } from "../pi/family.ts";
import type { GastownPi } from "./api.ts";
import { installHooks } from "./hooks.ts";
import { createHookLog, type LogOptions } from "./log.ts";
import { type HookWorld, machineWorld } from "./run-hooks.ts";

export type { GastownPi, HookApi, PiFlag } from "./api.ts";
export { type ConfigFault, type ConfigPlaces, type ConfigSource, type HookConfig, loadConfig } from "./config.ts";
export type { LogEntry, LogLevel, LogOptions } from "./log.ts";

/** Options of `createGastownExtension`: its log, and the policies of its guard. */
export interface GastownOptions {
  /**
   * The guard behind the hooks: options of `hookwarden/pi`, or false for none. By default: the policies of the usual places,
   * if there are any.
   */
  readonly guard?: ExtensionOptions | false;
  readonly log?: LogOptions;
  /** Environment of hooks and source of `PI_HOOKS_JSON` and `GT_ROLE`; this process's by default. */
  readonly env?: HookWorld["env"];
}

/**
 * Creates a pi extension that runs Gastown's hooks (`--hooks-config <file>`, `PI_HOOKS_JSON`, the built-in ones in gastown
 * mode). Behind them it guards the session with compiled policies, which judge a call as the hooks left it. A broken hook
 * configuration turns off only the hooks. Source: seed gastown-hooks-v1.1.
 */
export function createGastownExtension(options: GastownOptions = {}): (pi: GastownPi) => Promise<void> {
  return async (pi) => {
    const world = machineWorld(createHookLog(options.log));
    installHooks(pi, options.env ? { ...world, env: options.env } : world);
    const guard = options.guard ?? (policiesStand() ? {} : false);
    if (guard !== false) await guardSession(pi, guard, family);
  };
}

/** pi's events, as they come through this extension. */
const family: Family = { ...piFamily, adapter: "gastown" };

/** True if the usual places hold a policy, or something there cannot be read: then the guard reports it. */
function policiesStand(): boolean {
  const cwd = process.cwd();
  const { files, diagnostics } = discoverRoots(defaultRoots(cwd), cwd);
  return files.length > 0 || diagnostics.some((finding) => finding.severity === "error");
}

const extension: (pi: GastownPi) => Promise<void> = createGastownExtension();

/** The extension that `hookwarden/gastown` gives pi. */
export default extension;
