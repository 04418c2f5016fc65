import { join } from "node:path";
import { moduleMark, ownFile } from "./own-file.ts";
import { guardOptions, specifier } from "./pi.ts";
import type { HostInstaller } from "./wiring.ts";

/**
 * OpenCode, wired by a plugin file. OpenCode silently skips a plugin that does not load, so this one always loads. If the
 * guard cannot load, the plugin itself refuses. Source: hosts page others, section 2.
 */
export const opencode: HostInstaller = {
  name: "opencode",
  row: "opencode",
  moved: ["OPENCODE_CONFIG_DIR", "XDG_CONFIG_HOME"],
  files: ({ scope, home, project, platform, program, by }) => {
    const folder = scope === "user" ? join(home, ".config/opencode/plugins") : join(project, ".opencode/plugins");
    const entry = join(program.modules, "adapters/opencode/plugin.js");
    const text = `${moduleMark("opencode")}
const options = ${guardOptions(by)};

export const Hookwarden = async (input) => {
  try {
    const { createPlugin } = await import(${specifier(entry, platform)});
    return await createPlugin(options)(input);
  } catch (error) {
    const refuse = async () => {
      throw new Error("Blocked by hookwarden: the guard cannot be loaded (" + String(error?.message ?? error) + "); ask the human to run \`hookwarden doctor opencode\`");
    };
    return { "tool.execute.before": refuse, "command.execute.before": refuse, "tool.execute.after": refuse, "chat.message": refuse };
  }
};
`;
    return [ownFile({ path: join(folder, "hookwarden.js"), text, mark: moduleMark("opencode"), targets: [entry] })];
  },
  steps: () => [
    "OpenCode takes plugins when it starts: start it anew, and never with `--pure`, which skips them",
    "OpenCode can ask nobody for us: an `ask` is a refusal; `hookwarden approve` in a terminal shows what waits",
  ],
};
