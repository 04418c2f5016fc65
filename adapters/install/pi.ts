import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { HookPolicies } from "./command.ts";
import { moduleMark, ownFile } from "./own-file.ts";
import type { FileWiring, HostInstaller, InstallPlace } from "./wiring.ts";

/** Returns the options of a guard as source text; empty if only the usual places apply. */
export function guardOptions({ policies, set }: HookPolicies): string {
  const options = {
    ...(policies.length > 0 && { policies }),
    ...(Object.keys(set).length > 0 && { set }),
  };
  return JSON.stringify(options, null, 2);
}

/** Returns the import specifier for a file of this machine: a path where possible, since not every loader takes a URL. */
export function specifier(path: string, platform: NodeJS.Platform): string {
  return JSON.stringify(platform === "win32" ? pathToFileURL(path, { windows: true }).href : path);
}

/** Returns our one extension for pi: alone, or after Gastown's hooks. */
export function piExtension(place: InstallPlace, host: "pi" | "gastown", made: string, module: string): FileWiring {
  const { scope, home, project, platform, program } = place;
  const folder = scope === "user" ? join(home, ".pi/agent/extensions") : join(project, ".pi/extensions");
  const entry = join(program.modules, module);
  const name = /^\w+/.exec(made)?.[0];
  return ownFile({
    path: join(folder, "hookwarden.ts"),
    text: `${moduleMark(host)}\nimport { ${name} } from ${specifier(entry, platform)};\n\nexport default ${made};\n`,
    mark: moduleMark(host),
    replaces: [moduleMark(host === "pi" ? "gastown" : "pi")],
    targets: [entry],
  });
}

/** Lists the steps for pi's user. */
export function piSteps({ scope }: InstallPlace): readonly string[] {
  return scope === "user"
    ? ["a running pi takes the extension with `/reload`, or when it starts next"]
    : [
        "from 0.79 on pi skips extensions of a project without a word, unless it is started with `--approve` or the project is trusted",
        "where pi runs headless, install it for the user: `hookwarden install pi`",
      ];
}

/** pi, wired by an extension. pi ends if the extension cannot be loaded. Source: hosts page pi-and-omp, sections 2 and 4. */
export const pi: HostInstaller = {
  name: "pi",
  row: "pi",
  moved: ["PI_CODING_AGENT_DIR"],
  files: (place) => [piExtension(place, "pi", `createExtension(${guardOptions(place.by)})`, "adapters/pi/entry.js")],
  steps: piSteps,
};
