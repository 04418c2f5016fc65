import { fileURLToPath } from "node:url";
import { digest } from "../../runtime.ts";
import { reloadRequested } from "../../store/human-decisions.ts";
import { stateFolder } from "../../store/state-folder.ts";
import { liveFiles } from "../live-files.ts";
import { projectFolder } from "../project-folder.ts";
import type { PiApi, PiExtension } from "./api.ts";
import type { AuditPlace } from "./audit.ts";
import { type Fault, internalFault } from "./denial.ts";
import { environmentOf, thisMachine } from "./environment.ts";
import { type Family, piFamily } from "./family.ts";
import { type CarriedPlan, guardClosed, guardWithPlan, noPolicy, type Plans } from "./plan-file.ts";

export type { PiApi, PiContext, PiExtension } from "./api.ts";
export type { AuditPlace } from "./audit.ts";
export { type GuardOptions, installGuard, type Judge } from "./guard.ts";

/** How an extension made by `createExtension` finds its policies and where it keeps its audit trail. */
export interface ExtensionOptions {
  /** Files, folders and `pack:<name>`, user scope. Not given: the default locations (semantics section 6). */
  readonly policies?: readonly (string | URL)[];
  /**
   * Folder that relative paths are found in, and the project's `.hookwarden`, at or above it within the repository; by
   * default where the host runs.
   */
  readonly cwd?: string;
  /** Values of policy parameters, as `--set`. */
  readonly set?: Readonly<Record<string, string>>;
  /** Where the audit trail goes; false for none. */
  readonly audit?: AuditPlace | false;
}

/** Loads the policies and puts them in front of a session of a host; what does not load closes it. */
export async function guardSession(
  pi: PiApi,
  options: ExtensionOptions,
  family: Family,
): Promise<"guarded" | "closed"> {
  const loaded = await load(options);
  if ("code" in loaded) guardClosed(pi, loaded, family);
  else guardWithPlan(pi, loaded, await plansOf(options), family);
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

/** The plan of what stands on disk now, or why there is none. Never rejects. */
export async function load(options: ExtensionOptions): Promise<CarriedPlan | Fault> {
  try {
    const compiled = await compiledPlan(options);
    if ("code" in compiled || options.audit === undefined) return compiled;
    return { ...compiled, audit: options.audit };
  } catch (error) {
    const { message } = internalFault(error);
    return { code: "HW508", message: `policies cannot be loaded: ${message}`, fix: "run `hookwarden check` on them" };
  }
}

/** The compiler and discovery are loaded only here, so that a guard with a compiled plan never carries them. */
async function modules() {
  const [compiler, discover, trust] = await Promise.all([
    import("../../compiler/compile.ts"),
    import("../../store/discover.ts"),
    import("../../store/trust.ts"),
  ]);
  return { ...compiler, ...discover, ...trust };
}

type Modules = Awaited<ReturnType<typeof modules>>;

/** Files that the options name, or those of the usual places; `problem` is why the project's cannot be read. */
function filesOf(options: ExtensionOptions, store: Modules) {
  const cwd = options.cwd ?? process.cwd();
  const named = options.policies?.map((place) => (place instanceof URL ? fileURLToPath(place) : place));
  if (named) return { ...store.discoverPolicies(named, cwd, "user"), problem: undefined };
  const { workspace = cwd } = environmentOf(thisMachine(), liveFiles, cwd, false);
  const { project, ...others } = store.defaultRoots(projectFolder({ cwd, workspace }));
  const found = store.discoverRoots(others, cwd);
  const own = store.discoverRoots({ project }, cwd);
  const problem = own.diagnostics.find((finding) => finding.severity === "error");
  return { files: [...found.files, ...(problem ? [] : own.files)], diagnostics: found.diagnostics, problem };
}

async function compiledPlan(options: ExtensionOptions): Promise<CarriedPlan | Fault> {
  const store = await modules();
  const { files, diagnostics: found, problem } = filesOf(options, store);
  const broken = found.find((finding) => finding.severity === "error");
  if (broken) return unusable(broken);
  if (files.length === 0 && !problem) return noPolicy;
  const { plan, diagnostics } = store.compile({
    files,
    resolveImport: store.resolveImport,
    trusted: store.trustedDigests(stateFolder(process.env)),
    // A broken policy of the project puts side effects to the human; any other closes the session.
    brokenProject: "ask",
    ...(problem && { unreadableProject: `${problem.code}: ${problem.message}` }),
    ...(options.set && { set: { ...options.set } }),
  });
  const error = diagnostics.find((finding) => finding.severity === "error");
  if (plan) return { plan };
  return error ? unusable(error) : noPolicy;
}

/** What stands on disk later, for sessions that run and those to come. */
export async function plansOf(options: ExtensionOptions): Promise<Plans> {
  const store = await modules();
  const state = stateFolder(process.env);
  return {
    fingerprint: () => {
      const { files, diagnostics, problem } = filesOf(options, store);
      const seen = files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString("base64")]);
      const trusted = [...store.trustedDigests(state)];
      return digest([seen, diagnostics.map((d) => d.message), problem?.message ?? "", trusted]);
    },
    load: () => load(options),
    reloadRequested: (plan, since) => reloadRequested(state, plan, since),
  };
}

function unusable(finding: { code: string; source: string; message: string; help: string }): Fault {
  return {
    code: "HW508",
    message: `the policy \`${finding.source}\` does not load (${finding.code}: ${finding.message})`,
    fix: finding.help,
  };
}
