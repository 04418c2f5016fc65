import { posix } from "node:path";

/** Spellings of one path, each undefined where the path has none of that kind. Pure; paths are POSIX. */

/** The folder above, as it would be written; `lexical` is the absolute path, for a home folder. */
export function folderAbove(text: string, lexical: string): string | undefined {
  const path = text.length > 1 ? text.replace(/\/+$/, "") : text;
  if (path === "" || path === "/") return undefined;
  if (/^(?:\.\.\/)*\.\.$/.test(path)) return `${path}/..`;
  if (path === ".") return "..";
  if (path === "~") return posix.dirname(lexical);
  const above = posix.dirname(path);
  // What stands above a pattern of folders is several places.
  return posix.basename(path) === ".." || /[*?[\]{}]/.test(above) ? undefined : above;
}

/** Relative where it is absolute, and absolute where it is relative. */
export function otherForm(text: string, lexical: string, cwd: string): string | undefined {
  if (!text.startsWith("/")) return lexical;
  const relative = posix.relative(cwd, lexical);
  return relative === "" ? "." : relative;
}

/** The same place with `..` in it, by way of a folder that is there. */
export function withDots(text: string, cwd: string): string | undefined {
  const name = posix.basename(text);
  if (name === "" || name === "." || name === ".." || text.startsWith("~")) return undefined;
  const above = posix.dirname(text);
  if (above === "/") return `/./${name}`;
  if (above === ".") return `./../${posix.basename(cwd)}/${name}`;
  const folder = posix.basename(above);
  return folder === ".." || folder === "." ? undefined : `${above}/../${folder}/${name}`;
}

/** A symlink in the working directory to the folder of a path: what the world must hold, and the path through it. */
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
