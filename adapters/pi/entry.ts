import { anyReloadRequested, reloadRequested } from "../../store/human-decisions.ts";
import { stateFolder } from "../../store/state-folder.ts";
import { ownPlaceFault } from "../own-place-fault.ts";
import { policiesOnDisk } from "../plan-on-disk.ts";
import type { PiApi, PiExtension } from "./api.ts";
import type { AuditPlace } from "./audit.ts";
import { type Fault, internalFault, noPolicy } from "./denial.ts";
import { type Family, piFamily } from "./family.ts";
import { type CarriedPlan, guardClosed, guardWithPlan, type Plans } from "./plan-file.ts";
import { PoliciesOnDisk, policiesOf } from "./policies-on-disk.ts";

export type { PiApi, PiContext, PiExtension } from "./api.ts";
export type { AuditPlace } from "./audit.ts";
export { type GuardOptions, installGuard, type Judge } from "./guard.ts";

/** How an extension made by `createExtension` finds its policies and where it keeps its audit trail. */
export interface ExtensionOptions {
  /** Files, folders and `pack:<name>`, user scope. Default: the usual locations (semantics section 6). */
  readonly policies?: readonly (string | URL)[];
  /**
   * Folder from which relative paths start, and at or above which, within the repository, the project's `.hookwarden` is
   * found. Default: the folder in which the host runs.
   */
  readonly cwd?: string;
  /** Values of policy parameters, as `--set`. */
  readonly set?: Readonly<Record<string, string>>;
  /** Place of the audit trail; false for none. */
  readonly audit?: AuditPlace | false;
}

/** Loads the policies and puts them in front of a host's session; if they do not load, the session is closed. */
export async function guardSession(
  pi: PiApi,
  options: ExtensionOptions,
  family: Family,
): Promise<"guarded" | "closed"> {
  const loaded = await load(options);
  if ("code" in loaded) guardClosed(pi, loaded, family);
  else guardWithPlan(pi, loaded, { plans: await plansOf(options), family });
  return "code" in loaded ? "closed" : "guarded";
}

/**
 * A pi extension that compiles policies when pi loads it and guards the session with them. Without any policy, or with
 * one that does not compile, every event is closed and each answer says what to do (semantics section 4).
 */
export function createExtension(options: ExtensionOptions = {}): PiExtension {
  return async (pi: PiApi) => void (await guardSession(pi, options, piFamily));
}

const extension: PiExtension = createExtension();

/** The extension that the package `hookwarden` gives pi: policies from the managed, user and project locations. */
export default extension;

/** Loads the plan of the policies now on disk, or says why there is none. Never rejects. */
export async function load(options: ExtensionOptions): Promise<CarriedPlan | Fault> {
  const fault = ownPlaceFault(import.meta.url);
  if (fault) return fault;
  try {
    const around = { set: options.set ?? {}, state: stateFolder(process.env) };
    const found = policiesOnDisk(policiesOf(options), around, noPolicy);
    if ("code" in found) return found;
    const plan = await found.plan();
    if ("code" in plan) return plan;
    return options.audit === undefined ? { plan } : { plan, audit: options.audit };
  } catch (error) {
    const { message } = internalFault(error);
    const fix = "ask the human to run `hookwarden check` on them";
    return { code: "HW508", message: `policies cannot be loaded: ${message}`, fix };
  }
}

/** Makes the source of later plans from disk, for running and new sessions. */
export async function plansOf(options: ExtensionOptions): Promise<Plans> {
  const state = stateFolder(process.env);
  const disk = new PoliciesOnDisk(options, state);
  return {
    fingerprint: () => disk.fingerprint(),
    load: () => load(options),
    anyReloadRequested: (since) => anyReloadRequested(state, since),
    reloadRequested: (plan, since) => reloadRequested(state, plan, since),
  };
}
