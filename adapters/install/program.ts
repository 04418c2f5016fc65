import { existsSync } from "node:fs";
import { join, sep } from "node:path";
import { packageRoot } from "../../store/packs.ts";
import { clientOf, type HookProgram } from "./command.ts";
import type { InstallProblem } from "./files.ts";

/** Returns the program of this installation, with absolute paths of this machine; or the reason why hosts cannot be wired to it. */
export function thisProgram(
  root: string | undefined = packageRoot(),
  node: string = process.execPath,
): HookProgram | InstallProblem {
  if (root === undefined)
    return { path: "hookwarden", message: "the package of this program is not there", help: "install hookwarden anew" };
  const modules = join(root, "dist");
  const program = {
    node,
    launcher: join(modules, "bin/hookwarden-hook.cjs"),
    command: join(modules, "bin/hookwarden.js"),
    modules,
  };
  const missing = [program.launcher, program.command, clientOf(program)].find((file) => !existsSync(file));
  if (missing !== undefined)
    return { path: missing, message: "it is not there", help: "install hookwarden anew, or build it: `npm run build`" };
  if (root.split(sep).includes("_npx"))
    return {
      path: root,
      message: "it is in npx's cache, which npm empties, and then every hook would refuse",
      help: "install hookwarden globally from a tarball or a clone, see docs/guide/install.md; then run `hookwarden install`",
    };
  return program;
}
