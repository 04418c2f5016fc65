import { writeSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { stateFolder } from "../../store/state-folder.ts";
import { beginProgram } from "./start/begin-program.ts";
import { crypto } from "./start/crypto.ts";
import { placeAbove, placeFault, placeFaultLine } from "./start/place-check.ts";

/**
 * `hookwarden-hook`, the file that hosts are wired to: it begins the program beside it (`program.ts`), compiled as an
 * earlier process left it (`start/code-cache.ts`). Small, since Node compiles it anew for every event.
 */

/** Name of the program's file, which names its content too, as the build writes it. */
declare const programFile: string;

try {
  const place = placeAbove(__dirname);
  const fault =
    place === undefined ? undefined : placeFault(place, { node: process.execPath, program: `dist/bin/${programFile}` });
  // A program that is as it was installed refuses in the form of the host; any other must not begin.
  if (fault && !fault.mayBegin) throw new Error(placeFaultLine(fault));
  beginProgram(
    join(__dirname, programFile),
    require,
    {
      ...(fault && { refuse: placeFaultLine(fault) }),
      get url() {
        return pathToFileURL(__filename).href;
      },
      importModule: (name) => import(name),
      crypto,
      begun: {},
    },
    { generations: 6, state: () => option("--state") ?? ownState() },
  );
} catch (fault) {
  refuse(fault);
}

/**
 * The state folder of this process's own environment, where no client stands before it. Behind a client there is no home to go by:
 * a line that names no `--state` has no kept code.
 */
function ownState(): string | undefined {
  return process.env["HOOKWARDEN_VARIABLES"] === undefined ? stateFolder(process.env) : undefined;
}

/** What the wiring says of an option. */
function option(name: string): string | undefined {
  const at = process.argv.indexOf(name, 2);
  return at < 0 ? undefined : process.argv[at + 1];
}

/** What cannot even begin refuses by exit code: the client makes the host's own form of it, and without one 2 is all there is. */
function refuse(fault: unknown): never {
  const why = fault instanceof Error ? fault.message : String(fault);
  try {
    writeSync(2, `Blocked by hookwarden: this could not be judged (internal error: ${why})`);
  } finally {
    process.exit(process.env["HOOKWARDEN_VARIABLES"] === undefined ? 2 : 80);
  }
}
