import type { RecordedOnce, RecordedSpending, RecordedSteps } from "./generated.ts";

/**
 * State of a session as one event sees it. It is the fold over the audit records of the session (semantics section 5): reading it
 * never changes it, and the record of an event contains what the event adds.
 */

/** A call of the session's past, as `session.calls` gives it. */
export interface PastCall {
  readonly event: string;
  /** Canonical tool name; `bash` for the human's own commands. */
  readonly tool: string;
  readonly outcome: "allow" | "ask" | "block";
  /** True when a result of it was seen. */
  readonly executed: boolean;
  readonly agent: string;
  /** Event time, milliseconds since the epoch. */
  readonly time: number;
}

/** A remembered approval: the answer, and who gave it. */
export interface Approval {
  readonly answer: "allow" | "deny" | "timeout";
  readonly by: string;
}

/** View of a session for conditions and the dispatcher. Total; its answers never change within one event. */
export interface SessionView {
  readonly turn: number;
  readonly labels: readonly string[];
  /** Labels that rules in monitor mode gave; only such rules see them. */
  readonly shadowLabels: readonly string[];
  /** Labels given by a project's untrusted policies; only their own rules see them. */
  readonly projectLabels: readonly string[];
  /** Newest last; bounded by `limits.calls`. */
  readonly calls: readonly PastCall[];
  /** Questions that were put to the human so far. */
  readonly asked: number;
  /** Event time of the judged event: never before that of an earlier record. */
  readonly now: number;
  /** True when all items of the rule's sequence have happened in order and within its window. */
  sequenceHolds(rule: string): boolean;
  /** Returns the rest of the rule's budget in this bucket. */
  budgetLeft(rule: string, bucket: string): number;
  delivered(once: RecordedOnce): boolean;
  approval(key: string): Approval | undefined;
  /** Event digest in the record of a call that was let through or asked about and has no result yet, by its call id. */
  digestOfCall(id: string): string | undefined;
  /** Labels of a file, given by its real path; those of the folders above it hold as well. */
  pathLabels(path: string): readonly string[];
}

/** Additions of one event that count only once the call is let through: kept until the human answers. */
export interface Deferred {
  readonly steps: readonly RecordedSteps[];
  readonly spent: readonly RecordedSpending[];
}
