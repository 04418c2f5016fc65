import type { Answers } from "./pi-api.ts";
import { promptScenarios } from "./prompt-scenarios.ts";
import { sessionScenarios } from "./session-scenarios.ts";
import { toolScenarios } from "./tool-scenarios.ts";
import { turnScenarios } from "./turn-scenarios.ts";

/** What the recording extensions answer, by scenario and extension. */
export const scenarios: Readonly<Record<string, Readonly<Record<string, Answers>>>> = {
  ...promptScenarios,
  ...turnScenarios,
  ...toolScenarios,
  ...sessionScenarios,
};
