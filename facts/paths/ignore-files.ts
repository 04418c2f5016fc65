import { limits } from "../../schema/limits.ts";
import type { FileSystem } from "../../schema/ports.ts";
import { spend, spendText } from "../meter.ts";
import { withoutEnd } from "../text/ends.ts";
import { type Component, literalComponents, mayMeet, unknownComponents } from "./pattern.ts";

/** One line of an ignore file. */
interface IgnoreLine {
  /** Names below the folder of the file. */
  readonly pattern: readonly Component[];
  readonly keeps: boolean;
  readonly foldersOnly: boolean;
  /** git reads it too, not searches alone. */
  readonly git: boolean;
  /** Number of names above the entry that the pattern names. */
  readonly depth: number;
}

/** Lines of ignore files that hold in a folder: those of the folders above it first. */
export type IgnoreLines = readonly IgnoreLine[];

/** Ignore files, those that decide over others last. Source: gitignore(5); the manual of ripgrep, "Automatic filtering". */
const names = [".gitignore", ".ignore", ".rgignore"] as const;

/** True for a name of an ignore file. */
export function isIgnoreFile(name: string): boolean {
  return (names as readonly string[]).includes(name);
}

/**
 * Returns the lines in force in a folder with ignore files. A file that cannot be read, or is over a bound, ignores nothing: more
 * is then taken, which is stricter. `depth` is the number of names between the root and the folder.
 */
export function withIgnoreFiles(
  above: IgnoreLines,
  folder: string,
  present: readonly string[],
  depth: number,
  files: FileSystem,
): IgnoreLines {
  const lines = [...above];
  for (const name of names) {
    if (!present.includes(name)) continue;
    const text = files.readText(`${folder === "/" ? "" : folder}/${name}`, limits.ignoreBytes);
    spendText(text?.length ?? 0);
    const written = text?.split("\n") ?? [];
    if (written.length <= limits.ignoreLines)
      lines.push(...written.flatMap((line) => lineOf(line, name === ".gitignore", depth)));
  }
  return lines;
}

/** Returns a line without trailing blanks, except one after a backslash. */
function withoutBlanks(line: string): string {
  const bare = withoutEnd(line, " ");
  return bare.endsWith("\\") && bare.length < line.length ? `${bare} ` : bare;
}

function lineOf(written: string, git: boolean, depth: number): IgnoreLine[] {
  const line = withoutBlanks(written.replace(/\r$/, ""));
  if (line === "" || line.startsWith("#")) return [];
  const keeps = line.startsWith("!");
  const given = keeps ? line.slice(1) : line;
  const foldersOnly = given.endsWith("/");
  const text = foldersOnly ? given.slice(0, -1) : given;
  const rooted = text.includes("/") ? text : `**/${text}`;
  const pattern = unknownComponents(rooted.endsWith("/**") ? `${rooted}/*` : rooted);
  return pattern.length === 0 ? [] : [{ pattern, keeps, foldersOnly, git, depth }];
}

/** Tells whether ignore files exclude a path, given by its names below the root: for a search, and for git. */
export function ignoredBy(
  lines: IgnoreLines,
  path: readonly string[],
  isFolder: boolean,
): { readonly search: boolean; readonly git: boolean } {
  const found = { search: false, git: false };
  spend(lines.length);
  for (const { pattern, keeps, foldersOnly, git, depth } of lines) {
    if (foldersOnly && !isFolder) continue;
    if (!mayMeet(literalComponents(path.slice(depth).join("/")), pattern)) continue;
    found.search = !keeps;
    if (git) found.git = !keeps;
  }
  return found;
}
