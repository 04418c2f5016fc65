import { spend, spendText } from "../meter.ts";

/** A file that a patch changes. */
export interface PatchedFile {
  readonly path: string;
  readonly change: "write" | "delete";
  /** Lines that the patch adds, joined. */
  readonly added: string;
}

interface Open {
  readonly path: string;
  readonly change: "write" | "delete";
  readonly lines: string[];
}

/** Files named by a patch: unified diffs and the `*** Update File:` form. One pass over its lines. */
export function patchedFiles(patch: string): PatchedFile[] {
  const files: Open[] = [];
  let old = "";
  spendText(patch.length);
  for (const line of patch.split("\n")) {
    spend(2);
    const marked = line.startsWith("***") ? /^\*\*\* (?:(Add|Update|Delete) File|Move to): (.+)$/s.exec(line) : null;
    if (marked)
      files.push({
        path: nameIn(marked[2] as string),
        change: marked[1] === "Delete" ? "delete" : "write",
        lines: [],
      });
    else if (line.startsWith("--- ")) old = fileOf(line.slice(4));
    else if (line.startsWith("+++ ")) {
      const name = fileOf(line.slice(4));
      if (name === "/dev/null") files.push({ path: old, change: "delete", lines: [] });
      else if (name !== "") files.push({ path: name, change: "write", lines: [] });
    } else if (line.startsWith("+")) files.at(-1)?.lines.push(line.slice(1));
  }
  return files.map(({ path, change, lines }) => ({ path, change, added: lines.join("\n") }));
}

/** Returns a name without trailing blanks; blanks alone are a name. */
function nameIn(text: string): string {
  return text.trimEnd() || text.slice(0, 1);
}

function fileOf(text: string): string {
  const name = (text.split("\t")[0] ?? "").trim();
  return /^[ab]\//.test(name) ? name.slice(2) : name;
}
