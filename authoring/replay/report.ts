import { type Answer, type Change, type ChangeKind, changeKinds } from "./change.ts";
import type { Place } from "./step.ts";

/** One event whose answer differs. */
export interface Example {
  readonly file: string;
  readonly line: number;
  readonly session: string;
  readonly event: string;
  readonly tool?: string;
  /** The command, path, address or text that it is about; masked and cut. */
  readonly about: string;
  readonly before: Omit<Answer, "rewrites">;
  readonly after: Omit<Answer, "rewrites">;
}

/** Events of one difference that are put down to one rule. */
export interface ChangeGroup {
  readonly change: ChangeKind;
  readonly rule: string;
  readonly count: number;
  readonly examples: readonly Example[];
}

/** What was not taken part in the comparison, by reason. */
export interface LeftOut {
  readonly why: string;
  readonly count: number;
  readonly examples: readonly Place[];
}

/** What a replay came to. */
export interface ReplayReport {
  /** Events that both sides answered. */
  readonly judged: number;
  readonly changed: number;
  readonly sessions: number;
  readonly groups: readonly ChangeGroup[];
  /** Judged events of which no decision is on record: compared with no policy at all. Zero when two policies are compared. */
  readonly unguarded: number;
  /** Judged events of sessions in which something before could not be judged: labels and sequences may be short of it. */
  readonly incomplete: number;
  readonly not_replayable: readonly LeftOut[];
  readonly unknown_lines: readonly LeftOut[];
  /** Lines and records that are no events: notes, answers of humans, summaries. */
  readonly passed: number;
  /** Answers of humans to questions that were not asked now. */
  readonly unasked: number;
}

/** Examples that are kept of a group. */
const mostExamples = 3;
/** Groups and reasons that are told apart: more would be memory that grows with the input. */
const mostGroups = 10_000;

/** Counts by key with the first few examples of each. */
class Tally<K, E> {
  readonly #groups = new Map<string, { readonly key: K; count: number; readonly examples: E[] }>();
  readonly #rest: K;

  /** `rest` is the key of everything beyond the bound. */
  constructor(rest: K) {
    this.#rest = rest;
  }

  add(id: string, key: K, example: () => E): void {
    const full = this.#groups.size >= mostGroups && !this.#groups.has(id);
    const group = this.#groups.get(full ? "" : id) ?? { key: full ? this.#rest : key, count: 0, examples: [] };
    this.#groups.set(full ? "" : id, group);
    group.count++;
    if (group.examples.length < mostExamples) group.examples.push(example());
  }

  /** Groups, those of most first. */
  get groups(): { key: K; count: number; examples: readonly E[] }[] {
    return [...this.#groups.values()].sort((a, b) => b.count - a.count);
  }
}

/** Gathers what a replay comes to, in memory that depends on rules and sessions, not on events. */
export class ReplayTally {
  judged = 0;
  changed = 0;
  unguarded = 0;
  incomplete = 0;
  passed = 0;
  unasked = 0;
  readonly sessions = new Set<string>();
  readonly #changes = new Tally<Change, Example>({ kind: "rewritten_differently", rule: "(other rules)" });
  readonly #left = new Tally<string, Place>("other reasons");
  readonly #unknown = new Tally<string, Place>("other reasons");

  change(change: Change, example: () => Example): void {
    this.changed++;
    this.#changes.add(`${change.kind} ${change.rule}`, change, example);
  }

  leftOut(why: string, place: Place): void {
    this.#left.add(why, why, () => place);
  }

  unknown(why: string, place: Place): void {
    this.#unknown.add(why, why, () => place);
  }

  report(): ReplayReport {
    const { judged, changed, unguarded, incomplete, passed, unasked } = this;
    const groups = this.#changes.groups.map(({ key, count, examples }) => ({
      change: key.kind,
      rule: key.rule,
      count,
      examples,
    }));
    return {
      judged,
      changed,
      sessions: this.sessions.size,
      groups: groups.sort((a, b) => changeKinds.indexOf(a.change) - changeKinds.indexOf(b.change)),
      unguarded,
      incomplete,
      not_replayable: leftOut(this.#left),
      unknown_lines: leftOut(this.#unknown),
      passed,
      unasked,
    };
  }
}

function leftOut(tally: Tally<string, Place>): LeftOut[] {
  return tally.groups.map(({ key, count, examples }) => ({ why: key, count, examples }));
}
