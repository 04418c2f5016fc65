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
  files: ({ scope, home, project, platform, program, by }) => [
    hookFile({
      path: scope === "user" ? join(home, ".codeium/windsurf/hooks.json") : join(project, ".windsurf/hooks.json"),
      host: "windsurf",
      platform,
      events,
      entry: () => {
        const line = hookLine("windsurf", program, by, platform);
        return { [platform === "win32" ? "powershell" : "command"]: line, show_output: true };
      },
    }),
  ],
  steps: () => [
    "Windsurf can neither rewrite nor redact: put MCP servers behind `hookwarden install mcp` where a rule needs it",
    "Windsurf is tested here on the payloads of its documents alone",
  ],
};
