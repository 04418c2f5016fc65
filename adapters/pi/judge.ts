import type { Engine, Verdict } from "../../runtime.ts";
import type { AuditBody } from "../../schema/generated.ts";

/** A session, and the one that it was forked from or that started it. */
export interface SessionName {
  readonly id: string;
  readonly parent?: string;
}

/** What a guard needs of an engine. */
export interface Judge extends Pick<Engine, "active" | "plan"> {
  decide(event: unknown): Pick<Verdict, "decision">;
  /** The same with the programs that rules want run; without it only `decide` is asked. */
  judge?(event: unknown): Promise<Pick<Verdict, "decision">>;
  /** The same for a guard that names itself in records, where the engine was made without a caller. */
  through?: Engine["through"];
  /** Takes a human's answer to a question; false when there is no such question. Adapters record the answer themselves then. */
  answer?(answer: Parameters<Engine["answer"]>[0]): boolean | Promise<boolean>;
  /**
   * Puts what the adapter saw on record in the session's own trail; without it the guard's store gets it. Throws or rejects
   * when it cannot be written.
   */
  record?(session: SessionName, body: AuditBody): void | Promise<void>;
  /** The host says that a session has ended; one that goes on all the same begins where it was. */
  end?(session: string): void;
}
