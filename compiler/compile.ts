import { type Diagnostic, hasErrors, sortDiagnostics } from "../diagnostics/diagnostic.ts";
import type { Source, Span } from "../diagnostics/source.ts";
import { digest, sha256 } from "../engine/canonical.ts";
import type { Plan } from "../engine/plan.ts";
import { facts } from "../facts/facts.ts";
import { createRegexEngine } from "../facts/regex.ts";
import type { EventName } from "../schema/events.ts";
import type { RegexEngine } from "../schema/ports.ts";
import { checkPolicy } from "./check-policy.ts";
import { makePlan, type TypedPolicy } from "./plan.ts";
import type { Example, PolicyFile } from "./policy-draft.ts";
import { type ResolvedPolicy, type CompileRequest as ResolveRequest, resolvePolicies } from "./resolve.ts";

export type { Example, PolicyFile } from "./policy-draft.ts";

/** What is to be compiled, and with which regex engine patterns are tried. */
export interface CompileRequest extends ResolveRequest {
  readonly regex?: RegexEngine;
}

/** A rule as authoring tools see it. */
export interface CheckedRule {
  /** `policy/rule`. */
  readonly id: string;
  readonly events: readonly EventName[];
  readonly tools: readonly string[];
  readonly examples: { readonly match: readonly Example[]; readonly no_match: readonly Example[] };
  readonly span: Span;
}

/** A policy as authoring tools see it. */
export interface CheckedPolicy {
  readonly id: string;
  readonly file: PolicyFile;
  readonly source: Source;
  readonly rules: readonly CheckedRule[];
}

/** A plan only where nothing is wrong; diagnostics and sources always. */
export interface CompileResult {
  readonly plan: Plan | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** Texts by the name that diagnostics cite. */
  readonly sources: ReadonlyMap<string, Source>;
  readonly policies: readonly CheckedPolicy[];
  /** The product of every stage, for editors and `explain`. */
  readonly stages: { readonly resolved: readonly ResolvedPolicy[]; readonly typed: readonly TypedPolicy[] };
}

/**
 * Policy files → plan: read, validate, parse and resolve (files and imports), check (names and types), plan.
 * Total: every problem is a diagnostic with a place in the author's file, and a set with an error gives no plan at all,
 * so that nothing of a policy is ever left out in silence (language section 3).
 */
export function compile(request: CompileRequest): CompileResult {
  const resolved = resolvePolicies(request);
  const regex = request.regex ?? createRegexEngine();
  const checked = resolved.policies.map((policy) => checkPolicy(policy, resolved.policies, regex));
  const diagnostics = sortDiagnostics([...resolved.diagnostics, ...checked.flatMap((c) => c.diagnostics)]);
  const typed = checked.map(
    (c): TypedPolicy => ({ ...c, digest: sha256(new TextDecoder().decode(c.resolved.draft.file.bytes)) }),
  );
  const plan =
    hasErrors(diagnostics) || typed.length === 0 ? undefined : makePlan(typed, { digest, tables: facts.versions });
  return {
    plan,
    diagnostics,
    sources: resolved.sources,
    policies: resolved.policies.map(asChecked),
    stages: { resolved: resolved.policies, typed },
  };
}

function asChecked({ draft }: ResolvedPolicy): CheckedPolicy {
  const rules = draft.rules.map(({ id, events, tools, examples, span }) => ({ id, events, tools, examples, span }));
  return { id: draft.id, file: draft.file, source: draft.source, rules };
}
