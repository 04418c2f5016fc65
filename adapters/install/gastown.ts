import { loadConfig } from "../gastown/config.ts";
import { guardOptions, piExtension, piSteps } from "./pi.ts";
import type { HostInstaller } from "./wiring.ts";

/**
 * Gastown's hooks on pi, followed by the guard. `--config` names the file for `--hooks-config`, which is read and left
 * unchanged. Source: seed gastown-hooks-v1.1.
 */
export const gastown: HostInstaller = {
  name: "gastown",
  row: "gastown",
  moved: ["PI_CODING_AGENT_DIR"],
  files: (place) => {
    const { config, project } = place;
    if (config !== undefined) {
      const found = loadConfig({
        option: config,
        variable: undefined,
        claudeSettings: false,
        gastownMode: true,
        cwd: project,
      });
      if (found && "problem" in found)
        return {
          message: `\`${config}\` is no hook configuration: ${found.problem}`,
          at: 0,
          help: "mend it; nothing was written",
        };
    }
    const made = `createGastownExtension({ guard: ${guardOptions(place.by)} })`;
    return [piExtension(place, "gastown", made, "adapters/gastown/entry.js")];
  },
  steps: (place) => [
    ...piSteps(place),
    place.config === undefined
      ? "Gastown's hooks come from `pi --hooks-config <file>`, `PI_HOOKS_JSON`, or are the built-in ones in gastown mode"
      : `start pi with \`--hooks-config ${place.config}\``,
  ],
};
