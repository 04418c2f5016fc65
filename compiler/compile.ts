import { type Diagnostic, hasErrors, sortDiagnostics } from "../diagnostics/diagnostic.ts";
import type { Source, Span } from "../diagnostics/source.ts";
import { digest } from "../engine/canonical.ts";
import type { Plan, Scope } from "../engine/plan.ts";
import { facts } from "../facts/facts.ts";
import { createRegexEngine } from "../facts/regex.ts";
import type { EventName } from "../schema/events.ts";
import type { RegexEngine } from "../schema/ports.ts";
import { type Allowance, allowances } from "./allowance.ts";
import { builtinFile, builtinPolicy, checkedBuiltin, standIn } from "./builtin.ts";
import { checkDeclared } from "./check-declared.ts";
import { ownExceptions } from "./check-exceptions.ts";
import { checkPolicy } from "./check-policy.ts";
import { earlierEventsHelp } from "./earlier-events.ts";
import { outlineOf, type PolicyOutline } from "./outline.ts";
import { makePlan, type TypedPolicy } from "./plan.ts";
import { changesBase, type PlanBase } from "./plan-base.ts";
import type { Example, PolicyFile } from "./policy-draft.ts";
import { policyName, ruleName } from "./policy-name.ts";
import {
  type ResolvedPolicy,
  type CompileRequest as ResolveRequest,
  resolvePolicies,
  sourceDigest,
} from "./resolve.ts";

export type { PlanBase } from "./plan-base.ts";
export type { Example, PolicyFile } from "./policy-draft.ts";

