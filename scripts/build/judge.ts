import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import { addonDefine, daemonJudgeBundle } from "./bundles.ts";
import { lazyModules } from "./lazy-modules.ts";
import { bundled, writeLicences } from "./program.ts";

/** Writes the daemon's judge, `hookwarden-daemon-judge.cjs`, into a folder. Gives what went into it. */
export async function buildDaemonJudge(root: string, folder: string): Promise<Metafile> {
  await mkdir(folder, { recursive: true });
  const judge = await bundled({
    ...daemonJudgeBundle(root),
    plugins: [
      ...lazyModules(root, { "import.meta.url": "moduleUrl", ...addonDefine(root, ".") }, ["facts/versions.ts"]),
    ],
  });
  await writeFile(join(folder, "hookwarden-daemon-judge.cjs"), judge.code);
  await writeLicences(folder, judge.legal);
  return judge.metafile;
}
