import { type Answer, type Change, type ChangeKind, changeKinds } from "./change.ts";
import type { Place } from "./step.ts";

/** One event whose answer differs. */
export interface Example {
  readonly file: string;
  readonly line: number;
  readonly session: string;
  readonly event: string;
  readonly tool?: string;
  /** Its command, path, URL or text; masked and cut. */
  readonly about: string;
  readonly before: Omit<Answer, "rewrites">;
  readonly after: Omit<Answer, "rewrites">;
}

/** Events with one difference, caused by one rule. */
export interface ChangeGroup {
  readonly change: ChangeKind;
  readonly rule: string;
  readonly count: number;
  readonly examples: readonly Example[];
}

/** Lines that were not compared, by reason. */
export interface LeftOut {
  readonly why: string;
  readonly count: number;
  readonly examples: readonly Place[];
}

/** Result of a replay. */
export interface ReplayReport {
  /** Number of events that both sides answered. */
  readonly judged: number;
  readonly changed: number;
  readonly sessions: number;
  readonly groups: readonly ChangeGroup[];
  /** Number of judged events without a recorded decision: compared with no policy at all. Zero if two policies are compared. */
  readonly unguarded: number;
  /** Number of judged events in sessions with an earlier event that could not be judged: labels and sequences may be incomplete. */
  readonly incomplete: number;
  readonly not_replayable: readonly LeftOut[];
  readonly unknown_lines: readonly LeftOut[];
  /** Number of lines and records that are no events: notes, answers of humans, summaries. */
  readonly passed: number;
  /** Number of humans' answers to questions that are not asked now. */
  readonly unasked: number;
}

/** Maximum number of examples of a group. */
const mostExamples = 3;
/** Maximum number of groups and reasons: more would be memory that grows with the input. */
const mostGroups = 10_000;

/** A group of one key: the count and the first few examples, each with the number of its step. */
interface Group<K, E> {
  readonly key: K;
  count: number;
  readonly examples: { readonly at: number; readonly example: E }[];
}

/** Counts by key with the first few examples of each. */
class Tally<K, E> {
  readonly #groups = new Map<string, Group<K, E>>();
  readonly #rest: K;

  /** `rest` is the key of everything beyond the limit. */
  constructor(rest: K) {
    this.#rest = rest;
  }

  add(id: string, key: K, at: number, example: () => E): void {
    const full = this.#groups.size >= mostGroups && !this.#groups.has(id);
    const group = this.#groups.get(full ? "" : id) ?? { key: full ? this.#rest : key, count: 0, examples: [] };
    this.#groups.set(full ? "" : id, group);
    group.count++;
    if (group.examples.length < mostExamples) group.examples.push({ at, example: example() });
  }

  /** Groups by id, in order of appearance. */
  get groups(): readonly (readonly [string, Group<K, E>])[] {
    return [...this.#groups];
  }
}

/** Joins the groups of several tallies of the same steps: the largest first, else in order of appearance. */
function joined<K, E>(
  tallies: readonly (readonly (readonly [string, Group<K, E>])[])[],
): { key: K; count: number; examples: readonly E[] }[] {
  const all = new Map<string, Group<K, E>>();
  for (const [id, { key, count, examples }] of tallies.flat()) {
    const known = all.get(id);
    all.set(id, { key, count: count + (known?.count ?? 0), examples: [...(known?.examples ?? []), ...examples] });
  }
  const groups = [...all.values()].map((group) => ({
    ...group,
    examples: group.examples.sort((a, b) => a.at - b.at).slice(0, mostExamples),
  }));
  return groups
    .sort((a, b) => b.count - a.count || (a.examples[0]?.at ?? 0) - (b.examples[0]?.at ?? 0))
    .map(({ key, count, examples }) => ({ key, count, examples: examples.map(({ example }) => example) }));
}

/** A tally as plain data that can cross to another thread. */
export interface TallyState {
  readonly judged: number;
  readonly changed: number;
  readonly unguarded: number;
  readonly incomplete: number;
  readonly passed: number;
  readonly unasked: number;
  readonly sessions: number;
  readonly changes: Tally<Change, Example>["groups"];
  readonly left: Tally<string, Place>["groups"];
  readonly unknown: Tally<string, Place>["groups"];
}

/** Gathers the result of a replay, in memory that depends on rules and sessions, not on events. */
export class ReplayTally {
  judged = 0;
  changed = 0;
  unguarded = 0;
  incomplete = 0;
  passed = 0;
  unasked = 0;
  readonly sessions = new Set<string>();
  /** Number of the present step. */
  at = 0;
  readonly #changes = new Tally<Change, Example>({ kind: "rewritten_differently", rule: "(other rules)" });
  readonly #left = new Tally<string, Place>("other reasons");
  readonly #unknown = new Tally<string, Place>("other reasons");

  change(change: Change, example: () => Example): void {
    this.changed++;
    this.#changes.add(`${change.kind} ${change.rule}`, change, this.at, example);
  }

  leftOut(why: string, place: Place): void {
    this.#left.add(why, why, this.at, () => place);
  }

  unknown(why: string, place: Place): void {
    this.#unknown.add(why, why, this.at, () => place);
  }

  get state(): TallyState {
    const { judged, changed, unguarded, incomplete, passed, unasked } = this;
    const counts = { judged, changed, unguarded, incomplete, passed, unasked, sessions: this.sessions.size };
    return { ...counts, changes: this.#changes.groups, left: this.#left.groups, unknown: this.#unknown.groups };
  }
}

/**
 * Returns the report of several tallies of the same steps, which share no session. Undefined if one of them exceeded the
 * limit of groups: then the sum differs from a single tally.
 */
export function reportOf(tallies: readonly TallyState[]): ReplayReport | undefined {
  const sum = (count: (tally: TallyState) => number): number => tallies.reduce((n, tally) => n + count(tally), 0);
  const lists = [tallies.map((t) => t.changes), tallies.map((t) => t.left), tallies.map((t) => t.unknown)];
  if (tallies.length > 1 && lists.some((list) => list.flat().length >= mostGroups)) return undefined;
  const groups = joined(tallies.map(({ changes }) => changes)).map(({ key, count, examples }) => ({
    change: key.kind,
    rule: key.rule,
    count,
    examples,
  }));
  return {
    judged: sum(({ judged }) => judged),
    changed: sum(({ changed }) => changed),
    sessions: sum(({ sessions }) => sessions),
    groups: groups.sort((a, b) => changeKinds.indexOf(a.change) - changeKinds.indexOf(b.change)),
    unguarded: sum(({ unguarded }) => unguarded),
    incomplete: sum(({ incomplete }) => incomplete),
    not_replayable: leftOut(tallies.map(({ left }) => left)),
    unknown_lines: leftOut(tallies.map(({ unknown }) => unknown)),
    passed: sum(({ passed }) => passed),
    unasked: sum(({ unasked }) => unasked),
  };
}

function leftOut(tallies: readonly TallyState["left"][]): LeftOut[] {
  return joined(tallies).map(({ key, count, examples }) => ({ why: key, count, examples }));
}
