import { execFileSync as execFile, spawnSync as spawn } from "node:child_process";

/**
 * `spawnSync` and `execFileSync` with a time limit. A call that waits for a process blocks its worker, so that neither the time
 * limit of a test nor the runner can end it: one such call would hang a whole run.
 */

/** The longest time for one process, in milliseconds, unless the call names another: below the patience of a run. */
const longest = 300_000;

type Given = readonly unknown[];

/** Returns the arguments of a call with the limit among its options, which are the last argument where there are any. */
function limited(given: Given): Given {
  const last = given.at(-1);
  const hasOptions = given.length > 1 && typeof last === "object" && last !== null && !Array.isArray(last);
  const own = hasOptions ? last : {};
  return [...(hasOptions ? given.slice(0, -1) : given), { timeout: longest, killSignal: "SIGKILL", ...own }];
}

/** Runs a program and waits for it; after the limit it is ended, and the result has an `error` and no status. */
export const spawnSync = ((...given: Given) =>
  (spawn as (...all: Given) => unknown)(...limited(given))) as typeof spawn;

/** Runs a program, waits for it and returns its output; throws if it fails or is over the limit. */
export const execFileSync = ((...given: Given) =>
  (execFile as (...all: Given) => unknown)(...limited(given))) as typeof execFile;
