import { join } from "node:path";
import { blankVariables } from "./blank-variables.ts";
import { hookLine } from "./command.ts";
import { hookFile } from "./json-hooks.ts";
import type { HostInstaller } from "./wiring.ts";

/** Events in camel case: names in Pascal case would make the host spell payloads differently. */
const events =
  "sessionStart sessionEnd userPromptSubmitted userPromptTransformed preToolUse postToolUse postToolUseFailure agentStop subagentStart subagentStop preCompact".split(
    " ",
  );

/** GitHub Copilot CLI. In a project, its unshared settings. Source: hosts page others, section 2. */
export const copilot: HostInstaller = {
  name: "copilot",
  row: "copilot",
  moved: ["COPILOT_HOME"],
  files: (place) => [
    hookFile({
      path:
        place.scope === "user"
          ? join(place.home, ".copilot/hooks/hookwarden.json")
          : join(place.project, ".github/copilot/settings.local.json"),
      host: "copilot",
      platform: place.platform,
      events,
      entry: (event) => {
        const line = hookLine("copilot", event, place);
        const shell = place.platform === "win32" ? "powershell" : "bash";
        return { type: "command", [shell]: line, env: blankVariables, timeoutSec: 30 };
      },
      ...(place.scope === "user" && { head: { version: 1 } }),
    }),
  ],
  steps: ({ scope }) => [
    ...(scope === "project" ? ["Copilot CLI runs hooks of a repository once you have trusted it"] : []),
    "the cloud agent reads neither file: this guards the command line on this machine",
  ],
};
