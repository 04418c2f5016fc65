import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { uninstallHost } from "../../adapters/install/files.ts";
import { stateFolder } from "../../store/state-folder.ts";
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
import { told } from "./install.ts";

/** Options of `uninstall`. */
export interface UninstallOptions extends WiringOptions {
  readonly dryRun?: boolean;
}

/** `uninstall`: takes away what `install` wrote, and nothing else. Refused inside an agent. */
export async function uninstall(
  host: string,
  options: UninstallOptions,
  io: Io,
  world: WiringWorld = {},
): Promise<number> {
  const installer = knownInstaller(host, io);
  if (!installer) return exit.unusable;
  if (!(await consented("", { yes: true }, io))) return exit.findings;
  const place = placeOf(installer, options, { policies: [], set: {} }, io, world);
  if ("message" in place) return reportProblem(place, io);
  const { config } = options;
  if (config !== undefined && !existsSync(resolve(io.cwd, config))) {
    const help = "check the path; there is nothing to take away from a file that is not there";
    return reportProblem({ path: config, message: `\`${config}\` does not exist`, help }, io);
  }
  const dry = options.dryRun === true;
  const outcomes = uninstallHost(installer, place, stateFolder(io.env, homeOf(io)), dry);
  if ("message" in outcomes) return reportProblem(outcomes, io);
  await io.out(told(outcomes, dry, io.color));
  return exit.fine;
}
