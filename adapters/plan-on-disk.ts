import { digest, type Engine, tableVersions } from "../runtime.ts";
import { engineVersion } from "../schema/version.ts";
import { type DiscoveredFile, type Discovery, resolveImport } from "../store/discover.ts";
import { packFile, packsFolder } from "../store/packs.ts";
import type { MadeFrom } from "../store/pinned-plan.ts";
import {
  attemptPlan,
  type CachedImport,
  type CachedPlan,
  cachedPlan,
  cachePlan,
  claimPlan,
  type NoPlan,
} from "../store/plan-cache.ts";
import { readPolicyFile } from "../store/policy-file.ts";
import { trustedDigests } from "../store/trust.ts";
import type { Fault } from "./pi/denial.ts";
import { compileAlone, compileTogether, type Made, type PlanRequest, standing, unusable } from "./plan-compile.ts";

type Plan = NonNullable<Engine["plan"]>;
type PlanBase = NonNullable<Parameters<typeof compileTogether>[1]>;
type Finding = Discovery["diagnostics"][number];

/** The policy files that were found, and the faults of others. */
export interface FoundPolicies {
  readonly files: readonly DiscoveredFile[];
  /** The reason why the policies of the user or of this machine cannot be used. */
  readonly broken: Finding | undefined;
  /** The reason why the project's own policies cannot be read. */
  readonly problem: Finding | undefined;
}

/** Inputs of a plan besides its policy files. */
export interface PlanSurroundings {
  /** Values of policy parameters, as `--set`. */
  readonly set: Readonly<Record<string, string>>;
  /** The user's state folder. */
  readonly state: string;
  /** Time to wait for another process that compiles the same files, in milliseconds. */
  readonly patience?: number;
  /** True if nobody waits for an answer: plans that were given up before are tried again. */
  readonly unhurried?: boolean;
}

/** Default time to wait for another process, in milliseconds: the largest packs take a tenth of it. */
const usualPatience = 5_000;

/** The policies now on disk, and their plan on request. Nothing is compiled before. */
export interface OnDisk {
  /** Digest of all inputs of the plan, except imports. */
  readonly policies: string;
  /** Digest of the plan, if it was compiled before. */
  readonly digest?: string;
  /** The reason why there is no plan, if that is known from before. */
  readonly none?: Fault;
  /** Known imports of the plan. */
  readonly imports: readonly CachedImport[];
  plan(): Promise<Plan | Fault>;
  /** Returns the plan's inputs, once the plan is there. */
  made(): MadeFrom;
}

/** True for a finding that keeps its file from being used. */
export function isError({ severity }: Finding): boolean {
  return severity === "error";
}

/**
 * Returns the found policies, with their plan from the plan cache if it was compiled before; `none` is the fault for no
 * policy at all. The promise of its plan rejects with the compiler's errors.
 */
export function policiesOnDisk(found: FoundPolicies, around: PlanSurroundings, none: Fault): OnDisk | Fault {
  if (found.broken) return faultOf(unusable(found.broken));
  if (found.files.length === 0 && !found.problem) return none;
  const trusted = trustedDigests(around.state);
  const { problem } = found;
  const request: PlanRequest = {
    files: found.files,
    unreadable: problem && `${problem.code}: ${problem.message}`,
    set: around.set,
    trusted,
  };
  const key = keyOf(request);
  const cached = usable(around.state, key, trusted);
  let made: Promise<Plan | Fault> | undefined;
  let imports = cached?.imports ?? [];
  return {
    policies: `sha256:${key}`,
    ...(cached && !cached.none && { digest: cached.digest }),
    ...(cached?.none && { none: faultOf(cached.none) }),
    imports: cached?.imports ?? [],
    plan: (): Promise<Plan | Fault> => {
      made ??= kept(request, key, around).then(({ made: got, imports: from }) => {
        imports = from;
        return "plan" in got ? got.plan : faultOf(got);
      });
      return made;
    },
    made: () => ({ policies: `sha256:${key}`, imports }),
  };
}

function faultOf(none: NoPlan): Fault {
  return { code: "HW508", ...none };
}

/**
 * True if every import is unchanged: the same bytes, trusted as before, or as unusable as before. For a shipped pack this
 * installation's own copy counts.
 */
export function importsHold(imports: readonly CachedImport[], trusted: ReadonlySet<string>): boolean {
  return importsHere(imports)?.every((one) => holds(one, trusted)) === true;
}

function holds(imported: CachedImport, trusted: ReadonlySet<string>): boolean {
  const { path, digest: known, trusted: was, wanted, from } = imported;
  if (known === undefined) return !!wanted && !!from && !resolveImport(wanted, { ...from, bytes: new Uint8Array() });
  const read = readPolicyFile(path, path);
  if (!("bytes" in read)) return false;
  const now = standing(read.bytes, trusted);
  return now.digest === known && now.trusted === (was === true);
}

