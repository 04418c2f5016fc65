import type { Span } from "../../diagnostics/source.ts";
import type { Plan } from "../../engine/plan.ts";

/** One small fault put into a policy. */
export interface Mutant {
  readonly operator: string;
  /** Rule or condition that it is in, without its policy; `policy` for what stands outside of both. */
  readonly of: string;
  readonly source: string;
  readonly span: Span;
  readonly before: string;
  readonly after: string;
  /** The plan with the fault; all rules that it does not touch are the very same values. */
  readonly plan: Plan;
}
