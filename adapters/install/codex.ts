import { join } from "node:path";
import { hookLine } from "./command.ts";
import { hookFile } from "./json-hooks.ts";
import type { HostInstaller, InstallPlace } from "./wiring.ts";

const events =
  "PreToolUse PostToolUse UserPromptSubmit SessionStart SessionEnd Stop SubagentStart SubagentStop PreCompact PostCompact".split(
    " ",
  );

/** Codex CLI, wired in `hooks.json`; its `config.toml` stays unchanged. Source: hosts page others, section 2. */
export const codex: HostInstaller = {
  name: "codex",
  row: "codex",
  moved: ["CODEX_HOME"],
  files: (place) => [
    hookFile({
      path: join(place.scope === "user" ? place.home : place.project, ".codex/hooks.json"),
      host: "codex",
      platform: place.platform,
      events,
      entry: (event) => ({ hooks: [{ type: "command", command: hookLine("codex", event, place), timeout: 30 }] }),
    }),
  ],
  steps: ({ scope }: InstallPlace) => [
    "start `codex`, look at the hooks with `/hooks` and trust each: until then Codex skips them, `codex exec` without a word",
    "a hook that has changed needs trust again",
    ...(scope === "project" ? ["trust the project in Codex too, or its `.codex` folder is not read"] : []),
    "block interactive shells: text written to one that runs fires no hook",
  ],
};
