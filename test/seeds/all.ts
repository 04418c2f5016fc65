import { gastownRequirements } from "./gastown-requirements.ts";
import { ompRequirements } from "./omp-requirements.ts";
import { optaRequirements } from "./opta-requirements.ts";
import { piRequirements } from "./pi-requirements.ts";
import type { Requirement } from "./requirement.ts";

/** The rows of all seeds, in the order in which the page has them. */
export const allRequirements: readonly Requirement[] = [
  ...piRequirements,
  ...ompRequirements,
  ...optaRequirements,
  ...gastownRequirements,
];
