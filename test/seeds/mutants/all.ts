import { gastownMutants } from "./gastown.ts";
import type { Mutant } from "./mutant.ts";
import { ompEventMutants } from "./omp-events.ts";
import { ompLoadingMutants } from "./omp-loading.ts";
import { ompToolMutants } from "./omp-tools.ts";
import { ompUiMutants } from "./omp-ui.ts";
import { optaMutants } from "./opta.ts";
import { piEventMutants } from "./pi-events.ts";
import { piLoopMutants } from "./pi-loop.ts";
import { piPromptMutants } from "./pi-prompt.ts";
import { piToolMutants } from "./pi-tools.ts";

/** Every recorded mutant of the rows of the seeds. */
export const allMutants: readonly Mutant[] = [
  ...piPromptMutants,
  ...piLoopMutants,
  ...piToolMutants,
  ...piEventMutants,
  ...ompLoadingMutants,
  ...ompEventMutants,
  ...ompToolMutants,
  ...ompUiMutants,
  ...gastownMutants,
  ...optaMutants,
];