/** Policies to compile, and the regex engine that compiles their patterns. */
export interface CompileRequest extends ResolveRequest {
  readonly regex?: RegexEngine;
  /**
   * How to treat a set in which only the project's policies are wrong. `refuse` (the default, for authors) makes no plan;
   * `ask` (for hooks) makes a plan in which the others hold and a human is asked about side effects.
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
  /** Places of its own policy's exceptions for it: they are the first ones of the rule in the plan, in this order. */
  readonly exceptions: readonly Span[];
  readonly span: Span;
  /** How an example writes the events without which it cannot match, for a rule that asks what came before. */
  readonly earlier: string | undefined;
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
 * Compiles policy files to a plan: read, validate, parse and resolve (files and imports), check (names and types), plan. Every
 * plan includes the built-in policy first. Total: every problem is a diagnostic with a place in the author's file. A set with an
 * error gives no plan, so that no part of a policy is silently left out (language section 3); but see `brokenProject`. The size
 * and cost of the files are bounded (`allowance.ts`).
 */
export function compile(request: CompileRequest): CompileResult {
  const whole = compileAll(request);
  if (request.brokenProject !== "ask") return whole;
  const first = whole.diagnostics.find(isError);
  const why =
    request.unreadableProject ??
    (first && !whole.plan ? `${first.code} in ${first.source}: ${first.message}; ${first.help}` : undefined);
  if (why === undefined) return whole;
  const others = request.files.filter((file) => (file.scope ?? request.scope) !== "project");
  if (others.length === request.files.length && request.unreadableProject === undefined) return whole;
  const { plan } = instead(others, request, why, (files) => compileAll(files));
  return { ...whole, plan };
}

/**
 * Compiles a substitute for a project's policies that do not load. Trusted policies remain in force beside it, if they load
 * alone, so that a broken file cannot remove the restrictions of another.
 */
function instead<T extends CompileResult | "together">(
  others: readonly PolicyFile[],
  request: CompileRequest,
  why: string,
  run: (request: CompileRequest) => T,
): T {
  const stand = standIn(`the project's policy does not load (${why})`);
  const isTrusted = (file: PolicyFile): boolean => request.trusted?.has(sourceDigest(file.bytes)) === true;
  const kept = request.files.filter((file) => (file.scope ?? request.scope) === "project" && isTrusted(file));
  // The stand-in's texts are ours, so it is trusted.
  const trusted = new Set([...(request.trusted ?? []), sourceDigest(stand.bytes)]);
  const of = (files: readonly PolicyFile[]): T =>
    run({ ...request, trusted, files: [...files, stand], set: knownTo(files, request) });
  const made = kept.length > 0 ? of([...others, ...kept]) : of(others);
  return made !== "together" && made.plan === undefined && kept.length > 0 ? of(others) : made;
}

/**
 * Adds a project's policies, or their substitute if they do not load, to policies that are already compiled. The plan is the one
 * that `compile` makes of all files. `together` means that only `compile` can make it, since the project's policies change what
 * the others compile to.
 */
export function addProject(base: PlanBase, request: CompileRequest): CompileResult | "together" {
  const added = compileAll(request, base);
  if (added === "together") return added;
  const first = added.diagnostics.find(isError);
  const why =
    request.unreadableProject ??
    (first ? `${first.code} in ${first.source}: ${first.message}; ${first.help}` : undefined);
  if (why === undefined) return added;
  const stands = instead([], request, why, (files) => compileAll(files, base));
  return stands === "together" ? stands : { ...added, plan: stands.plan };
}

function isError({ severity }: Diagnostic): boolean {
  return severity === "error";
}

/** Keeps the set parameters that these files know: others may be meant for the policies that are left out. */
function knownTo(files: readonly PolicyFile[], { set, ...request }: CompileRequest): Record<string, string> {
  const { policies } = resolvePolicies({ ...request, files });
  const names = new Set(policies.flatMap(({ draft }) => [...draft.parameters.keys()]));
  return Object.fromEntries(Object.entries(set ?? {}).filter(([name]) => names.has(name)));
}

function compileAll(request: CompileRequest): CompileResult;
function compileAll(request: CompileRequest, base: PlanBase): CompileResult | "together";
function compileAll(request: CompileRequest, base?: PlanBase): CompileResult | "together" {
  const budgets = allowances();
  const isForeign = (file: PolicyFile, scope: Scope): boolean =>
    request.brokenProject === "ask" && scope === "project" && request.trusted?.has(sourceDigest(file.bytes)) !== true;
  const of = (file: PolicyFile, scope: Scope): Allowance =>
    isForeign(file, scope) ? budgets.untrusted : budgets.others;
  const resolved = resolvePolicies(request, of, base?.outline);
  if (base && changesBase(base.outline, resolved.policies)) return "together";
  const regex = request.regex ?? createRegexEngine();
  const all = base ? resolved.policies : [...resolved.policies, builtinPolicy()];
  const within = <T>({ draft, scope }: ResolvedPolicy, work: (budget: Allowance) => T): T | undefined => {
    const budget = of(draft.file, scope);
    return budget.run(draft.file.name, () => work(budget));
  };
  const checked = resolved.policies.flatMap(
    (policy) =>
      within(policy, (budget) => {
        const counting = policy.shipped ? regex : budget.counting(regex, policy.draft.file.name);
        return checkPolicy(policy, all, counting, base?.outline);
      }) ?? [],
  );
  const declared = resolved.policies.flatMap(
    (policy) => within(policy, () => checkDeclared(policy, all, base?.outline)) ?? [],
  );
  const typed = checked.map((c): TypedPolicy => ({ ...c, digest: sourceDigest(c.resolved.draft.file.bytes) }));
  const builtin: TypedPolicy = { ...checkedBuiltin(regex), digest: sourceDigest(builtinFile.bytes) };
  const found = [...resolved.diagnostics, ...declared, ...checked.flatMap((c) => c.diagnostics)];
  const isWhole = !hasErrors(found) && !budgets.untrusted.over && !budgets.others.over && typed.length > 0;
  const made = isWhole
    ? makePlan(base ? typed : [builtin, ...typed], { digest, tables: facts.versions, within }, base)
    : undefined;
  const over = [budgets.untrusted.over, budgets.others.over].flatMap((finding) => finding ?? []);
  return {
    plan: over.length > 0 ? undefined : made,
    diagnostics: sortDiagnostics(withoutRepeats([...over, ...found])),
    sources: resolved.sources,
    policies: resolved.policies.map((policy) => asChecked(policy, policyName(policy, all, base?.outline))),
    stages: { resolved: resolved.policies, typed },
  };
}

/** Returns the outlines of the compiled policies, and of the built-in one, for policies of a weaker scope. */
export function outlinesOf({ stages }: CompileResult): readonly PolicyOutline[] {
  return [builtinPolicy(), ...stages.resolved].map(outlineOf);
}

/** A file that two scopes import is read for each, but its findings are reported once. */
function withoutRepeats(found: readonly Diagnostic[]): Diagnostic[] {
  const key = (d: Diagnostic): string => JSON.stringify([d.code, d.source, d.span, d.message]);
  return [...new Map(found.map((d) => [key(d), d])).values()];
}

function asChecked(policy: ResolvedPolicy, name: string): CheckedPolicy {
  const { draft } = policy;
  const rules = draft.rules.map((rule) => ({
    id: ruleName(rule.id, name),
    events: rule.events,
    tools: rule.tools,
    examples: rule.examples,
    exceptions: ownExceptions(policy, rule.id).map((exception) => exception.span),
    span: rule.span,
    earlier: earlierEventsHelp(rule, draft.source),
  }));
  return { id: draft.id, file: draft.file, source: draft.source, rules };
}
