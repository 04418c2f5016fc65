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

/** Which installation fills a place, and with which Node; this one, but for tests. */
export interface PlaceWorld {
  readonly root?: string;
  readonly node?: string;
}

/** What `install` or `uninstall` did: to files of the host, and to places. */
export interface Placed {
  readonly outcomes: readonly FileOutcome[];
  /** The place that the host is wired to. */
  readonly place?: string;
  /** Places that nothing names any more, which are gone. */
  readonly removed: readonly string[];
}

/** Plans of this process: reading every byte of one takes a moment, and `doctor` asks for each host. */
const plans = new Map<string, PlacePlan | InstallProblem>();

/** The folder of all places of this user, by its real path. */
export function placesOf(io: Pick<Io, "env">, home: string): string {
  return realOf(placesFolder(io.env, home));
}

/** The place that this installation fills; or why it fills none. */
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
  // Who runs a place by itself may repair it only from what it was: its name says what that is.
  if ("message" in plan || own === undefined || plan.folder.endsWith(own.slice(own.lastIndexOf("hookwarden"))))
    return plan;
  return {
    path: own,
    message: "this place is not as it was installed, so nothing is installed from it",
    help: "run the `hookwarden install` of the package that npm installed globally; nothing was written",
  };
}

/** The program that hosts are wired to by this installation, whether its place is filled or not. */
export function placedProgram(io: Pick<Io, "env">, home: string, world: PlaceWorld): HookProgram | InstallProblem {
  const plan = plannedPlace(io, home, world);
  if ("message" in plan) return plan;
  return standingProgram(plan.folder) ?? programIn(plan.folder, `${plan.folder}/${placeFiles.node}`);
}

/** Fills the place of this installation and wires a host to it; what nothing names afterwards goes. */
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

/** Takes a host's wiring away, and every place that nothing names any more. */
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

/** Every file of a host that may be wired here, whether `install` noted it or not. */
function wiringPaths(place: InstallPlace): readonly string[] {
  return (["user", "project"] as const).flatMap((scope) =>
    installers.flatMap((installer) => {
      const files = installer.files({ ...place, scope });
      return isFault(files) ? [] : files.map(({ path }) => path);
    }),
  );
}
