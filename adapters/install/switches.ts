import { join } from "node:path";
import { dataOf, type JsonPath, type JsonValue, readJsonc, valueAt } from "./jsonc.ts";
import type { InstallPlace } from "./wiring.ts";

/** A setting of a host that turns off all hooks, or ours. */
interface Switch {
  /** Files that may hold it, below the home and below the project. */
  readonly home: readonly string[];
  readonly project: readonly string[];
  readonly at: JsonPath;
  /** True for a value that switches our hooks off. */
  off(value: JsonValue): boolean;
  /** The setting's name in messages to a human. */
  readonly named: string;
}

/** Name that `install` gives its hook on hosts that name hooks. */
export const hookName = "hookwarden";

const isTrue = (value: JsonValue): boolean => value === true;
const isFalse = (value: JsonValue): boolean => value === false;

const claudeFiles = [".claude/settings.json", ".claude/settings.local.json"];
const all = { at: ["disableAllHooks"], off: isTrue, named: "`disableAllHooks`" };
const claude: Switch = { home: [".claude/settings.json"], project: claudeFiles, ...all };

/**
 * Switches by installer, for hosts whose settings are JSON. Sources: hosts page others, section 2; settings of Claude Code
 * 2.1.330 and of Gemini CLI 0.61.0.
 */
const switches: Readonly<Record<string, readonly Switch[]>> = {
  "claude-code": [claude],
  vscode: [claude],
  copilot: [
    {
      home: [".copilot/settings.json", ".copilot/hooks/hookwarden.json"],
      project: [".github/copilot/settings.json", ".github/copilot/settings.local.json"],
      ...all,
    },
  ],
  gemini: [
    {
      home: [".gemini/settings.json"],
      project: [".gemini/settings.json"],
      at: ["hooksConfig", "enabled"],
      off: isFalse,
      named: "`hooksConfig.enabled: false`",
    },
    {
      home: [".gemini/settings.json"],
      project: [".gemini/settings.json"],
      at: ["hooksConfig", "disabled"],
      off: (value) => Array.isArray(value) && value.includes(hookName),
      named: `\`${hookName}\` in \`hooksConfig.disabled\``,
    },
  ],
};

/** Lists the settings that switch off a wired host's hooks, in words with the remedy. `read` returns a file's text. */
export function switchedOff(
  name: string,
  { home, project }: Pick<InstallPlace, "home" | "project">,
  read: (path: string) => string | undefined,
): readonly string[] {
  const known = Object.hasOwn(switches, name) ? (switches[name] ?? []) : [];
  return known.flatMap((each) => {
    const paths = new Set([
      ...each.home.map((file) => join(home, file)),
      ...each.project.map((file) => join(project, file)),
    ]);
    return [...paths]
      .filter((path) => isOff(each, read(path)))
      .map((path) => `${path} switches hooks off: take ${each.named} out of it`);
  });
}

function isOff({ at, off }: Switch, text: string | undefined): boolean {
  const json = text === undefined ? undefined : readJsonc(text);
  if (!json || "message" in json) return false;
  const node = valueAt(json, at);
  return node !== undefined && off(dataOf(node));
}
