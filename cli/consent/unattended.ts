import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { dirname } from "node:path";
import { type GuardVerb, isGuardVerb } from "../../store/tokens.ts";

/** The file by which a machine's owner lets verbs run without a question, in images and in CI. */
export const unattendedFile = "/etc/hookwarden/unattended";

/** That file's entry for a verb. */
export type Leave =
  | { readonly kind: "given" }
  | { readonly kind: "none" }
  | { readonly kind: "fault"; readonly why: string };

const mostBytes = 4_096;

/**
 * Reads the file's entry for a verb. Each line holds a verb, with `until YYYY-MM-DD` if it expires; `#` begins a comment.
 * The file counts only if it and the folders above it are root's and nobody else may write them. `now` is milliseconds since
 * the epoch.
 */
export function leaveOf(verb: GuardVerb, path: string, now: number, owner = 0): Leave {
  if (process.platform === "win32") return { kind: "none" };
  try {
    const fault = ownedBy(path, owner);
    if (fault !== undefined) return { kind: "fault", why: fault };
    return verbsIn(textOf(path), verb, now);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR") return { kind: "none" };
    return { kind: "fault", why: `it cannot be read: ${code ?? "it changed"}` };
  }
}

function ownedBy(path: string, owner: number): string | undefined {
  const file = lstatSync(path);
  if (!file.isFile()) return "it is no regular file";
  if (file.size > mostBytes) return `it is larger than ${mostBytes} bytes`;
  if (file.uid !== owner) return `it belongs to user ${file.uid}, not to root`;
  if ((file.mode & 0o022) !== 0) return `its mode ${(file.mode & 0o777).toString(8)} lets others write it`;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const above = lstatSync(folder);
    if (!above.isDirectory()) return `\`${folder}\` is no folder`;
    if (above.uid !== owner && above.uid !== 0) return `\`${folder}\` belongs to user ${above.uid}, not to root`;
    // In a sticky folder nobody can replace another user's file.
    if ((above.mode & 0o022) !== 0 && (above.mode & 0o1000) === 0) return `others may write to \`${folder}\``;
    if (dirname(folder) === folder) return undefined;
  }
}

function textOf(path: string): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!fstatSync(file).isFile()) throw new Error("no regular file");
    const bytes = Buffer.alloc(mostBytes);
    return bytes.toString("utf8", 0, readSync(file, bytes, 0, mostBytes, 0));
  } finally {
    closeSync(file);
  }
}

/** Reads the verbs. One unreadable line makes the whole file a fault, so that nobody relies on it. */
function verbsIn(text: string, verb: GuardVerb, now: number): Leave {
  let given = false;
  for (const [at, line] of text.split("\n").entries()) {
    const words = line.replace(/#.*/, "").trim();
    if (words === "") continue;
    const [, name = "", until] = /^([a-z-]+)(?:\s+until\s+(\d{4}-\d{2}-\d{2}))?$/.exec(words) ?? [];
    const end = until === undefined ? Number.POSITIVE_INFINITY : Date.parse(`${until}T23:59:59Z`);
    if (!isGuardVerb(name) || Number.isNaN(end))
      return { kind: "fault", why: `line ${at + 1} is no verb with a date: \`${words.slice(0, 40)}\`` };
    if (name === verb && now <= end) given = true;
  }
  return { kind: given ? "given" : "none" };
}
