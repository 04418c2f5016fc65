import { claudeSettings } from "./claude-code.ts";
import type { HostInstaller } from "./wiring.ts";

/** VS Code, wired in Claude Code's settings, which it reads: one hook serves both. Source: hosts page others, section 2. */
export const vscode: HostInstaller = {
  name: "vscode",
  row: "vscode",
  files: (place) => [claudeSettings(place, "vscode")],
  steps: () => [
    "VS Code runs hooks only in a workspace that you have trusted, with agent hooks switched on in its settings",
    "agent hooks of VS Code are a preview, and are tested here on the payloads of its documents alone",
  ],
};
