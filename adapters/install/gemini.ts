import { join } from "node:path";
import { blankVariables } from "./blank-variables.ts";
import { hookLine } from "./command.ts";
import { hookFile } from "./json-hooks.ts";
import { hookName } from "./switches.ts";
import type { HostInstaller } from "./wiring.ts";

const events = "BeforeTool AfterTool BeforeAgent AfterAgent BeforeModel SessionStart SessionEnd PreCompress".split(" ");

/** Gemini CLI; time-outs are milliseconds there. Source: hosts page others, section 2. */
export const gemini: HostInstaller = {
  name: "gemini",
  row: "gemini-cli",
  moved: ["GEMINI_CLI_HOME"],
  files: (place) => [
    hookFile({
      path: join(place.scope === "user" ? place.home : place.project, ".gemini/settings.json"),
      host: "gemini",
      platform: place.platform,
      events,
      entry: (event) => {
        const command = hookLine("gemini", event, place);
        return { hooks: [{ type: "command", name: hookName, command, env: blankVariables, timeout: 30_000 }] };
      },
    }),
  ],
  steps: ({ scope }) =>
    scope === "user"
      ? ["Gemini CLI asks about a hook that is new: read it and say yes"]
      : ["Gemini CLI runs hooks of a project once you have trusted its folder, and asks about a hook that is new"],
};
