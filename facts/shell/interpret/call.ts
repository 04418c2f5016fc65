import type { Field } from "../fields.ts";
import type { Invocation as Folded } from "../invocation.ts";
import type { Machine } from "./machine.ts";
import type { Outcome } from "./outcome.ts";
import type { Store } from "./store.ts";
import type { Value } from "./value.ts";

/** A folded command before its wrappers are peeled, on one way through the text. */
export interface Invocation extends Folded {
  /** The values that assignments among the words give. */
  readonly assigned: ReadonlyMap<Field, Value>;
  /** True if it is certain, or would be if it were surely reached. */
  readonly possible: boolean;
}

/** Runs a command given by its words, as a function or alias does that calls another command. */
export type Launch = (machine: Machine, call: Invocation, store: Store) => Outcome;
