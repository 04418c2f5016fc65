import { limits } from "../../../schema/limits.ts";
import { spend } from "../../meter.ts";
import { referencesIn } from "../references.ts";
import { type Machine, room, within } from "./machine.ts";
import { eitherOutcome, type Outcome, storesOf } from "./outcome.ts";
import type { Store } from "./store.ts";
import { alternativesOf, type Candidate, exactly, isFew, isText, notSet, noValue, type Value } from "./value.ts";

/** Part of the state that may have several values when a command runs: a variable, the positional parameters or the folder. */
interface Dimension {
  readonly name: string;
  readonly candidates: readonly Candidate[];
  readonly narrow: (store: Store, candidate: Candidate) => void;
}

/** One combination of values: a name and a candidate for each dimension. */
export type Way = readonly (readonly [string, Candidate])[];

/**
 * Runs a step once for each combination of values of the variables that a part of the tree mentions, and joins the results. A
 * command sees one value of each variable. Over the bound, a variable is not split: its values stay together as one unknown
 * value. Combinations that run nothing do not count, so a single remaining one is as sure as its surroundings.
 */
export function eachWay(
  machine: Machine,
  part: object,
  store: Store,
  step: (store: Store) => Outcome,
  runs: (way: Way) => boolean = () => true,
): Outcome {
  if (!store.mayVary) return step(store);
  const dimensions = dimensionsOf(part, store);
  if (dimensions.length === 0) return step(store);
  const bound = Math.min(room(machine), limits.alternatives);
  let ways: (readonly [Dimension, Candidate])[][] = [[]];
  for (const dimension of dimensions) {
    const { candidates } = dimension;
    if (ways.length * candidates.length > bound) continue;
    spend(ways.length * candidates.length);
    ways = ways.flatMap((way) => candidates.map((candidate) => [...way, [dimension, candidate] as const]));
  }
  if (ways.length < 2) return step(store);
  const told = ways.map((way) => way.map(([{ name }, candidate]) => [name, candidate] as const));
  const running = told.filter(runs).length;
  const names = dimensions.map(({ name }) => name);
  const outcomes = ways.map((way, i): Outcome => {
    const child = store.fork();
    for (const [dimension, candidate] of way) dimension.narrow(child, candidate);
    if (!runs(told[i] as Way)) return { ok: child };
    if (running < 2) return step(child);
    // The folder does not change which command runs, so it makes no command a guess.
    const { around } = machine;
    const guessed = around.guessed || (!around.moments && dimensions.some(({ name }) => name !== "/"));
    const changes = { grade: "maybe" as const, guessed, factor: around.factor * running };
    const outcome = within(machine, changes, () => step(child));
    if (store.unsettled) for (const one of storesOf(outcome)) unsettle(one, names);
    return outcome;
  });
  return eitherOutcome(outcomes);
}

/** Lets unseen code change these variables again: each was fixed to one value for one command only. */
function unsettle(store: Store, names: readonly string[]): void {
  for (const name of names) {
    const binding = store.variables.get(name);
    if (binding?.epoch === Number.POSITIVE_INFINITY) store.bind(name, { ...binding, epoch: store.epoch });
  }
}

function dimensionsOf(part: object, store: Store): Dimension[] {
  const found = new Map<string, Dimension>();
  const names = [...referencesIn(part)];
  if (isFew(store.positional) && names.some((name) => /^(?:[@*#]|\d+)$/.test(name)))
    found.set("@", {
      name: "@",
      candidates: alternativesOf(store.positional),
      narrow: (child, candidate) => {
        child.positional = exactly(candidate);
      },
    });
  for (const name of names) {
    spend(1);
    if (found.has(name) || !/^[A-Za-z_]/.test(name)) continue;
    const value = store.get(name);
    if (!value) continue;
    // `${!name}` refers to the variable that the value names.
    for (const one of value.candidates)
      if (isText(one) && one.kind === "literal" && /^[A-Za-z_]\w*$/.test(one.text)) {
        const second = store.get(one.text);
        if (second && isFew(second)) names.push(one.text);
      }
    if (isFew(value)) found.set(name, variable(name, value));
  }
  if (store.folders.length > 1) found.set("/", folder(store));
  return [...found.values()];
}

function variable(name: string, value: Value): Dimension {
  return {
    name,
    candidates: alternativesOf(value),
    narrow: (store, candidate) => {
      const target = store.target(name);
      if (target === undefined) return;
      const before = store.variables.get(target);
      const narrowed = candidate === notSet ? noValue : exactly(candidate);
      store.bind(target, {
        exported: false,
        attributes: "",
        ...before,
        value: narrowed,
        epoch: store.unsettled ? Number.POSITIVE_INFINITY : store.epoch,
      });
    },
  };
}

/** Makes the dimension of the current folder. Commands run in each known folder; none is sure if the folder may be another one. */
function folder({ folders, astray }: Store): Dimension {
  return {
    name: "/",
    candidates: folders.map((text) => ({ text, kind: "literal" as const })),
    narrow: (store, candidate) => {
      store.folders = [isText(candidate) ? candidate.text : ""];
      store.astray = astray;
    },
  };
}
