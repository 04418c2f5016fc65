import type { Draft, Input, LooseRedirect } from "./draft.ts";
import type { Atom, Field } from "./fields.ts";
import type { Substitutions } from "./fold.ts";
import type { Scope } from "./scope.ts";
import type { Node } from "./syntax.ts";
import type { Tape } from "./tape.ts";
import type { WrittenFiles } from "./written.ts";

/** A function that the text defines, with the scope it was defined in. */
export interface FunctionBody {
  readonly body: Node;
  readonly scope: Scope;
  called: boolean;
}

/** A text that a shell runs as it ends. */
export interface Trap {
  readonly scope: Scope;
  readonly text: string;
  /** Working directory where the trap was set. */
  readonly cwd: string;
  /** How many assignments there had been by then. */
  readonly from: number;
  readonly certain: boolean;
  readonly nesting: number;
  run(scope: Scope): void;
}

/** The walk as launching sees it: where commands are recorded and nested texts walked. */
export interface Walker extends Substitutions {
  readonly drafts: Draft[];
  readonly loose: LooseRedirect[];
  /** Functions by name, as last defined. */
  readonly functions: ReadonlyMap<string, FunctionBody>;
  /** What the text itself wrote to files. */
  readonly files: WrittenFiles;
  /** Texts of aliases by name. */
  readonly aliases: Map<string, Field>;
  /** Bodies of the functions being called, so that recursion ends. */
  readonly calling: Node[];
  /** How often each of these has called itself so far, and whether through a pipe. */
  readonly repeats: Map<Node, { count: number; piped: boolean }>;
  /** Folders in which a function starts itself more than once at a time, so that it never ends. */
  readonly bombs: Set<string>;
  /** Wrappers around the text being walked, outermost first. */
  wrappers: readonly string[];
  /** False inside a text that only may be run. */
  certain: boolean;
  /** Variables given to the shell whose text is being walked, which all that it runs sees. */
  environment: ReadonlyMap<string, Atom>;
  nesting: number;
  /** What is being printed is read, if anything is. */
  tape: Tape | undefined;
  /** Texts that wait for the end; undefined once that has come. */
  traps: Trap[] | undefined;
  /** Counts one more thing looked at; false when the analysis is over. */
  visit(): boolean;
  exceeded(reason: string, at?: number): void;
  /** Takes in one command, and what it prints where that is read. */
  record(draft: Draft): void;
  node(node: Node, scope: Scope, input: Input): void;
  link(writer: number, reader: number): void;
}
