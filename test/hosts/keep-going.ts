import { join } from "node:path";
import type { ScriptedTurn } from "./model-server.ts";
import type { Cases } from "./report.ts";

/** The policy that lets no agent stop before it has run a command. */
export const stopPolicy = join(import.meta.dirname, "stop-policy.yaml");

/** A model that says it has finished, and only works when it is sent on. */
export const stopsEarly: readonly ScriptedTurn[] = [
  { text: "Finished." },
  { calls: [{ name: "bash", args: { command: "touch HARMLESS" } }] },
  { text: "Finished now." },
];

/** How such a run ended. */
interface EarlyRun {
  /** What the model was sent, in order. */
  readonly requests: readonly string[];
  /** Whether the work was done. */
  readonly worked: boolean;
  /** The run in words, for a report. */
  readonly told: string;
}

/** The cases of a run without a policy, which must end early, and of one with the policy, which must not. */
export function keepGoingCases(cases: Cases, without: EarlyRun, guarded: EarlyRun): void {
  const early = without.requests.length === 1 && !without.worked;
  cases.check("control: without a policy the agent stops before it has worked", early, without.told);
  cases.check("an agent that may not stop goes on and works", guarded.worked, guarded.told);
  const second = guarded.requests[1] ?? "";
  cases.check("and the model is told why", second.includes("no command was run yet"), second.slice(-1_200));
  cases.check("and may stop then", guarded.requests.length === stopsEarly.length, guarded.told);
}
