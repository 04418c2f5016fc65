import type { Code } from "../diagnostics/codes.ts";
import type { Span } from "../diagnostics/source.ts";
import { didYouMean } from "../diagnostics/suggest.ts";
import type { PlanException } from "../engine/plan.ts";
import { spend } from "../facts/meter.ts";
import type { PolicyOutline } from "./outline.ts";
import type { ExceptionDraft, RuleDraft } from "./policy-draft.ts";
import { inOrder, scopeRank } from "./policy-name.ts";
import type { ResolvedPolicy } from "./resolve.ts";

/** An exception for one rule of another policy; constants in it are those of the policy that wrote it. */
export interface Waiver {
  readonly policy: ResolvedPolicy;
  /** `policy/rule`, as its own file has it. */
  readonly rule: string;
  readonly exception: PlanException;
}

/** Context in which the exceptions of one policy are checked. */
export interface ExceptionCheck {
  readonly own: ResolvedPolicy;
  readonly all: readonly ResolvedPolicy[];
  /** Policies of stronger scopes that are compiled already. */
  readonly base: readonly PolicyOutline[];
  report(code: Code, span: Span, message: string, help: string): void;
  /** Types an exception in the scope of its rule, but with the names of the policy that wrote it. */
  type(exception: ExceptionDraft, rule: RuleDraft, policy: ResolvedPolicy): PlanException;
}

/** The exceptions of a policy that name one of its own rules. */
export function ownExceptions(policy: ResolvedPolicy, rule: string): ExceptionDraft[] {
  spend(policy.draft.exceptions.length);
  return policy.draft.exceptions.filter((exception) => exception.rules.some(({ glob }) => matchesRule(glob, rule)));
}

/**
 * Returns the exceptions of one policy that apply to rules of others. They reach only its own scope and lower ones, whatever
 * their globs match (semantics section 3, "Scopes"). A glob that reaches nothing is a finding, and so is an exception for
 * rules that are switched off. An exception of an untrusted project reaches only that project's rules.
 */
export function checkExceptions(check: ExceptionCheck): Waiver[] {
  const { own } = check;
  return own.draft.exceptions.flatMap((exception) => {
    const reached = reachedBy(exception, check);
    for (const { glob, span } of exception.rules) reportGlob(glob, span, check);
    if (reached.length > 0 && reached.every(({ policy, rule }) => !isEnabled(policy, rule)))
      check.report(
        "HW406",
        exception.span,
        "every rule of this exception is switched off",
        "remove the exception, or switch the rule on",
      );
    const foreign = reached.filter(({ policy }) => policy !== own);
    if (foreign.length > 0 && !own.trusted) {
      check.report(
        "HW606",
        exception.span,
        `this exception does not reach \`${foreign[0]?.rule.id}\` before a human trusts the project's policy`,
        "look at the policy, then run `hookwarden trust` on it",
      );
      return [];
    }
    return foreign.map(({ policy, rule }) => ({
      policy,
      rule: rule.id,
      exception: check.type(exception, rule, policy),
    }));
  });
}

interface Reached {
  readonly policy: ResolvedPolicy;
  readonly rule: RuleDraft;
}

/** Rules that an exception may waive, in judging order: the order of files changes nothing. */
function reachedBy(exception: ExceptionDraft, { own, all }: ExceptionCheck): Reached[] {
  return inOrder(all)
    .filter((policy) => scopeRank[policy.scope] >= scopeRank[own.scope])
    .flatMap((policy) => policy.draft.rules.map((rule) => ({ policy, rule })))
    .filter(({ rule }) => exception.rules.some(({ glob }) => matchesRule(glob, rule.id)));
}

function isEnabled({ overrides }: ResolvedPolicy, rule: RuleDraft): boolean {
  return overrides.get(rule.id)?.enabled ?? rule.enabled;
}

function reportGlob(glob: string, span: Span, { own, all, base, report }: ExceptionCheck): void {
  const rules = [
    ...base.flatMap(({ scope, rules }) => rules.map((id) => ({ scope, id }))),
    ...all.flatMap(({ scope, draft }) => draft.rules.map(({ id }) => ({ scope, id }))),
  ];
  const named = rules.filter(({ id }) => matchesRule(glob, id));
  if (named.some(({ scope }) => scopeRank[scope] >= scopeRank[own.scope])) return;
  const [first] = named;
  if (first)
    report(
      "HW411",
      span,
      `\`${first.id}\` is a rule of the ${first.scope} scope, which no ${own.scope} policy can waive`,
      "an exception reaches rules of its own scope or a lower one; ask who owns that policy",
    );
  else {
    const known = rules.map(({ id }) => id);
    report("HW404", span, `no rule is called \`${glob}\``, didYouMean(glob, known));
  }
}

/** True if a rule id matches an id or a glob with `*`. */
export function matchesRule(glob: string, id: string): boolean {
  spend(1);
  if (!glob.includes("*")) return glob === id;
  const parts = glob.split("*");
  let at = 0;
  for (const [i, part] of parts.entries()) {
    const found =
      i === 0
        ? id.startsWith(part)
          ? 0
          : -1
        : i === parts.length - 1
          ? id.endsWith(part) && id.length - part.length >= at
            ? id.length - part.length
            : -1
          : id.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}
