import { build, type Metafile } from "esbuild";
import { partsBundle } from "./bundles.ts";

/** Writes what programs load only when they need it beside the launcher: the compiler, and what runs programs. */
export async function buildParts(root: string, folder: string): Promise<Metafile> {
  const { metafile } = await build({ ...partsBundle(root, folder), metafile: true });
  return metafile;
}
