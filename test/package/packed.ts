import { join } from "node:path";
import { spawnSync } from "../bounded-process.ts";
import { ensureBuilt } from "../hosts/guard-files.ts";

/** Where the package is made from. */
export const root = join(import.meta.dirname, "../..");

/** npm's list of a package that it would pack. */
export interface Packed {
  /** Bytes of the tarball. */
  readonly size: number;
  /** Bytes of the files in it. */
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** Packs the build, into a folder or for its list alone. The build is made where it is older than its sources. */
export function pack(options: readonly string[]): Packed {
  ensureBuilt();
  const words = ["pack", "--json", "--ignore-scripts", "--offline", ...options];
  const { status, stdout, stderr } = spawnSync("npm", words, { cwd: root, encoding: "utf8", timeout: 120_000 });
  if (status !== 0) throw new Error(`npm pack: ${stderr}`);
  const [packed] = JSON.parse(stdout) as Packed[];
  if (!packed) throw new Error("npm packed nothing");
  return packed;
}
