import { join } from "node:path";
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
  files: ({ scope, home, project, platform, program, by }) => [
    hookFile({
      path: join(scope === "user" ? home : project, ".gemini/settings.json"),
      host: "gemini",
      platform,
      events,
      entry: () => {
        const command = hookLine("gemini", program, by, platform);
        return { hooks: [{ type: "command", name: hookName, command, timeout: 30_000 }] };
      },
    }),
  ],
  steps: ({ scope }) =>
    scope === "user"
      ? ["Gemini CLI asks about a hook that is new: read it and say yes"]
      : ["Gemini CLI runs hooks of a project once you have trusted its folder, and asks about a hook that is new"],
};
