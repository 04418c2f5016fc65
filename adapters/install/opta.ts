import { join } from "node:path";
import { hookLine } from "./command.ts";
import { hookFile } from "./json-hooks.ts";
import type { HostInstaller } from "./wiring.ts";

/** Events whose variables say enough to be judged. */
const events = ["tool.pre", "tool.post", "session.start", "session.end", "compact", "error"];

/** Opta, by its configuration; time-outs are milliseconds there. Source: seed opta-hook-system, sections 2 and 4. */
export const opta: HostInstaller = {
  name: "opta",
  row: "opta",
  files: ({ scope, home, project, platform, program, by }) => [
    hookFile({
      path: scope === "user" ? join(home, ".config/opta/config.json") : join(project, ".opta/config.json"),
      host: "opta",
      platform,
      events,
      flat: true,
      entry: (event) => ({ event, command: hookLine("opta", program, by, platform), timeout: 30_000 }),
    }),
  ],
  steps: () => [
    "Opta's hooks can cancel a call and nothing else: where a policy redacts or rewrites, build `hookwarden/opta` into its loop",
    "Opta was not run here: its hooks are tested on the variables of its documents alone",
  ],
};
