import { existsSync } from "node:fs";
import { join } from "node:path";
import { type NoteKey, parseNote, parseVerifierKey } from "../../engine/audit/note.ts";
import { type AuditReport, verifyAudit } from "../../store/audit-verify.ts";
import { Random } from "../properties/language/random.ts";
import { type IndependentReport, independentReport } from "./independent.ts";
import { filesBelow, isRegular, linesOfFile } from "./mutant-lines.ts";
import { kinds, type Trail, Trails } from "./mutant-places.ts";
import { mutate } from "./mutations.ts";

/** What a trail is checked with beside itself. */
interface Means {
  readonly key: boolean;
  readonly copy: boolean;
}

/** One changed trail, and what both verifiers say of it. */
export interface MutantVerdict {
  readonly seed: number;
  readonly kind: string;
  readonly done: string;
  readonly means: Means;
  readonly ours: AuditReport;
  readonly theirs: IndependentReport;
  /** What of the content is another one, though it could be seen; undefined where nothing is. */
  readonly changed: string | undefined;
}

/** What many mutants came to. */
export interface MutantFigures {
  readonly mutants: number;
  /** The verifiers give different verdicts, or name different strangers. */
  readonly disagreements: readonly MutantVerdict[];
  /** Changed content that a verifier calls intact. */
  readonly missed: readonly MutantVerdict[];
  readonly byStatus: Readonly<Record<string, number>>;
}

/** Changes trails, one after the other, and asks both verifiers. The same seed makes the same mutants. */
export async function judgeMutants(count: number, seed: number): Promise<MutantFigures> {
  const trails = new Trails();
  const disagreements: MutantVerdict[] = [];
  const missed: MutantVerdict[] = [];
  const byStatus: Record<string, number> = {};
  try {
    const other = trails.fresh("covered");
    for (let n = 0, mutants = 0; mutants < count; n++) {
      const verdict = await judgeMutant(trails, seed + n, other);
      if (!verdict) continue;
      mutants++;
      const { ours, theirs, changed } = verdict;
      byStatus[ours.status] = (byStatus[ours.status] ?? 0) + 1;
      if (ours.status !== theirs.status || ours.strange.join() !== theirs.strange.join()) disagreements.push(verdict);
      if (changed !== undefined && [ours.status, theirs.status].includes("intact")) missed.push(verdict);
    }
  } finally {
    trails.close();
  }
  return { mutants: count, disagreements, missed, byStatus };
}

async function judgeMutant(trails: Trails, seed: number, other: Trail): Promise<MutantVerdict | undefined> {
  const random = new Random(seed);
  const kind = random.pick(kinds);
  const means = { key: random.chance(0.6), copy: random.chance(0.4) };
  const trail = trails.fresh(kind);
  try {
    const mutated = mutate(trail, random, other);
    if (!mutated) return undefined;
    const { audit, copy, key } = trail;
    const parsed = means.key ? parseVerifierKey(key) : undefined;
    const known = new Map<number, NoteKey>(parsed ? [[1, parsed]] : []);
    const ours = await verifyAudit(audit, "/", { keys: known, ...(means.copy && { copy }) });
    const theirs = await independentReport(audit, parsed ? [key] : [], means.copy ? copy : undefined);
    // A whole folder of somebody else's is as good as any, where nothing from elsewhere says whose it should be.
    const isOther = mutated.done.includes("everything of another trail");
    const changed =
      isOther && !parsed && !means.copy ? undefined : changeOf(trails.original(kind), trail, means, mutated.resealed);
    return { seed, kind, done: mutated.done, means, ours, theirs, changed };
  } finally {
    trails.drop(trail);
  }
}

/** Lines of every chain of a trail, unpacked: of each session its segments in their order, the log, the retired sessions. */
function chainsOf(trail: Trail): Map<string, string[]> {
  const chains = new Map<string, string[]>();
  const names = existsSync(trail.audit) ? filesBelow(trail.audit) : [];
  for (const name of names) {
    const [, session] = /^([0-9a-f]{64})\/(?!0+\.)\d{6}\.jsonl(?:\.gz)?$/.exec(name) ?? [];
    const chain = session ?? (/^(checkpoints|retired)\.jsonl$/.test(name) ? name : undefined);
    // Beside a segment that is not packed a packed one does not count.
    if (chain === undefined || (name.endsWith(".gz") && names.includes(name.slice(0, -3)))) continue;
    const lines = readLines(join(trail.audit, name));
    chains.set(chain, [...(chains.get(chain) ?? []), ...lines]);
  }
  return chains;
}

function readLines(path: string): string[] {
  try {
    return linesOfFile(path);
  } catch {
    return [`unreadable ${isRegular(path)}`];
  }
}

