import type { Input } from "./draft.ts";
import { foldWord } from "./fold.ts";
import { adopt, assign, fork, join, lookup, oneOf, type Scope, unset } from "./scope.ts";
import type { Node, Sequence } from "./syntax.ts";
import { either, type Tape } from "./tape.ts";
import type { Walking } from "./walking.ts";
import { anyOf } from "./ways.ts";

/** `if`: every test and every body may be run; afterwards any of the bodies was, or none. */
export function walkIf(walk: Walking, node: Extract<Node, { kind: "if" }>, scope: Scope, input: Input): void {
  const branches: Scope[] = [];
  const tapes: Tape[] = [];
  const body = (one: Sequence | undefined): void => {
    // What the tests print stands before the body and before all that follows.
    const before = walk.tape;
    branches.push(one ? walk.branch(one, scope, input) : fork(scope));
    if (walk.tape) tapes.push(walk.tape);
    walk.tape = before;
  };
  node.bodies.forEach((one, i) => {
    const test = node.tests[i];
    if (test) walk.node(test, scope, input);
    body(one);
  });
  body(node.otherwise);
  if (walk.tape) walk.tape = either(tapes);
  join(scope, branches);
}

/** `case`: any of the bodies is run, or none. */
export function walkCase(walk: Walking, node: Extract<Node, { kind: "case" }>, scope: Scope, input: Input): void {
  foldWord(node.word, scope, walk);
  for (const item of node.items) for (const pattern of item.patterns) foldWord(pattern, scope, walk);
  const branches: Scope[] = [];
  anyOf(walk, [
    () => void branches.push(fork(scope)),
    ...node.items.map((item) => () => void branches.push(walk.branch(item.body, scope, input))),
  ]);
  join(scope, branches);
}

/** `a && b || c`: what stands right of `||` starts where the left failed; success of `cd` is assumed otherwise. */
export function walkLogical(walk: Walking, node: Extract<Node, { kind: "logical" }>, scope: Scope, input: Input): void {
  let current = fork(scope);
  let sure = true;
  node.items.forEach((item, i) => {
    if (i > 0 && node.operators[i - 1] === "||") {
      otherwise(walk, item, scope, current, input);
      sure = false;
      return;
    }
    if (sure && i > 0) {
      adopt(scope, current);
      current = fork(scope);
      sure = always(node.items[i - 1]);
    }
    if (i === 0) first(walk, item, scope, current, input);
    else if (sure) walk.node(item, current, input);
    else anyOf(walk, [() => walk.node(item, current, input), () => undefined]);
  });
  if (sure && always(node.items[node.items.length - 2])) {
    adopt(scope, current);
    return;
  }
  const { cwd, previous } = current;
  join(scope, [fork(scope), current]);
  scope.cwd = cwd;
  scope.previous = previous;
}

/** The first command is run on every way: what it sets holds whether it succeeds or not; the folder only if it does. */
function first(walk: Walking, item: Node, scope: Scope, current: Scope, input: Input): void {
  walk.node(item, current, input);
  for (const [name, value] of current.variables) assign(scope, name, value);
  for (const name of current.exported) scope.exported.add(name);
  scope.positional = current.positional;
}

/** The right side of `||`: it may be run, from where the left side began. */
function otherwise(walk: Walking, item: Node, scope: Scope, current: Scope, input: Input): void {
  let other: Scope | undefined;
  anyOf(walk, [
    () => {
      other = walk.branch(item, scope, input);
    },
    () => undefined,
  ]);
  if (!other) return;
  if (other.cwd !== scope.cwd && other.cwd !== current.cwd) current.cwd = "";
  for (const name of other.variables.keys())
    assign(current, name, oneOf([current, other].map((way) => lookup(way, name) ?? unset(name))));
  for (const name of other.exported) current.exported.add(name);
}

const reliable: ReadonlySet<string> = new Set([
  "cd",
  "export",
  "mkdir",
  "echo",
  "set",
  "true",
  "umask",
  "source",
  ".",
  "pushd",
  "git",
]);

/** True for what practically always succeeds, so that a chain behind it is not a branch. */
function always(node: Node | undefined): boolean {
  if (node?.kind !== "simple") return false;
  const [first] = node.words;
  return first === undefined || first.kind === "assignment" || reliable.has(first.raw);
}
