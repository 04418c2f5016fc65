import type { Draft, Input, LooseRedirect } from "../draft.ts";
import type { Atom, Field } from "../fields.ts";
import type { Node, Sequence } from "../syntax.ts";
import type { Tape } from "../tape.ts";
import type { WrittenFiles } from "../written.ts";
import type { FunctionBody, Status } from "./binding.ts";
import type { Outcome } from "./outcome.ts";
import type { Store } from "./store.ts";

/** Whether a command is reached on every way through the text, provided that each command which runs does its work. */
export type Grade = "sure" | "maybe";

/** A function being called: its depth, and whether its arguments represent any others. */
export interface Call {
  readonly body: Node;
  readonly arguments: string;
  readonly any: boolean;
}

/** The output of a substitution and its possible ends. */
export interface Substituted {
  readonly tape: Tape;
  readonly status: Status;
}

/** The surroundings of one part of the text; they are restored behind it. */
export interface Surroundings {
  /** Tells whether the part is surely reached. */
  grade: Grade;
  /**
   * True where it is not known whether this is a command at all, or which one: on one of several ways, or in a text that only may
   * be a command.
   */
  guessed: boolean;
  /** True where the values of a variable are those of several moments, and any moment may count. */
  moments: boolean;
  /** True where the end of the part is the end of the whole text, so that a failure in it is the text's. */
  tail: boolean;
  /** True where `set -e` does not look at failures. */
  ignoring: boolean;
  /** Loops around the part, those around the call of its function included. */
  loops: number;
  /** Rounds and values that are being looked at one by one, multiplied. */
  factor: number;
  /** Rounds around the part that only find out what a loop changes: they list nothing. */
  quiet: number;
  /** True where errors go where the output goes. */
  merged: boolean;
  /** Wrappers around the text, outermost first, and those that are called by a path of their own. */
  wrappers: readonly string[];
  strays: readonly Field[];
  /** Variables given to the shell whose text this is, which all that it runs sees. */
  environment: ReadonlyMap<string, Atom>;
  /** Texts inside texts. */
  nesting: number;
  calls: readonly Call[];
  /** The status of the last substitution in the current command. */
  substituted: Status | undefined;
  /**
   * Why the current command may not run at all: an unset variable under `set -u`, a refused redirection, an erroneous word (a
   * glob without the required match, an invalid expression).
   */
  refused: "unset" | "redirection" | "word" | undefined;
}

/** One analysis, as the parts of the interpreter see it. */
export interface Machine {
  /** Replaced while a part is run in others. */
  around: Surroundings;
  readonly drafts: Draft[];
  readonly loose: LooseRedirect[];
  readonly pipelines: number[][];
  readonly files: WrittenFiles;
  readonly bombs: Set<string>;
  readonly dialect: string;
  readonly workspace: string;
  readonly home: string;
  /** The first program that runs a text that is unseen, at least in part. */
  unseen: string | undefined;
  /** Bodies of functions that were called. */
  readonly called: Set<Node>;
  /** Calls of functions inside of themselves: all of them, and of each that is being called, with whether through a pipe. */
  recursions: number;
  readonly repeats: Map<Node, { readonly count: number; readonly piped: boolean }>;
  /** The store before the last run of each loop, and the join of the stores before its rounds. */
  readonly loops: Map<Node, { readonly before: Store; readonly after: Store }>;
  /** Parts that were looked at in rounds which only find out what a loop changes. */
  readonly tries: number;
  /** Prompts of traces that were run. */
  readonly traced: Set<string>;
  /** Definitions of functions, by their bodies, each with the store at its place. */
  readonly definitions: Map<Node, { readonly found: FunctionBody; readonly store: Store }>;
  /** Runs a node; the store is used up. */
  exec(node: Node, store: Store): Outcome;
  /** Runs the commands of a substitution, in a shell of its own. */
  substitute(script: Sequence, store: Store, input?: Input): Substituted;
  /** Counts one more thing looked at; false when the analysis is over. */
  visit(): boolean;
  /** Says that a bound was passed; the whole text is then not understood. */
  exceeded(reason: string, at?: number): void;
  /** Takes a length from the budget of text. */
  spend(length: number): void;
  /** Lists one command, and adds its output if that is read. */
  record(draft: Draft, store: Store): void;
  link(writer: number, reader: number): void;
}

/** Runs a step in other surroundings, and gives back those from before. */
export function within<T>(machine: Machine, changes: Partial<Surroundings>, step: () => T): T {
  const before = machine.around;
  machine.around = Object.assign({ ...before }, changes);
  const result = step();
  machine.around = before;
  return result;
}

// Rounds and values looked at one by one, nested ones multiplied; more make the values unknown.
const most = 64;

/** Returns the number of rounds or values that still fit. */
export function room({ around }: Machine): number {
  return Math.floor(most / around.factor);
}

/** Lists the commands of a part that is never reached: it may be, for all that a reader of the text can tell. */
export function unreached(machine: Machine, node: Node, store: Store): void {
  if (machine.around.quiet > 0) return;
  const child = store.fork();
  child.printed = undefined;
  within(machine, { grade: "maybe", tail: false, ignoring: true }, () => machine.exec(node, child));
}
