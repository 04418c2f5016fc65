/** A file that a patch changes. */
export interface PatchedFile {
  readonly path: string;
  readonly change: "write" | "delete";
}

/** Files named by a patch: unified diffs and the `*** Update File:` form. One pass over its lines. */
export function patchedFiles(patch: string): PatchedFile[] {
  const files: PatchedFile[] = [];
  let old = "";
  for (const line of patch.split("\n")) {
    const marked = /^\*\*\* (Add|Update|Delete) File: (.+?)\s*$/.exec(line);
    const moved = /^\*\*\* Move to: (.+?)\s*$/.exec(line);
    if (marked) files.push({ path: marked[2] as string, change: marked[1] === "Delete" ? "delete" : "write" });
    else if (moved) files.push({ path: moved[1] as string, change: "write" });
    else if (line.startsWith("--- ")) old = fileOf(line.slice(4));
    else if (line.startsWith("+++ ")) {
      const name = fileOf(line.slice(4));
      if (name === "/dev/null") files.push({ path: old, change: "delete" });
      else if (name !== "") files.push({ path: name, change: "write" });
    }
  }
  return files;
}

function fileOf(text: string): string {
  const name = (text.split("\t")[0] ?? "").trim();
  return /^[ab]\//.test(name) ? name.slice(2) : name;
}
