import type { Doubt, Effects, SeenScript, ShellFacts, Understanding } from "../../schema/facts.ts";

/** Source of a call's facts: how well the call is understood, why not better, its shell and its effects. */
export interface Reading {
  readonly understanding: Understanding;
  readonly doubts: readonly Doubt[];
  readonly shell: ShellFacts | undefined;
  readonly effects: Effects | undefined;
  /** The scripts on the disk that were read because the call runs them. */
  readonly scripts?: readonly SeenScript[];
  /** The program that runs unseen code. */
  readonly unseen?: string;
  /** An unknown word that decides what its command does, as its author writes it. */
  readonly supposes?: string;
}

/** Returns the reading of a call whose effects are not known. */
export function notKnown(reason: string): Reading {
  return { understanding: "unknown", doubts: [{ reason }], shell: undefined, effects: undefined };
}
