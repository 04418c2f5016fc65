import { type Diagnostic, diagnostic } from "../../diagnostics/diagnostic.ts";
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
 * Runs lints over compiled policies, including imported ones. An error leaves typed parts incomplete: lints of a set then say
 * nothing, nor do those of a policy with an error, and those of a rule where the error is in it or outside of rules, unless
 * they run `besideErrors`. All else is said, so that an author sees every fault at once. A finding is reported once for each
 * place. Total, and linear in the policies: no lint compares every rule with every other.
 */
export function lintPolicies(result: CompileResult, options: LintOptions = {}): Diagnostic[] {
  const errors = result.diagnostics.filter(({ severity }) => severity === "error");
  const isPartial = errors.length > 0;
  const context: LintContext = {
    policies: lintedPolicies(result, isPartial),
    regex: options.regex ?? createRegexEngine(),
    now: options.now,
  };
  const sound = context.policies.map((policy) => soundness(policy, errors));
  const found = new Map<string, Diagnostic>();
  for (const lint of options.lints ?? allLints) {
    const add: Add = (policy, finding) => {
      const { start, end, source = policy.source } = finding.span;
      const key = `${lint.code} ${start} ${end} ${source.name}`;
      if (!found.has(key)) found.set(key, asDiagnostic(lint, policy, finding));
    };
    for (const [i, policy] of context.policies.entries()) lintOne(lint, policy, sound[i] as Soundness, context, add);
    if (!isPartial) for (const { policy, ...finding } of lint.set?.(context) ?? []) add(policy, finding);
  }
  return [...found.values()];
}

/** Errors of one file whose rules are looked up; one with more tells its author enough. */
const mostErrors = 100;

/** Parts of a policy that have no error. */
interface Soundness {
  readonly isWhole: boolean;
  readonly isSound: (rule: LintedRule) => boolean;
}

/** Returns which parts of a policy are as their author wrote them. An error outside of rules may be one of any rule. */
function soundness({ source, rules }: LintedPolicy, errors: readonly Diagnostic[]): Soundness {
  const own = errors.filter((error) => error.source === source.name);
  if (own.length === 0) return { isWhole: true, isSound: () => true };
  const broken = new Set<LintedRule>();
  const isOfRules =
    own.length <= mostErrors &&
    own.every(({ span }) => {
      const rule = rules.find(({ node }) => node.span.start <= span.start && span.end <= node.span.end);
      if (rule) broken.add(rule);
      return rule !== undefined;
    });
  return { isWhole: false, isSound: (rule) => isOfRules && !broken.has(rule) };
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

function lintOne(
  lint: Lint,
  policy: LintedPolicy,
  { isWhole, isSound }: Soundness,
  context: LintContext,
  add: Add,
): void {
  if (isWhole) for (const finding of lint.policy?.(policy, context) ?? []) add(policy, finding);
  for (const rule of lint.rule ? policy.rules : []) {
    if (!lint.besideErrors && !isSound(rule)) continue;
    for (const part of lint.ofItems ? [rule, ...rule.earlier] : [rule])
      for (const finding of lint.rule?.(part, context) ?? []) add(policy, finding);
  }
  if (lint.claim) runClaims(lint, policy, context, add);
}

function runClaims(lint: Lint, policy: LintedPolicy, context: LintContext, add: Add): void {
  const one = (claims: readonly Claim[], rule: LintedRule | undefined): void => {
    for (const claim of claims) {
      const found = lint.claim?.(claim, { policy, rule }, context) ?? [];
      for (const finding of "span" in found ? [found] : found) add(policy, atGiven(finding, claim, policy));
    }
  };
  one(policy.ownClaims, undefined);
  for (const rule of policy.rules) for (const part of [rule, ...rule.earlier]) one(part.claims, part);
}

/** Moves a finding about the values of a parameter to the place where an importer gives them. */
function atGiven(finding: Finding, claim: Claim, policy: LintedPolicy): Finding {
  const { source, start } = finding.span;
  const isOfClaim = start === claim.span.start || start === claim.operandSpan.start;
  const given = source === undefined && isOfClaim ? policy.givenTo(claim) : undefined;
  return given ? { ...finding, span: given } : finding;
}

function asDiagnostic({ code }: Lint, policy: LintedPolicy, finding: Finding): Diagnostic {
  const { span, message, help, fix, related } = finding;
  const { start, end, source = policy.source } = span;
  const made = diagnostic(code, source, { start, end }, withoutElements(message), withoutElements(help), related);
  return fix && !span.source ? { ...made, fix } : made;
}
