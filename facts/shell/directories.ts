/** An absolute path without `.`, `..` and doubled slashes. */
export function cleanPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

/** The directory a shell is in after `cd text`; empty when that cannot be told. */
export function directoryAfter(cwd: string, text: string): string {
  if (text.startsWith("/")) return cleanPath(text);
  return cwd === "" ? "" : cleanPath(`${cwd}/${text}`);
}
