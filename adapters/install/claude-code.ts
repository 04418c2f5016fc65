import { join } from "node:path";
import { directCall, hookLine } from "./command.ts";
import { hookFile } from "./json-hooks.ts";
import { atLeast, versionOnPath } from "./version-on-path.ts";
import type { FileWiring, HostInstaller, InstallPlace } from "./wiring.ts";

/** Events that rules can be about. */
const events =
  "PreToolUse PostToolUse PostToolUseFailure UserPromptSubmit SessionStart SessionEnd Stop SubagentStart SubagentStop PreCompact PostCompact".split(
    " ",
  );

/** The first version that takes `args` and starts a program directly: an older one would run `command` alone. */
const directSince = [2, 1, 139] as const;

/** True only if files prove a version that starts programs directly: in an older version such an entry guards nothing. */
function startsDirectly({ platform, privileged = true, hostVersion }: InstallPlace): boolean {
  return platform !== "win32" && privileged && hostVersion !== undefined && atLeast(hostVersion, directSince);
}

/**
 * The settings of Claude Code, which VS Code reads too. In a project it is the unshared file, because the command line holds
 * paths of this machine. One group covers every tool, since several hooks of one event race.
 */
export function claudeSettings(place: InstallPlace, host: "claude-code" | "vscode"): FileWiring {
  const { scope, home, project, platform } = place;
  const direct = host === "claude-code" && startsDirectly(place);
  return hookFile({
    path: scope === "user" ? join(home, ".claude/settings.json") : join(project, ".claude/settings.local.json"),
    host,
    aliases: ["claude-code", "vscode"],
    platform,
    events,
    entry: (event) => {
      const line = hookLine(host, event, place);
      const { command, args } = directCall(line);
      const call = direct ? { command, args: [...args] } : { command: line };
      return { hooks: [{ type: "command", ...call, timeout: 30 }] };
    },
  });
}

/** Claude Code. Source: hosts page others, section 2. */
export const claudeCode: HostInstaller = {
  name: "claude-code",
  row: "claude-code",
  moved: ["CLAUDE_CONFIG_DIR"],
  version: (path) => versionOnPath(path, "claude", /^@anthropic-ai\/claude-code(?:-|$)/),
  unfit: ({ hostVersion }, { direct }) =>
    direct && hostVersion !== undefined && !atLeast(hostVersion, directSince)
      ? `Claude Code ${hostVersion} is on PATH, which does not start the hook as it is wired, for ${directSince.join(".")} or newer`
      : undefined,
  files: (place) => [claudeSettings(place, "claude-code")],
  steps: ({ scope }) =>
    scope === "user"
      ? ["sessions that run already keep the hooks they began with: begin a new one"]
      : ["Claude Code runs hooks of a project once you have trusted its folder: begin a session there and say so"],
};
