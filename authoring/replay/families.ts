import { limits } from "../../schema/limits.ts";
import { fieldsOf, textOf } from "./record-lines.ts";
import type { Step } from "./step.ts";

/**
 * Returns the sessions of a step, by the names of their state: its own, and those that it began with. None for a line
 * without a session; undefined if it may be any.
 */
export function sessionsOf(step: Step): readonly string[] | undefined {
  switch (step.kind) {
    case "event": {
      const own = fieldsOf(fieldsOf(step.wire)?.["session"]);
      return named(step.session, textOf(own, "id"), textOf(own, "parent"), step.recorded?.state?.parent);
    }
    case "past":
      return named(step.body.session, step.body.state?.parent);
    case "answer":
      // The waiting session is unknown: all of them must be checked.
      return step.answer.session === undefined ? undefined : named(step.answer.session);
    default:
      return [];
  }
}

function named(...names: readonly (string | undefined)[]): readonly string[] {
  return names.flatMap((name) => (name === undefined ? [] : [name.toWellFormed()]));
}

/** A session in a tree of joined sessions, whose root represents them all. */
interface Member {
  up: Member | undefined;
  /** For a root: number of sessions and steps, and the numbers of the first and the last step. */
  sessions: number;
  steps: number;
  first: number;
  last: number;
}

/**
 * Groups sessions that must be judged together, since one begins with another's result or gives it its labels. All other
 * state of a session is its own, so families may be judged apart, each in its order.
 */
export class Families {
  readonly #members = new Map<string, Member>();
  #steps = 0;
  #apart = true;

  /** Adds the next step. */
  add(step: Step): void {
    const at = this.#steps++;
    const names = sessionsOf(step);
    if (!names) this.#apart = false;
    const [first, ...others] = names ?? [];
    if (first === undefined) return;
    const own = this.#root(first, at);
    own.steps += 1;
    own.last = at;
    for (const other of others) this.#join(rootOf(own), this.#root(other, at), at);
  }

  /** Number of steps so far. */
  get steps(): number {
    return this.#steps;
  }

  /**
   * Returns the share of each session, for a number of shares of about equal length. Undefined if the result could differ
   * from judging all in one. The same for the same steps.
   */
  shares(count: number): ReadonlyMap<string, number> | undefined {
    const roots = [...new Set([...this.#members.values()].map(rootOf))];
    if (!this.#apart || roots.length < 2 || forgets(roots)) return undefined;
    const loads = Array.from({ length: count }, () => 0);
    const shareOf = new Map<Member, number>();
    for (const root of roots.sort((a, b) => b.steps - a.steps || a.first - b.first)) {
      const least = loads.indexOf(Math.min(...loads));
      loads[least] = (loads[least] ?? 0) + root.steps;
      shareOf.set(root, least);
    }
    return new Map([...this.#members].map(([session, member]) => [session, shareOf.get(rootOf(member)) ?? 0]));
  }

  #root(session: string, at: number): Member {
    const known = this.#members.get(session);
    if (known) return rootOf(known);
    const made: Member = { up: undefined, sessions: 1, steps: 0, first: at, last: at };
    this.#members.set(session, made);
    return made;
  }

  #join(one: Member, other: Member, at: number): void {
    other.last = at;
    if (one === other) return;
    const [under, root] = one.sessions < other.sessions ? [one, other] : [other, one];
    under.up = root;
    root.sessions += under.sessions;
    root.steps += under.steps;
    root.first = Math.min(root.first, under.first);
    root.last = Math.max(root.last, under.last);
  }
}

function rootOf(member: Member): Member {
  let root = member;
  while (root.up) root = root.up;
  return root;
}

/**
 * True if a family may be forgotten before its last step, because so many other sessions occur meanwhile. State keeps
 * `limits.sessions` of them; more of them meet in one share than in several.
 */
function forgets(roots: readonly Member[]): boolean {
  const sum = (list: readonly Member[]): number[] => {
    let total = 0;
    return [0, ...list.map(({ sessions }) => (total += sessions))];
  };
  const byFirst = [...roots].sort((a, b) => a.first - b.first);
  const byLast = [...roots].sort((a, b) => a.last - b.last);
  const [begun, ended] = [sum(byFirst), sum(byLast)];
  return roots.some(({ first, last }) => {
    const before = placeOf(byLast.length, (i) => (byLast[i] as Member).last >= first);
    const within = placeOf(byFirst.length, (i) => (byFirst[i] as Member).first > last);
    return (begun[within] ?? 0) - (ended[before] ?? 0) > limits.sessions;
  });
}

/** Returns the first place from which on a test holds. */
function placeOf(length: number, holds: (place: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
