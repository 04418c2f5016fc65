import { lstatSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { Checkpoint } from "../engine/audit/checkpoint.ts";
import type { NoteKey } from "../engine/audit/note.ts";
import { loadVerifiers } from "./audit-keys.ts";
import { type CheckpointLog, readCheckpointLog, segmentKey } from "./checkpoint-log.ts";
import { checkpointLog } from "./checkpoints.ts";
import { type RetiredSession, readRetired, retiredLog, retiredTrail } from "./retired-log.ts";
import { type AuditStatus, checkSegment, type FileReport, placeFault, readFault } from "./segment-check.ts";
import { segmentsIn, sessionsIn } from "./segment-files.ts";
import { strangeNames } from "./strange-names.ts";
import { checkTornLines, type RecoveredLine } from "./torn-lines.ts";

/** Inputs to the check of a trail, beside the trail itself. */
export interface VerifyOptions {
  /** Keys that the user kept elsewhere, by epoch; they go before those beside the trail. */
  readonly keys?: ReadonlyMap<number, NoteKey>;
  /** The copy of the log of checkpoints that was kept elsewhere. */
  readonly copy?: string;
  /** Hash that the last record must have: of a file, or of the log of checkpoints of a folder. */
  readonly head?: string;
}

/** Result of checking one file or folder. */
export interface AuditReport {
  readonly place: string;
  /** The worst of its files: altered, then unchecked, incomplete, intact. */
  readonly status: AuditStatus;
  readonly records: number;
  readonly head?: string;
  /** Every file of a folder; the one file otherwise. */
  readonly files: readonly FileReport[];
  /** Signed checkpoints that the records were compared with. */
  readonly checkpoints: number;
  /** Changes that the check could not have seen, each in a few words; empty when there are none. */
  readonly unseen: readonly string[];
  /** Entries of the folder that belong to no trail, by their path in it. They alter nothing, but hookwarden did not put them there. */
  readonly strange: readonly string[];
}

const worstFirst: readonly AuditStatus[] = ["altered", "unchecked", "incomplete", "intact"];

/** Returns the worst of some statuses; `unchecked` if there are none. */
export function worstOf(statuses: readonly AuditStatus[]): AuditStatus {
  return worstFirst.find((status) => statuses.includes(status)) ?? "unchecked";
}

/**
 * Checks an audit file, the folder of one session, or a whole audit folder: every segment of every session in order, the log of
 * checkpoints and its copy, and the trail of retired sessions. One pass, in memory that does not grow with the records. `place`
 * is resolved against `cwd`; the report names it as given. Never rejects: an unreadable file is reported.
 */
export async function verifyAudit(place: string, cwd: string, options: VerifyOptions): Promise<AuditReport> {
  const path = resolve(cwd, place);
  try {
    if (!statSync(path).isDirectory()) return await verifyFile(place, path, options);
    // By its name: a stray file that is called like a segment makes no session of an audit folder.
    const session = /^[0-9a-f]{64}$/.test(basename(path)) ? basename(path) : undefined;
    return await new FolderCheck(place, session === undefined ? path : dirname(path), session, options, cwd).run();
  } catch (error) {
    return reportOf(place, [{ file: place, status: "unchecked", records: 0, why: readFault(error) }], 0, []);
  }
}

/** Checks a single file. A session's segment names the point that it continues from; records before that point are reported as unseen. */
async function verifyFile(place: string, path: string, { head }: VerifyOptions): Promise<AuditReport> {
  const isSegment = /^\d{6,12}\.jsonl(\.gz)?$/.test(basename(path));
  const segment = { path, file: place, session: undefined, number: undefined, checkpoints: [] };
  const { report, end } = await checkSegment({ ...segment, after: isSegment ? undefined : beginning });
  const unseen = [
    ...(head === undefined ? ["records cut off at the end (no `--head`)"] : []),
    "a trail that was written anew as a whole (a file by itself has no checkpoints)",
    ...(isSegment && end.seq + 1 > report.records ? ["the segments before it"] : []),
  ];
  return reportOf(place, [withHead(report, head)], 0, unseen);
}

const beginning = { seq: -1, hash: `sha256:${"0".repeat(64)}` };

function withHead(report: FileReport, head: string | undefined): FileReport {
  if (report.status !== "intact") return report;
  if (report.records === 0) return { ...report, status: "unchecked", why: "it holds no record" };
  if (head === undefined || head === report.head) return report;
  const why = "its last record is not the one that `--head` names: records were removed or added";
  return { ...report, status: "altered", why };
}

/** A whole audit folder, or one session in it. */
class FolderCheck {
  readonly #place: string;
  readonly #folder: string;
  readonly #only: string | undefined;
  readonly #options: VerifyOptions;
  readonly #cwd: string;
  readonly #files: FileReport[] = [];
  readonly #unseen: string[] = [];
  #keys: ReadonlyMap<number, NoteKey> = new Map();
  #log: CheckpointLog | undefined;
  #copy: CheckpointLog | undefined;
  #uncovered = 0;
  #besideKeys = 0;

  constructor(place: string, folder: string, only: string | undefined, options: VerifyOptions, cwd: string) {
    this.#place = place;
    this.#folder = folder;
    this.#only = only;
    this.#options = options;
    this.#cwd = cwd;
  }

  async run(): Promise<AuditReport> {
    this.#readKeys();
    await this.#readCheckpoints();
    const retired = await this.#readRetired();
    for (const session of this.#sessions()) await this.#checkSession(session, retired.get(session));
    const covering = this.#log ?? this.#copy;
    const checkpoints = [...(covering?.bySegment.values() ?? [])].reduce((sum, list) => sum + list.length, 0);
    if (this.#files.every(({ status, records }) => status === "intact" && records === 0)) {
      this.#files.push({ file: this.#place, status: "unchecked", records: 0, why: "it holds no audit trail" });
    }
    this.#sayUnseen(checkpoints);
    const { head } = this.#log?.report ?? {};
    const report = reportOf(
      this.#place,
      this.#files,
      checkpoints,
      this.#unseen,
      strangeNames(this.#folder, this.#only),
    );
    // Checkpoints are about records, and do not count as records of a session.
    const aside = (this.#log?.report.records ?? 0) + (this.#copy?.report.records ?? 0);
    return { ...report, records: report.records - aside, ...(head !== undefined && { head }) };
  }

  /** Reads the keys beside the folder, overridden by those of the user. Two different keys of one epoch cannot both be right. */
  #readKeys(): void {
    const given = this.#options.keys ?? new Map<number, NoteKey>();
    const beside = loadVerifiers(dirname(this.#folder)).keys;
    for (const [epoch, key] of given) {
      const other = beside.get(epoch);
      if (other && !Buffer.from(other.publicKey).equals(key.publicKey)) {
        const why = `the key of epoch ${epoch} beside the trail is not the one of \`--key\``;
        this.#files.push({ file: `audit-${epoch}.pub`, status: "altered", records: 0, why });
      }
    }
    this.#keys = new Map([...beside, ...given]);
    this.#besideKeys = beside.size;
  }

  async #readCheckpoints(): Promise<void> {
    const path = join(this.#folder, checkpointLog);
    const fault = placeFault(path);
    if (fault !== undefined) {
      this.#files.push({ file: this.#named(path), status: "altered", records: 0, why: fault });
    } else if (exists(path)) {
      this.#log = await readCheckpointLog(path, this.#named(path), this.#keys);
      this.#files.push(this.#only === undefined ? withHead(this.#log.report, this.#options.head) : this.#log.report);
    } else if (this.#besideKeys > 0) {
      const why = "it is missing, though there are keys that sign it";
      this.#files.push({ file: this.#named(path), status: "altered", records: 0, why });
    } else if (this.#options.head !== undefined) {
      const why = "there is no log of checkpoints whose last record `--head` could name";
      this.#files.push({ file: this.#named(path), status: "unchecked", records: 0, why });
    }
    if (this.#options.copy === undefined) return;
    const copy = resolve(this.#cwd, this.#options.copy);
    try {
      this.#copy = await readCheckpointLog(copy, this.#options.copy, this.#keys, true);
      this.#files.push(this.#compared(this.#copy));
    } catch (error) {
      this.#files.push({ file: this.#options.copy, status: "unchecked", records: 0, why: readFault(error) });
    }
  }

  /** Checks that every record of the copy is in the log: a copy kept elsewhere cannot be rolled back here. */
  #compared(copy: CheckpointLog): FileReport {
    const { report } = copy;
    if (report.status === "altered") return report;
    if (report.records === 0) return { ...report, status: "unchecked", why: "it holds no checkpoint" };
    for (const [seq, hash] of copy.hashes) {
      const here = this.#log?.hashes.get(seq);
      if (here === hash) continue;
      const log = `\`${checkpointLog}\``;
      const why = here === undefined ? `record ${seq} is missing in ${log}` : `record ${seq} is another one in ${log}`;
      return { ...report, status: "altered", seq, why: `${why}: the trail was rolled back or written anew` };
    }
    return report;
  }

  async #readRetired(): Promise<ReadonlyMap<string, RetiredSession>> {
    const path = join(this.#folder, retiredLog);
    const checkpoints = this.#checkpointsOf(retiredTrail, 1);
    if (!exists(path)) {
      const why = "it is missing, though checkpoints cover it";
      if (checkpoints.length > 0) this.#files.push({ file: this.#named(path), status: "altered", records: 0, why });
      return new Map();
    }
    const segment = { path, file: this.#named(path), session: undefined, number: undefined, after: beginning };
    this.#files.push((await checkSegment({ ...segment, checkpoints })).report);
    if (placeFault(path) !== undefined) return new Map();
    return readRetired(path, checkpoints.at(-1)?.size ?? 0);
  }

  /** Lists the sessions in the folder, and those that a checkpoint says were there. */
  #sessions(): readonly string[] {
    if (this.#only !== undefined) return [this.#only];
    const named = [...(this.#log?.bySegment.keys() ?? []), ...(this.#copy?.bySegment.keys() ?? [])];
    const found = new Set([...sessionsIn(this.#folder), ...named.map((key) => key.slice(0, key.lastIndexOf("/")))]);
    found.delete(retiredTrail);
    return [...found].sort();
  }

  async #checkSession(session: string, retired: RetiredSession | undefined): Promise<void> {
    const folder = join(this.#folder, session);
    const segments = new Map(segmentsAt(folder).map((segment) => [segment.number, segment.path]));
    const last = Math.max(0, ...segments.keys(), ...this.#checkpointed(session));
    if (segments.size === 0 && retired) return this.#compareRetired(session, retired);
    const recovered: RecoveredLine[] = [];
    let after: { readonly seq: number; readonly hash: string } | undefined = beginning;
    for (let number = 1; number <= last; number++) {
      const path = segments.get(number);
      const checkpoints = this.#checkpointsOf(session, number);
      const file = this.#named(path ?? join(folder, `${segmentKey("", number).slice(1)}.jsonl`));
      if (path === undefined) {
        const covered = checkpoints.length > 0 ? "checkpoints cover" : "later ones follow";
        this.#files.push({ file, status: "altered", records: 0, why: `the segment is missing, though ${covered} it` });
        after = undefined;
        continue;
      }
      const checked = await checkSegment({ path, file, session, number, after, checkpoints });
      const torn = checked.report.status === "incomplete" && number < last;
      const why = "its last line is not finished, though segments follow";
      this.#files.push(torn ? { ...checked.report, status: "altered", why } : checked.report);
      after = checked.report.status === "intact" ? checked.end : undefined;
      this.#uncovered += checked.uncovered;
      recovered.push(...checked.recovered);
    }
    const torn = checkTornLines(folder, recovered);
    for (const { path, why } of torn.faults)
      this.#files.push({ file: this.#named(path), status: "altered", records: 0, why });
    for (const path of torn.unknown)
      this.#unseen.push(`what stands in \`${this.#named(path)}\` (no record speaks of it)`);
  }

  /** Checks that the note of a retired session agrees with the session's last checkpoint. */
  #compareRetired(session: string, retired: RetiredSession): void {
    const newest = Math.max(0, ...this.#checkpointed(session));
    const last = this.#checkpointsOf(session, newest).at(-1);
    if (!last || (last.seq < retired.records && (last.seq !== retired.records - 1 || last.head === retired.head)))
      return;
    const why = `session ${session} was retired with ${retired.records} records, which is not what its checkpoints cover`;
    this.#files.push({ file: this.#named(join(this.#folder, retiredLog)), status: "altered", records: 0, why });
  }

  /** Numbers of the segments of a session that have checkpoints. */
  #checkpointed(session: string): readonly number[] {
    const keys = [...(this.#log?.bySegment.keys() ?? []), ...(this.#copy?.bySegment.keys() ?? [])];
    return keys.filter((key) => key.startsWith(`${session}/`)).map((key) => Number(key.slice(session.length + 1)));
  }

  /** Returns the checkpoints of a segment, by size: those of the log, and those of the copy, in case the log was lost. */
  #checkpointsOf(session: string, number: number): readonly Checkpoint[] {
    const key = segmentKey(session, number);
    const all = [...(this.#log?.bySegment.get(key) ?? []), ...(this.#copy?.bySegment.get(key) ?? [])];
    return all.sort((a, b) => a.size - b.size);
  }

  #sayUnseen(checkpoints: number): void {
    const say = (text: string) => this.#unseen.push(text);
    if (checkpoints === 0)
      say("a session that was cut off, removed or written anew (no checkpoints; see `audit init`)");
    else if (this.#keys.size === 0) say("forged checkpoints (no key)");
    else if (!this.#options.keys?.size)
      say("forged checkpoints, if the keys beside the trail were replaced (no `--key`)");
    const unsigned = this.#log?.unsigned ?? 0;
    if (checkpoints > 0 && this.#keys.size > 0 && unsigned > 0)
      say(`forgery of ${unsigned} checkpoints of an unknown key`);
    if (checkpoints > 0 && !this.#copy) say("a rollback of the whole folder (no `--checkpoints` from elsewhere)");
    const missed = this.#copy && this.#log ? this.#log.hashes.size - this.#copy.hashes.size : 0;
    if (missed > 0) say(`a rollback of the last ${missed} checkpoints (the copy does not have them)`);
    if (checkpoints > 0 && this.#uncovered > 0)
      say(`removal of the last records of sessions (${this.#uncovered} stand after the last checkpoint)`);
  }

  #named(path: string): string {
    return join(this.#place, relative(resolve(this.#cwd, this.#place), path));
  }
}

function reportOf(
  place: string,
  files: readonly FileReport[],
  checkpoints: number,
  unseen: readonly string[],
  strange: readonly string[] = [],
): AuditReport {
  const [only] = files.length === 1 ? files : [];
  return {
    place,
    status: worstOf(files.map(({ status }) => status)),
    records: files.reduce((sum, { records }) => sum + records, 0),
    ...(only?.head !== undefined && { head: only.head }),
    files,
    checkpoints,
    unseen,
    strange,
  };
}

/** Lists the segments of a session; empty if it has no folder, which is reported as a strange entry or as missing. */
function segmentsAt(folder: string): ReturnType<typeof segmentsIn> {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? segmentsIn(folder) : [];
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
