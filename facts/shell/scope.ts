import { type Atom, literalAtom, unknownAtom, unknownVariable } from "./fields.ts";

/** Value of a shell variable: a scalar or the elements of an array. */
export type Value = Atom | readonly Atom[];

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
}

/** What never changes during an analysis. */
export interface Ground {
  readonly cwd: string;
  readonly home: string;
  readonly variables: Readonly<Record<string, string>>;
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
  return { parent: undefined, variables, cwd: ground.cwd, previous: "", positional: undefined };
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
  if (name !== unknownVariable) scope.variables.set(name, value);
}

/** Takes into `scope` what holds after either of several branches that were forked from it. */
export function join(scope: Scope, branches: readonly Scope[]): void {
  const names = new Set<string>();
  for (const branch of branches) for (const name of branch.variables.keys()) names.add(name);
  for (const name of names) {
    const values = branches.map((branch) => lookup(branch, name));
    const first = values[0];
    scope.variables.set(name, first && values.every((value) => same(first, value)) ? first : unknownAtom);
  }
  const [first] = branches;
  if (!first) return;
  scope.cwd = branches.every((branch) => branch.cwd === first.cwd) ? first.cwd : "";
  scope.previous = branches.every((branch) => branch.previous === first.previous) ? first.previous : "";
  scope.positional = branches.every((branch) => branch.positional === first.positional) ? first.positional : undefined;
}

/** Carries everything a fork changed into its parent. */
export function adopt(scope: Scope, child: Scope): void {
  for (const [name, value] of child.variables) scope.variables.set(name, value);
  scope.cwd = child.cwd;
  scope.previous = child.previous;
  scope.positional = child.positional;
}

function same(left: Value, right: Value | undefined): boolean {
  if (left === right) return true;
  if (right === undefined || isArray(left) || isArray(right)) return false;
  return left.kind === right.kind && left.kind !== "unknown" && left.text === right.text;
}

/** Tells the elements of an array variable from a scalar. */
export function isArray(value: Value): value is readonly Atom[] {
  return Array.isArray(value);
}
