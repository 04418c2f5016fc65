import { writeSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beginProgram } from "./start/begin-program.ts";
import { crypto } from "./start/crypto.ts";

/**
 * `hookwarden-hook`, the file that hosts are wired to: it begins the program beside it (`program.ts`), compiled as an
 * earlier process left it (`start/code-cache.ts`). Small, since Node compiles it anew for every event.
 */

/** Name of the program's file, which names its content too, as the build writes it. */
declare const programFile: string;

try {
  beginProgram(
    join(__dirname, programFile),
    require,
    {
      get url() {
        return pathToFileURL(__filename).href;
      },
      importModule: (name) => import(name),
      crypto,
    },
    { generations: 6, mayKeep: () => true },
  );
} catch (fault) {
  refuse(fault);
}

/** What cannot even begin refuses by exit code: hosts' own forms of a refusal are the program's. */
function refuse(fault: unknown): never {
  const why = fault instanceof Error ? fault.message : String(fault);
  try {
    writeSync(2, `Blocked by hookwarden: this could not be judged (internal error: ${why})`);
  } finally {
    process.exit(2);
  }
}