/** Returns the imports with the paths of this installation, since the one that made a plan has its packs elsewhere. */
function importsHere(imports: readonly CachedImport[]): readonly CachedImport[] | undefined {
  if (!imports.some(({ pack }) => pack !== undefined)) return imports;
  const folder = packsFolder();
  const here: CachedImport[] = [];
  for (const one of imports) {
    const path = one.pack === undefined ? one.path : packFile(one.pack, folder);
    if (path === undefined) return undefined;
    here.push({ ...one, path });
  }
  return here;
}

function usable(state: string, key: string, trusted: ReadonlySet<string>): CachedPlan | undefined {
  const cached = cachedPlan(state, key);
  if (!cached) return undefined;
  const imports = importsHere(cached.imports);
  return imports?.every((one) => holds(one, trusted)) ? { ...cached, imports } : undefined;
}

/** Returns a plan from the cache, or compiles and caches it. The user's policies come first, so that no project can delay them. */
async function kept(request: PlanRequest, key: string, around: PlanSurroundings): Promise<Made> {
  const own = request.files.filter(({ scope }) => scope !== "project");
  const isAlone = own.length === request.files.length && request.unreadable === undefined;
  if (isAlone) return once(request, key, around, () => compileAlone(request), hopelessAlone);
  const alone: PlanRequest = { ...request, files: own, unreadable: undefined };
  return once(
    request,
    key,
    around,
    async () => compileTogether(request, await baseOf(alone, around)),
    async () => compileTogether({ ...request, files: own, unreadable: hopelessProject }, await baseOf(alone, around)),
  );
}

async function baseOf(alone: PlanRequest, around: PlanSurroundings): Promise<PlanBase | undefined> {
  if (alone.files.length === 0) return undefined;
  const { made: base } = await kept(alone, keyOf(alone), around);
  // Policies that do not compile alone may compile with the project's, for example by an exception for a rule of the
  // project.
  return !("plan" in base) || base.outline === undefined ? undefined : (base as PlanBase);
}

const again = "ask the human to run `hookwarden reload`, which compiles them without hurry";

const hopelessProject = `HW013: compiling it was ended before it was done, more than once; ${again}`;

async function hopelessAlone(): Promise<Made> {
  const message = "compiling the policies was ended before it was done, more than once";
  return { made: { message, fix: again }, imports: [] };
}

/** Compilations now running in this process, by cache key. */
const compiling = new Map<string, Promise<Made>>();

/**
 * Compiles a plan unless somebody else is compiling it: hooks that start together would all be slower, and late for their
 * hosts. A waiting process takes the other's result; if it waits too long, it compiles by itself. If all earlier attempts
 * were killed, it runs `instead`.
 */
async function once(
  { trusted }: PlanRequest,
  key: string,
  { state, patience = usualPatience, unhurried = false }: PlanSurroundings,
  compile: () => Promise<Made>,
  instead: () => Promise<Made>,
): Promise<Made> {
  const name = `${state}\n${key}`;
  const running = compiling.get(name);
  if (running) return running;
  const known = (): Made | undefined => {
    const cached = usable(state, key, trusted);
    const found = cached?.none ?? cached?.plan();
    return cached && found && { made: found, imports: cached.imports };
  };
  const made = (async () => {
    const early = unhurried ? undefined : known();
    if (early) return early;
    const release = claimPlan(state, key, patience);
    try {
      const late = unhurried ? undefined : known();
      if (late) return late;
      const attempt = attemptPlan(state, key);
      const found = attempt.isHopeless && !unhurried ? await instead() : await compile();
      // A fault by lack of time is no property of the files.
      if (!attempt.isHopeless || unhurried || "plan" in found.made) keep(state, key, found);
      attempt.end();
      return found;
    } finally {
      release();
    }
  })();
  compiling.set(name, made);
  try {
    return await made;
  } finally {
    compiling.delete(name);
  }
}

/** Returns the key of all inputs of a plan, in no order of files. Imports are not part of it: the entry holds them. */
function keyOf({ files, unreadable, set, trusted }: PlanRequest): string {
  const read = files.map(({ path, pack, scope, bytes }) => {
    const { digest: known, trusted: is } = standing(bytes, trusted);
    // `install` compiles a pack in the package, and hooks ask for the plan in the installed copy.
    const place = pack === undefined ? path : `pack:${pack}`;
    return [place, scope ?? "user", known, scope === "project" && is];
  });
  read.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  const made = [engineVersion, tableVersions, read, unreadable ?? "", set];
  return digest(made).slice("sha256:".length);
}

/** Caches a plan; a cache that cannot be written costs only time. */
function keep(state: string, key: string, { made, imports }: Made): void {
  try {
    cachePlan(state, key, made, imports);
  } catch {
    // The next process compiles again.
  }
}
