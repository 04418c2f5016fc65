import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { programsOfRun } from "../../built-programs.ts";

const root = join(import.meta.dirname, "../../..");

/** A package of ours in a scratch folder, as npm puts it there, with all that a place is filled from. */
export interface BuiltPackage {
  readonly root: string;
  /** `hookwarden.js`, the command line. */
  readonly command: string;
  remove(): void;
}

/**
 * Builds the package. The addon stands in its own `node_modules` where this machine has one, as in a global installation.
 * A guard of `compile` is a stand-in: nothing of these tests fills one.
 */
export async function builtPackage(): Promise<BuiltPackage> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-built-")));
  const dist = join(folder, "dist");
  cpSync((await programsOfRun()).dist, dist, { recursive: true });
  cpSync(join(root, "policies"), join(dist, "policies"), { recursive: true });
  mkdirSync(join(dist, "schema"));
  for (const name of readdirSync(join(root, "schema")).filter((file) => file.endsWith(".schema.json")))
    cpSync(join(root, "schema", name), join(dist, "schema", name));
  put(join(dist, "guard/guards.json.br"), "guards\n");
  for (const name of ["package.json", "LICENSE", "NOTICE"]) cpSync(join(root, name), join(folder, name));
  const addon = "node_modules/re2/build/Release/re2.node";
  // Where this machine could not build it, and npm left the package out, a file that does not load takes its part.
  const manifest = "node_modules/re2/package.json";
  if (existsSync(join(root, manifest))) cpSync(join(root, manifest), join(folder, manifest));
  else put(join(folder, manifest), JSON.stringify({ name: "re2", version: "0.0.0" }));
  if (existsSync(join(root, addon))) cpSync(join(root, addon), join(folder, addon));
  else put(join(folder, addon), "no addon\n");
  return {
    root: folder,
    command: join(dist, "bin/hookwarden.js"),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** The same package as another version of it. */
export function newerPackage({ root: folder }: BuiltPackage, version: string): BuiltPackage {
  const other = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-newer-")));
  cpSync(folder, other, { recursive: true });
  const manifest = join(other, "package.json");
  put(manifest, JSON.stringify({ ...(JSON.parse(readFileSync(manifest, "utf8")) as object), version }));
  return {
    root: other,
    command: join(other, "dist/bin/hookwarden.js"),
    remove: () => rmSync(other, { recursive: true, force: true }),
  };
}
