import type { Atom, Field } from "./fields.ts";
import type { Place } from "./syntax.ts";

/** A redirection after folding. Here-documents and here-strings carry data instead of a target. */
export interface FoldedRedirect {
  readonly operator: string;
  readonly descriptor: number;
  readonly target: Field | undefined;
  readonly data: Atom | undefined;
}

/** Known output of a command: one text, or words that represent the paths that it lists. */
export interface Output {
  readonly atom?: Atom;
  readonly words?: readonly Field[];
}

/** Input of a command: none given, unknown (`null`), or a known output. */
export type Input = Output | null | undefined;

/** One command on its way to becoming a fact: program and words folded, wrappers peeled. */
export interface Draft {
  /** Base name of the program; empty when unknown. */
  readonly program: string;
  /** Programs that a globbed program word may match. */
  readonly candidates: readonly string[];
  /** The program word as folded. */
  readonly name: Field;
  readonly args: readonly Field[];
  readonly env: ReadonlyMap<string, Atom>;
  readonly wrappers: readonly string[];
  /** The wrappers among them that are called by a path of their own, as they are called. */
  readonly strays: readonly Field[];
  /** Variables of the shell that may change which program runs. */
  readonly moved: readonly (readonly [string, Atom])[];
  readonly redirects: readonly FoldedRedirect[];
  readonly cwd: string;
  readonly place: Place;
  readonly input: Input;
  /** False if the program word is a guess, or this may be no command. */
  readonly certain: boolean;
  /** True if it is uncertain only because it may not be reached; the command itself is known. */
  readonly possible?: true;
  pipedFrom: number;
  pipedTo: number;
  output: Output | undefined;
  /** True when all the code that it runs was analysed as commands of their own. */
  readonly analysed?: boolean;
  /** Reasons why this command is not fully known. */
  readonly doubts: string[];
}

/** Redirections of a compound command: effects that no single command causes. */
export interface LooseRedirect {
  readonly redirect: FoldedRedirect;
  readonly cwd: string;
  readonly place: Place;
  /** Absent if the command is surely reached. */
  readonly certain?: false;
  /** True if it is uncertain only because it may not be reached. */
  readonly possible?: true;
}
