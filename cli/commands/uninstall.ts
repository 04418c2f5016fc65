import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { uninstallHost } from "../../adapters/install/files.ts";
import { stateFolder } from "../../store/state-folder.ts";
import { type Consent, isInsideAgent, refusal } from "../consent/consent.ts";
import {
  homeOf,
  knownInstaller,
  placeOf,
  reportProblem,
  type WiringOptions,
  type WiringWorld,
} from "../host-wiring.ts";
import { exit, type Io } from "../io.ts";
import { uninstallPlaced } from "../own-place.ts";
import { asItStands, bare, told, toldPlaced } from "./install.ts";

/** Options of `uninstall`. */
export interface UninstallOptions extends WiringOptions, Consent {
  readonly dryRun?: boolean;
}

/** `uninstall`: removes exactly what `install` wrote, once a human agrees. */
export async function uninstall(
  host: string,
  options: UninstallOptions,
  io: Io,
  world: WiringWorld = {},
): Promise<number> {
  const installer = knownInstaller(host, io);
  if (!installer) return exit.unusable;
  const place = placeOf(installer, options, { policies: [], set: {} }, io, world);
  if ("message" in place) return reportProblem(place, io);
  const { config } = options;
  if (config !== undefined && !existsSync(resolve(io.cwd, config))) {
    const help = "check the path; there is nothing to take away from a file that is not there";
    return reportProblem({ path: config, message: `\`${config}\` does not exist`, help }, io);
  }
  const dry = options.dryRun === true;
  const state = stateFolder(io.env, homeOf(io));
  const seen = uninstallHost(installer, place, state, true);
  if ("message" in seen) return reportProblem(seen, io);
  // If nothing would change, nobody is asked; an agent is refused all the same.
  const isUnwired = seen.length > 0 && seen.every(({ change }) => change === "absent");
  if (!dry && isUnwired && !(await isInsideAgent(io))) {
    await io.out(told(bare(seen), false, io.color));
    return exit.fine;
  }
  const asked = {
    verb: "uninstall",
    told: told(bare(seen), true, false),
    question: `unwire ${installer.name}?`,
  } as const;
  const refused = dry ? undefined : await refusal(asked, options, io);
  if (refused !== undefined) return refused;
  const done =
    dry || world.program
      ? asItStands(uninstallHost(installer, place, state, dry))
      : uninstallPlaced(installer, place, { state, io });
  if ("message" in done) return reportProblem(done, io);
  await io.out(toldPlaced(done, dry, io.color));
  return exit.fine;
}
