import { existsSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../store/packs.ts";

/** Name of the judge's file, as the build writes it beside the command line. */
export const judgeName = "hookwarden-daemon-judge.cjs";

/** Returns the path of this installation's judge. Throws if it is missing. */
export function judgeFile(root: string | undefined = packageRoot()): string {
  const file = root === undefined ? undefined : join(root, "dist/bin", judgeName);
  if (file === undefined || !existsSync(file)) throw new Error(`the judge \`${file ?? judgeName}\` is not there`);
  return file;
}