/**
 * What of a trail's content is not as it was written, as far as anything that the trail is checked with tells of it: a chain
 * may have lost what no checkpoint covers, and nothing else. It looks at lines alone, and knows neither seals nor trees.
 */
function changeOf(original: Trail, mutant: Trail, { key, copy }: Means, resealed: boolean): string | undefined {
  const [before, after] = [chainsOf(original), chainsOf(mutant)];
  const vouched = coveredBy(original, mutant, before, after, copy);
  for (const [chain, lines] of after) {
    const was = before.get(chain);
    if (!was) return `${chain.slice(0, 8)} was never written`;
    const at = lines.findIndex((line, i) => line !== was[i]);
    const least = vouched.get(chain) ?? 0;
    const signed = key || existsSync(join(mutant.keys, "audit-1.pub"));
    // A chain that holds and is covered by nothing is what anybody could have written.
    const isSeen = !resealed || at < least || (chain === "checkpoints.jsonl" && signed && isSigned(lines, was, at));
    if (at >= 0 && isSeen) return `line ${at} of ${chain.slice(0, 8)}`;
  }
  for (const [chain, least] of vouched) {
    const length = after.get(chain)?.length ?? 0;
    if (length < least) return `${chain.slice(0, 8)} has ${length} of ${least} lines`;
  }
  return undefined;
}

/** True if a signed statement speaks of a changed record of the log: the record's own, or one after it, which names it. */
function isSigned(lines: readonly string[], was: readonly string[], at: number): boolean {
  const noteOf = (line: string | undefined): string | undefined =>
    /"event":"(?:checkpoint|rotation)".*("note":"[^"]*")/.exec(line ?? "")?.[1];
  return lines.slice(at + 1).some(noteOf) || (noteOf(lines[at]) !== undefined && noteOf(lines[at]) !== noteOf(was[at]));
}

/** Lines that each chain must have: those that checkpoints of the log, or of the copy that is looked at, cover. */
function coveredBy(
  original: Trail,
  mutant: Trail,
  before: ReadonlyMap<string, readonly string[]>,
  after: ReadonlyMap<string, readonly string[]>,
  withCopy: boolean,
): ReadonlyMap<string, number> {
  const due = new Map<string, number>();
  const log = before.get("checkpoints.jsonl") ?? [];
  const copied = withCopy && isRegular(mutant.copy) ? readLines(mutant.copy).filter((line) => log.includes(line)) : [];
  if (copied.length > 0) due.set("checkpoints.jsonl", Math.max(...copied.map((line) => log.indexOf(line) + 1)));
  const seen = (after.get("checkpoints.jsonl") ?? []).filter((line) => log.includes(line));
  for (const line of [...seen, ...copied]) {
    const { body } = JSON.parse(Buffer.from(line, "latin1").toString("utf8")) as {
      readonly body: { readonly event: string; readonly observations: { readonly note?: string } };
    };
    const note = body.event === "checkpoint" ? parseNote(body.observations.note ?? "") : undefined;
    const [, , session = "", segment = ""] = note?.text.split("\n")[0]?.split("/") ?? [];
    const size = Number(note?.text.split("\n")[1]);
    if (!note) continue;
    const chain = session === "retired" ? "retired.jsonl" : session;
    const earlier = segment === "000001" ? 0 : linesBefore(original, session, Number(segment));
    if (before.has(chain)) due.set(chain, Math.max(due.get(chain) ?? 0, earlier + size));
  }
  return due;
}

function linesBefore(trail: Trail, session: string, segment: number): number {
  const names = filesBelow(trail.audit).filter((name) => name.startsWith(`${session}/`) && /\.jsonl/.test(name));
  const before = names.filter((name) => Number.parseInt(name.slice(session.length + 1), 10) < segment);
  return before.reduce((sum, name) => sum + linesOfFile(join(trail.audit, name)).length, 0);
}

/** A mutant in a few lines. */
export function shownMutant({ seed, kind, done, means, ours, theirs, changed }: MutantVerdict): string {
  const files = ours.files
    .filter(({ status }) => status !== "intact")
    .map(({ file, why }) => `${file.slice(-40)}: ${why}`);
  return [
    `seed ${seed}: ${kind}, ${done}; key ${means.key}, copy ${means.copy}; changed: ${changed ?? "nothing that can be seen"}`,
    `  ours ${ours.status} [${ours.strange.join()}] ${files.join("; ")}`,
    `  theirs ${theirs.status} [${theirs.strange.join()}] ${theirs.problems.map(({ path, why }) => `${path.slice(-40)}: ${why}`).join("; ")}`,
  ].join("\n");
}
