import { hasText } from "../../find-text.ts";
import { spend, spendText } from "../../meter.ts";
import { type Field, unknownAtom } from "../fields.ts";
import { advance, remainingText, remainingWords, share } from "../inputs.ts";
import type { For, Node } from "../syntax.ts";
import { either as eitherTape, followed, isBlank, printed, type Tape } from "../tape.ts";
import { foldWord } from "./expand.ts";
import { quietly, type Round, settled } from "./fixpoint.ts";
import { joined } from "./join.ts";
import { type Machine, room, unreached, within } from "./machine.ts";
import {
  apart,
  behind,
  eitherOutcome,
  ends,
  fails,
  isJumping,
  jumpsOf,
  leaving,
  mayLeave,
  type Outcome,
} from "./outcome.ts";
import type { Store } from "./store.ts";
import { anyValue, eitherOf, exactly, isList, singleOf } from "./value.ts";
import { eachWay } from "./ways.ts";

/** Runs any number of rounds, listed once with a state that covers the start of each. With `atLeastOnce` one surely runs. */
function anyRounds(machine: Machine, node: Node, store: Store, round: (store: Store) => Round): Round {
  const outer = store.printed;
  const at = settled(machine, node, store, round);
  const result = within(machine, { tail: false }, () => round(at));
  if (!outer) return result;
  const once = result.again?.printed;
  // More than one round may print: the known output of one follows unknown output.
  const before =
    once && !isBlank(once) ? [outer, followed(outer, once), followed(printed(outer, null), once)] : [outer];
  const give = (one: Store | undefined, tapes: readonly Tape[]): void => {
    const own = one?.printed;
    if (one && own) one.printed = eitherTape(tapes.map((tape) => followed(tape, own)));
  };
  const { again, left, jumps } = result;
  give(again, before.length > 1 ? [outer, printed(outer, null)] : [outer]);
  for (const one of new Set([left, jumps.exit, jumps.ret])) if (one !== again) give(one, before);
  return result;
}

/** Makes the result of a round from its jumps: `break` and `continue` of this loop are resolved, jumps out of outer loops remain. */
function roundOf(body: Outcome, heads: readonly Outcome[], left: Store | undefined): Round {
  const all = [...heads, body];
  const jumps = jumpsOf(all);
  const { brk = [], cont = [], ret, exit } = jumps;
  return {
    again: joined(behind(body), cont[0]),
    left: joined(left, brk[0]),
    jumps: { brk: brk.slice(1), cont: cont.slice(1), ret, exit },
  };
}

function outcomeOf(left: Store | undefined, jumps: readonly Outcome[]): Outcome {
  return { ...(left ? ends(left) : {}), ...jumpsOf(jumps) };
}

type Loop = Extract<Node, { kind: "loop" }>;

/** `while`, `until`, `for ((…))`. A loop that reads a known input is run record by record. */
export function runLoop(machine: Machine, node: Loop, store: Store): Outcome {
  let isFirst = true;
  const round = (at: Store): Round => {
    const result = loopRound(machine, node, at, isFirst);
    isFirst &&= machine.around.quiet > 0;
    return result;
  };
  const read = isReader(node) ? readRounds(machine, store, round) : undefined;
  if (read && !read.again) return outcomeOf(read.left, [read.jumps]);
  const rest = anyRounds(machine, node, read?.again ?? store, round);
  return outcomeOf(joined(read?.left, rest.left), [...(read ? [read.jumps] : []), rest.jumps]);
}

function loopRound(machine: Machine, node: Loop, store: Store, isFirst: boolean): Round {
  const heads: Outcome[] = [];
  let current: Store | undefined = store;
  let last: Outcome = { ok: store };
  for (const head of node.head) {
    if (!current) break;
    const at: Store = current;
    last = within(machine, { ignoring: true, tail: false }, () => machine.exec(head, at));
    heads.push(last);
    current = behind(last);
  }
  const counted = node.how === "counting" ? behind(last) : undefined;
  const { ok, fail } = counted ? { ok: counted.fork(), fail: counted } : apart(last);
  const [run, left] = node.how === "until" ? [fail, ok] : [ok, fail];
  if (!run) {
    if (isFirst) unreached(machine, node.body, left ?? store);
    return roundOf({}, heads, left);
  }
  const isSure = !left && !heads.some(mayLeave);
  const body = within(machine, isSure ? {} : { grade: "maybe" }, () => machine.exec(node.body, run));
  return roundOf(body, heads, left);
}

/** True for `while read …` and `until ! read …`, also with more behind it. */
function isReader(node: Loop): boolean {
  const [head] = node.head;
  let first = head?.kind === "sequence" ? head.items[0] : undefined;
  while (first?.kind === "logical") first = first.items[0];
  const word = first?.kind === "simple" ? first.words[0] : undefined;
  const isReading = word?.kind === "word" && word.raw === "read";
  return isReading && (node.how === "while" ? !first?.negated : node.how === "until" && first?.negated === true);
}

