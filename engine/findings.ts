import type { DecisionError } from "../schema/generated.ts";
import type { Delivery, EvaluationError, ProgramRequest } from "../schema/ports.ts";
import type { LinkedRule } from "./link-plan.ts";
import type { Asked } from "./program-record.ts";
import type { UnsureMatch } from "./stance.ts";
import type { Applied } from "./transform.ts";

/** A rule that matched, and its requests. */
export interface Matched {
  readonly linked: LinkedRule;
  readonly outcome: string;
  readonly element: string | undefined;
  /** Set if it is unsure whether the rule applies. */
  readonly unsure: UnsureMatch | undefined;
  /** False where nothing was done, since that is not sure. */
  readonly done: boolean;
}

/** Most events ask none. */
const noPrograms: ReadonlyMap<string, Asked> = new Map();

/** Findings of one dispatch, each kept once however many rounds see it. */
export class Findings {
  readonly matched: Matched[] = [];
  /** Matches of rules in monitor mode: what they would have done. */
  readonly would: Matched[] = [];
  readonly applied: Applied[] = [];
  readonly errors: DecisionError[] = [];
  /** Programs whose answers are still to come; the event is judged again with them. */
  readonly requests: ProgramRequest[] = [];
  /** Text for the model from programs; delivered even when one of them blocks. */
  readonly contexts: Delivery[] = [];
  /** The first error that closes the event. */
  failed: DecisionError | undefined;
  #programs: Map<string, Asked> | undefined;

  /** Programs on whose answers the decision depends, by the key of their request. */
  get programs(): ReadonlyMap<string, Asked> {
    return this.#programs ?? noPrograms;
  }

  /** Notes a rule that matched; for one in monitor mode, what it would have done. */
  note(linked: LinkedRule, outcome: string, element: string | undefined, unsure?: UnsureMatch, done = true): void {
    const list = linked.rule.mode === "monitor" ? this.would : this.matched;
    const known = list.findIndex((m) => m.linked === linked && m.outcome === outcome && m.element === element);
    if (known < 0) list.push({ linked, outcome, element, unsure, done });
    // Of several readings the surest counts.
    else if (list[known]?.unsure && !unsure) list[known] = { linked, outcome, element, unsure, done };
  }

  /** True for a rule that some reading of the event matched. */
  matches(linked: LinkedRule): boolean {
    return [...this.matched, ...this.would].some((one) => one.linked === linked);
  }

  /** A program whose answer counts. */
  asked(key: string, program: Asked): void {
    this.#programs ??= new Map();
    this.#programs.set(key, program);
  }

  /** An error that changes nothing. */
  record(error: DecisionError): void {
    const { code, message, rule } = error;
    if (this.errors.some((e) => e.code === code && e.message === message && e.rule === rule)) return;
    this.errors.push(error);
  }

  /** An error that closes the event. */
  fail(error: EvaluationError, linked?: LinkedRule): void {
    this.failWith(errorOf(error, linked));
  }

  /** The same for an error that is a value already. */
  failWith(error: DecisionError): void {
    this.record(error);
    this.failed ??= error;
  }
}

/**
 * Returns an evaluation error as decisions carry it. Its message can cite a policy's text, so that of an untrusted policy is
 * replaced: the text must not reach the model.
 */
export function errorOf(error: EvaluationError, linked?: LinkedRule): DecisionError {
  const message = linked?.policy.untrusted ? untrustedError : error.message;
  return { code: error.code, message, ...(linked && { rule: linked.rule.id }) };
}

const untrustedError = "a rule of this project's policy, which nobody has trusted, could not be evaluated";
