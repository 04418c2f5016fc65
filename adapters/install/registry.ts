import { claudeCode } from "./claude-code.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { cursor } from "./cursor.ts";
import { gastown } from "./gastown.ts";
import { gemini } from "./gemini.ts";
import { goose } from "./goose.ts";
import { mcp } from "./mcp.ts";
import { omp } from "./omp.ts";
import { opencode } from "./opencode.ts";
import { opta } from "./opta.ts";
import { pi } from "./pi.ts";
import { vscode } from "./vscode.ts";
import { windsurf } from "./windsurf.ts";
import type { HostInstaller } from "./wiring.ts";

/** Every host that `install` wires. */
export const installers: readonly HostInstaller[] = [
  claudeCode,
  codex,
  gemini,
  copilot,
  vscode,
  cursor,
  windsurf,
  cline,
  goose,
  opencode,
  pi,
  omp,
  gastown,
  opta,
  mcp,
];

/** Other common names of a host. */
const alsoCalled: Readonly<Record<string, string>> = {
  "gemini-cli": "gemini",
  claude: "claude-code",
  "copilot-cli": "copilot",
};

/** Returns the installer of a name. */
export function installerOf(name: string): HostInstaller | undefined {
  const known = Object.hasOwn(alsoCalled, name) ? alsoCalled[name] : name;
  return installers.find((installer) => installer.name === known);
}
