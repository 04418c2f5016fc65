import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { HookPolicies } from "../../adapters/install/command.ts";
import { type FileOutcome, installHost, linkTarget } from "../../adapters/install/files.ts";
import type { HostInstaller, InstallPlace } from "../../adapters/install/wiring.ts";
import { compile } from "../../compiler/compile.ts";
import { hasErrors, sortDiagnostics } from "../../diagnostics/diagnostic.ts";
import { defaultRoots, discoverPolicies, discoverRoots, importProblem, resolveImport } from "../../store/discover.ts";
import { stateFolder } from "../../store/state-folder.ts";
import { hooksOff } from "../hooks-off.ts";
import {
  homeOf,
  knownInstaller,
  placeOf,
  reportProblem,
  type WiringOptions,
  type WiringWorld,
} from "../host-wiring.ts";
import { consented } from "../human.ts";
import { exit, type Io } from "../io.ts";
import { changedLines } from "../report/changed-lines.ts";
import { palette, prettyDiagnostics } from "../report/pretty.ts";

/** Options of `install`. */
export interface InstallOptions extends WiringOptions {
  readonly policy?: readonly string[];
  readonly set?: Readonly<Record<string, string>>;
  readonly dryRun?: boolean;
}

/**
 * `install`: wires hookwarden into a host, without disturbing what is there, and says what a human must still do. Exit code
 * 2, and nothing written, where a policy does not load, or a file of the host cannot be read or understood.
 */
export async function install(host: string, options: InstallOptions, io: Io, world: WiringWorld = {}): Promise<number> {
  const installer = knownInstaller(host, io);
  if (!installer) return exit.unusable;
  if (!(await consented("", { yes: true }, io))) return exit.findings;
  const by = { policies: (options.policy ?? []).map((policy) => absolute(policy, io.cwd)), set: options.set ?? {} };
  const found = policiesLoad(by, io);
  if (found === "broken") return exit.unusable;
  const place = placeOf(installer, options, by, io, world);
  if ("message" in place) return reportProblem(place, io);
  const dry = options.dryRun === true;
  const outcomes = installHost(installer, place, stateFolder(io.env, homeOf(io)), dry);
  if ("message" in outcomes) return reportProblem(outcomes, io);
  await io.out(`${told(outcomes, dry, io.color)}${stepsText(installer, place, found === "none")}`);
  return exit.fine;
}

function absolute(policy: string, cwd: string): string {
  return policy.startsWith("pack:") ? policy : resolve(cwd, policy);
}

/** A hook with a policy that does not load would refuse everything: so it is not written. */
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

/** What became of each file, or would: then with the lines that change. */
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
    ...(none
      ? ["put a policy into `~/.config/hookwarden/` or `.hookwarden/`: until there is one, every call is refused"]
      : []),
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

/** The built-in policy protects places where hosts look, not what a link there leads to. */
export function linkText(link: string, path: string): string {
  return `${link} is a link: the built-in policy keeps agents from it, but not from ${path}; protect that by a rule of yours`;
}

/** The options by which `doctor` looks at what was installed. */
function same({ scope, config, server }: InstallPlace): readonly string[] {
  return [
    ...(scope === "project" ? ["--scope project"] : []),
    ...(config === undefined ? [] : [`--config ${config}`]),
    ...(server === undefined ? [] : [`--server ${server}`]),
  ];
}
