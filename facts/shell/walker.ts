import type { Draft, Input, LooseRedirect } from "./draft.ts";
import type { Substitutions } from "./fold.ts";
import type { Scope } from "./scope.ts";
import type { Node } from "./syntax.ts";

/** A function that the text defines, with the scope it was defined in. */
export interface FunctionBody {
  readonly body: Node;
  readonly scope: Scope;
  called: boolean;
}

/** The walk as launching sees it: where commands are recorded and nested texts walked. */
export interface Walker extends Substitutions {
  readonly drafts: Draft[];
  readonly loose: LooseRedirect[];
  /** Functions by name, as last defined. */
  readonly functions: ReadonlyMap<string, FunctionBody>;
  /** Program names that the text itself copied to other names. */
  readonly copies: Map<string, string>;
  /** Bodies of the functions being called, so that recursion ends. */
  readonly calling: Node[];
  /** Wrappers around the text being walked, outermost first. */
  wrappers: readonly string[];
  /** False inside a text that only may be run. */
  certain: boolean;
  nesting: number;
  /** Counts one more thing looked at; false when the analysis is over. */
  visit(): boolean;
  exceeded(reason: string, at?: number): void;
  node(node: Node, scope: Scope, input: Input): void;
  link(writer: number, reader: number): void;
}
