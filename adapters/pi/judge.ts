import type { Engine, Verdict } from "../../runtime.ts";

/** What a guard needs of an engine. */
export interface Judge extends Pick<Engine, "active" | "plan"> {
  decide(event: unknown): Pick<Verdict, "decision">;
  /** The same with the programs that rules want run; without it only `decide` is asked. */
  judge?(event: unknown): Promise<Pick<Verdict, "decision">>;
  /** Takes a human's answer to a question; false when there is no such question. Adapters record the answer themselves then. */
  answer?: Engine["answer"];
}
