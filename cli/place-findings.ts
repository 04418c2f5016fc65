import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { placeState } from "../adapters/install/place-state.ts";
import { placeFault, placeFaultLine } from "../adapters/one-shot/start/place-check.ts";
import { packageRoot } from "../store/packs.ts";
import { placeOfPath } from "../store/place-folder.ts";
import type { Finding } from "./host-findings.ts";
import { homeOf } from "./host-wiring.ts";
import type { Io } from "./io.ts";
import { type PlaceWorld, plannedPlace } from "./own-place.ts";

/** Remedy for a place that differs from its installed state. */
export const placeHelp = "run `hookwarden install` again for each host, in a terminal of your own";

/**
 * Checks the place that this installation fills: its path, every byte of it, and its Node, which must be the one that was
 * linked or noted. Before the first `install` there is none, which is well.
 */
export function placeFindings(io: Io, world: PlaceWorld): readonly Finding[] {
  const check = "place";
  const root = world.root ?? packageRoot();
  if (root !== undefined && !existsSync(join(root, "dist/bin")))
    return [{ check, ok: true, found: `${root} is a checkout that was not built, so that no place can be filled` }];
  const plan = plannedPlace(io, homeOf(io), world);
  if ("message" in plan) return [{ check, ok: false, found: `${plan.path}: ${plan.message}`, help: plan.help }];
  const { folder } = plan;
  if (!existsSync(folder))
    return [{ check, ok: true, found: `${folder} is not there yet; the first \`hookwarden install\` fills it` }];
  const { faults, files, node } = placeState(folder);
  const broken = faults.map(({ path, why }) => ({ check, ok: false, found: `${path} ${why}`, help: placeHelp }));
  if (broken.length > 0) return broken;
  const linked = node !== undefined && node === `${folder}/${basename(node)}`;
  const how = linked
    ? "its Node is a link of its own, and the one that was linked"
    : `its Node is ${node}, the one that was noted, since no link to it could be made there`;
  return [{ check, ok: true, found: `${folder}: ${files} files are what was installed; ${how}` }];
}

/**
 * Returns why this process, run from a place, must not answer for others. It checks the metadata of each file and, for a
 * process that runs for long, every byte. Undefined if it may answer.
 */
export function runningPlaceFault(
  bytes: "read" | "unread",
  root: string | undefined = packageRoot(),
): string | undefined {
  const place = root === undefined ? undefined : placeOfPath(root);
  if (place === undefined) return undefined;
  const read = bytes === "read" ? placeState(place).faults[0] : undefined;
  const fault = read ?? placeFault(place, { node: process.execPath, whole: true });
  return fault && placeFaultLine(fault);
}
