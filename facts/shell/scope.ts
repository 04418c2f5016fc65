import { type Atom, literalAtom, unknownAtom, unknownVariable } from "./fields.ts";

/** Value of a shell variable: a scalar or the elements of an array. */
export type Value = Atom | readonly Atom[];

/** A variable that has one of a few values: which one the text alone does not say. Who does not ask takes it as unknown. */
export interface Choice extends Atom {
  readonly kind: "unknown";
  readonly choices: readonly Value[];
}

// Values that one variable may have; more are not told apart.
const alternatives = 8;

/**
 * What a shell knows at one point of the text: variables, working directory, positional parameters.
 * Subshells and branches fork a child, which is dropped or joined. Chains are as deep as the syntax nests.
 */
export interface Scope {
  readonly parent: Scope | undefined;
  readonly variables: Map<string, Value>;
  /** Working directory; empty when unknown. */
  cwd: string;
  previous: string;
  /** Positional parameters from `$1`; undefined when unknown. */
  positional: readonly Atom[] | undefined;
  /** Names that programs started from here see; `*` when all. */
  readonly exported: Set<string>;
  /** Of the whole analysis: whether any variable ever had several values, before which no command asks; the dialect. */
  readonly shared: Shared;
}

interface Shared {
  choices: boolean;
  readonly zsh: boolean;
  /** Once a text waits for the end of its shell: what every variable was and became since then. */
  sets: Change[] | undefined;
}

/** One assignment: the variable, what it was and what it became. */
export interface Change {
  readonly name: string;
  readonly before: Value | undefined;
  readonly after: Value;
}

/** What never changes during an analysis. */
export interface Ground {
  readonly cwd: string;
  readonly home: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Name of the shell, such as `zsh`; bash when left out. */
  readonly dialect?: string;
}

/** Names that the shell sets itself, or that no environment may set. */
const reserved: ReadonlySet<string> = new Set(["IFS", "PWD", "OLDPWD", unknownVariable]);

/** Scope in which a text begins: the environment's variables, except those that the shell sets itself. */
export function rootScope(ground: Ground): Scope {
  const variables = new Map<string, Value>();
  for (const name of Object.keys(ground.variables)) {
    const value = ground.variables[name];
    if (typeof value === "string" && !reserved.has(name)) variables.set(name, literalAtom(value));
  }
  variables.set("IFS", literalAtom(" \t\n"));
  if (ground.home !== "") variables.set("HOME", literalAtom(ground.home));
  return {
    parent: undefined,
    variables,
    cwd: ground.cwd,
    previous: "",
    positional: undefined,
    exported: new Set(variables.keys()),
    shared: { choices: false, zsh: ground.dialect === "zsh", sets: undefined },
  };
}

/**
 * A child for a subshell or branch: it sees what the parent knows, its own changes stay in it until `join` or `adopt`.
 */
export function fork(scope: Scope): Scope {
  return {
    parent: scope,
    variables: new Map(),
    cwd: scope.cwd,
    previous: scope.previous,
    positional: scope.positional,
    exported: new Set(),
    shared: scope.shared,
  };
}

/** The value of a variable, or undefined when nothing in the text or the environment sets it. */
export function lookup(scope: Scope, name: string): Value | undefined {
  if (name === "PWD") return scope.cwd === "" ? unknownAtom : literalAtom(scope.cwd);
  if (name === "OLDPWD") return scope.previous === "" ? unknownAtom : literalAtom(scope.previous);
  for (let at: Scope | undefined = scope; at; at = at.parent) {
    const value = at.variables.get(name);
    if (value) return value;
  }
  return undefined;
}

/** Sets a variable in this scope alone; the name reserved for unknown values is ignored. */
export function assign(scope: Scope, name: string, value: Value): void {
  if (name === unknownVariable) return;
  if (isChoice(value)) scope.shared.choices = true;
  scope.shared.sets?.push({ name, before: lookup(scope, name), after: value });
  scope.variables.set(name, value);
}

/** Marks a variable as seen by the programs started from here; `*` marks all that are set later (`set -a`). */
export function exportName(scope: Scope, name: string): void {
  scope.exported.add(name);
}

