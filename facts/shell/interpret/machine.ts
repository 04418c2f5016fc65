import type { Draft, Input, LooseRedirect } from "../draft.ts";
import type { Atom, Field } from "../fields.ts";
import type { Node, Sequence } from "../syntax.ts";
import type { Tape } from "../tape.ts";
import type { WrittenFiles } from "../written.ts";
import type { FunctionBody, Status } from "./binding.ts";
import type { Outcome } from "./outcome.ts";
import type { Store } from "./store.ts";

/** `sure` if a command is reached on every path through the text, provided that each command that runs succeeds. */
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
  /** True if it is unknown whether this is a command, or which one: on one of several paths, or in a text that may be no command. */
  guessed: boolean;
  /** True if the values of a variable come from several moments, each of which may be the actual one. */
  moments: boolean;
  /** True if the part ends the whole text, so that its failure is the text's failure. */
  tail: boolean;
  /** True if `set -e` ignores failures here. */
  ignoring: boolean;
  /** Loops around the part, those around the call of its function included. */
  loops: number;
  /** Product of the rounds and values that are currently analysed one by one. */
  factor: number;
  /** Number of surrounding rounds that only compute what a loop changes; they list no commands. */
  quiet: number;
  /** True if errors go to the same place as the output. */
  merged: boolean;
  /** Wrappers around the text, outermost first, and those of them that are called by a path. */
  wrappers: readonly string[];
  strays: readonly Field[];
  /** Variables given to the shell of this text, which all its commands see. */
  environment: ReadonlyMap<string, Atom>;
  /** Nesting depth of texts. */
  nesting: number;
  calls: readonly Call[];
  /** The status of the last substitution in the current command. */
  substituted: Status | undefined;
  /**
   * Reason why the current command may not run: an unset variable under `set -u`, a refused redirection, or an erroneous word (a
   * glob without the required match, an invalid expression).
   */
  refused: "unset" | "redirection" | "word" | undefined;
}

/** One analysis, as the parts of the interpreter see it. */
export interface Machine {
  /** Replaced while a part runs in other surroundings. */
  around: Surroundings;
  readonly drafts: Draft[];
  readonly loose: LooseRedirect[];
  readonly pipelines: number[][];
  readonly files: WrittenFiles;
  readonly bombs: Set<string>;
  readonly dialect: string;
  readonly workspace: string;
  readonly home: string;
  /** The first program that runs a text that is at least partly unseen. */
  unseen: string | undefined;
  /** Bodies of functions that were called. */
  readonly called: Set<Node>;
  /** Recursive calls: their total number, and for each function their number, with whether one of them reads from a pipe. */
  recursions: number;
  readonly repeats: Map<Node, { readonly count: number; readonly piped: boolean }>;
  /** The store before the last run of each loop, and the join of the stores before its rounds. */
  readonly loops: Map<Node, { readonly before: Store; readonly after: Store }>;
  /** Number of parts visited in rounds that only compute what a loop changes. */
  readonly tries: number;
  /** Prompts of traces that were run. */
  readonly traced: Set<string>;
  /** Definitions of functions, by their bodies, each with the store at its place. */
  readonly definitions: Map<Node, { readonly found: FunctionBody; readonly store: Store }>;
  /** Runs a node. The store must not be used afterwards. */
  exec(node: Node, store: Store): Outcome;
  /** Runs the commands of a substitution, in a shell of its own. */
  substitute(script: Sequence, store: Store, input?: Input): Substituted;
  /** Counts one more visited part; false if the analysis has ended. */
  visit(): boolean;
  /** Records that a bound was exceeded; the whole text is then not understood. */
  exceeded(reason: string, at?: number): void;
  /** Spends a length of the text budget. */
  spend(length: number): void;
  /** Lists one command, and adds its output if that is read. */
  record(draft: Draft, store: Store): void;
  link(writer: number, reader: number): void;
}

/** Runs a step in other surroundings, then restores the previous ones. */
export function within<T>(machine: Machine, changes: Partial<Surroundings>, step: () => T): T {
  const before = machine.around;
  machine.around = Object.assign({ ...before }, changes);
  const result = step();
  machine.around = before;
  return result;
}

// Most rounds and values analysed one by one, as a product over nested ones; with more, the values become unknown.
const most = 64;

/** Returns the number of rounds or values that still fit. */
export function room({ around }: Machine): number {
  return Math.floor(most / around.factor);
}

/** Lists the commands of an unreached part as uncertain, because a reader of the text cannot be sure that it is unreached. */
export function unreached(machine: Machine, node: Node, store: Store): void {
  if (machine.around.quiet > 0) return;
  const child = store.fork();
  child.printed = undefined;
  within(machine, { grade: "maybe", tail: false, ignoring: true }, () => machine.exec(node, child));
}
