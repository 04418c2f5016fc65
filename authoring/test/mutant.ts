import type { Span } from "../../diagnostics/source.ts";
import type { Plan } from "../../engine/plan.ts";

/** One small fault put into a policy. */
export interface Mutant {
  readonly operator: string;
  /** Its rule or condition, without the policy; `policy` for a place outside of both. */
  readonly of: string;
  readonly source: string;
  readonly span: Span;
  readonly before: string;
  readonly after: string;
  /** The plan with the fault; rules that it does not touch are the same objects. */
  readonly plan: Plan;
}
