import type { Code } from "../../diagnostics/codes.ts";
import type { Span } from "../../diagnostics/source.ts";
import type { Ir } from "../../engine/plan.ts";
import type { RegexEngine } from "../../schema/ports.ts";
import type { ClaimSource } from "../lint/claims.ts";
import type { TypedPolicy } from "../plan.ts";

/** A rule as far as it could be typed: what has an error stands as a constant in its place. */
export type SeenRule = TypedPolicy["rules"][number];

/** Ports of the passes below. */
export interface NeverPorts extends ClaimSource {
  readonly regex: RegexEngine;
  /** Named conditions by their name in the plan. */
  readonly conditions: ReadonlyMap<string, Ir>;
  report(code: Code, span: Span, message: string, help: string): void;
}
