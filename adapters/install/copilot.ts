import { join } from "node:path";
import { hookLine } from "./command.ts";
import { hookFile } from "./json-hooks.ts";
import type { HostInstaller } from "./wiring.ts";

/** In camel case: names in Pascal case would switch payloads to another spelling. */
const events =
  "sessionStart sessionEnd userPromptSubmitted userPromptTransformed preToolUse postToolUse postToolUseFailure agentStop subagentStart subagentStop preCompact".split(
    " ",
  );

/** GitHub Copilot CLI. In a project the settings that are not shared. Source: hosts page others, section 2. */
export const copilot: HostInstaller = {
  name: "copilot",
  row: "copilot",
  moved: ["COPILOT_HOME"],
  files: ({ scope, home, project, platform, program, by }) => [
    hookFile({
      path:
        scope === "user"
          ? join(home, ".copilot/hooks/hookwarden.json")
          : join(project, ".github/copilot/settings.local.json"),
      host: "copilot",
      platform,
      events,
      entry: () => {
        const line = hookLine("copilot", program, by, platform);
        return { type: "command", [platform === "win32" ? "powershell" : "bash"]: line, timeoutSec: 30 };
      },
      ...(scope === "user" && { head: { version: 1 } }),
    }),
  ],
  steps: ({ scope }) => [
    ...(scope === "project" ? ["Copilot CLI runs hooks of a repository once you have trusted it"] : []),
    "the cloud agent reads neither file: this guards the command line on this machine",
  ],
};
