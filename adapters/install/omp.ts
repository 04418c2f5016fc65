import { join } from "node:path";
import { moduleMark, ownFile } from "./own-file.ts";
import { guardOptions, specifier } from "./pi.ts";
import type { HostInstaller } from "./wiring.ts";

/**
 * omp, wired by an extension. omp goes on unguarded if an extension does not load, so this one always loads. If the guard
 * cannot load, the extension itself refuses. Source: hosts page pi-and-omp, sections 3, 4 and 9.
 */
export const omp: HostInstaller = {
  name: "omp",
  row: "omp",
  moved: ["PI_CODING_AGENT_DIR", "PI_CONFIG_DIR", "OMP_PROFILE", "PI_PROFILE"],
  files: ({ scope, home, project, platform, program, by }) => {
    const folder = scope === "user" ? join(home, ".omp/agent/extensions") : join(project, ".omp/extensions");
    const entry = join(program.modules, "adapters/omp/entry.js");
    const text = `${moduleMark("omp")}
const options = ${guardOptions(by)};

export default async function hookwarden(pi) {
  try {
    const { createOmpExtension } = await import(${specifier(entry, platform)});
    await createOmpExtension(options)(pi);
  } catch (error) {
    const reason = "Blocked by hookwarden: the guard cannot be loaded (" + String(error?.message ?? error) + "); ask the human to run \`hookwarden doctor omp\`";
    const result = { output: reason, exitCode: 1, cancelled: false, truncated: false };
    pi.on("tool_call", () => ({ block: true, reason }));
    pi.on("user_bash", () => ({ result }));
    pi.on("user_python", () => ({ result }));
    pi.on("tool_result", () => ({ content: [{ type: "text", text: reason }], details: {}, isError: true }));
  }
}
`;
    return [ownFile({ path: join(folder, "hookwarden.ts"), text, mark: moduleMark("omp"), targets: [entry] })];
  },
  steps: () => [
    "omp warns about an extension that does not load and goes on: look for warnings when it starts",
    "calls that omp's own settings deny are never seen, nor are files that code in `eval` opens itself",
  ],
};
