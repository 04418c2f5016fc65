import { existsSync, readFileSync, statSync } from "node:fs";
import { runCanary } from "../adapters/install/canary.ts";
import { linkTarget } from "../adapters/install/files.ts";
import { standingProgram } from "../adapters/install/place.ts";
import { thisProgram } from "../adapters/install/program.ts";
import { projectVariables } from "../adapters/install/project-variables.ts";
import { installers } from "../adapters/install/registry.ts";
import { type HostInstaller, type InstallPlace, type InstallScope, isFault } from "../adapters/install/wiring.ts";
import { liveFiles } from "../adapters/live-files.ts";
import { canary } from "../adapters/omp/canary.ts";
import { dialectOf } from "../adapters/one-shot/registry.ts";
import type { HostRow } from "../schema/hosts/row.ts";
import { hosts } from "../schema/hosts.ts";
import { limits } from "../schema/limits.ts";
import { placeOfPath } from "../store/place-folder.ts";
import { stateFolder } from "../store/state-folder.ts";
import { judgedOf, unjudgedOf, unjudgedText } from "../store/unjudged.ts";
import { linkText } from "./commands/install.ts";
import { hooksOff } from "./hooks-off.ts";
import { homeOf, placeOf, type WiringOptions, type WiringWorld } from "./host-wiring.ts";
import type { Io } from "./io.ts";

/** One result of a check, with the remedy if it is not well. */
export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly found: string;
  readonly help?: string;
}

/** Findings about one host's wiring in one scope. */
interface Seen {
  readonly findings: readonly Finding[];
  readonly wired: boolean;
  /** Time at which the newest of its files was written, in milliseconds since the epoch; 0 if there is none. */
  readonly since: number;
}

/** Checks the wiring of every wired host, in either scope. */
export function wiredHosts(io: Io, world: WiringWorld): Finding[] {
  return installers
    .filter(({ name }) => name !== "mcp")
    .flatMap((installer) => wiredIn(installer, bothScopes(installer, {}, io, world)));
}

/**
 * Checks one host: its wiring, the known versions, and the canary, which runs our own program and never the host's. A host
 * without any wiring is a finding.
 */
export async function hostFindings(
  installer: HostInstaller,
  options: WiringOptions,
  io: Io,
  world: WiringWorld,
): Promise<Finding[]> {
  const seen = bothScopes(installer, options, io, world);
  const findings = seen.some(({ wired }) => wired)
    ? wiredIn(installer, seen)
    : [...seen.flatMap(({ findings: own }) => own.filter(({ ok }) => !ok)), notWired(installer)];
  const loaded =
    installer.name === "omp" ? seen.filter(({ wired }) => wired).map(({ since }) => loadedByOmp(since, io)) : [];
  return [
    ...findings,
    ...loaded.slice(0, 1),
    about(installer),
    ...(seen.some(({ wired }) => wired) ? heardFindings(installer, io) : []),
    ...(await canaryFindings(installer, options, io, world)),
  ];
}

/** Returns the findings of the wired scopes, and a note if both are wired. */
function wiredIn({ name }: HostInstaller, seen: readonly Seen[]): Finding[] {
  const wired = seen.filter((scope) => scope.wired);
  const twice =
    "wired for the user and for this project: unless the host leaves out equal hooks, each judges every call, and budgets count it twice";
  return [
    ...wired.flatMap(({ findings }) => findings),
    ...(wired.length > 1 ? [{ check: name, ok: true, found: twice }] : []),
  ];
}

function notWired({ name }: HostInstaller): Finding {
  return {
    check: name,
    ok: false,
    found: "hookwarden is not wired into it",
    help: `run \`hookwarden install ${name}\``,
  };
}

/**
 * Checks that omp loaded the guard. omp warns about an extension that does not load and goes on unguarded, so only the guard
 * itself can report it.
 */
