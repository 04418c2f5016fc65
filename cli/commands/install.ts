import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fillPlanCache } from "../../adapters/fill-plan-cache.ts";
import type { HookPolicies } from "../../adapters/install/command.ts";
import { type FileOutcome, type InstallProblem, installHost, linkTarget } from "../../adapters/install/files.ts";
import type { HostInstaller, InstallPlace } from "../../adapters/install/wiring.ts";
import { compile } from "../../compiler/compile.ts";
import { hasErrors, sortDiagnostics } from "../../diagnostics/diagnostic.ts";
import { defaultRoots, discoverPolicies, discoverRoots, importProblem, resolveImport } from "../../store/discover.ts";
import { stateFolder } from "../../store/state-folder.ts";
import { type Consent, refusal } from "../consent/consent.ts";
import { hooksOff } from "../hooks-off.ts";
import {
  homeOf,
  knownInstaller,
  placeOf,
  reportProblem,
  type WiringOptions,
  type WiringWorld,
} from "../host-wiring.ts";
import { exit, type Io } from "../io.ts";
import { installPlaced, type Placed } from "../own-place.ts";
import { changedLines } from "../report/changed-lines.ts";
import { palette, prettyDiagnostics } from "../report/pretty.ts";

/** Options of `install`. */
export interface InstallOptions extends WiringOptions, Consent {
  readonly policy?: readonly string[];
  readonly set?: Readonly<Record<string, string>>;
  readonly dryRun?: boolean;
}

/**
 * `install`: wires hookwarden into a host without disturbing existing settings, and lists the human's remaining steps. Exit
 * code 2, and nothing written, if a policy does not load, or a file of the host cannot be read or understood.
 */
export async function install(host: string, options: InstallOptions, io: Io, world: WiringWorld = {}): Promise<number> {
  const installer = knownInstaller(host, io);
  if (!installer) return exit.unusable;
  const by = { policies: (options.policy ?? []).map((policy) => absolute(policy, io.cwd)), set: options.set ?? {} };
  const found = policiesLoad(by, io);
  if (found === "broken") return exit.unusable;
  const place = placeOf(installer, options, by, io, world);
  if ("message" in place) return reportProblem(place, io);
  const dry = options.dryRun === true;
  const state = stateFolder(io.env, homeOf(io));
  const seen = installHost(installer, place, state, true);
  if ("message" in seen) return reportProblem(seen, io);
  const by_ = by.policies.length === 0 ? "the policies of the usual places" : by.policies.join(", ");
  const asked = {
    verb: "install",
    told: told(bare(seen), true, false),
    question: `wire ${installer.name} by ${by_}?`,
  } as const;
  const refused = dry ? undefined : await refusal(asked, options, io);
  if (refused !== undefined) return refused;
  const done =
    dry || world.program
      ? asItStands(installHost(installer, place, state, dry))
      : installPlaced(installer, place, { state, io, world });
  if ("message" in done) return reportProblem(done, io);
  if (!dry) await fillPlanCache({ ...by, home: homeOf(io), state });
  await io.out(`${toldPlaced(done, dry, io.color)}${stepsText(installer, place, found === "none")}`);
  return exit.fine;
}

/** Returns outcomes without the new texts of files. */
export function bare(outcomes: readonly FileOutcome[]): readonly FileOutcome[] {
  return outcomes.map(({ text: _text, ...outcome }) => outcome);
}

/** Returns the result for a host whose files alone were changed. */
export function asItStands(outcomes: readonly FileOutcome[] | InstallProblem): Placed | InstallProblem {
  return "message" in outcomes ? outcomes : { outcomes, removed: [] };
}

/** Describes the result for each file, and for places. */
export function toldPlaced({ outcomes, place, removed }: Placed, dry: boolean, color: boolean): string {
  const standing = place === undefined ? "" : `${place}: holds the program that hooks run\n`;
  const gone = removed.map((folder) => `${folder}: removed, since nothing is wired to it\n`);
  return `${standing}${told(outcomes, dry, color)}${gone.join("")}`;
}

function absolute(policy: string, cwd: string): string {
  return policy.startsWith("pack:") ? policy : resolve(cwd, policy);
}

/** Tells whether the policies load: a hook with a broken policy would refuse everything, so it is not written. */
function policiesLoad({ policies, set }: HookPolicies, io: Io): "loaded" | "none" | "broken" {
  const { managed, user, project } = defaultRoots(io.cwd, homeOf(io));
  const named = discoverPolicies(policies, io.cwd, "user");
  const usual = discoverRoots({ managed, user, project }, io.cwd);
  const files = new Map([...named.files, ...usual.files].map((file) => [file.path, file]));
  const result = compile({ files: [...files.values()], set: { ...set }, resolveImport, importProblem });
  const diagnostics = sortDiagnostics([
    ...named.diagnostics,
    ...usual.diagnostics,
    ...(files.size > 0 ? result.diagnostics : []),
  ]);
  if (!hasErrors(diagnostics)) return files.size === 0 ? "none" : "loaded";
  io.err(
    prettyDiagnostics(
      diagnostics.filter(({ severity }) => severity === "error"),
      result.sources,
      io.color,
    ),
  );
  return "broken";
}

const words: Readonly<Record<FileOutcome["change"], readonly [done: string, dry: string]>> = {
  made: ["made", "would be made"],
  changed: ["changed", "would be changed"],
  unchanged: ["is as it should be", "is as it should be"],
  restored: ["is as it was before", "would be as it was before"],
  removed: ["removed", "would be removed"],
  absent: ["holds nothing of hookwarden", "holds nothing of hookwarden"],
};

/** Describes the result for each file; in a dry run the planned change, with the changed lines. */
export function told(outcomes: readonly FileOutcome[], dry: boolean, color: boolean): string {
  return outcomes
    .map(({ path, change, backup, text }) => {
      const line = `${path}: ${words[change][dry ? 1 : 0]}${backup === undefined || dry ? "" : ` (before: ${backup})`}\n`;
      if (!dry || text === undefined) return line;
      return line + changedLines(existsSync(path) ? readFileSync(path, "utf8") : "", text, palette(color));
    })
    .join("");
}

function stepsText(installer: HostInstaller, place: InstallPlace, none: boolean): string {
  const steps = [
    ...(none ? ["run `hookwarden init` in your project: until a policy is there, hookwarden refuses every call"] : []),
    ...hooksOff(installer.name, place),
    ...links(installer, place),
    ...installer.steps(place),
    `then prove it: \`hookwarden doctor ${[installer.name, ...same(place)].join(" ")}\``,
  ];
  return `\nwhat is left for you to do, and to know:\n${steps.map((step) => `  - ${step}\n`).join("")}`;
}

function links(installer: HostInstaller, place: InstallPlace): readonly string[] {
  const files = installer.files(place);
  if ("message" in files) return [];
  return files.flatMap(({ path }) => {
    const real = linkTarget(path, place);
    return real === undefined ? [] : [linkText(path, real)];
  });
}

/**
 * Describes a link. The built-in policy protects the places where hosts look by their names, and a link's target by the
 * record of `install`.
 */
export function linkText(link: string, path: string): string {
  return `${link} is a link: the built-in policy keeps agents from it and, as \`install\` noted it, from ${path}`;
}

/** Returns the options with which `doctor` checks the same wiring. */
function same({ scope, config, server }: InstallPlace): readonly string[] {
  return [
    ...(scope === "project" ? ["--scope project"] : []),
    ...(config === undefined ? [] : [`--config ${config}`]),
    ...(server === undefined ? [] : [`--server ${server}`]),
  ];
}
