import { gastownHookRequirements } from "./gastown-hook-requirements.ts";
import { gastownSessionRequirements } from "./gastown-session-requirements.ts";
import type { Requirement } from "./requirement.ts";

/** Every sentence of the seed gastown-hooks-v1.1. */
export const gastownRequirements: readonly Requirement[] = [...gastownHookRequirements, ...gastownSessionRequirements];
