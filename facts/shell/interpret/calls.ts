import { spend } from "../../meter.ts";
import { type Atom, type Field, literalField } from "../fields.ts";
import type { Node } from "../syntax.ts";
import type { Binding, FunctionBody } from "./binding.ts";
import type { Invocation } from "./call.ts";
import { joined } from "./join.ts";
import { type Machine, within } from "./machine.ts";
import { apart, eitherOutcome, ends, type Outcome, storesOf } from "./outcome.ts";
import { runText } from "./run.ts";
import type { Store } from "./store.ts";
import { anyValue, eitherOf, exactly, opened } from "./value.ts";

// Nested calls of one function that are followed; the next one represents all further ones.
const deep = 3;
// Functions inside functions.
const nested = 32;
// Calls of functions inside of themselves, in the whole text, that are followed.
const repeated = 64;

/** Calls a function by its name: any of the bodies that it may have. */
export function callFunction(
  machine: Machine,
  name: string,
  args: readonly Field[],
  call: Invocation,
  store: Store,
): Outcome {
  const { bodies = [], open = false } = store.functions.get(name) ?? {};
  const several = bodies.length > 1 || open;
  const outcomes = bodies.map((found, i) => {
    const child = i === bodies.length - 1 ? store : store.fork();
    return within(machine, several || !call.certain ? { grade: "maybe" } : {}, () =>
      callBody(machine, found, args, call, child),
    );
  });
  return eitherOutcome(outcomes);
}

function callBody(
  machine: Machine,
  { body }: FunctionBody,
  args: readonly Field[],
  call: Invocation,
  store: Store,
): Outcome {
  const { calls } = machine.around;
  machine.called.add(body);
  spend(1 + calls.length);
  const inside = calls.filter((one) => one.body === body);
  if (inside.length > 0) repeat(machine, body, call, store);
  else machine.repeats.delete(body);
  if (calls.length >= nested)
    machine.exceeded("functions call each other deeper than can be analysed", call.place.start);
  const said = args.map((word) => `${word.kind} ${word.template ?? word.text}`).join("\0");
  // Further nesting is not followed: anything that it can change is open.
  if (inside.some(({ any }) => any) || calls.length >= nested) {
    store.havoc();
    return ends(store);
  }
  const any = inside.length >= deep || machine.recursions > repeated || inside.some((one) => one.arguments === said);
  if (inside.length > 0) machine.recursions += 1;
  if (any) store.havoc();
  const { positional, input, read } = store;
  store.positional = any ? anyValue : exactly(args);
  enter(store, given(machine, call));
  if (call.input !== input) Object.assign(store, { input: call.input, read: 0 });
  const inner = { calls: [...calls, { body, arguments: said, any }], ...(any ? { grade: "maybe" as const } : {}) };
  const outcome = within(machine, inner, () => machine.exec(body, store));
  for (const one of storesOf(outcome)) {
    leave(one);
    one.positional = any ? opened(positional) : positional;
    if (call.input !== input) Object.assign(one, { input, read });
  }
  return returned(machine, outcome);
}

/** Returns the outcome of a call, which ends where its body returns; in most shells it does not leave a loop around the call. */
function returned(machine: Machine, outcome: Outcome): Outcome {
  const { ok, fail } = apart(outcome);
  const { ret, brk = [], cont = [], exit } = outcome;
  const back = ret?.status === "either" ? ret.fork() : undefined;
  const isLeft = !/^(?:|bash|zsh)$/.test(machine.dialect);
  const jumps = [...brk, ...cont].map((one) => (isLeft ? one?.fork() : one));
  return {
    ok: joined(ok, ret?.status === "fail" ? undefined : ret, ...jumps),
    fail: joined(fail, ret?.status === "fail" ? ret : back),
    exit,
    ...(isLeft ? { brk, cont } : {}),
  };
}

/** Returns the variables set before the call, which its body has as its own. */
function given({ around }: Machine, { env }: Invocation): readonly (readonly [string, Atom])[] {
  return env === around.environment ? [] : [...env].filter(([name, value]) => around.environment.get(name) !== value);
}

function enter(store: Store, variables: readonly (readonly [string, Atom])[]): void {
  const frame = new Map(variables.map(([name]) => [name, { before: store.variables.get(name), sure: true }]));
  store.frames = [...store.frames, frame];
  for (const [name, value] of variables) store.set(name, exactly(value));
}

/** Restores the variables that were local to the call. */
function leave(store: Store): void {
  const frame = store.frames.at(-1);
  store.frames = store.frames.slice(0, -1);
  for (const [name, { before, sure }] of frame ?? []) {
    const now = store.variables.get(name);
    store.bind(name, sure || !now ? before : eitherBinding(before, now));
  }
}

function eitherBinding(before: Binding | undefined, now: Binding): Binding {
  return { ...now, value: eitherOf([before?.value ?? anyValue, now.value]), wavering: true };
}

/** Counts a recursive call. A function that calls itself twice, once at the end of a pipe, starts ever more copies of itself. */
function repeat(machine: Machine, body: Node, call: Invocation, store: Store): void {
  const before = machine.repeats.get(body) ?? { count: 0, piped: false };
  const now = { count: before.count + 1, piped: before.piped || call.input !== undefined };
  machine.repeats.set(body, now);
  if (now.count > 1 && now.piped) machine.bombs.add(store.folder);
}

/** Runs an alias as its text, with the words of the command behind it. True if there is one. */
export function callAlias(
  machine: Machine,
  head: Field,
  args: readonly Field[],
  call: Invocation,
  store: Store,
): boolean {
  const value = head.kind === "literal" ? store.aliases.get(head.text) : undefined;
  if (!value) return false;
  const text = `${value.template ?? value.text} "$@"`;
  const field: Field = {
    ...literalField(text, value.place),
    kind: value.kind,
    ...(value.template ? { template: text } : {}),
  };
  const child = store.fork();
  child.aliases = store.aliases.without(head.text);
  child.printed = undefined;
  const by = { call, name: { program: "alias", certain: true, candidates: [] }, draft: undefined };
  runText(machine, { kind: "text", text: field, positional: args, certain: false }, by, child);
  return true;
}
