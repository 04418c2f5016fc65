/** True if an absolute path is a folder itself or lies in it, by its text. */
export function within(path: string, folder: string): boolean {
  return path === folder || folder === "/" || path.startsWith(`${folder}/`);
}
