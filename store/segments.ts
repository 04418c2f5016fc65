import type { AuditBody, AuditSeal } from "../schema/generated.ts";
import type { AuditStore } from "../schema/ports.ts";
import { locked } from "./lock.ts";
import { sessionFiles } from "./segment-files.ts";
import { SegmentTrail, type TrailEnd, type TrailOptions } from "./segment-trail.ts";
import { ownFolder } from "./session-file.ts";

export {
  linesOfSegment,
  linesOfSession,
  type SegmentFile,
  type SegmentLine,
  type SessionFiles,
  segmentPath,
  segmentsIn,
  segmentsOf,
  sessionDigest,
  sessionFiles,
  sessionsIn,
} from "./segment-files.ts";
export type { TrailEnd, TrailOptions } from "./segment-trail.ts";
export { type PlacedRecord, recordsOfSession } from "./session-records.ts";

/** How a session's trail is opened without its state. */
export interface SegmentOptions extends TrailOptions {
  /** Longest wait for the session's lock, in milliseconds; default 2,000. */
  readonly patience?: number;
}

/** The trail of one session. */
export interface SegmentedTrail extends AuditStore {
  /** Its last record, as this process knows. */
  readonly end: TrailEnd | undefined;
  /** Writes a checkpoint of new records, syncs and closes. Throws when that fails. */
  close(): void;
}

/**
 * Opens the trail of a session for appending, without its state: for a process that records events but judges none by earlier
 * ones. On the disk it is `<folder>/<digest of session>/`, mode 0700, with the segments `000001.jsonl`, `000002.jsonl` …, mode
 * 0600, each a part of the session's single chain. Record numbers continue over all segments, and the first record of each is a
 * header with the head of the previous one. Records are appended to the newest, under `<digest>.lock`. A new segment begins after
 * `segmentBytes`, when a long-lived process opens the session, and after damage; a damaged segment is neither written to again
 * nor cut. An unfinished last line is moved to a separate file and noted with its digest. Lost records are noted by their number
 * (`gap`), and so are jumps of the wall clock. Nothing is created before the first record. Throws if the folder is not ours or
 * cannot be created.
 */
export function openSegments(folder: string, session: string, options: SegmentOptions = {}): SegmentedTrail {
  ownFolder(folder);
  return new OpenSegments(folder, session, options);
}

class OpenSegments implements SegmentedTrail {
  readonly #lock: string;
  readonly #patience: number;
  readonly #trail: SegmentTrail;
  #closed = false;

  constructor(folder: string, session: string, { patience = 2_000, ...options }: SegmentOptions) {
    this.#lock = sessionFiles(folder, session).lock;
    this.#patience = patience;
    this.#trail = new SegmentTrail(folder, session, options);
  }

  get end(): TrailEnd | undefined {
    return this.#trail.end;
  }

  append(body: AuditBody, latencyUs: number): AuditSeal {
    if (this.#closed) throw new Error("the trail is closed");
    return this.#locked(() => this.#trail.append(body, latencyUs, true));
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#locked(() => {
      if (this.#trail.end && this.#trail.behind) this.#trail.attach();
      this.#trail.close(true);
    });
  }

  #locked<T>(work: () => T): T {
    return locked(this.#lock, work, this.#patience);
  }
}
