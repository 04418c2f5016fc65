import type { TextFault } from "./jsonc.ts";
import type { FileWiring, Inspection, Unwired, Wired } from "./wiring.ts";

/** A file that is wholly ours: told by a mark in its text, never written over anybody else's. */
export interface OwnFile {
  readonly path: string;
  readonly text: string;
  /** What stands in every such file, whatever else it says. */
  readonly mark: string;
  /** Marks of files that may stand there in its place and are ours too. */
  readonly replaces?: readonly string[];
  readonly mode?: number;
  /** What it points to. */
  readonly targets: readonly string[];
  /** The event that it is for, where it is one of several. */
  readonly event?: string;
}

/** The wiring of a file that is wholly ours. */
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

/** First words of a module that `install` writes for a host. */
export function moduleMark(host: string): string {
  return `// hookwarden: written by \`hookwarden install ${host}\`, taken away by \`hookwarden uninstall ${host}\`.`;
}
