import { spend } from "../../meter.ts";
import type { Field } from "../fields.ts";
import { either } from "../tape.ts";
import type { Binding, Callable, Frame } from "./binding.ts";
import type { Store } from "./store.ts";
import type { Table } from "./table.ts";
import { anyValue, eitherOf, noValue, opened, sameValue, type Value } from "./value.ts";

/** Most folders that a shell may be in; with more, one unknown folder (an empty text) replaces the rest. */
const mostFolders = 4;

/**
 * Returns the value of a variable that is not known to be set. The environment may hold unlisted names in upper case, so only a
 * name with a lower-case letter counts as not set.
 */
export function absent(name: string, store: Store): Value {
  return /[a-z]/.test(name) && !store.mayBeSet ? noValue : anyValue;
}

/** Joins several stores into one; undefined if there is none. The stores must not be used afterwards. */
export function joined(...stores: readonly (Store | undefined)[]): Store | undefined {
  let result: Store | undefined;
  for (const store of stores) if (store && store !== result) result = result ? joinedTwo(result, store) : store;
  return result;
}

function joinedTwo(one: Store, other: Store): Store {
  const store = one.fork();
  spend(8);
  store.epoch = Math.max(one.epoch, other.epoch);
  store.unsettled = one.unsettled || other.unsettled;
  store.several = one.several || other.several;
  if (one.variables !== other.variables || one.epoch !== other.epoch) joinVariables(store, one, other);
  store.frames = joinedFrames(one.frames, other.frames);
  if (one.positional !== other.positional) store.positional = eitherOf([one.positional, other.positional]);
  joinFolders(store, one, other);
  store.functions = joinedTables(one.functions, other.functions, joinedFunction);
  // An alias that only one path defines is kept, because an alias is never sure to apply.
  store.aliases = joinedTables(one.aliases, other.aliases, (a, b) => (b ?? a) as Field);
  store.options = joinedTables(one.options, other.options, (a = "off", b = "off") => (a === b ? a : "either"));
  store.endings = one.endings === other.endings ? one.endings : [...new Set([...one.endings, ...other.endings])];
  if (one.past !== other.past)
    store.past =
      one.past && other.past
        ? joinedTables(one.past, other.past, (a, b) => eitherOf([a, b].filter((value) => value !== undefined)))
        : (one.past ?? other.past);
  if (one.input !== other.input) store.input = null;
  if (one.input !== other.input || one.read !== other.read) store.read = Number.POSITIVE_INFINITY;
  if (one.printed !== other.printed)
    store.printed = one.printed && other.printed ? either([one.printed, other.printed]) : undefined;
  if (one.status !== other.status) store.status = "either";
  store.blamed = one.blamed && other.blamed;
  store.excused = one.excused && other.excused;
  for (const folder of one.made.differing(other.made)) store.made = store.made.without(folder);
  store.moved = joinedTables(one.moved, other.moved, () => true);
  return store;
}

function joinVariables(store: Store, one: Store, other: Store): void {
  for (const name of one.variables.differing(other.variables)) {
    const [a, b] = [one.variables.get(name), other.variables.get(name)];
    store.bind(name, joinedBinding(name, [a, one], [b, other], store.epoch));
  }
}

type Side = readonly [Binding | undefined, Store];

/** Joins the bindings of one variable from two paths. A value that unseen code may have changed on either path stays open. */
function joinedBinding(name: string, [a, one]: Side, [b, other]: Side, epoch: number): Binding {
  const values = ([binding, store]: Side): Value => {
    if (!binding) return store.get(name) ?? absent(name, store);
    return binding.epoch < store.epoch
      ? store.target(name) === name
        ? (store.get(name) ?? anyValue)
        : opened(binding.value)
      : binding.value;
  };
  const attributes = [...new Set([...(a?.attributes ?? ""), ...(b?.attributes ?? "")])].join("");
  const differ = (a?.attributes ?? "") !== (b?.attributes ?? "");
  return {
    value: eitherOf([values([a, one]), values([b, other])]),
    // A variable that only one path exports may be missing in a child shell.
    exported: a?.exported === true && b?.exported === true,
    attributes,
    ...(differ || a?.wavering || b?.wavering ? { wavering: true } : {}),
    epoch,
  };
}

/** Joins the call frames of two paths. Both have the same number, because calls are entered and left together. */
function joinedFrames(one: readonly Frame[], other: readonly Frame[]): readonly Frame[] {
  if (one === other || one.every((frame, i) => frame === other[i])) return one;
  return one.map((frame, i): Frame => {
    const second = other[i];
    if (!second || frame === second) return frame;
    const all = new Map(second);
    for (const [name, entry] of all) all.set(name, { ...entry, sure: entry.sure && frame.get(name)?.sure === true });
    for (const [name, entry] of frame) all.set(name, { ...entry, sure: entry.sure && second.get(name)?.sure === true });
    return all;
  });
}

function joinFolders(store: Store, one: Store, other: Store): void {
  if (one.folders === other.folders && one.astray === other.astray && one.previous === other.previous) return;
  const folders = [...new Set([...one.folders, ...other.folders])];
  store.folders =
    folders.length > mostFolders
      ? [...folders.filter((folder) => folder !== "").slice(0, mostFolders - 1), ""]
      : folders;
  store.astray = one.astray || other.astray;
  store.previous = one.previous === other.previous ? one.previous : "";
}

/** Joins two tables; `join` computes the value of each name whose values differ. */
function joinedTables<T>(one: Table<T>, other: Table<T>, join: (a: T | undefined, b: T | undefined) => T): Table<T> {
  let all = one;
  for (const name of one.differing(other)) all = all.with(name, join(one.get(name), other.get(name)));
  return all;
}

function joinedFunction(a: Callable | undefined, b: Callable | undefined): Callable {
  const bodies = [...new Set([...(a?.bodies ?? []), ...(b?.bodies ?? [])])];
  return { bodies, open: !a || !b || a.open || b.open };
}

/** True if two stores agree on everything that a further round of a loop could change. */
export function sameStore(one: Store, other: Store): boolean {
  if (one.excused !== other.excused) return false;
  if (one.epoch !== other.epoch || one.unsettled !== other.unsettled || one.astray !== other.astray) return false;
  if (one.folders.join("\0") !== other.folders.join("\0") || one.previous !== other.previous) return false;
  if (!sameValue(one.positional, other.positional) || one.read !== other.read || one.input !== other.input)
    return false;
  if (!sameFunctions(one.functions, other.functions)) return false;
  if (one.options.differing(other.options).some((name) => one.option(name) !== other.option(name))) return false;
  return differingNames(one, other).length === 0;
}

function sameFunctions(one: Table<Callable>, other: Table<Callable>): boolean {
  return one.differing(other).every((name) => {
    const [a, b] = [one.get(name), other.get(name)];
    if (!a || a.open !== b?.open || a.bodies.length !== b.bodies.length) return false;
    return a.bodies.every((body) => b.bodies.includes(body));
  });
}

/** Lists the variables that differ between two stores. */
export function differingNames(one: Store, other: Store): readonly string[] {
  return one.variables.differing(other.variables).filter((name) => {
    const [a, b] = [one.variables.get(name), other.variables.get(name)];
    if (a && b && a.epoch < one.epoch !== b.epoch < other.epoch) return true;
    return !a || !b || a.attributes !== b.attributes || a.exported !== b.exported || !sameValue(a.value, b.value);
  });
}
