import type { Input } from "./draft.ts";
import type { Scope } from "./scope.ts";
import type { Node } from "./syntax.ts";
import type { Walker } from "./walker.ts";
import type { Ways } from "./ways.ts";

/** The walk as the passes over branches and loops see it. */
export interface Walking extends Walker, Ways {
  /** Walks a node on one of several ways: what it changes stays in the scope that is given back. */
  branch(body: Node, scope: Scope, input: Input): Scope;
}
