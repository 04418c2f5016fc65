import { resolve } from "node:path";
import { fillPlanCache } from "../../adapters/fill-plan-cache.ts";
import { compile } from "../../compiler/compile.ts";
import { hasErrors } from "../../diagnostics/diagnostic.ts";
import { defaultRoots, discoverPolicies, discoverRoots, importProblem, resolveImport } from "../../store/discover.ts";
import { requestReload } from "../../store/human-decisions.ts";
import { stateFolder } from "../../store/state-folder.ts";
import { trustedDigests } from "../../store/trust.ts";
import { userHome } from "../../store/user-home.ts";
import { type Consent, refusal } from "../consent/consent.ts";
import { exit, type Io } from "../io.ts";
import type { PolicyOptions } from "../load.ts";
import { count, prettyDiagnostics } from "../report/pretty.ts";

/** Options of `reload`: the policies of the running session, by default those of the usual places. */
export interface ReloadOptions extends PolicyOptions, Consent {}

/**
 * `reload`: a human lets running sessions use the policies as they now are (semantics section 4). It names one plan by its
 * digest, so later changes are not included. Exit code 1 if the human says no or cannot be asked.
 */
export async function reload(options: ReloadOptions, io: Io): Promise<number> {
  const home = io.home ?? userHome();
  const state = stateFolder(io.env, home);
  const found =
    options.policy === undefined
      ? discoverRoots(defaultRoots(io.cwd, home), io.cwd)
      : discoverPolicies(options.policy, io.cwd, options.scope ?? "user");
  const { plan, diagnostics, sources, policies } = compile({
    files: found.files,
    resolveImport,
    importProblem,
    trusted: trustedDigests(state),
    ...(options.set && { set: { ...options.set } }),
  });
  const all = [...found.diagnostics, ...diagnostics];
  if (!plan || hasErrors(all)) {
    io.err(prettyDiagnostics(all, sources, io.color));
    if (all.length === 0) io.err("no policy was found here; nothing to reload\n");
    return exit.unusable;
  }
  const told = `${policies.map(({ id, file }) => `${id} (${file.name})`).join("\n")}\n${count(plan.rules.length, "rule")}, ${plan.digest}\n`;
  const question = "let running sessions use these policies?";
  const refused = await refusal({ verb: "reload", told, question }, options, io);
  if (refused !== undefined) return refused;
  requestReload(state, plan.digest, Date.now());
  const named = options.policy?.map((policy) => (policy.startsWith("pack:") ? policy : resolve(io.cwd, policy)));
  const owner = { policies: named ?? [], set: options.set ?? {}, home, state };
  await fillPlanCache({ ...owner, ...(named ? {} : { project: io.cwd }) });
  await io.out(`${plan.digest}\nsessions take the policies over with their next event\n`);
  return exit.fine;
}
