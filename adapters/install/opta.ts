import { join } from "node:path";
import { hookLine } from "./command.ts";
import { hookFile } from "./json-hooks.ts";
import type { HostInstaller } from "./wiring.ts";

/** Events whose variables hold enough to be judged. */
const events = ["tool.pre", "tool.post", "session.start", "session.end", "compact", "error"];

/** Opta, by its configuration; time-outs are milliseconds there. Source: seed opta-hook-system, sections 2 and 4. */
export const opta: HostInstaller = {
  name: "opta",
  row: "opta",
  files: (place) => [
    hookFile({
      path:
        place.scope === "user"
          ? join(place.home, ".config/opta/config.json")
          : join(place.project, ".opta/config.json"),
      host: "opta",
      platform: place.platform,
      events,
      flat: true,
      entry: (event) => ({ event, command: hookLine("opta", event, place), timeout: 30_000 }),
    }),
  ],
  steps: () => [
    "Opta's hooks can cancel a call and nothing else: where a policy redacts or rewrites, build `hookwarden/opta` into its loop",
    "Opta was not run here: its hooks are tested on the variables of its documents alone",
  ],
};
