import { basename, dirname, join } from "node:path";
import { type Checkpoint, parseCheckpoint } from "../engine/audit/checkpoint.ts";
import { consistencyRanges, inclusionRanges, leafHash, RangeRoots } from "../engine/audit/merkle.ts";
import { parseNote } from "../engine/audit/note.ts";
import type { ConsistencyProof, InclusionProof } from "../engine/audit/proof.ts";
import { checkLine } from "../engine/chain.ts";
import { loadVerifiers } from "./audit-keys.ts";
import { eachAuditLine } from "./audit-lines.ts";
import { checkpointLog } from "./checkpoints.ts";
import { type SegmentFile, segmentsIn } from "./segment-files.ts";

/** A proof, or the reason why there is none. */
export type Proved<T> = { readonly proof: T } | { readonly why: string };

/**
 * Proves that the record with this number is in its segment, against the newest checkpoint that covers it. `sessionFolder` is
 * the folder of one session in an audit folder. Reads the segment twice, in memory that does not grow with it. Rejects with
 * what reading throws.
 */
export async function proveRecord(sessionFolder: string, seq: number): Promise<Proved<InclusionProof>> {
  const found = await findRecord(sessionFolder, seq);
  if (!found) return { why: `the session has no record ${seq}` };
  const { segment, index, line } = found;
  const covering = (await checkpointsIn(sessionFolder, segment.number)).filter(({ size }) => size > index);
  const newest = covering.at(-1);
  if (!newest) return { why: `no checkpoint covers record ${seq} yet` };
  const proof = await rootsIn(segment, inclusionRanges(index, newest.size) ?? []);
  if (!proof) return { why: "the segment is shorter than its checkpoint" };
  const rotations = rotationsOf(sessionFolder);
  return { proof: { v: 1, kind: "inclusion", line, index, checkpoint: newest.note, rotations, proof } };
}

/**
 * Proves that a segment only grew: its state at checkpoint `from` of the log of checkpoints is the beginning of its state at
 * checkpoint `to`. By default these are the segment's first and last checkpoint. Rejects with what reading throws.
 */
export async function proveGrowth(
  sessionFolder: string,
  number: number,
  between: { readonly from?: number; readonly to?: number },
): Promise<Proved<ConsistencyProof>> {
  const segment = segmentsIn(sessionFolder).find((one) => one.number === number);
  if (!segment) return { why: `the session has no segment ${number}` };
  const all = await checkpointsIn(sessionFolder, number);
  const first = between.from === undefined ? all[0] : all.find(({ at }) => at === between.from);
  const second = between.to === undefined ? all.at(-1) : all.find(({ at }) => at === between.to);
  if (!first || !second) return { why: `segment ${number} has no such checkpoint` };
  const ranges = consistencyRanges(first.size, second.size);
  if (!ranges) return { why: "the first checkpoint covers more than the second" };
  const proof = await rootsIn(segment, ranges);
  if (!proof) return { why: "the segment is shorter than its checkpoint" };
  const rotations = rotationsOf(sessionFolder);
  return { proof: { v: 1, kind: "consistency", first: first.note, second: second.note, rotations, proof } };
}

interface Found {
  readonly segment: SegmentFile;
  readonly index: number;
  readonly line: string;
}

async function findRecord(sessionFolder: string, seq: number): Promise<Found | undefined> {
  let found: Found | undefined;
  for (const segment of segmentsIn(sessionFolder)) {
    await eachAuditLine(segment.path, ({ bytes, number }) => {
      if (found || !bytes || !Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(`"seq":${seq},`))
        return;
      const check = checkLine(bytes);
      if (check.ok && check.record.seal.seq === seq)
        found = { segment, index: number - 1, line: Buffer.from(bytes).toString("utf8") };
    });
    if (found) return found;
  }
  return undefined;
}

/** A checkpoint with its note, and its number in the log. */
type Noted = Checkpoint & { readonly note: string; readonly at: number };

async function checkpointsIn(sessionFolder: string, number: number): Promise<readonly Noted[]> {
  const found: Noted[] = [];
  const session = basename(sessionFolder);
  await eachAuditLine(join(dirname(sessionFolder), checkpointLog), ({ bytes }) => {
    const check = bytes && checkLine(bytes);
    if (!check?.ok) return;
    const { observations } = check.record.body;
    const note = typeof observations["note"] === "string" ? observations["note"] : "";
    const checkpoint = parseCheckpoint(parseNote(note)?.text ?? "");
    if (checkpoint?.session === session && checkpoint.segment === number)
      found.push({ ...checkpoint, note, at: check.record.seal.seq });
  });
  return found;
}

async function rootsIn(
  segment: SegmentFile,
  ranges: ConstructorParameters<typeof RangeRoots>[0],
): Promise<readonly string[] | undefined> {
  const roots = new RangeRoots(ranges);
  await eachAuditLine(segment.path, ({ bytes, complete }) => {
    if (bytes && complete) roots.add(leafHash(bytes));
  });
  return roots.roots()?.map((root) => Buffer.from(root).toString("base64"));
}

function rotationsOf(sessionFolder: string): readonly string[] {
  const { rotations } = loadVerifiers(dirname(dirname(sessionFolder)));
  return [...rotations].sort(([a], [b]) => a - b).map(([, note]) => note);
}
