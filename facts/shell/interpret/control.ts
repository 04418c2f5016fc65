import { spend } from "../../meter.ts";
import { globMatches } from "../globs.ts";
import type { Node, Sequence, Word } from "../syntax.ts";
import { foldWord } from "./expand.ts";
import { joined } from "./join.ts";
import { type Machine, unreached, within } from "./machine.ts";
import { isModelled } from "./operators.ts";
import { apart, behind, eitherOutcome, ends, endsOf, isJumping, jumpsOf, mayLeave, type Outcome } from "./outcome.ts";
import type { Store } from "./store.ts";

/** Runs commands one after the other. Commands after a possible exit are not sure to be reached. */
export function runSequence(machine: Machine, { items }: Sequence, store: Store): Outcome {
  if (items.length === 0) return { ok: store };
  if (items.length === 1) return machine.exec(items[0] as Node, store);
  const { grade, tail } = machine.around;
  const left: Outcome[] = [];
  let current: Store | undefined = store;
  let last: Outcome = { ok: store };
  let seen = store;
  for (const [i, item] of items.entries()) {
    if (!current) {
      unreached(machine, item, seen);
      continue;
    }
    machine.around.tail = tail && i === items.length - 1;
    last = machine.exec(item, current);
    if (isJumping(last)) {
      left.push(last);
      if (mayLeave(last)) machine.around.grade = "maybe";
    }
    current = i === items.length - 1 ? current : behind(last);
    if (!current) seen = endsOf(last) ?? seen;
  }
  machine.around.grade = grade;
  machine.around.tail = tail;
  if (left.length === 0) return last;
  return { ok: current && last.ok, fail: current && last.fail, ...jumpsOf(left) };
}

/** Runs `a && b || c`: the status so far decides whether the next command runs. */
export function runLogical(machine: Machine, node: Extract<Node, { kind: "logical" }>, store: Store): Outcome {
  const { items, operators } = node;
  const { tail } = machine.around;
  let result = within(machine, { ignoring: true, tail: false }, () => machine.exec(items[0] as Node, store));
  const left: Outcome[] = [result];
  for (let i = 1; i < items.length; i++) {
    const isAnd = operators[i - 1] === "&&";
    const { ok, fail } = apart(result);
    const [run, kept] = isAnd ? [ok, fail] : [fail, ok];
    const item = items[i] as Node;
    if (!run) {
      if (kept) unreached(machine, item, kept);
      continue;
    }
    // If only a failed program skips the rest of the whole text, the commands in that rest stay sure.
    const isFailure =
      kept?.excused === true && isAnd && tail && operators.slice(i).every((operator) => operator === "&&");
    const isSure = !left.some(mayLeave) && (!kept || isFailure);
    const isLast = i === items.length - 1;
    const changes = {
      ...(isSure ? {} : { grade: "maybe" as const }),
      ...(isLast ? {} : { ignoring: true }),
      tail: tail && isLast,
    };
    const next = within(machine, changes, () => machine.exec(item, run));
    left.push(next);
    const parts = apart(next);
    result = isAnd
      ? { ok: parts.ok, fail: joined(kept, parts.fail) }
      : { ok: joined(kept, parts.ok), fail: parts.fail };
  }
  return { ok: result.ok, fail: result.fail, ...jumpsOf(left) };
}

/** Runs an `if`: each body that its test may select is run; the commands of any other body are listed as unreached. */
export function runIf(machine: Machine, node: Extract<Node, { kind: "if" }>, store: Store): Outcome {
  const { grade } = machine.around;
  const outcomes: Outcome[] = [];
  let current: Store | undefined = store;
  let seen = store;
  node.tests.forEach((test, i) => {
    const body = node.bodies[i] as Sequence;
    if (!current) {
      for (const part of [test, body]) unreached(machine, part, seen);
      return;
    }
    const result = within(machine, { ignoring: true, tail: false }, () => machine.exec(test, current as Store));
    const { ok, fail } = apart(result);
    seen = ok ?? fail ?? endsOf(result) ?? seen;
    if ((ok && fail) || mayLeave(result)) machine.around.grade = "maybe";
    outcomes.push(jumpsOf([result]));
    const before = fail?.fork();
    if (ok) outcomes.push(machine.exec(body, ok));
    else unreached(machine, body, before ?? seen);
    current = fail;
  });
  if (node.otherwise && current) outcomes.push(machine.exec(node.otherwise, current));
  else if (node.otherwise) unreached(machine, node.otherwise, seen.fork());
  else if (current) {
    current.status = "ok";
    outcomes.push({ ok: current });
  }
  machine.around.grade = grade;
  return eitherOutcome(outcomes);
}

type Answer = "yes" | "no" | "maybe";

/** Runs a `case`: the body of the first pattern that matches, or none. */
export function runCase(machine: Machine, node: Extract<Node, { kind: "case" }>, store: Store): Outcome {
  const { grade } = machine.around;
  const [word, ...more] = foldWord(machine, node.word, store);
  const text = word?.kind === "literal" && more.length === 0 ? word.text : undefined;
  const outcomes: Outcome[] = [];
  let current: Store | undefined = store;
  let into: Store | undefined;
  for (const { patterns, body, falls } of node.items) {
    const answer = current ? matching(machine, patterns, text, current) : "no";
    const entering = answer === "no" ? into : joined(into, answer === "yes" ? current : current?.fork());
    if (answer === "maybe") machine.around.grade = "maybe";
    if (answer === "yes") current = undefined;
    into = undefined;
    if (!entering) {
      unreached(machine, body, current ?? store);
      continue;
    }
    const result = machine.exec(body, entering);
    if (!falls) outcomes.push(result);
    else {
      outcomes.push(jumpsOf([result]));
      if (falls === ";&") into = behind(result);
      else current = joined(current, behind(result));
    }
  }
  const rest = joined(current, into);
  if (rest) outcomes.push(ends(rest, current === rest ? "ok" : "either"));
  machine.around.grade = grade;
  return eitherOutcome(outcomes);
}

/** Tells whether any pattern of a body matches the text. */
function matching(machine: Machine, patterns: readonly Word[], text: string | undefined, store: Store): Answer {
  let answer: Answer = "no";
  for (const pattern of patterns) {
    const fields = foldWord(machine, pattern, store);
    const one = matchingOne(pattern, fields.length === 1 ? fields[0]?.text : undefined, text, store);
    if (one === "yes") return "yes";
    if (one === "maybe") answer = "maybe";
  }
  return answer;
}

function matchingOne(pattern: Word, folded: string | undefined, text: string | undefined, store: Store): Answer {
  if (pattern.raw === "*") return "yes";
  if (text === undefined || folded === undefined || store.option("nocasematch") !== "off") return "maybe";
  spend(1);
  const isPlain = pattern.parts.every((part) => part.kind === "text");
  if (isPlain) return folded === text ? "yes" : "no";
  const isGlob = pattern.parts.every((part) => part.kind === "glob" || (part.kind === "text" && !part.quoted));
  if (!isGlob || /\\/.test(pattern.raw) || !isModelled(pattern.raw, store)) return "maybe";
  return globMatches(pattern.raw, text) ? "yes" : "no";
}