function loadedByOmp(since: number, io: Io): Finding {
  const heard = canary(stateFolder(io.env, homeOf(io)), "omp", since);
  const check = "omp loads it";
  if (heard.loaded) return { check, ok: true, found: `omp loaded the guard at ${heard.heartbeat.time}` };
  return {
    check,
    ok: false,
    found: `not since it was wired: ${heard.why}`,
    help: "start omp once and run this again; until then it may run unguarded",
  };
}

/** Reports how often the host called, and how many calls were judged. A host that renames its events is heard and never judged. */
function heardFindings({ name, row }: HostInstaller, io: Io): Finding[] {
  const state = stateFolder(io.env, homeOf(io));
  const { host } = dialectOf(name) ?? { host: row };
  const unjudged = unjudgedOf(state, host);
  if (unjudged.length === 0) return [];
  const judged = judgedOf(state, host);
  const called = judged + unjudged.reduce((sum, { times }) => sum + times, 0);
  const found = `wired, called ${called} times, judged ${judged}: ${unjudgedText(host, unjudged)}`;
  const help = `run \`hookwarden install ${name}\` again, so that each line names its event; if it stays so, this version of the host is not known`;
  return [{ check: `${name} judged`, ok: judged > 0, found, ...(judged === 0 && { help }) }];
}

function bothScopes(installer: HostInstaller, options: WiringOptions, io: Io, world: WiringWorld): Seen[] {
  const scopes: readonly InstallScope[] = options.scope ? [options.scope] : ["user", "project"];
  const used = installer.name === "mcp" ? scopes.slice(0, 1) : scopes;
  return used.map((scope) => {
    const place = placeOf(installer, { ...options, scope }, { policies: [], set: {} }, io, world);
    if (!("message" in place)) return inScope(installer, place);
    const { path, message, help } = place;
    return {
      findings: [{ check: installer.name, ok: false, found: `${path}: ${message}`, help }],
      wired: false,
      since: 0,
    };
  });
}

function inScope(installer: HostInstaller, place: InstallPlace): Seen {
  const check = `${installer.name} (${place.scope})`;
  const files = installer.files(place);
  if (isFault(files))
    return { findings: [{ check, ok: false, found: files.message, help: files.help }], wired: false, since: 0 };
  const findings: Finding[] = [];
  const missing: string[] = [];
  let wired = false;
  let since = 0;
  for (const file of files) {
    const inspected = existsSync(file.path) ? inspectFile(file.path, (text) => file.inspect(text)) : undefined;
    if (inspected === undefined) {
      missing.push(file.path);
      continue;
    }
    if (typeof inspected === "string") {
      const help = `mend the file, then run \`hookwarden install ${installer.name}\``;
      findings.push({ check, ok: false, found: `${file.path}: ${inspected}`, help });
      continue;
    }
    if (inspected.wired.length === 0) {
      missing.push(...(inspected.missing.length > 0 ? [file.path] : []));
      continue;
    }
    wired = true;
    since = Math.max(since, statSync(file.path).mtimeMs);
    findings.push(...wiredFindings(check, installer, file.path, inspected, place.program.launcher));
    const unfit = installer.unfit?.(place, inspected);
    if (unfit !== undefined)
      findings.push({ check, ok: false, found: unfit, help: `run \`hookwarden install ${installer.name}\` again` });
    const real = linkTarget(file.path, place);
    if (real !== undefined) findings.push({ check, ok: true, found: linkText(file.path, real) });
  }
  if (wired && missing.length > 0)
    findings.push({
      check,
      ok: false,
      found: `not there: ${missing.join(", ")}`,
      help: `run \`hookwarden install ${installer.name}\` again`,
    });
  const off = wired ? hooksOff(installer.name, place) : [];
  findings.push(...off.map((found) => ({ check, ok: false, found, help: "until then the host runs no hook of ours" })));
  if (wired) findings.push(...setByProject(installer.name, check, place));
  return { findings, wired, since };
}

