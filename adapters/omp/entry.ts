import { engineVersion } from "../../schema/version.ts";
import { stateFolder } from "../../store/state-folder.ts";
import type { PiApi, PiExtension } from "../pi/api.ts";
import { type ExtensionOptions, guardSession } from "../pi/entry.ts";
import { beat } from "./canary.ts";
import { ompFamily } from "./family.ts";

export type { PiApi, PiContext, PiExtension } from "../pi/api.ts";
export type { AuditPlace } from "../pi/audit.ts";
export type { ExtensionOptions } from "../pi/entry.ts";
export { beat, type CanaryResult, canary, type Heartbeat, silence } from "./canary.ts";
export { isOmp, ompFamily } from "./family.ts";

/**
 * An omp extension that compiles policies when omp loads it and guards the session with them; `--extension` and `--hook`
 * both load it. It leaves a heartbeat, since omp goes on unguarded when an extension does not load.
 */
export function createOmpExtension(options: ExtensionOptions = {}): PiExtension {
  return async (omp: PiApi) => {
    const state = await guardSession(omp, options, ompFamily);
    const time = new Date().toISOString();
    beat(stateFolder(process.env), { host: "omp", state, pid: process.pid, time, version: engineVersion });
  };
}

const extension: PiExtension = createOmpExtension();

/** The extension that `hookwarden/omp` gives omp: policies from the managed, user and project locations. */
export default extension;
