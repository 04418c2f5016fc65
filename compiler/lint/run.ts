import { type Diagnostic, diagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import { createRegexEngine } from "../../facts/regex.ts";
import type { ProgramClaim } from "../../schema/declarations.ts";
import type { RegexEngine } from "../../schema/ports.ts";
import type { CompileResult } from "../compile.ts";
import { withoutElements } from "../element-names.ts";
import { planDeclared } from "../plan-declared.ts";
import { inOrder } from "../policy-name.ts";
import type { ResolvedPolicy } from "../resolve.ts";
import type { Claim } from "./claims.ts";
import type { Finding, Lint, LintContext } from "./lint.ts";
import { type DeclaredNames, LintedPolicy, type LintedRule } from "./policy.ts";
import { lints as allLints } from "./registry.generated.ts";

/** Options of a run of lints. */
export interface LintOptions {
  /** Milliseconds since the epoch, for lints about dates. */
  readonly now?: number;
  readonly regex?: RegexEngine;
  /** All by default. */
  readonly lints?: readonly Lint[];
}

/**
 * Runs lints over compiled policies, including imported ones. If there is any error, the typed policies are incomplete. Then only
 * lints of single tests and those `besideErrors` run, over the typed parts, so that an author sees every fault at once. A finding is
 * reported once for each place. Total, and linear in the policies: no lint compares every rule with every other.
 */
export function lintPolicies(result: CompileResult, options: LintOptions = {}): Diagnostic[] {
  const isPartial = hasErrors(result.diagnostics);
  const context: LintContext = {
    policies: lintedPolicies(result, isPartial),
    regex: options.regex ?? createRegexEngine(),
    now: options.now,
  };
  const found = new Map<string, Diagnostic>();
  for (const lint of options.lints ?? allLints) {
    const add: Add = (policy, finding) => {
      const { start, end } = finding.span;
      const key = `${lint.code} ${start} ${end} ${policy.source.name}`;
      if (!found.has(key)) found.set(key, asDiagnostic(lint, policy, finding));
    };
    runOne(isPartial ? besideErrors(lint) : lint, context, add);
  }
  return [...found.values()];
}

/** Returns a lint without the parts that need complete policies. */
function besideErrors({ policy: _policy, set: _set, rule, ...lint }: Lint): Lint {
  return lint.besideErrors && rule ? { ...lint, rule } : lint;
}

/** Returns the policies of a result as lints see them, in judging order; with `seen` also rules and conditions with errors. */
export function lintedPolicies({ stages }: CompileResult, seen = false): readonly LintedPolicy[] {
  const programs = declaredNames(stages.typed.map(({ resolved }) => resolved));
  const byResolved = new Map(stages.typed.map((typed) => [typed.resolved, typed]));
  return inOrder(stages.typed.map(({ resolved }) => resolved)).flatMap((resolved) => {
    const typed = byResolved.get(resolved);
    return typed ? [new LintedPolicy(seen ? { ...typed, ...typed.seen } : typed, programs)] : [];
  });
}

function declaredNames(policies: readonly ResolvedPolicy[]): DeclaredNames {
  const declared = planDeclared(inOrder(policies), undefined);
  const names = new Map<string, { readonly claim: ProgramClaim; readonly peeled: boolean }>();
  for (const { draft } of policies)
    for (const { claim } of draft.programs.values()) names.set(claim.name, { claim, peeled: false });
  for (const claim of declared?.programs ?? []) {
    names.set(claim.name, { claim, peeled: false });
    const peeled = claim.standing === "known" && claim.listed !== true;
    for (const alias of claim.aliases) if (!names.has(alias)) names.set(alias, { claim, peeled });
  }
  return names;
}

type Add = (policy: LintedPolicy, finding: Finding) => void;

function runOne(lint: Lint, context: LintContext, add: Add): void {
  for (const policy of context.policies) {
    for (const finding of lint.policy?.(policy, context) ?? []) add(policy, finding);
    for (const rule of lint.rule ? policy.rules : [])
      for (const part of lint.ofItems ? [rule, ...rule.earlier] : [rule])
        for (const f of lint.rule?.(part, context) ?? []) add(policy, f);
    if (lint.claim) runClaims(lint, policy, context, add);
  }
  for (const { policy, ...finding } of lint.set?.(context) ?? []) add(policy, finding);
}

function runClaims(lint: Lint, policy: LintedPolicy, context: LintContext, add: Add): void {
  const one = (claims: readonly Claim[], rule: LintedRule | undefined): void => {
    for (const claim of claims) {
      const found = lint.claim?.(claim, { policy, rule }, context) ?? [];
      for (const finding of "span" in found ? [found] : found) add(policy, finding);
    }
  };
  one(policy.ownClaims, undefined);
  for (const rule of policy.rules) for (const part of [rule, ...rule.earlier]) one(part.claims, part);
}

function asDiagnostic({ code }: Lint, { source }: LintedPolicy, finding: Finding): Diagnostic {
  const { span, message, help, fix, related } = finding;
  const made = diagnostic(code, source, span, withoutElements(message), withoutElements(help), related);
  return fix ? { ...made, fix } : made;
}
