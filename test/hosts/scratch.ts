import {
  type Dirent,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A folder of its own for one run of a host: a home, an agent folder and a project, nothing of this machine in it. */
export interface Scratch {
  readonly root: string;
  readonly home: string;
  readonly agent: string;
  readonly project: string;
  /** Writes a file below the root, with its folders, and gives its path. */
  write(path: string, text: string): string;
  remove(): void;
}

/** Put together here, so that no file of the repository holds what looks like a key. */
export const fakeSecret = ["sk_live", "51HqLyj2x9KaZ4bQmT7wRvNc8UeXfG3sPdYo6B"].join("_");

/** Stands at the end of the long file; a truncated context does not reach it. */
export const tailMarker = "END-OF-THE-LONG-FILE";

export function makeScratch(): Scratch {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-host-")));
  const scratch: Scratch = {
    root,
    home: join(root, "home"),
    agent: join(root, "home", "agent"),
    project: join(root, "project"),
    write(path, text) {
      const full = join(root, path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, text);
      return full;
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
  mkdirSync(join(root, "tmp"), { recursive: true });
  scratch.write("project/notes.txt", `first line of the notes\nAPI_KEY=${fakeSecret}\nlast line of the notes\n`);
  scratch.write("project/long.txt", `${"a plain line of text\n".repeat(400)}${tailMarker}\n`);
  mkdirSync(scratch.agent, { recursive: true });
  return scratch;
}

/** Text of every file below a folder whose name ends so, joined; empty when there is none. */
export function textOfFiles(folder: string, ending: string): string {
  return filesBelow(folder)
    .filter((path) => path.endsWith(ending))
    .map(textOf)
    .join("\n");
}

/** Text of a file; nothing of one that a judge process took away when it ended, just after its host. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw fault;
  }
}

/**
 * Paths of all files below a folder; none when it does not exist. Folders are read one by one, because a judge process that
 * ends just after its host takes the folders of its locks away, and one that is gone must not hide the others.
 */
export function filesBelow(folder: string): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw fault;
  }
}
