import { ompAuthoringRequirements } from "./omp-authoring-requirements.ts";
import { ompContractRequirements } from "./omp-contract-requirements.ts";
import { ompEventRequirements } from "./omp-event-requirements.ts";
import { ompLoadingRequirements } from "./omp-loading-requirements.ts";
import { ompRuntimeRequirements } from "./omp-runtime-requirements.ts";
import type { Requirement } from "./requirement.ts";

/** Every sentence of the seeds omp-hooks and omp-authoring-hooks. */
export const ompRequirements: readonly Requirement[] = [
  ...ompLoadingRequirements,
  ...ompRuntimeRequirements,
  ...ompEventRequirements,
  ...ompAuthoringRequirements,
  ...ompContractRequirements,
];