/** Takes into `scope` what holds after either of several branches that were forked from it. */
export function join(scope: Scope, branches: readonly Scope[]): void {
  const [first] = branches;
  if (!first) return;
  const names = new Set<string>();
  for (const branch of branches) for (const name of branch.variables.keys()) names.add(name);
  for (const name of names) assign(scope, name, oneOf(branches.map((branch) => lookup(branch, name) ?? unset(name))));
  for (const branch of branches) for (const name of branch.exported) scope.exported.add(name);
  scope.cwd = branches.every((branch) => branch.cwd === first.cwd) ? first.cwd : "";
  scope.previous = branches.every((branch) => branch.previous === first.previous) ? first.previous : "";
  scope.positional = branches.every((branch) => branch.positional === first.positional) ? first.positional : undefined;
}

/**
 * What a variable is where no branch and no environment sets it: an environment need not be listed in full, and
 * names for it are upper case, so that only a name with a small letter is taken for empty.
 */
export function unset(name: string): Atom {
  return /[a-z]/.test(name) ? literalAtom("") : unknownAtom;
}

/** Start files of a nested shell that the text names without exporting them: they count where an environment has the name. */
export function startFiles(scope: Scope): [string, Atom][] {
  return ["BASH_ENV", "ENV"].flatMap((name): [string, Atom][] => {
    for (let at: Scope | undefined = scope; at; at = at.parent) if (at.exported.has(name)) return [];
    const value = lookup(scope, name);
    return value && !isArray(value) ? [[name, value]] : [];
  });
}

/** One value that is any of these; unknown when there are too many. */
export function oneOf(values: readonly Value[]): Value {
  const found: Value[] = [];
  for (const value of values)
    for (const one of isChoice(value) ? value.choices : [value])
      if (found.length <= alternatives && !found.some((other) => same(other, one))) found.push(one);
  const [first] = found;
  if (first && found.length === 1) return first;
  return found.length === 0 || found.length > alternatives ? unknownAtom : choiceOf(found);
}

function choiceOf(choices: readonly Value[]): Choice {
  return { text: "", kind: "unknown", choices };
}

/** Tells a variable with several values from one with a single value or none that is known. */
export function isChoice(value: Value | undefined): value is Choice {
  return value !== undefined && "choices" in value;
}

/** The variables of a shell started from here: what is not exported may be missing there. Source: bash manual, "Environment". */
export function inherit(child: Scope, scope: Scope): void {
  const seen = new Set<string>();
  const exported = new Set<string>();
  for (let at: Scope | undefined = scope; at; at = at.parent) for (const name of at.exported) exported.add(name);
  if (exported.has("*")) return;
  for (let at: Scope | undefined = scope; at; at = at.parent)
    for (const [name, value] of at.variables) {
      if (seen.has(name)) continue;
      seen.add(name);
      if (!exported.has(name) && name !== "IFS") assign(child, name, oneOf([value, literalAtom("")]));
    }
  assign(child, "IFS", literalAtom(" \t\n"));
}

/** Carries everything a fork changed into its parent. */
export function adopt(scope: Scope, child: Scope): void {
  for (const [name, value] of child.variables) scope.variables.set(name, value);
  for (const name of child.exported) scope.exported.add(name);
  scope.cwd = child.cwd;
  scope.previous = child.previous;
  scope.positional = child.positional;
}

/** Template of a value of which nothing is known. */
const bare = `\${${unknownVariable}}`;

function same(left: Value, right: Value): boolean {
  if (left === right) return true;
  if (isArray(left) || isArray(right))
    return (
      isArray(left) &&
      isArray(right) &&
      left.length === right.length &&
      left.every((item, i) => same(item, right[i] as Atom))
    );
  if (left.kind !== right.kind || left.text !== right.text) return false;
  return left.kind !== "unknown" || (left.template ?? bare) === (right.template ?? bare);
}

/** Tells the elements of an array variable from a scalar. */
export function isArray(value: Value): value is readonly Atom[] {
  return Array.isArray(value);
}
