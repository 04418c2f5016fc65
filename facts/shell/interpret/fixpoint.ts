import { unknownNumber } from "../fields.ts";
import type { Node } from "../syntax.ts";
import { blank } from "../tape.ts";
import { differingNames, joined, sameStore } from "./join.ts";
import { type Machine, within } from "./machine.ts";
import type { Outcome } from "./outcome.ts";
import type { Store } from "./store.ts";
import { exactly, isText, opened, type Value } from "./value.ts";

/** Result of one round: the store for the next round, the store behind the loop, and the jumps that leave more than this loop. */
export interface Round {
  readonly again: Store | undefined;
  readonly left: Store | undefined;
  readonly jumps: Outcome;
}

// Two bounds on rounds: after the first, variables that still change become open; after the second, everything does. An inner
// loop runs in each round of the outer loop, so its bounds are lower.
const rounds: readonly (readonly [number, number])[] = [
  [3, 8],
  [1, 3],
  [0, 1],
  [0, 1],
];

/**
 * Deepest nesting of loops whose changes are computed; a deeper loop may change anything. An inner loop runs again for each loop
 * around it, so work would grow with the square of the depth.
 */
const mostNested = 6;

/** Most parts that the rounds of all loops of a text may visit; beyond that bound, a loop may change anything. */
const mostTries = 10_000;

/**
 * Returns a store that covers the start of every round of a loop: the first store, joined with the result of each round until
 * nothing changes. Variables that still change at the bound become open and keep their candidates. A loop that starts from the
 * same store as last time has the same result, so an inner loop is not rerun in each outer round.
 */
export function settled(machine: Machine, node: Node, store: Store, round: (store: Store) => Round): Store {
  store.printed &&= blank;
  const last = machine.loops.get(node);
  if (last && sameStore(last.before, store)) return knowing(store, last.after.fork());
  const before = store.fork();
  const { quiet } = machine.around;
  const [patience, bound] = rounds[quiet] ?? [0, 0];
  let at = store;
  if (bound === 0 || machine.around.loops > mostNested || machine.tries > mostTries) {
    at.unsettle();
    return at;
  }
  within(machine, { quiet: quiet + 1, grade: "maybe", tail: false, factor: machine.around.factor * 8 }, () => {
    for (let count = 0; ; count++) {
      const { again } = quietly(machine, () => round(at.fork()));
      if (!again) return;
      const next = joined(at.fork(), again) as Store;
      next.recount();
      next.printed &&= blank;
      if (sameStore(next, at)) return;
      if (count < patience) at = next;
      else if (count < bound && machine.tries <= mostTries) {
        const wide = widened(at, next);
        if (sameStore(wide, at)) return;
        at = wide;
      } else {
        at = next;
        at.unsettle();
        return;
      }
    }
  });
  machine.loops.set(node, { before, after: at.fork() });
  return at;
}

/** Copies into `other` the fields of `store` that `sameStore` does not compare, and returns `other`. */
function knowing(store: Store, other: Store): Store {
  const { frames, aliases, endings, past, printed: tape, status, made, moved } = store;
  return Object.assign(other, { frames, aliases, endings, past, printed: tape, status, made, moved });
}

/** Runs a step and drops the commands that it lists. */
export function quietly<T>(machine: Machine, step: () => T): T {
  const { drafts, loose, pipelines } = machine;
  const [a, b, c] = [drafts.length, loose.length, pipelines.length];
  const result = step();
  drafts.length = a;
  loose.length = b;
  pipelines.length = c;
  return result;
}

function widened(before: Store, next: Store): Store {
  const at = next.fork();
  for (const name of differingNames(before, next)) {
    const one = before.variables.get(name) ?? next.variables.get(name);
    const now = next.variables.get(name)?.value;
    const value = one && (now && isNumber(now) ? exactly(unknownNumber("$((…))", "0")) : opened(one.value));
    if (one && value) at.bind(name, { ...one, value, epoch: at.epoch });
  }
  if (next.folders.length !== before.folders.length) at.folders = [...new Set([...before.folders, ""])];
  at.positional = before.positional === next.positional ? before.positional : opened(before.positional);
  at.epoch = before.epoch;
  if (next.epoch !== before.epoch) at.unsettle();
  return at;
}

/** True for a value that is always a number, such as a counter. */
function isNumber({ candidates, open }: Value): boolean {
  return (
    !open &&
    candidates.every((one) => {
      if (!isText(one)) return false;
      const [piece, ...more] = one.known?.pieces ?? [];
      return one.kind === "literal"
        ? /^\d+$/.test(one.text)
        : typeof piece === "object" && piece.number === true && more.length === 0;
    })
  );
}
