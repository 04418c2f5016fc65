import { literalAtom } from "./fields.ts";
import { assign, type Change, fork, oneOf, type Scope, type Value } from "./scope.ts";
import type { FunctionBody, Trap, Walker } from "./walker.ts";

// Texts that wait; more are walked at once, so that what each looks through takes linear time.
const most = 8;
// States of the variables of one text that are walked one by one.
const states = 8;

/**
 * Keeps a text for the end, so that it is judged with what its variables become: `trap 'rm -r "$d"' EXIT; d=$(mktemp -d)`.
 * False where it is to be walked at once: what it prints is read here, or the end has come.
 */
export function waits(walk: Walker, text: string, scope: Scope, run: (scope: Scope) => void): boolean {
  if (!walk.traps || walk.traps.length >= most || walk.tape) return false;
  scope.shared.sets ??= [];
  const { certain, nesting } = walk;
  walk.traps.push({ scope, text, cwd: scope.cwd, from: scope.shared.sets.length, certain, nesting, run });
  return true;
}

/**
 * Walks what waited. The shell may end anywhere behind the trap, so the text is walked with what its variables are there and
 * after each assignment of one of them, in whatever part of the whole text it stands; a variable that nothing had set
 * before is empty until then. The working directory is that of the trap or that of the end.
 */
export function runTraps(walk: Walker & { readonly definitions: readonly FunctionBody[] }): void {
  const traps = walk.traps ?? [];
  walk.traps = undefined;
  for (const trap of traps) {
    const { shared, cwd } = trap.scope;
    const { sets } = shared;
    const { certain, nesting } = walk;
    const changes = changesFor(trap, walk.definitions);
    shared.sets = undefined;
    walk.certain = trap.certain;
    walk.nesting = trap.nesting;
    for (const state of statesOf(changes))
      for (const from of cwd === trap.cwd || cwd === "" ? [trap.cwd] : [trap.cwd, cwd]) {
        const child = fork(trap.scope);
        child.cwd = from;
        for (const [name, value] of state) assign(child, name, value);
        trap.run(child);
      }
    walk.certain = certain;
    walk.nesting = nesting;
    shared.sets = sets;
  }
}

/** Assignments since the trap to variables whose names stand in its text, or in a function if it may call one. */
function changesFor({ scope, text, from }: Trap, functions: readonly FunctionBody[]): readonly Change[] {
  const changes = scope.shared.sets?.slice(from) ?? [];
  if (/\$\{!|\b(?:eval|source)\b|(?:^|[\s;&|(])\.\s/.test(text)) return changes;
  const names = new Set(namesOf(text));
  if (functions.length > 0) for (const { body } of functions) namesIn(body, names);
  return changes.filter(({ name }) => names.has(name));
}

/** What the variables are at first and after each change; with too many changes, all that each of them ever was. */
function statesOf(changes: readonly Change[]): readonly ReadonlyMap<string, Value>[] {
  const values = new Map<string, Value[]>();
  for (const { name, before, after } of changes) {
    const found = values.get(name);
    if (found) found.push(after);
    else values.set(name, [before ?? literalAtom(""), after]);
  }
  if (changes.length >= states) return [new Map([...values].map(([name, all]) => [name, oneOf(all)]))];
  const state = new Map([...values].map(([name, all]) => [name, all[0] as Value]));
  return [
    new Map(state),
    ...changes.map(({ name, after }) => {
      state.set(name, after);
      return new Map(state);
    }),
  ];
}

function namesOf(raw: string): readonly string[] {
  return raw.match(/[A-Za-z_]\w*/g) ?? [];
}

/** Every name in the words of a part of the tree, in quoted texts too. */
function namesIn(part: object, names: Set<string>): void {
  const open: object[] = [part];
  for (let one = open.pop(); one; one = open.pop()) {
    if ("raw" in one && typeof one.raw === "string") for (const name of namesOf(one.raw)) names.add(name);
    if ("name" in one && typeof one.name === "string") names.add(one.name);
    for (const inner of Object.values(one)) if (typeof inner === "object" && inner !== null) open.push(inner);
  }
}
