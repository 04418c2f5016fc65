import { optaHookRequirements } from "./opta-hook-requirements.ts";
import { optaTaskRequirements } from "./opta-task-requirements.ts";
import type { Requirement } from "./requirement.ts";

/** Every sentence of the seed opta-hook-system. */
export const optaRequirements: readonly Requirement[] = [...optaHookRequirements, ...optaTaskRequirements];
