import type { TextFault } from "./jsonc.ts";
import type { FileWiring, Inspection, Unwired, Wired } from "./wiring.ts";

/** A file that is wholly ours: identified by a mark in its text, and never written over anybody else's file. */
export interface OwnFile {
  readonly path: string;
  readonly text: string;
  /** Text that every such file contains. */
  readonly mark: string;
  /** Marks of other files of ours that this one may replace. */
  readonly replaces?: readonly string[];
  readonly mode?: number;
  /** Launchers or modules that the file points to. */
  readonly targets: readonly string[];
  /** The event of this file, if it is one of several. */
  readonly event?: string;
}

/** Returns the wiring of a file that is wholly ours. */
export function ownFile(file: OwnFile): FileWiring {
  const { path, text, mark, replaces = [], mode, targets, event = "all" } = file;
  const foreign: TextFault = {
    message: "it exists, and hookwarden did not write it",
    at: 0,
    help: "move it away, or wire the hook into it by hand; nothing was written",
  };
  return {
    path,
    own: true,
    ...(mode !== undefined && { mode }),
    wire(found): Wired | TextFault {
      const ours = found === undefined || [mark, ...replaces].some((each) => found.includes(each));
      return ours ? { text, made: [] } : foreign;
    },
    unwire(found): Unwired {
      const ours = found.includes(mark);
      return { text: ours ? "" : found, ours: ours ? 1 : 0, empty: ours };
    },
    inspect(found): Inspection {
      const wired = found.includes(mark);
      const there = targets.filter((target) => found.includes(JSON.stringify(target).slice(1, -1)));
      return {
        wired: wired ? [event] : [],
        missing: wired ? [] : [event],
        targets: wired ? there : [],
        elsewhere: wired && there.length < targets.length,
        before: 0,
        after: 0,
      };
    },
  };
}

/** Returns the first line of a module that `install` writes for a host. */
export function moduleMark(host: string): string {
  return `// hookwarden: written by \`hookwarden install ${host}\`, taken away by \`hookwarden uninstall ${host}\`.`;
}
