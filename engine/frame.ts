import type { FactSet } from "../schema/facts.ts";
import type { JudgedEvent } from "../schema/judged-event.ts";
import type { Captured, EvaluationError, FileSystem, Forms, RegexEngine, Value, Vocabulary } from "../schema/ports.ts";
import type { SessionView } from "../schema/session.ts";
import type { Ir } from "./plan.ts";

/**
 * Inputs and state of one evaluation. Each rule has its own frame with a full budget of steps. Frames of one payload
 * revision share its `memo`; a rule pays the steps of a remembered value as if it had computed it.
 */
export interface Frame {
  readonly event: JudgedEvent;
  readonly facts: FactSet;
  readonly files: FileSystem;
  readonly regex: RegexEngine;
  readonly session: SessionView;
  /** Set by each call before its code runs. */
  forms?: Forms;
  /** True while a value decides both ways, such as the test of a choice: its `no` must be as sure as its `yes`. */
  bothWays?: boolean;
  /**
   * True while a test loosens or is negated. Its `no` must then be sure for every value of an unknown part, and a text that may
   * occur several times or not at all passes no test.
   */
  loosens?: boolean;
  /** Set while a waiver is judged and some command's run is altered: the variables, options and wrappers that the waiver names. */
  waiving?: ReadonlySet<string> | undefined;
  /** Values of bound variables: `each`, macros. */
  readonly slots: Value[];
  /** Steps that the rule has left. */
  steps: number;
  /** Set while groups are collected: where the first `matches` that holds leaves them. */
  captured?: Captured | undefined;
  /** Groups collected for a match whose texts cite them. */
  match?: Captured | undefined;
  /** The judged payload revision; frames of one revision share their memo by it. */
  readonly revision?: object | undefined;
  /** Named conditions and derived roots of this revision, with the steps that a condition took. Made when first needed. */
  memo?: Memo | undefined;
}

/** Remembered value of a name, with the steps that it took, and the units of work besides. */
interface Remembered {
  readonly value: Value | EvaluationError;
  readonly cost: number;
  readonly work?: number;
}

/** Values by name. */
export type Memo = Map<string, Remembered>;

/** Values of conditions and roots, by revision: a new payload, like another session, is a new revision. */
const memos = new WeakMap<object, Memo>();

/** Returns the remembered values of a frame's revision. */
export function memoOf(frame: Frame): Memo {
  frame.memo ??= remembered(frame.revision);
  return frame.memo;
}

function remembered(revision: object | undefined): Memo {
  if (!revision) return new Map();
  const known = memos.get(revision);
  if (known) return known;
  const made: Memo = new Map();
  memos.set(revision, made);
  return made;
}

/** A condition ready to run. Never throws. */
export type Linked = (frame: Frame) => Value | EvaluationError;

/** The linker as linking one node sees it. */
export interface LinkContext {
  readonly vocabulary: Vocabulary;
  readonly regex: RegexEngine;
  link(ir: Ir): Linked;
  condition(name: string): Linked;
  readonly observe?: ObserveNode | undefined;
}

/** Wraps each node as it is linked, to watch its values; the wrapper must give the same values. */
export type ObserveNode = (ir: Ir, linked: Linked) => Linked;
