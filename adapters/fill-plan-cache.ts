import { defaultRoots, discoverPolicies, discoverRoots } from "../store/discover.ts";
import { isError, policiesOnDisk } from "./plan-on-disk.ts";
import { projectPolicies } from "./project-folder.ts";

/** Whose plans are to be made before a hook needs them. */
export interface PlanOwner {
  /** What hooks are given on their command line; files and folders by absolute paths. */
  readonly policies: readonly string[];
  readonly set: Readonly<Record<string, string>>;
  readonly home: string;
  readonly state: string;
  /** A project whose plan is made as well. */
  readonly project?: string;
}

/**
 * Compiles the policies of a user and keeps the plan, with no hurry, so that the first hook of a session need not: also
 * where hooks have given them up. Never rejects: hooks compile what is not there, and say what is wrong with it.
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
