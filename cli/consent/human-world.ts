import type { Surroundings } from "./surroundings.ts";
import type { Terminal } from "./terminal.ts";

/** How a human is reached, and who else is around. */
export interface HumanWorld {
  /** The controlling terminal; undefined without one. */
  terminal(): Terminal | undefined;
  surroundings(): Surroundings;
  /** The file by which the machine's owner lets verbs run unasked, and whose it must be. */
  readonly unattended: { readonly path: string; readonly owner: number };
}
