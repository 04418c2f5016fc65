import { posix } from "node:path";

/** Spellings of one path, each undefined where the path has none of that kind. Pure; paths are POSIX. */

/** Returns the parent folder in the same spelling; `lexical` is the absolute path, for a home folder. */
export function folderAbove(text: string, lexical: string): string | undefined {
  const path = text.length > 1 ? text.replace(/\/+$/, "") : text;
  if (path === "" || path === "/") return undefined;
  if (/^(?:\.\.\/)*\.\.$/.test(path)) return `${path}/..`;
  if (path === ".") return "..";
  if (path === "~") return posix.dirname(lexical);
  const above = posix.dirname(path);
  // The parent of a pattern of folders is several places.
  return posix.basename(path) === ".." || /[*?[\]{}]/.test(above) ? undefined : above;
}

/** Returns the relative form of an absolute path, and the absolute form of a relative one. */
export function otherForm(text: string, lexical: string, cwd: string): string | undefined {
  if (!text.startsWith("/")) return lexical;
  const relative = posix.relative(cwd, lexical);
  return relative === "" ? "." : relative;
}

/** Returns the same place with `..` in it, by way of an existing folder. */
export function withDots(text: string, cwd: string): string | undefined {
  const name = posix.basename(text);
  if (name === "" || name === "." || name === ".." || text.startsWith("~")) return undefined;
  const above = posix.dirname(text);
  if (above === "/") return `/./${name}`;
  if (above === ".") return `./../${posix.basename(cwd)}/${name}`;
  const folder = posix.basename(above);
  return folder === ".." || folder === "." ? undefined : `${above}/../${folder}/${name}`;
}

/** Returns a symlink in the working directory to the folder of a path: the required files, and the path through it. */
export function throughLink(
  lexical: string,
  cwd: string,
): { readonly files: Readonly<Record<string, object>>; readonly path: string } | undefined {
  const folder = posix.dirname(lexical);
  const name = posix.basename(lexical);
  if (name === "" || lexical === cwd || lexical === "/" || cwd === "") return undefined;
  const link = posix.join(cwd, "linked");
  if (folder === link || lexical.startsWith(`${link}/`) || cwd.startsWith(`${lexical}/`)) return undefined;
  return { files: { [link]: { symlink: folder }, [folder]: { directory: true } }, path: `linked/${name}` };
}
