import { fileURLToPath } from "node:url";
import { digest } from "../../runtime.ts";
import { defaultRoots, discoverPolicies, discoverRoots } from "../../store/discover.ts";
import { trustedDigests, trustFile } from "../../store/trust.ts";
import { liveFiles } from "../live-files.ts";
import { type FoundPolicies, isError } from "../plan-on-disk.ts";
import { holds, placesNamed, usualPlaces, type Witness, witnessOfPaths } from "../plan-witness.ts";
import { projectPolicies, type WorkPlace } from "../project-folder.ts";
import { workspaceOf } from "./environment.ts";

/** Where an extension finds its policies (`ExtensionOptions`). */
export interface PolicyPlaces {
  readonly policies?: readonly (string | URL)[];
  readonly cwd?: string;
}

/** Finds the files that the options name, or those of the usual places. Errors of the file system are thrown. */
export function policiesOf(places: PolicyPlaces): FoundPolicies {
  return read(placed(places));
}

/** Places as paths: the named policies, or else the project. */
interface Placed {
  readonly cwd: string;
  readonly named: readonly string[] | undefined;
  readonly project: WorkPlace | undefined;
}

function placed({ policies, cwd = process.cwd() }: PolicyPlaces): Placed {
  const named = policies?.map((place) => (place instanceof URL ? fileURLToPath(place) : place));
  if (named) return { cwd, named, project: undefined };
  return { cwd, named, project: { cwd, workspace: workspaceOf(liveFiles, cwd) } };
}

function read({ cwd, named, project }: Placed): FoundPolicies {
  if (named || !project) {
    const { files, diagnostics } = discoverPolicies(named ?? [], cwd, "user");
    return { files, broken: diagnostics.find(isError), problem: undefined };
  }
  const { managed, user } = defaultRoots(cwd);
  const found = discoverRoots({ managed, user }, cwd);
  const ours = projectPolicies(project);
  const problem = ours.diagnostics.find(isError);
  const files = [...found.files, ...(problem ? [] : ours.files)];
  return { files, broken: found.diagnostics.find(isError), problem };
}

/**
 * Policies on disk, as a session checks them before each call. They are read again only if the status of their files and
 * folders shows a change.
 */
export class PoliciesOnDisk {
  readonly #places: PolicyPlaces;
  readonly #state: string;
  readonly #now: () => number;
  #known: { readonly of: string; readonly witness: Witness; readonly fingerprint: string } | undefined;

  /** `now` is the wall clock, milliseconds since the epoch. */
  constructor(places: PolicyPlaces, state: string, now: () => number = Date.now) {
    this.#places = places;
    this.#state = state;
    this.#now = now;
  }

  /** Returns a text that differs when the bytes of the policies or the trust in them differ. Errors of the file system are thrown. */
  fingerprint(): string {
    const places = placed(this.#places);
    const of = JSON.stringify(places);
    if (this.#known?.of === of && holds(this.#known.witness)) return this.#known.fingerprint;
    // Taking the witness before reading reveals any change during the read.
    const witness = this.#witness(places);
    const fingerprint = this.#read(places);
    this.#known = witness && holds(witness) ? { of, witness, fingerprint } : undefined;
    return fingerprint;
  }

  #read(places: Placed): string {
    const { files, broken, problem } = read(places);
    const seen = files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString("base64")]);
    const trusted = [...trustedDigests(this.#state)];
    return digest([seen, broken?.message ?? "", problem?.message ?? "", trusted]);
  }

  #witness({ cwd, named, project }: Placed): Witness | undefined {
    const paths = project ? usualPlaces(cwd, project) : placesNamed(named ?? [], cwd);
    return witnessOfPaths([trustFile(this.#state), ...paths], this.#now());
  }
}
