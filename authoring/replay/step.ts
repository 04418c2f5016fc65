import type { HumanAnswer } from "../../engine/approval.ts";
import type { AuditBody } from "../../schema/generated.ts";

/** A place in a file: `line` counts from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

/** One step of a replay; one line of a source may give several. */
export type Step =
  /** An event to judge. `recorded` is the engine's record of it, if the source is an audit trail. */
  | {
      readonly kind: "event";
      readonly wire: unknown;
      readonly session: string;
      readonly recorded?: AuditBody;
      readonly place: Place;
    }
  /** A human's answer to an earlier event that asked. */
  | { readonly kind: "answer"; readonly answer: HumanAnswer; readonly place: Place }
  /** A note or an answer on record; with `why`, a decision whose event is not on record. */
  | { readonly kind: "past"; readonly body: AuditBody; readonly place: Place; readonly why?: string }
  /** A line without anything that a policy could judge: a summary, a change of model. */
  | { readonly kind: "passed"; readonly place: Place }
  /** A line that is not understood. */
  | { readonly kind: "unknown"; readonly why: string; readonly place: Place };
