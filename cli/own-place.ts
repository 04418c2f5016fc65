import type { HookProgram } from "../adapters/install/command.ts";
import { type FileOutcome, type InstallProblem, installHost, uninstallHost } from "../adapters/install/files.ts";
import { fillPlace, prunePlaces, standingProgram, withPlaces } from "../adapters/install/place.ts";
import { type PlacePlan, placePlan, programIn } from "../adapters/install/place-plan.ts";
import { thisProgram } from "../adapters/install/program.ts";
import { installers } from "../adapters/install/registry.ts";
import { type HostInstaller, type InstallPlace, isFault } from "../adapters/install/wiring.ts";
import { realOf } from "../store/own-places.ts";
import { packageRoot } from "../store/packs.ts";
import { placeFiles, placeOfPath, placesFolder } from "../store/place-folder.ts";
import type { Io } from "./io.ts";

/** The installation and the Node that fill a place; only tests change them. */
export interface PlaceWorld {
  readonly root?: string;
  readonly node?: string;
}

/** Result of `install` or `uninstall`, for files of the host and for places. */
export interface Placed {
  readonly outcomes: readonly FileOutcome[];
  /** The place that the host is wired to. */
  readonly place?: string;
  /** Places that were removed because nothing names them any more. */
  readonly removed: readonly string[];
}

/** Plans of this process: reading every byte of a place takes a moment, and `doctor` asks for each host. */
const plans = new Map<string, PlacePlan | InstallProblem>();

/** Returns the folder of all places of this user, by its real path. */
export function placesOf(io: Pick<Io, "env">, home: string): string {
  return realOf(placesFolder(io.env, home));
}

/** Returns the place that this installation fills; or the reason why it fills none. */
export function plannedPlace(io: Pick<Io, "env">, home: string, world: PlaceWorld): PlacePlan | InstallProblem {
  const { root = packageRoot() ?? "", node = process.execPath } = world;
  const places = placesOf(io, home);
  const key = [root, node, places].join("\0");
  const plan = plans.get(key) ?? planned(root, node, places);
  if (!("message" in plan)) plans.set(key, plan);
  return plan;
}

function planned(root: string, node: string, places: string): PlacePlan | InstallProblem {
  const program = thisProgram(root === "" ? undefined : root, node);
  if ("message" in program) return program;
  const plan = placePlan(root, node, places);
  const own = placeOfPath(realOf(root));
  // A program that runs from a place may repair it only with its original content, which its name identifies.
  if ("message" in plan || own === undefined || plan.folder.endsWith(own.slice(own.lastIndexOf("hookwarden"))))
    return plan;
  return {
    path: own,
    message: "this place is not as it was installed, so nothing is installed from it",
    help: "run the `hookwarden install` of the package that npm installed globally; nothing was written",
  };
}

/** Returns the program to which this installation wires hosts, whether its place is filled or not. */
export function placedProgram(io: Pick<Io, "env">, home: string, world: PlaceWorld): HookProgram | InstallProblem {
  const plan = plannedPlace(io, home, world);
  if ("message" in plan) return plan;
  return standingProgram(plan.folder) ?? programIn(plan.folder, `${plan.folder}/${placeFiles.node}`);
}

/** Fills the place of this installation, wires a host to it, and removes places that nothing names afterwards. */
export function installPlaced(
  installer: HostInstaller,
  place: InstallPlace,
  { state, io, world }: { readonly state: string; readonly io: Io; readonly world: PlaceWorld },
): Placed | InstallProblem {
  const plan = plannedPlace(io, place.home, world);
  if ("message" in plan) return plan;
  return withPlaces(placesOf(io, place.home), (places): Placed | InstallProblem => {
    const program = fillPlace(plan);
    if ("message" in program) return program;
    const { daemon } = place.program;
    const outcomes = installHost(
      installer,
      { ...place, program: { ...program, ...(daemon && { daemon }) }, source: plan.source },
      state,
      false,
    );
    const removed = prunePlaces(places, { state, more: wiringPaths(place) });
    return "message" in outcomes ? outcomes : { outcomes, place: plan.folder, removed };
  });
}

/** Removes a host's wiring, and every place that nothing names any more. */
export function uninstallPlaced(
  installer: HostInstaller,
  place: InstallPlace,
  { state, io }: { readonly state: string; readonly io: Io },
): Placed | InstallProblem {
  const outcomes = uninstallHost(installer, place, state, false);
  if ("message" in outcomes) return outcomes;
  const removed = withPlaces(placesOf(io, place.home), (places) =>
    prunePlaces(places, { state, more: wiringPaths(place) }),
  );
  return { outcomes, removed: "message" in removed ? [] : removed };
}

/** Lists every file of a host that may be wired here, whether `install` noted it or not. */
function wiringPaths(place: InstallPlace): readonly string[] {
  return (["user", "project"] as const).flatMap((scope) =>
    installers.flatMap((installer) => {
      const files = installer.files({ ...place, scope });
      return isFault(files) ? [] : files.map(({ path }) => path);
    }),
  );
}
