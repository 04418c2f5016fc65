import { fileURLToPath } from "node:url";
import type { PiApi, PiExtension } from "./api.ts";
import type { AuditPlace } from "./audit.ts";
import { type Fault, internalFault } from "./denial.ts";
import { type CarriedPlan, guardClosed, guardWithPlan, noPolicy } from "./plan-file.ts";

export type { PiApi, PiContext, PiExtension } from "./api.ts";
export type { AuditPlace } from "./audit.ts";
export { type GuardOptions, installGuard, type Judge } from "./guard.ts";

/** How an extension made by `createExtension` finds its policies and where it keeps its audit trail. */
export interface ExtensionOptions {
  /** Files, folders and `pack:<name>`, user scope. Not given: the default locations (semantics section 6). */
  readonly policies?: readonly (string | URL)[];
  /** Folder that relative paths and the project's `.hookwarden` are found in; by default where the host runs. */
  readonly cwd?: string;
  /** Values of policy parameters, as `--set`. */
  readonly set?: Readonly<Record<string, string>>;
  /** Where the audit trail goes; false for none. */
  readonly audit?: AuditPlace | false;
}

/**
 * A pi extension that compiles policies when pi loads it and guards the session with them. Without any policy, or with
 * one that does not compile, every event is closed and each answer says what to do (semantics section 4).
 */
export function createExtension(options: ExtensionOptions = {}): PiExtension {
  return async (pi: PiApi) => {
    const loaded = await load(options);
    if ("code" in loaded) guardClosed(pi, loaded);
    else guardWithPlan(pi, loaded);
  };
}

const extension: PiExtension = createExtension();

/** The extension that the package `hookwarden` gives pi: policies from the managed, user and project locations. */
export default extension;

async function load(options: ExtensionOptions): Promise<CarriedPlan | Fault> {
  try {
    const compiled = await compiledPlan(options);
    if ("code" in compiled || options.audit === undefined) return compiled;
    return { ...compiled, audit: options.audit };
  } catch (error) {
    const { message } = internalFault(error);
    return { code: "HW508", message: `policies cannot be loaded: ${message}`, fix: "run `hookwarden check` on them" };
  }
}

/** The compiler is loaded only here, so that a guard with a compiled plan never carries it. */
async function compiledPlan(options: ExtensionOptions): Promise<CarriedPlan | Fault> {
  const [{ compile }, store] = await Promise.all([
    import("../../compiler/compile.ts"),
    import("../../store/discover.ts"),
  ]);
  const cwd = options.cwd ?? process.cwd();
  const named = options.policies?.map((place) => (place instanceof URL ? fileURLToPath(place) : place));
  const found = named ? store.discoverPolicies(named, cwd, "user") : store.discoverRoots(store.defaultRoots(cwd), cwd);
  const broken = found.diagnostics.find((finding) => finding.severity === "error");
  if (broken) return unusable(broken);
  if (found.files.length === 0) return noPolicy;
  const set = options.set === undefined ? {} : { set: { ...options.set } };
  const { plan, diagnostics } = compile({ files: found.files, resolveImport: store.resolveImport, ...set });
  const error = diagnostics.find((finding) => finding.severity === "error");
  if (plan) return { plan };
  return error ? unusable(error) : noPolicy;
}

function unusable(finding: { code: string; source: string; message: string; help: string }): Fault {
  return {
    code: "HW508",
    message: `the policy \`${finding.source}\` does not load (${finding.code}: ${finding.message})`,
    fix: finding.help,
  };
}
