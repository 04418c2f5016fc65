import { spend, spendText } from "../meter.ts";

const unclean = /\/\.{0,2}(?:\/|$)/;

/** An absolute path without `.`, `..` and doubled slashes. */
export function cleanPath(path: string): string {
  spendText(path.length);
  if (path[0] === "/" && !unclean.test(path)) return path;
  spend(path.length >> 3);
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

// No system changes to a folder with a longer path; many steps down would take time in their square.
const longest = 4096;

/** Returns the directory of a shell after `cd text`; empty if unknown. */
export function directoryAfter(cwd: string, text: string): string {
  const absolute = text.startsWith("/");
  if (!absolute && cwd === "") return "";
  const path = cleanPath(absolute ? text : `${cwd}/${text}`);
  return path.length > longest ? "" : path;
}
