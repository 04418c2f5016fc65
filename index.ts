/**
 * hookwarden: policies for AI coding agents. `compile` turns policy files into a plan, `createEngine` runs it.
 *
 * ```ts
 * const { plan, diagnostics } = compile({ files: [{ name: "p.yaml", path: "/p.yaml", bytes }] });
 * const engine = createEngine(plan);
 * engine.decide({ event: "tool_call", tool: "bash", args: { command: "ls" } }).decision.outcome;
 * ```
 */
export type * from "./adapters/hooks/index.ts";
export {
  type CheckedPolicy,
  type CheckedRule,
  type CompileRequest,
  type CompileResult,
  compile,
} from "./compiler/compile.ts";
export type { Example, PolicyFile } from "./compiler/policy-draft.ts";
export type { Code } from "./diagnostics/codes.ts";
export { type Diagnostic, hasErrors, type Severity } from "./diagnostics/diagnostic.ts";
export { type Palette, renderDiagnostic } from "./diagnostics/render.ts";
export { type Position, Source, type Span } from "./diagnostics/source.ts";
export type { Plan } from "./engine/plan.ts";
export { closedEngine, createEngine, type Engine, type EngineOptions, type Verdict } from "./runtime.ts";
export type { AuditBody, AuditRecord, Changes, Decision, DecisionError, WireEvent } from "./schema/generated.ts";
export type { AuditStore, Clock, FileSystem, RegexEngine } from "./schema/ports.ts";
export { engineVersion } from "./schema/version.ts";
