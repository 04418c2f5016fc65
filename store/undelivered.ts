import { statSync } from "node:fs";
import { join } from "node:path";
import { longestLine, type SegmentFile, segmentsIn, sessionDigest, sessionsIn } from "./segment-files.ts";
import { readOwn } from "./session-file.ts";

/** Decisions that could not be delivered as decided in the last session of a host. */
interface Undelivered {
  readonly times: number;
  /** True where the session has more records than are read for this. */
  readonly atLeast: boolean;
}

/** Bytes of the trail that are read for a count, the newest first. */
const trailBytes = 8_388_608;

/** Most sessions that are searched for one of the host. */
const sessionCount = 16;

/** Matches the start of the field for it: keys are sorted, and a quote inside a text has a backslash before it. */
const short = /[,{]"on_host":\{"delivered":"(?:no|weaker)"/;

/**
 * Describes how many decisions of the host's previous session could not be delivered as decided; undefined if all could, or if
 * the trail cannot be read. Compressed segments are old, so they are not of the previous session.
 */
export function undeliveredText(state: string, host: string, session: string): string | undefined {
  return undeliveredIn(join(state, "audit"), host, session);
}

/** The same for a folder of trails. */
export function undeliveredIn(audit: string, host: string, session: string): string | undefined {
  const found = lastUndelivered(audit, host, session);
  if (!found || found.times === 0) return undefined;
  const { times, atLeast } = found;
  const many = `${atLeast ? "at least " : ""}${times} decision${times === 1 ? "" : "s"}`;
  return `${many} of the last session on ${host} could not be delivered as decided; \`hookwarden audit verify --gaps\` shows ${times === 1 ? "it" : "them"}`;
}

function lastUndelivered(audit: string, host: string, session: string): Undelivered | undefined {
  const left = { bytes: trailBytes };
  for (const segments of newestSessions(audit, session).slice(0, sessionCount)) {
    const found = countIn(segments, `"host":${JSON.stringify(host)}`, left);
    if (found) return found;
  }
  return undefined;
}

/** The segments of all sessions but one, the newest session first. */
function newestSessions(audit: string, session: string): readonly (readonly SegmentFile[])[] {
  const own = sessionDigest(session);
  return sessionsIn(audit)
    .filter((name) => name !== own)
    .map((name) => segmentsIn(join(audit, name)).filter(({ compressed }) => !compressed))
    .map((segments) => ({ segments, time: timeOf(segments.at(-1)?.path) }))
    .filter(({ time }) => time > 0)
    .sort((a, b) => b.time - a.time)
    .map(({ segments }) => segments);
}

function timeOf(path: string | undefined): number {
  return path === undefined ? 0 : (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}

/** Counts undelivered decisions in a session's records; undefined if no record is of the host. */
function countIn(segments: readonly SegmentFile[], mark: string, left: { bytes: number }): Undelivered | undefined {
  let times = 0;
  let isOfHost = false;
  for (const { path } of [...segments].reverse()) {
    const bytes = readable(path, left.bytes);
    if (!bytes) return isOfHost ? { times, atLeast: true } : undefined;
    left.bytes -= bytes.length;
    for (const line of Buffer.from(bytes).toString("utf8").split("\n")) {
      if (line.length > longestLine || !line.includes(mark)) continue;
      isOfHost = true;
      if (short.test(line)) times += 1;
    }
  }
  return isOfHost ? { times, atLeast: false } : undefined;
}

function readable(path: string, most: number): Uint8Array | undefined {
  try {
    return readOwn(path, most);
  } catch {
    return undefined;
  }
}
