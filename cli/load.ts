import { notIgnored } from "../authoring/lint/ignores.ts";
import { type CompileResult, compile } from "../compiler/compile.ts";
import { type Diagnostic, hasErrors, sortDiagnostics } from "../diagnostics/diagnostic.ts";
import type { Source } from "../diagnostics/source.ts";
import type { Plan, Scope } from "../engine/plan.ts";
import { discoverForAuthoring, discoverPolicies, importProblem, resolveImport } from "../store/discover.ts";
import { fileDiagnostic } from "../store/policy-file.ts";
import type { Io } from "./io.ts";

/** Options of every command with policies. */
export interface PolicyOptions {
  readonly policy?: readonly string[];
  readonly set?: Readonly<Record<string, string>>;
  readonly scope?: Scope;
}

/** Compiled policies. `plan` is undefined if there was any error: policies are never loaded in part. */
export interface Loaded {
  readonly plan: Plan | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: ReadonlyMap<string, Source>;
  readonly result: CompileResult | undefined;
}

/** Finds and compiles the policies that options name; without `--policy`, those of the project. */
export function loadPolicies(options: PolicyOptions, io: Io): Loaded {
  const named = options.policy ?? [];
  const events = named.find((name) => name.endsWith(".jsonl"));
  if (events !== undefined)
    return { plan: undefined, diagnostics: [noPolicy(events)], sources: new Map(), result: undefined };
  const found =
    named.length > 0
      ? discoverPolicies(named, io.cwd, options.scope)
      : discoverForAuthoring(io.cwd, io.env["HOOKWARDEN_POLICY"]);
  if (found.files.length === 0)
    return { plan: undefined, diagnostics: found.diagnostics, sources: new Map(), result: undefined };
  const result = compile({
    files: found.files,
    ...(options.scope ? { scope: options.scope } : {}),
    ...(options.set ? { set: { ...options.set } } : {}),
    resolveImport,
    importProblem,
  });
  const told = result.diagnostics.length === 0 ? [] : notIgnored(result.diagnostics, result.stages.resolved);
  const diagnostics = sortDiagnostics([...found.diagnostics, ...told]);
  return { plan: hasErrors(diagnostics) ? undefined : result.plan, diagnostics, sources: result.sources, result };
}

/** Returns the finding for a file of events that `--policy` took, since it takes all words that follow it. */
function noPolicy(name: string): Diagnostic {
  return fileDiagnostic("HW701", name, "a file of events is no policy", `give it with \`--events ${name}\``);
}
