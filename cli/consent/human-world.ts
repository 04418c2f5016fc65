import type { Surroundings } from "./surroundings.ts";
import type { Terminal } from "./terminal.ts";

/** Access to a human, and the processes around. */
export interface HumanWorld {
  /** The controlling terminal; undefined without one. */
  terminal(): Terminal | undefined;
  surroundings(): Surroundings;
  /** The file by which the machine's owner lets verbs run without a question, and its required owner. */
  readonly unattended: { readonly path: string; readonly owner: number };
}
