import { type Diagnostic, hasErrors, sortDiagnostics } from "../diagnostics/diagnostic.ts";
import type { Source, Span } from "../diagnostics/source.ts";
import { digest } from "../engine/canonical.ts";
import type { Plan } from "../engine/plan.ts";
import { facts } from "../facts/facts.ts";
import { createRegexEngine } from "../facts/regex.ts";
import type { EventName } from "../schema/events.ts";
import type { RegexEngine } from "../schema/ports.ts";
import { builtinFile, builtinPolicy, checkedBuiltin, standIn } from "./builtin.ts";
import { ownExceptions } from "./check-exceptions.ts";
import { checkPolicy } from "./check-policy.ts";
import { makePlan, type TypedPolicy } from "./plan.ts";
import type { Example, PolicyFile } from "./policy-draft.ts";
import { policyName, ruleName } from "./policy-name.ts";
import {
  type ResolvedPolicy,
  type CompileRequest as ResolveRequest,
  resolvePolicies,
  sourceDigest,
} from "./resolve.ts";

export type { Example, PolicyFile } from "./policy-draft.ts";

/** What is to be compiled, and with which regex engine patterns are tried. */
export interface CompileRequest extends ResolveRequest {
  readonly regex?: RegexEngine;
  /**
   * What becomes of a set in which only the project's policies are wrong: no plan (`refuse`, the default, for authors),
   * or a plan in which the others hold and side effects are put to a human (`ask`, for hooks).
   */
  readonly brokenProject?: "refuse" | "ask";
  /** Why the project's policies could not even be read; they count as broken then. */
  readonly unreadableProject?: string;
}

/** A rule as authoring tools see it. */
export interface CheckedRule {
  /** `policy/rule`. */
  readonly id: string;
  readonly events: readonly EventName[];
  readonly tools: readonly string[];
  readonly examples: { readonly match: readonly Example[]; readonly no_match: readonly Example[] };
  /** Where the exceptions of its own policy stand that are for it: the first ones of the rule in the plan, in their order. */
  readonly exceptions: readonly Span[];
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
 * Policy files → plan: read, validate, parse and resolve (files and imports), check (names and types), plan. Every plan has
 * the built-in policy on top. Total: every problem is a diagnostic with a place in the author's file, and a set with an
 * error gives no plan at all, so that nothing of a policy is ever left out in silence (language section 3); but see
 * `brokenProject`.
 */
export function compile(request: CompileRequest): CompileResult {
  const whole = compileAll(request);
  if (request.brokenProject !== "ask") return whole;
  const first = whole.diagnostics.find((d) => d.severity === "error");
  const why =
    request.unreadableProject ??
    (first && !whole.plan ? `${first.code} in ${first.source}: ${first.message}` : undefined);
  if (why === undefined) return whole;
  const others = request.files.filter((file) => (file.scope ?? request.scope) !== "project");
  if (others.length === request.files.length && request.unreadableProject === undefined) return whole;
  const stand = standIn(`the project's policy does not load (${why})`);
  const { plan } = compileAll({ ...request, files: [...others, stand], set: knownTo(others, request) });
  return { ...whole, plan };
}

/** What the command line sets may be meant for the policies that are left out. */
function knownTo(files: readonly PolicyFile[], { set, ...request }: CompileRequest): Record<string, string> {
  const { policies } = resolvePolicies({ ...request, files });
  const names = new Set(policies.flatMap(({ draft }) => [...draft.parameters.keys()]));
  return Object.fromEntries(Object.entries(set ?? {}).filter(([name]) => names.has(name)));
}

function compileAll(request: CompileRequest): CompileResult {
  const resolved = resolvePolicies(request);
  const regex = request.regex ?? createRegexEngine();
  const all = [...resolved.policies, builtinPolicy()];
  const checked = resolved.policies.map((policy) => checkPolicy(policy, all, regex));
  const diagnostics = sortDiagnostics(
    withoutRepeats([...resolved.diagnostics, ...checked.flatMap((c) => c.diagnostics)]),
  );
  const typed = checked.map((c): TypedPolicy => ({ ...c, digest: sourceDigest(c.resolved.draft.file.bytes) }));
  const builtin: TypedPolicy = { ...checkedBuiltin(regex), digest: sourceDigest(builtinFile.bytes) };
  const plan =
    hasErrors(diagnostics) || typed.length === 0
      ? undefined
      : makePlan([builtin, ...typed], { digest, tables: facts.versions });
  return {
    plan,
    diagnostics,
    sources: resolved.sources,
    policies: resolved.policies.map((policy) => asChecked(policy, policyName(policy, all))),
    stages: { resolved: resolved.policies, typed },
  };
}

/** A file that two scopes import is read for each, but a finding is told once. */
function withoutRepeats(found: readonly Diagnostic[]): Diagnostic[] {
  const key = (d: Diagnostic): string => JSON.stringify([d.code, d.source, d.span, d.message]);
  return [...new Map(found.map((d) => [key(d), d])).values()];
}

function asChecked(policy: ResolvedPolicy, name: string): CheckedPolicy {
  const { draft } = policy;
  const rules = draft.rules.map(({ id, events, tools, examples, span }) => ({
    id: ruleName(id, name),
    events,
    tools,
    examples,
    exceptions: ownExceptions(policy, id).map((exception) => exception.span),
    span,
  }));
  return { id: draft.id, file: draft.file, source: draft.source, rules };
}