/** Runs rounds over a known input, as long as each is decided; with `again` if there are more, or their number is not known. */
function readRounds(machine: Machine, store: Store, round: (store: Store) => Round): Round | undefined {
  const input = share(store.input);
  if (!input || store.read === Number.POSITIVE_INFINITY) return undefined;
  advance(input, store.read);
  const text = remainingText(input);
  const words = remainingWords(input);
  const count = text === undefined ? words?.length : recordsIn(text);
  if (count === undefined || count > room(machine)) return undefined;
  const end = store.read + (text ?? words ?? []).length;
  let again: Store | undefined = store;
  let left: Store | undefined;
  const jumps: Outcome[] = [];
  within(machine, { factor: machine.around.factor * Math.max(1, count), tail: false }, () => {
    for (let i = 0; i <= count && again; i++) {
      const before: number = again.read;
      const at: Store = again;
      const isOver = i > 0 && at.read >= end;
      // Reaching the end of the input is not a command of its own.
      const result: Round = isOver ? quietly(machine, () => round(at)) : round(at);
      left = joined(left, result.left);
      jumps.push(result.jumps);
      again = result.again;
      if (again && (result.left || isJumping(result.jumps))) machine.around.grade = "maybe";
      if (again?.read === before || again?.read === Number.POSITIVE_INFINITY) return;
    }
  });
  return { again, left, jumps: jumpsOf(jumps) };
}

/** Returns the most records that a text can hold with any of the usual delimiters. */
function recordsIn(text: string): number {
  let count = 1;
  spendText(text.length);
  for (const delimiter of ["\n", "\0"])
    for (let at = text.indexOf(delimiter); at >= 0; at = text.indexOf(delimiter, at + 1)) count += 1;
  spend(count >> 2);
  return count;
}

/** `for NAME in words`: each word in turn, as long as they are few. */
export function runFor(machine: Machine, node: For, store: Store): Outcome {
  const values: Field[] = [];
  let count = 0;
  machine.around.refused = undefined;
  if (node.words) {
    const { words } = node;
    // Changes by folding, as in `${x:=y}`, persist after it; narrowed values do not.
    eachWay(machine, words, store.fork(), (child) => {
      count += 1;
      for (const word of words) for (const field of foldWord(machine, word, child)) values.push(field);
      return { ok: child };
    });
  } else {
    const list = singleOf(store.positional);
    if (list && isList(list)) values.push(...(list as readonly Field[]));
    else values.push({ ...unknownAtom, glob: false, open: true, verbatim: -1, place: node });
  }
  const refused = machine.around.refused ? store.fork() : undefined;
  machine.around.refused = undefined;
  const changes = {
    ...(count > 1 ? { guessed: true } : {}),
    ...(count > 1 || refused ? { grade: "maybe" as const } : {}),
  };
  const outcome = within(machine, changes, () => forRounds(machine, node, values, store, count > 1));
  return refused ? eitherOutcome([outcome, { exit: leaving(refused) }, fails(refused)]) : outcome;
}

function forRounds(machine: Machine, node: For, values: readonly Field[], store: Store, unsure: boolean): Outcome {
  spend(values.length);
  if (values.length === 0) {
    unreached(machine, node.body, store);
    return ends(store, "ok");
  }
  const isOpen = values.some((value) => value.open);
  const isFew = !isOpen && values.length <= room(machine) && !node.asks;
  if (isFew && uses(node)) return eachRound(machine, node, values, store);
  const vanishes = store.option("nullglob") !== "off" && values.every(({ glob }) => glob);
  const skips = isOpen || unsure || node.asks === true || vanishes;
  const last = values.at(-1) as Field;
  const value = eitherOf(values.map((one) => (one.open ? anyValue : exactly(one))));
  const before = skips ? store.fork() : undefined;
  const isSure = !skips;
  const rounds = within(machine, isSure ? {} : { grade: "maybe" }, () =>
    anyRounds(machine, node, store, (at) => {
      if (!at.set(node.name, value)) return { again: undefined, left: at, jumps: {} };
      return roundOf(machine.exec(node.body, at), [], undefined);
    }),
  );
  if (!skips && !last.open) rounds.again?.set(node.name, exactly(last));
  return outcomeOf(joined(before, rounds.again, rounds.left), [rounds.jumps]);
}

/** True if the name of the loop's variable occurs in its body. */
function uses({ name, bodyText }: For): boolean {
  spendText(bodyText.length);
  return hasText(bodyText, name);
}

function eachRound(machine: Machine, node: For, values: readonly Field[], store: Store): Outcome {
  let again: Store | undefined = store;
  let left: Store | undefined;
  const jumps: Outcome[] = [];
  within(machine, { factor: machine.around.factor * values.length, tail: false }, () => {
    for (const value of values) {
      if (!again) return;
      if (value.glob && again.option("nullglob") !== "off") machine.around.grade = "maybe";
      if (!again.set(node.name, exactly(value))) {
        left = joined(left, again);
        again = undefined;
        return;
      }
      const result: Round = roundOf(machine.exec(node.body, again), [], undefined);
      left = joined(left, result.left);
      jumps.push(result.jumps);
      if (result.left || mayLeave(result.jumps)) machine.around.grade = "maybe";
      again = result.again;
    }
  });
  return outcomeOf(joined(left, again), jumps);
}
