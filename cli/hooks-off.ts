import { readFileSync } from "node:fs";
import { join } from "node:path";
import { switchedOff } from "../adapters/install/switches.ts";
import type { InstallPlace } from "../adapters/install/wiring.ts";
import { liveFiles } from "../adapters/live-files.ts";
import { readToml } from "../authoring/import/toml.ts";
import { limits } from "../schema/limits.ts";

type Where = Pick<InstallPlace, "home" | "project" | "scope">;

/** Lists the settings by which a wired host runs none of our hooks, each with the remedy. Never throws. */
export function hooksOff(name: string, place: Where): readonly string[] {
  return name === "codex"
    ? codexFeature(place)
    : switchedOff(name, place, (path) => liveFiles.readText(path, limits.policyBytes));
}

/** Lists the files in which Codex's own switch turns its hooks off. */
function codexFeature({ home, project, scope }: Where): readonly string[] {
  const paths = [
    join(home, ".codex/config.toml"),
    ...(scope === "project" ? [join(project, ".codex/config.toml")] : []),
  ];
  return paths.flatMap((path) => {
    try {
      const toml = readToml(path, readFileSync(path));
      const features = "root" in toml ? toml.root["features"] : undefined;
      const off =
        typeof features === "object" && features !== null && (features as Record<string, unknown>)["hooks"] === false;
      return off ? [`${path} switches hooks off: take \`hooks = false\` out of \`[features]\``] : [];
    } catch {
      return [];
    }
  });
}
