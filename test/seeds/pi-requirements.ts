import { piPromptRequirements } from "./pi-prompt-requirements.ts";
import { piSessionRequirements } from "./pi-session-requirements.ts";
import { piToolRequirements } from "./pi-tool-requirements.ts";
import { piTurnRequirements } from "./pi-turn-requirements.ts";
import type { Requirement } from "./requirement.ts";

/** Every sentence of the seed pi-hook-reference. */
export const piRequirements: readonly Requirement[] = [
  ...piPromptRequirements,
  ...piTurnRequirements,
  ...piToolRequirements,
  ...piSessionRequirements,
];
