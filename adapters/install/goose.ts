import { join } from "node:path";
import { hookLine } from "./command.ts";
import { hookFile } from "./json-hooks.ts";
import { ownFile } from "./own-file.ts";
import type { HostInstaller } from "./wiring.ts";

const events = "PreToolUse PostToolUse PostToolUseFailure UserPromptSubmit SessionStart SessionEnd Stop".split(" ");

/** First words of our plugin's manifest, by which the file is recognized as ours. */
const mark = '{\n  "name": "hookwarden",';
const manifest = `${mark}\n  "version": "1.0.0",\n  "description": "Judges tool calls by hookwarden's policies."\n}\n`;

/** Goose, as a plugin of its own. Without a matcher: the obvious one is invalid. Source: hosts page others, section 2. */
export const goose: HostInstaller = {
  name: "goose",
  row: "goose",
  files: (place) => {
    const folder = join(place.scope === "user" ? place.home : place.project, ".agents/plugins/hookwarden");
    return [
      hookFile({
        path: join(folder, "hooks/hooks.json"),
        host: "goose",
        platform: place.platform,
        events,
        entry: (event) => {
          const command = hookLine("goose", event, place);
          return { hooks: [{ type: "command", command, timeout: 30, on_failure: "block" }] };
        },
      }),
      ownFile({ path: join(folder, "plugin.json"), text: manifest, mark, targets: [] }),
    ];
  },
  steps: () => [
    "Goose fires no hook for sub-agents: what they do is not judged",
    "Goose is tested here on the payloads of its documents alone",
  ],
};
