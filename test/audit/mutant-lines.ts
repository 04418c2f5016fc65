import { lstatSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";

/** The text of a file of a trail, unpacked. */
export function textOfFile(path: string): string {
  const bytes = readFileSync(path);
  return (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("latin1");
}

/** Complete lines of a file of a trail, unpacked. */
export function linesOfFile(path: string): string[] {
  return textOfFile(path).split("\n").slice(0, -1);
}

/** Writes the text of a file of a trail, packed where it was. Texts are bytes, so that nothing is lost. */
export function writeText(path: string, text: string): void {
  const bytes = Buffer.from(text, "latin1");
  writeFileSync(path, path.endsWith(".gz") ? gzipSync(bytes) : bytes);
}

/** Every file below a folder, as names in it, also behind links. */
export function filesBelow(folder: string, inner = ""): string[] {
  return readdirSync(join(folder, inner), { withFileTypes: true })
    .flatMap((entry) => {
      const name = inner === "" ? entry.name : `${inner}/${entry.name}`;
      // One level behind a link: it may lead back here.
      const isFolder =
        entry.isDirectory() || (entry.isSymbolicLink() && inner === "" && leadsToFolder(join(folder, name)));
      return isFolder ? filesBelow(folder, name) : [name];
    })
    .sort();
}

function leadsToFolder(path: string): boolean {
  return /\/[0-9a-f]{64}$/.test(path) && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** True for a regular file. */
export function isRegular(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
