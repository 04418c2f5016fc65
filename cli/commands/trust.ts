import { fillPlanCache } from "../../adapters/fill-plan-cache.ts";
import type { ResolvedPolicy } from "../../compiler/resolve.ts";
import { sourceDigest } from "../../compiler/resolve.ts";
import { stateFolder } from "../../store/state-folder.ts";
import { distrust, trust, trustedDigests } from "../../store/trust.ts";
import { userHome } from "../../store/user-home.ts";
import { type Consent, refusal } from "../consent/consent.ts";
import { exit, type Io } from "../io.ts";
import { type Loaded, loadPolicies } from "../load.ts";
import { count, prettyDiagnostics } from "../report/pretty.ts";

/** Options of `trust`. */
export interface TrustOptions extends Consent {
  /** Withdraw the trust. */
  readonly remove?: boolean;
}

/**
 * `trust`: shows what a project's policy could do beyond tightening, and asks the human at the terminal. It then puts the
 * digest of each of its files into the user's store, outside the repository (semantics section 3, "Scopes"). Exit code 1 if
 * the human says no or cannot be asked, 2 if the policy does not load.
 */
export async function trustPolicies(paths: readonly string[], options: TrustOptions, io: Io): Promise<number> {
  const state = stateFolder(io.env, io.home ?? userHome());
  const loaded = loadPolicies({ policy: paths.length > 0 ? paths : [".hookwarden"], scope: "project" }, io);
  const files = (loaded.result?.stages.resolved ?? []).filter(({ draft }) => !draft.file.name.startsWith("pack:"));
  if (options.remove !== true && !loaded.plan) {
    io.err(prettyDiagnostics(loaded.diagnostics, loaded.sources, io.color));
    return exit.unusable;
  }
  if (files.length === 0) return exit.unusable;
  const digests = files.map(({ draft }) => sourceDigest(draft.file.bytes));
  if (options.remove === true) {
    const told = files.map(({ draft }) => `${draft.file.path}\n`).join("");
    const question = `no longer trust ${count(files.length, "file")}?`;
    const refused = await refusal({ verb: "trust", told, question }, options, io);
    if (refused !== undefined) return refused;
    distrust(state, digests);
    await io.out(`no longer trusted: ${files.map(({ draft }) => draft.file.name).join(", ")}\n`);
    return exit.fine;
  }
  const shown = told(files, digests, loaded, trustedDigests(state));
  const question = `trust ${count(files.length, "file")} with this?`;
  const refused = await refusal({ verb: "trust", told: shown, question }, options, io);
  if (refused !== undefined) return refused;
  const time = new Date().toISOString();
  trust(
    state,
    files.map(({ draft }, i) => ({ digest: digests[i] as string, path: draft.file.path, time })),
  );
  if (paths.length === 0) {
    const home = io.home ?? userHome();
    await fillPlanCache({ policies: [], set: {}, home, state, project: io.cwd });
  }
  await io.out(
    `trusted ${count(files.length, "file")}; sessions that run go on as they are until \`hookwarden reload\`\n`,
  );
  return exit.fine;
}

/** Lists, by file, the parts that would newly take effect: the findings about parts without effect now. */
function told(
  files: readonly ResolvedPolicy[],
  digests: readonly string[],
  { diagnostics }: Loaded,
  known: ReadonlySet<string>,
): string {
  const lines = files.flatMap(({ draft }, i) => {
    const { name } = draft.file;
    const inert = diagnostics.filter((d) => d.code === "HW606" && d.source === name);
    const already = known.has(digests[i] as string) ? " (trusted already)" : "";
    return [
      `${name}: policy ${draft.id}${already}`,
      `  ${digests[i]}`,
      ...(inert.length === 0 ? ["  would not be allowed more than now"] : []),
      ...inert.map((d) => `  ${d.message.replace(/ (has no effect|does not reach) .*$/, "")} would have effect`),
    ];
  });
  return `${lines.join("\n")}\n`;
}
