import { join } from "node:path";
import { hookLine } from "./command.ts";
import { hookFile } from "./json-hooks.ts";
import type { FileWiring, HostInstaller, InstallPlace } from "./wiring.ts";

/** Events that rules can be about. */
const events =
  "PreToolUse PostToolUse PostToolUseFailure UserPromptSubmit SessionStart SessionEnd Stop SubagentStart SubagentStop PreCompact PostCompact".split(
    " ",
  );

/**
 * The settings of Claude Code, which VS Code reads too. In a project the file that is not shared: the command line holds
 * paths of this machine. One group for every tool, since several hooks of one event race.
 */
export function claudeSettings(place: InstallPlace, host: "claude-code" | "vscode"): FileWiring {
  const { scope, home, project, platform, program, by } = place;
  return hookFile({
    path: scope === "user" ? join(home, ".claude/settings.json") : join(project, ".claude/settings.local.json"),
    host,
    aliases: ["claude-code", "vscode"],
    platform,
    events,
    entry: () => ({ hooks: [{ type: "command", command: hookLine(host, program, by, platform), timeout: 30 }] }),
  });
}

/** Claude Code. Source: hosts page others, section 2. */
export const claudeCode: HostInstaller = {
  name: "claude-code",
  row: "claude-code",
  moved: ["CLAUDE_CONFIG_DIR"],
  files: (place) => [claudeSettings(place, "claude-code")],
  steps: ({ scope }) =>
    scope === "user"
      ? ["sessions that run already keep the hooks they began with: begin a new one"]
      : ["Claude Code runs hooks of a project once you have trusted its folder: begin a session there and say so"],
};
