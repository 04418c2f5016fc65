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

/** What to do where a place is not as it was installed. */
export const placeHelp = "run `hookwarden install` again for each host, in a terminal of your own";

/**
 * The place that this installation fills: where it is, whether every byte of it is what was installed, and whether its Node is
 * the one that was linked or noted. Before the first `install` there is none, which is well.
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
 * Why this process must not answer for others, where it runs from a place: by what the file system says of each file, and, for
 * one that answers for long, by every byte. Undefined where it may.
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
