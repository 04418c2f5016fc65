import { join } from "node:path";
import { hookLine } from "./command.ts";
import { hookFile } from "./json-hooks.ts";
import type { HostInstaller } from "./wiring.ts";

const events =
  "pre_read_code pre_write_code pre_run_command pre_mcp_tool_use pre_user_prompt post_read_code post_write_code post_run_command post_mcp_tool_use post_cascade_response".split(
    " ",
  );

/** Windsurf's Cascade, which knows no time-out. Source: hosts page others, section 2. */
export const windsurf: HostInstaller = {
  name: "windsurf",
  row: "windsurf",
  files: (place) => [
    hookFile({
      path:
        place.scope === "user"
          ? join(place.home, ".codeium/windsurf/hooks.json")
          : join(place.project, ".windsurf/hooks.json"),
      host: "windsurf",
      platform: place.platform,
      events,
      entry: (event) => {
        const line = hookLine("windsurf", event, place);
        return { [place.platform === "win32" ? "powershell" : "command"]: line, show_output: true };
      },
    }),
  ],
  steps: () => [
    "Windsurf can neither rewrite nor redact: put MCP servers behind `hookwarden install mcp` where a rule needs it",
    "Windsurf is tested here on the payloads of its documents alone",
  ],
};
