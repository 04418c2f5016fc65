import type { HumanWorld } from "./human-world.ts";
import { surroundings } from "./surroundings.ts";
import { controllingTerminal } from "./terminal.ts";
import { unattendedFile } from "./unattended.ts";

/** The human at this machine. */
export const thisMachine: HumanWorld = {
  terminal: controllingTerminal,
  surroundings: () => surroundings(),
  unattended: { path: unattendedFile, owner: 0 },
};
