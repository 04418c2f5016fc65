import type { Engine, Verdict } from "../../runtime.ts";
import type { AuditBody } from "../../schema/generated.ts";

/** A session's id, and that of the session it was forked from or started by. */
export interface SessionName {
  readonly id: string;
  readonly parent?: string;
}

/** The part of an engine that a guard uses. */
export interface Judge extends Pick<Engine, "active" | "plan"> {
  decide(event: unknown): Pick<Verdict, "decision">;
  /** Like `decide`, but also runs the programs that rules ask for; without it only `decide` is called. */
  judge?(event: unknown): Promise<Pick<Verdict, "decision">>;
  /** Returns the judge for a guard that names itself in records, if the engine was made without a caller. */
  through?: Engine["through"];
  /** Takes a human's answer to a question; false if there is no such question, and then adapters record the answer themselves. */
  answer?(answer: Parameters<Engine["answer"]>[0]): boolean | Promise<boolean>;
  /**
   * Records an observation of the adapter in the session's own trail; without this method the guard's store gets it. Throws or
   * rejects if it cannot be written.
   */
  record?(session: SessionName, body: AuditBody): void | Promise<void>;
  /** Called when the host ends a session; if the session goes on even so, it resumes its state. */
  end?(session: string): void;
}
