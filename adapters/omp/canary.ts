import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../../store/folders.ts";
import { ownFolder, writeOwn } from "../../store/session-file.ts";

/** Sign of life that a loaded guard writes; a missing one shows that the guard did not load. */
export interface Heartbeat {
  readonly host: string;
  readonly state: "guarded" | "closed";
  readonly pid: number;
  /** RFC 3339. */
  readonly time: string;
  readonly version: string;
}

/** Result of `canary`. */
export type CanaryResult =
  | { readonly loaded: true; readonly heartbeat: Heartbeat }
  | { readonly loaded: false; readonly why: string };

function fileIn(state: string, host: string): string {
  return join(state, "heartbeats", `${host}.json`);
}

/** Writes the heartbeat of a guard that was just loaded. False if it cannot be written, which does not affect the guard. */
export function beat(state: string, heartbeat: Heartbeat): boolean {
  try {
    makeFolder(state, 0o700);
    ownFolder(join(state, "heartbeats"));
    writeOwn(fileIn(state, heartbeat.host), `${JSON.stringify(heartbeat)}\n`, false);
    return true;
  } catch {
    return false;
  }
}

/** Deletes the last heartbeat, so that a later one can only come from a later start. */
export function silence(state: string, host: string): void {
  rmSync(fileIn(state, host), { force: true });
}

/**
 * Checks whether a guard was loaded since `since`, in milliseconds since the epoch. omp only warns about an extension that
 * does not load and goes on unguarded, so its exit code says nothing. `doctor omp` calls this with the time at which omp was
 * wired.
 */
export function canary(state: string, host: string, since: number): CanaryResult {
  try {
    const heartbeat = JSON.parse(readFileSync(fileIn(state, host), "utf8")) as Heartbeat;
    const time = Date.parse(heartbeat.time);
    if (heartbeat.host !== host || !(time >= since))
      return { loaded: false, why: `the guard was last loaded at ${String(heartbeat.time).slice(0, 40)}` };
    if (heartbeat.state === "closed") return { loaded: false, why: "the guard was loaded, but has no usable policy" };
    return { loaded: true, heartbeat };
  } catch {
    return { loaded: false, why: "the guard was never loaded" };
  }
}
