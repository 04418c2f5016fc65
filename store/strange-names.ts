import { lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { segmentsIn } from "./segment-files.ts";

const lock = "\\.lock(?:\\.break){0,3}";

/** Expected names in an audit folder: sessions, logs, locks, and files that an ended process may leave. */
const folderNames = new RegExp(
  `^(?:[0-9a-f]{64}(?:${lock})?|(?:checkpoints|retired)\\.jsonl(?:\\.torn-\\d{1,5}|${lock})?|checkpoints${lock}|owners|` +
    "retiring-[0-9a-f]{64}|\\.[0-9a-z.]+\\.tmp)$",
);

/** Expected names in the folder of a session. */
const sessionNames = /^(?:(?!0+\.)\d{6,12}\.jsonl(?:\.gz|\.torn-\d{1,5})?|state\.json|lost|\.[0-9a-z.]+\.tmp)$/;

/**
 * Lists entries of an audit folder that belong to no trail, by their path in it, sorted: other names, session folders without a
 * segment, segments that do not count, and links in place of files and folders. Their content is never read as part of a trail,
 * so they alter nothing, but someone put them there. `only` restricts the list to the folder of one session.
 */
export function strangeNames(folder: string, only?: string): readonly string[] {
  if (only !== undefined) return strangeIn(folder, only).sort();
  return namesIn(folder)
    .flatMap((name) => {
      if (!folderNames.test(name)) return [name];
      if (/^[0-9a-f]{64}$/.test(name)) return strangeIn(folder, name);
      return isLink(join(folder, name)) ? [name] : [];
    })
    .sort();
}

function strangeIn(folder: string, session: string): string[] {
  const path = join(folder, session);
  const segments = statSync(path, { throwIfNoEntry: false })?.isDirectory() ? segmentsIn(path) : [];
  const counted = new Set(segments.map((segment) => segment.path));
  const names = namesIn(path).filter((name) => {
    const isSegment = /^\d{6,12}\.jsonl(\.gz)?$/.test(name);
    return !sessionNames.test(name) || (isSegment && !counted.has(join(path, name))) || isLink(join(path, name));
  });
  const own = isLink(path) || segments.length === 0 ? [session] : [];
  return [...own, ...names.map((name) => `${session}/${name}`)];
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
