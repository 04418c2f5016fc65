import { defaultRoots, discoverPolicies, discoverRoots } from "../store/discover.ts";
import { isError, policiesOnDisk } from "./plan-on-disk.ts";
import { projectPolicies } from "./project-folder.ts";

/** The user or project whose plans are compiled before a hook needs them. */
export interface PlanOwner {
  /** Policies on the command line of hooks; files and folders by absolute paths. */
  readonly policies: readonly string[];
  readonly set: Readonly<Record<string, string>>;
  readonly home: string;
  readonly state: string;
  /** A project whose plan is compiled too. */
  readonly project?: string;
}

/**
 * Compiles the policies of a user and caches the plan without a time limit, so that the first hook of a session need not. It
 * also tries policies that hooks have given up. Never rejects: hooks compile a missing plan, and report its faults.
 */
export async function fillPlanCache({ policies, set, home, state, project }: PlanOwner): Promise<void> {
  try {
    const { managed, user } = defaultRoots(home, home);
    const usual = discoverRoots({ managed, user }, home);
    const named = discoverPolicies(policies, home, "user");
    const broken = [...usual.diagnostics, ...named.diagnostics].find(isError);
    const own = project === undefined ? undefined : projectPolicies({ cwd: project, workspace: project });
    const problem = own?.diagnostics.find(isError);
    const all = [...usual.files, ...named.files, ...(problem ? [] : (own?.files ?? []))];
    const files = [...new Map(all.map((file) => [file.path, file])).values()];
    const none = { code: "HW012", message: "no policy was found", fix: "" } as const;
    const found = policiesOnDisk({ files, broken, problem }, { set, state, unhurried: true }, none);
    if (!("code" in found)) await found.plan();
  } catch {
    // The first hook compiles them.
  }
}
