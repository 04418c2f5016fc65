import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import { packageOf } from "./bundles.ts";

/** A package folder below the root, from an input path inside it. */
function folderOf(input: string): string | undefined {
  const name = packageOf(input);
  return name === undefined ? undefined : input.slice(0, input.lastIndexOf("node_modules/") + 13 + name.length);
}

/** Its run-time helper is part of schema/validators.generated.js, where no metafile can see it. */
const alwaysCarried = "node_modules/ajv";

/**
 * Name, version and licence text of every package whose code is inside a bundle.
 * Throws an Error when one has no licence text: such a package may not be bundled.
 */
export async function thirdPartyNotices(root: string, metafiles: readonly Metafile[]): Promise<string> {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  const folders = new Set([alwaysCarried, ...inputs.flatMap((input) => folderOf(input) ?? [])]);
  const notices = await Promise.all([...folders].sort().map((folder) => notice(root, join(root, folder))));
  const head = "Code of these packages is part of the bundles in this distribution.\n";
  return `${head}\n${notices.join(`\n${"-".repeat(80)}\n\n`)}`;
}

async function notice(root: string, folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|copying|notice)(\.|$)/i.test(file)).sort();
  // The Apache licence has one text, which is this package's own as well.
  const paths =
    files.length === 0 && license === "Apache-2.0" ? [join(root, "LICENSE")] : files.map((f) => join(folder, f));
  if (paths.length === 0) throw new Error(`${name} has no licence file`);
  const texts = await Promise.all(paths.map((path) => readFile(path, "utf8")));
  return `${name} ${version} (${license})\n\n${texts.map((text) => text.trim()).join("\n\n")}\n`;
}
