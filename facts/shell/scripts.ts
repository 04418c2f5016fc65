import { spend } from "../meter.ts";
import { isKnown } from "../programs/registry.ts";
import { withoutEnd } from "../text/ends.ts";
import { type Atom, type Field, literalField } from "./fields.ts";
import { programName } from "./names.ts";
import { fileKey, held, type WrittenFile, type WrittenFiles } from "./written.ts";

/** Ways in which a written file is run: words of the interpreter with the file behind them. */
export interface ScriptRuns {
  /** Key under which the file is remembered. */
  readonly key: string;
  readonly runs: readonly (readonly Field[])[];
  /** False when the name may also mean another program. */
  readonly certain: boolean;
}

/** Returns the interpreter that a script's first line names, with its one argument; a shell if it names none. */
export function interpreterOf(text: string): readonly string[] {
  const end = text.indexOf("\n");
  const line = text.slice(0, end < 0 ? 256 : Math.min(end, 256));
  const [, program = "sh", argument = ""] = /^#![ \t]*(\S+)[ \t]*(.*)$/s.exec(line) ?? [];
  const words = [program, argument.trim()].filter((word) => word !== "");
  // `/usr/bin/env X` stays as written, and so does any other interpreter: it may be installed at that path.
  return words.length > 0 ? words : ["sh"];
}

/**
 * Returns how a program word runs a file that the text wrote: by path, by a name of no known program, or by any name if the
 * search path was changed to the folder of such a file.
 */
export function scriptRuns(
  head: Field,
  args: readonly Field[],
  cwd: string,
  files: WrittenFiles,
  path: string | undefined,
): ScriptRuns | undefined {
  const found =
    head.text.includes("/") || head.kind === "unknown" ? byPath(head, cwd, files) : byName(head, files, path);
  if (found?.file.program !== "") return undefined;
  const interpreters = new Map<string, { readonly words: readonly string[]; readonly texts: Atom[] }>();
  for (const text of found.file.texts) {
    const words = interpreterOf(text.text);
    const id = words.join(" ");
    const known = interpreters.get(id);
    if (known) known.texts.push(text);
    else interpreters.set(id, { words, texts: [text] });
  }
  const runs = [...interpreters.values()].map(({ words, texts }) => [
    ...words.map((word) => literalField(word, head.place)),
    { ...head, ...held(texts, found.file.varies) },
    ...args,
  ]);
  return { key: found.key, runs, certain: found.certain && interpreters.size === 1 };
}

interface Found {
  readonly key: string;
  readonly file: WrittenFile;
  readonly certain: boolean;
}

function byPath(head: Field, cwd: string, files: WrittenFiles): Found | undefined {
  const key = fileKey(head, cwd);
  const found = key === undefined ? undefined : files.at(key);
  if (found || key === undefined) return found && { key: found.key, file: found.file, certain: found.exact };
  const inside = files.beneathUnpacked(head.text, key);
  return inside && { key, file: inside, certain: false };
}

function byName(head: Field, files: WrittenFiles, path: string | undefined): Found | undefined {
  if (head.kind !== "literal") return undefined;
  const found = files.named(head.text);
  if (!found) return undefined;
  const folder = found.key.slice(0, found.key.lastIndexOf("/"));
  spend((path?.length ?? 0) >> 4);
  const searched = path?.split(":").some((one) => isFolder(one, folder)) === true;
  if (isKnown(programName(head.text)) && !searched) return undefined;
  return { ...found, certain: false };
}

/** True for an entry of the search path that is the folder, or a relative one, which may be. */
function isFolder(entry: string, folder: string): boolean {
  return withoutEnd(entry, "/") === folder || !/^[/$]/.test(entry);
}

/** Returns the known program of which the called file is a copy; empty if there is none. */
export function copiedProgram(head: Field, cwd: string, files: WrittenFiles): string {
  if (files.empty) return "";
  if (!head.text.includes("/")) {
    const base = programName(head.text);
    return isKnown(base) ? "" : (files.named(base)?.file.program ?? "");
  }
  const key = fileKey(head, cwd);
  return key === undefined ? "" : (files.at(key)?.file.program ?? "");
}
