import { isAbsolute, join } from "node:path";
import { userHome } from "./user-home.ts";

/**
 * Returns the folder of hookwarden's files for this user: `${XDG_STATE_HOME:-~/.local/state}/hookwarden`. Outside every
 * repository; the built-in policy keeps tool calls away from it.
 */
export function stateFolder(env: Readonly<Record<string, string | undefined>>, home: string = userHome()): string {
  const state = env["XDG_STATE_HOME"];
  return join(state !== undefined && isAbsolute(state) ? state : join(home, ".local", "state"), "hookwarden");
}
