import type { Code } from "../../diagnostics/codes.ts";
import type { Span } from "../../diagnostics/source.ts";
import type { Ir } from "../../engine/plan.ts";
import type { RegexEngine } from "../../schema/ports.ts";
import type { ClaimSource } from "../lint/claims.ts";
import type { TypedPolicy } from "../plan.ts";

/** The typed parts of a rule; a constant replaces each part with an error. */
export type SeenRule = TypedPolicy["rules"][number];

/** A test that cannot hold together with others; `literal` where no list or parameter has had a say. */
export interface Clash {
  readonly span: Span;
  /** The tested path, as its author writes it; empty for a condition that is not a single test. */
  readonly path: string;
  readonly literal: boolean;
  /** Why, where the tests are of different parts of one value. */
  readonly why?: string;
  /** The next step, where more is known than that one of the tests is too many. */
  readonly help?: string;
}

/** Ports of the passes below. */
export interface NeverPorts extends ClaimSource {
  readonly regex: RegexEngine;
  /** Named conditions by their name in the plan. */
  readonly conditions: ReadonlyMap<string, Ir>;
  report(code: Code, span: Span, message: string, help: string): void;
}
