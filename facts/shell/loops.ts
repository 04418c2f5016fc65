import { type ChangeOf, changesIn } from "./changes.ts";
import type { Input } from "./draft.ts";
import { type Atom, literalAtom, unknownAtom } from "./fields.ts";
import { foldWord } from "./fold.ts";
import { advance, position, remainingText, remainingWords } from "./inputs.ts";
import { adopt, assign, fork, join, lookup, oneOf, type Scope, unset } from "./scope.ts";
import type { For, Node } from "./syntax.ts";
import { followed, isBlank, printed } from "./tape.ts";
import type { Walking } from "./walking.ts";
import { anyOf, captured, eachWay, multiplied, possibly, room } from "./ways.ts";

/** Drops what any round of a loop may change, except where a variable only gets constants. */
function forget(node: Node, scope: Scope): void {
  const changes = changesIn(node);
  for (const [name, change] of changes.names) assign(scope, name, changed(scope, name, change));
  if (changes.directory) scope.cwd = "";
}

function changed(scope: Scope, name: string, change: ChangeOf): ReturnType<typeof oneOf> {
  if (change === "anything") return unknownAtom;
  return oneOf([lookup(scope, name) ?? unset(name), ...change.map(literalAtom)]);
}

/** A loop whose rounds are not known: its body any number of times. */
function anyRounds(walk: Walking, body: Node, scope: Scope, input: Input): void {
  const branches: Scope[] = [fork(scope)];
  const tape = captured(walk, () => void branches.push(walk.branch(body, scope, input)));
  const outer = walk.tape;
  // More than one round may print: what is known of one stands behind something that is not.
  if (outer && !isBlank(tape))
    anyOf(walk, [
      () => undefined,
      () => {
        walk.tape = followed(printed(outer, null), tape);
      },
    ]);
  join(scope, branches);
}

/** `while`, `until`, `for ((…))`. A loop that reads a known input line by line is walked line by line. */
export function walkLoop(walk: Walking, node: Extract<Node, { kind: "loop" }>, scope: Scope, input: Input): void {
  if (input && isReader(node) && readLoop(walk, node, scope, input)) return;
  forget(node, scope);
  for (const head of node.head) walk.node(head, scope, input);
  anyRounds(walk, node.body, scope, input);
}

/** True for `while read …`, also with more behind it. */
function isReader(node: Extract<Node, { kind: "loop" }>): boolean {
  const [head] = node.head;
  let first = head?.kind === "sequence" ? head.items[0] : undefined;
  while (first?.kind === "logical") first = first.items[0];
  const word = first?.kind === "simple" ? first.words[0] : undefined;
  return word?.kind === "word" && word.raw === "read";
}

function readLoop(
  walk: Walking,
  node: Extract<Node, { kind: "loop" }>,
  scope: Scope,
  input: NonNullable<Input>,
): boolean {
  const text = remainingText(input);
  const words = remainingWords(input);
  if (text === undefined && words === undefined) return false;
  const end = position(input) + (text?.length ?? words?.length ?? 0);
  const most = text === undefined ? (words?.length ?? 0) : recordsIn(text);
  if (most > room(walk)) return false;
  multiplied(walk, most, () => {
    for (let round = 0; round < most && position(input) < end; round++) {
      const before = position(input);
      for (const head of node.head) walk.node(head, scope, input);
      if (position(input) === before) advance(input, Number.POSITIVE_INFINITY);
      walk.node(node.body, scope, input);
    }
  });
  return position(input) >= end && position(input) !== Number.POSITIVE_INFINITY;
}

/** At most so many records are in a text, whichever of the usual delimiters they have. */
function recordsIn(text: string): number {
  let count = 1;
  for (const delimiter of ["\n", "\0"])
    for (let at = text.indexOf(delimiter); at >= 0; at = text.indexOf(delimiter, at + 1)) count += 1;
  return count;
}

/** `for NAME in words`: each word in turn, as long as they are few. */
export function walkFor(walk: Walking, node: For, scope: Scope, input: Input): void {
  const values: Atom[] = [];
  let count = 1;
  if (node.words) {
    const { words } = node;
    count = eachWay(walk, words, scope, (child) => {
      for (const word of words) for (const field of foldWord(word, child, walk)) values.push(field);
    });
  } else for (const atom of scope.positional ?? [unknownAtom]) values.push(atom);
  const rounds = (): void => forRounds(walk, node, values, scope, input);
  if (count > 1) possibly(walk, rounds);
  else rounds();
}

function forRounds(walk: Walking, node: For, values: readonly Atom[], scope: Scope, input: Input): void {
  const used = node.bodyText.includes(node.name);
  const many = values.length > room(walk) || values.some((value) => "open" in value && value.open === true);
  if (!used || many || values.length === 0) {
    forget(node.body, scope);
    assign(scope, node.name, used && values.length === 1 ? (values[0] as Atom) : unknownAtom);
    anyRounds(walk, node.body, scope, input);
    return;
  }
  const child = fork(scope);
  multiplied(walk, values.length, () => {
    for (const value of values) {
      assign(child, node.name, value);
      walk.node(node.body, child, input);
    }
  });
  adopt(scope, child);
}
