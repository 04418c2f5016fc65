import type { Doubt, Effects, ShellFacts, Understanding } from "../../schema/facts.ts";

/** What the facts of a call are built from: how well it is understood, why not better, its shell and its effects. */
export interface Reading {
  readonly understanding: Understanding;
  readonly doubts: readonly Doubt[];
  readonly shell: ShellFacts | undefined;
  readonly effects: Effects | undefined;
}

/** A call of which no effects are known. */
export function notKnown(reason: string): Reading {
  return { understanding: "unknown", doubts: [{ reason }], shell: undefined, effects: undefined };
}
