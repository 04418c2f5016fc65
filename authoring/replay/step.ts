import type { HumanAnswer } from "../../engine/approval.ts";
import type { AuditBody } from "../../schema/generated.ts";

/** Where something stands: `line` counts from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

/** What one line of a source is for a replay; one line may be several. */
export type Step =
  /** An event to judge. `recorded` is what an engine wrote of it, where the source is an audit trail. */
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
  /** A line that says nothing that a policy could judge: a summary, a change of model. */
  | { readonly kind: "passed"; readonly place: Place }
  /** A line that is not understood. */
  | { readonly kind: "unknown"; readonly why: string; readonly place: Place };