/** Finds variables of the project that reach the hook. Those that the line does not clear must be reviewed by a human. */
function setByProject(name: string, check: string, { project }: InstallPlace): Finding[] {
  const help = "take them out unless you know why they are there: hosts hand them to hooks, before any of ours begins";
  const read = (path: string): string | undefined => liveFiles.readText(path, limits.policyBytes);
  return projectVariables(name, project, read).map((found) => ({ check, ok: false, found, help }));
}

type Inspected = Exclude<
  ReturnType<Exclude<ReturnType<HostInstaller["files"]>, { message: string }>[number]["inspect"]>,
  { message: string }
>;

function inspectFile(path: string, inspect: (text: string) => object): Inspected | string {
  try {
    const found = inspect(readFileSync(path, "utf8"));
    return isFault(found) ? found.message : (found as Inspected);
  } catch (error) {
    return `it cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown error"})`;
  }
}

function wiredFindings(
  check: string,
  { name }: HostInstaller,
  path: string,
  seen: Inspected,
  launcher: string,
): Finding[] {
  const again = `run \`hookwarden install ${name}\` again`;
  const gone = seen.targets.filter((target) => !existsSync(target));
  const astray = gone.length > 0 ? undefined : pointingFault(seen.targets, launcher);
  if (astray !== undefined) return [{ check, ok: false, found: `${path} ${astray}`, help: again }];
  if (seen.elsewhere) return [{ check, ok: false, found: `${path} points to another installation`, help: again }];
  if (gone.length > 0)
    return [{ check, ok: false, found: `${path} points to ${gone.join(", ")}, which is gone`, help: again }];
  const others = [
    ...(seen.before > 0 ? [`${seen.before} of others before it`] : []),
    ...(seen.after > 0 ? [`${seen.after} of others after it`] : []),
  ];
  const beside = others.length === 0 ? "" : `; on the same events ${others.join(", ")}`;
  if (seen.missing.length > 0)
    return [{ check, ok: false, found: `${path} lacks ${seen.missing.join(", ")}`, help: again }];
  return [{ check, ok: true, found: `${path} has ${seen.wired.join(", ")}${beside}` }];
}

/**
 * Returns the fault of a wiring's targets: they are in a place of another version, or in an altered one. Or they are outside
 * every place, where agents can write. Undefined if they are in the place of this installation.
 */
function pointingFault(targets: readonly string[], program: string): string | undefined {
  const own = placeOfPath(program);
  if (own === undefined) return undefined;
  const others = targets.filter((target) => placeOfPath(target) !== own && target !== standingProgram(own)?.node);
  const [first] = others;
  if (first === undefined) return undefined;
  const other = placeOfPath(first);
  return other === undefined
    ? `points to ${first}, which is in no place of hookwarden's own`
    : `points to ${other}, which is not the place of this version`;
}

/** Describes the tested versions of the host. The installed version is not checked, since that would run the host. */
function about({ name, row }: HostInstaller): Finding {
  const { title, versions, evidence }: HostRow = hosts[row];
  const how = evidence === "run" ? "proven by running" : "not run, known from";
  return {
    check: `${name} versions`,
    ok: true,
    found: `${title} is ${how} ${versions.join(", ")}; other versions may differ`,
  };
}

async function canaryFindings(
  installer: HostInstaller,
  options: WiringOptions,
  io: Io,
  world: WiringWorld,
): Promise<Finding[]> {
  const { name } = installer;
  const place = placeOf(installer, options, { policies: [], set: {} }, io, world);
  if ("message" in place) return [];
  const program = existsSync(place.program.launcher) ? place.program : thisProgram(world.root, world.node);
  if ("message" in program) return [];
  const cases = await runCanary(name, program);
  if (!cases) return [];
  return cases.map(({ name: tried, ok, found }) => ({
    check: `${name} canary ${tried}`,
    ok,
    found,
    ...(!ok && { help: "install hookwarden anew; until this is well, do not rely on it" }),
  }));
}
