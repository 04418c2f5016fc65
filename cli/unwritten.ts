const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "its file system is read-only",
  ENOENT: "its folder is not there and cannot be made",
  ENOSPC: "no room is left",
  ENOTDIR: "a file stands where its folder should be",
  EEXIST: "a file stands where its folder should be",
  EISDIR: "a folder stands in its place",
};

/** Returns, for people, why a file could not be written; the error's own message if it has no code of the file system. */
export function whyUnwritten(error: unknown): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return Object.hasOwn(reasons, code) ? (reasons[code] as string) : (message ?? String(error));
}
