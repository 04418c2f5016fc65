import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../../store/folders.ts";
import { ownFolder, writeOwn } from "../../store/session-file.ts";

/** What a loaded guard says of itself, so that one that did not load can be told from it. */
export interface Heartbeat {
  readonly host: string;
  readonly state: "guarded" | "closed";
  readonly pid: number;
  /** RFC 3339. */
  readonly time: string;
  readonly version: string;
}

/** What `canary` found. */
export type CanaryResult =
  | { readonly loaded: true; readonly heartbeat: Heartbeat }
  | { readonly loaded: false; readonly why: string };

function fileIn(state: string, host: string): string {
  return join(state, "heartbeats", `${host}.json`);
}

/** Writes that a guard was loaded now. False when it cannot be written, which changes nothing about the guard. */
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

/** Forgets the last heartbeat, so that the next one is known to be of what is started then. Never throws. */
export function silence(state: string, host: string): void {
  rmSync(fileIn(state, host), { force: true });
}

/**
 * Whether a guard was loaded since `since`, milliseconds since the epoch. omp warns about an extension that does not load
 * and goes on unguarded, so its own exit code says nothing: `doctor omp` asks here, with the time at
 * which omp was wired.
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
