import { builtInLabels } from "../schema/labels.ts";
import type { ActionCode, RecordMask, RegexEngine, Vocabulary } from "../schema/ports.ts";
import { EvaluationError } from "../schema/ports.ts";
import { toolMatcher } from "../schema/tool-matcher.ts";
import { type CandidatesOf, indexCandidates, type PlacedItem } from "./candidates.ts";
import { type GradedRule, linkGraded } from "./graded-conditions.ts";
import { createGradedLinker } from "./graded-link.ts";
import { NeedsOnce } from "./index-once.ts";
import { RuleIndex } from "./index-rules.ts";
import type { StoredNeeds } from "./index-stored.ts";
import { LateAction, LateRule } from "./late-rule.ts";
import { createLinker, type Linker as GradedLinker, type Linked, type ObserveNode } from "./link.ts";
import type { GradedConditions, LinkedAction, LinkedItem, LinkedRule, LinkedTemplate } from "./linked.ts";
import type { Ir, Plan, PlanAction, PlanItem, PlanPolicy, PlanRule, Template } from "./plan.ts";
import { namedIn, type SpokenFor, spokenFor } from "./spoken-for.ts";

export type {
  LinkedAction,
  LinkedCondition,
  LinkedException,
  LinkedItem,
  LinkedRule,
  LinkedTemplate,
} from "./linked.ts";

/** A plan ready to run. */
export interface LinkedPlan {
  readonly plan: Plan;
  readonly vocabulary: Vocabulary;
  /** Every rule, in judging order. */
  readonly rules: readonly LinkedRule[];
  readonly candidates: CandidatesOf;
  /** Declared labels that only an approval takes away. */
  readonly taints: ReadonlySet<string>;
  /** Masks its audit records. */
  readonly mask: RecordMask;
}

/** How a plan is linked. */
export interface LinkOptions {
  /**
   * If false, every rule that names the event is judged, for comparison; the meter still stops where it stops with the index.
   * "none" makes no index at all, for a plan of so few rules that judging them costs less than searching for them.
   */
  readonly index?: boolean | "none";
  /** True: an expression is linked when it is first evaluated, for an engine that judges one event. It decides alike. */
  readonly late?: boolean;
  /** Needs of the rules, if they were derived earlier: for an engine that judges one event. */
  readonly needs?: StoredNeeds;
  /** Watches the values of nodes, as coverage does. */
  readonly observe?: ObserveNode;
  /**
   * An already linked plan, whose masks are reused. If both plans share the same conditions objects, rules that are the same
   * objects are reused too, so that only rules that differ are linked.
   */
  readonly reuse?: LinkedPlan;
}

/**
 * Links plan JSON to closures through the Vocabulary port. A plan that names an action this engine lacks cannot be used: the
 * error value names it, and nothing is silently left out.
 */
export function linkPlan(
  plan: Plan,
  vocabulary: Vocabulary,
  regex: RegexEngine,
  options: LinkOptions = {},
): LinkedPlan | EvaluationError {
  const conditions = (name: string): Ir | undefined =>
    Object.hasOwn(plan.conditions, name) ? plan.conditions[name] : undefined;
  const { link } = createLinker(vocabulary, regex, conditions, options.observe);
  const linked = options.late ? lateLink(link) : link;
  const linker = { linked, conditions, graded: gradedLinker(vocabulary, regex, conditions, options) };
  const { reuse } = options;
  const same = reuse?.plan.conditions === plan.conditions ? reuse.rules : [];
  const known = new Map(same.map((made) => [made.rule, made]));
  const rules: LinkedRule[] = [];
  const items: PlacedItem[] = [];
  for (const rule of plan.rules) {
    const policy = plan.policies[rule.policy];
    if (!policy) return new EvaluationError("HW502", `rule \`${rule.id}\` belongs to no policy of the plan`);
    const made = known.get(rule) ?? linkRule(rule, policy, vocabulary, linker, options);
    if (made instanceof EvaluationError) return made;
    rules.push(made);
    for (const [index, item] of (rule.sequence?.items ?? []).entries())
      items.push({ events: item.events, item: linkItem(item, made, index, linker) });
  }
  const ofNeeds = options.needs && new NeedsOnce(rules, options.needs, link);
  // Whoever watches nodes is to see the rules' own evaluation alone.
  const looks = options.index === false ? !options.observe : options.index !== "none";
  const index = looks ? (ofNeeds ?? new RuleIndex(rules, link, regex, conditions)) : undefined;
  const mask = reuse?.mask ?? vocabulary.recordMask(redactionsOf(plan));
  return {
    plan,
    vocabulary,
    rules,
    candidates: indexCandidates(rules, items, index, options.index !== false),
    taints: reuse?.plan.policies === plan.policies ? reuse.taints : taintsOf(plan),
    mask,
  };
}

function lateLink(link: (ir: Ir) => Linked): (ir: Ir) => Linked {
  return (ir) => {
    let made: Linked | undefined;
    return (frame) => {
      made ??= link(ir);
      return made(frame);
    };
  };
}

function redactionsOf(plan: Plan): readonly unknown[] {
  return plan.rules.flatMap(({ actions, policy }) => {
    const own = actions.filter(({ action }) => action === "redact").map(({ parameters }) => parameters);
    // Patterns of an untrusted policy do not mask records: a repository must not choose what becomes unreadable.
    return plan.policies[policy]?.untrusted ? own.map(withoutPatterns) : own;
  });
}

function withoutPatterns(parameters: unknown): unknown {
  const { patterns: _, ...rest } = (parameters ?? {}) as { readonly patterns?: unknown };
  return rest;
}

function taintsOf(plan: Plan): ReadonlySet<string> {
  const declared = [builtInLabels, ...plan.policies.map(({ labels }) => labels ?? {})].flatMap(Object.entries);
  return new Set(declared.filter(([, kind]) => kind === "taint").map(([name]) => name));
}

function linkItem(item: PlanItem, owner: LinkedRule, index: number, linker: Linker): LinkedItem {
  return {
    owner,
    index,
    rule: { needs: item.needs },
    needs: item.needs,
    each: undefined,
    matchesTool: toolMatcher(item.tools),
    list: undefined,
    when: item.when && linker.linked(item.when),
    unless: undefined,
    exceptions: [],
    graded: gradedLater({ ...(item.when && { when: item.when }), exceptions: [] }, linker),
  };
}

function linkRule(
  rule: PlanRule,
  policy: PlanPolicy,
  vocabulary: Vocabulary,
  linker: Linker,
  options: LinkOptions,
): LinkedRule | EvaluationError {
  const { linked } = linker;
  const late = options.late === true;
  const actions: LinkedAction[] = [];
  for (const action of rule.actions) {
    const code = vocabulary.actions.get(action.action);
    if (!code)
      return new EvaluationError(
        "HW502",
        `action \`${action.action}\` of rule \`${rule.id}\` is not known to this engine`,
      );
    const link = (): LinkedAction => linkAction(action, code, linked);
    actions.push(late ? new LateAction(action, code, link) : link());
  }
  if (late) return new LateRule(rule, policy, actions, () => linkConditions(rule, linker));
  const conditions = linkConditions(rule, linker);
  const guards = actions.filter((a) => a.code.kind === "guard");
  const isPlain = guards.length > 0 && !rule.each && !rule.needs && !rule.sequence && !options.observe;
  return {
    rule,
    policy,
    needs: rule.needs,
    each: rule.each,
    sequenced: rule.sequence !== undefined,
    matchesTool: toolMatcher(rule.tools),
    ...conditions,
    plain: isPlain ? conditions.when : undefined,
    guards,
    transforms: actions.filter((a) => a.code.kind === "transform"),
    programs: actions.filter((a) => a.code.kind === "program"),
    deliveries: actions.filter((a) => a.code.kind === "deliver"),
    marks: actions.filter((a) => a.code.kind === "mark"),
  };
}

/** Linker of expressions, and the named conditions that they may refer to. */
interface Linker {
  readonly linked: (ir: Ir) => Linked;
  readonly conditions: (name: string) => Ir | undefined;
  /** The linker of graded conditions, made when facts first hold what is known in part. */
  readonly graded: () => GradedLinker;
}

/** Links the parts of a rule that hold expressions, except its actions. */
function linkConditions(rule: PlanRule, linker: Linker) {
  const { linked } = linker;
  const unless = rule.unless && linked(rule.unless);
  const exceptions = rule.exceptions.map((e) => ({
    when: e.when && linked(e.when),
    expires: e.expires,
    reason: e.reason,
  }));
  return {
    list: rule.each && linked(rule.each.list),
    when: rule.when && linked(rule.when),
    unless,
    exceptions,
    graded: gradedLater(rule, linker),
    spoken: spokenLater(rule, linker),
    ...namedLater(rule, linker),
    spends: rule.budget?.of && linked(rule.budget.of),
    reason: linkTemplate(rule.reason ?? [], linked),
    guidance: linkTemplate(rule.guidance ?? [], linked),
  };
}

function gradedLinker(
  vocabulary: Vocabulary,
  regex: RegexEngine,
  conditions: Linker["conditions"],
  { observe }: LinkOptions,
): Linker["graded"] {
  let made: GradedLinker | undefined;
  return () => {
    made ??= createGradedLinker(vocabulary, regex, conditions, observe);
    return made;
  };
}

function gradedLater(rule: GradedRule, { graded, conditions }: Linker): LinkedRule["graded"] {
  let made: GradedConditions | undefined;
  return () => {
    made ??= linkGraded(rule, graded(), conditions);
    return made;
  };
}

function spokenLater(rule: PlanRule, { conditions }: Linker): LinkedRule["spoken"] {
  let made: SpokenFor | undefined;
  return () => {
    made ??= spokenFor(rule, conditions);
    return made;
  };
}

function namedLater(
  { unless, exceptions }: PlanRule,
  { conditions }: Linker,
): { readonly named?: NonNullable<LinkedRule["named"]> } {
  if (!unless && exceptions.length === 0) return {};
  let made: ReadonlySet<string> | undefined;
  return {
    named: () => {
      made ??= namedIn([unless, ...exceptions.map(({ when }) => when)], conditions);
      return made;
    },
  };
}

function linkAction(plan: PlanAction, code: ActionCode, linked: (ir: Ir) => Linked): LinkedAction {
  return {
    plan,
    code,
    templates: new Map(Object.entries(plan.templates ?? {}).map(([name, t]) => [name, linkTemplate(t, linked)])),
    conditions: new Map(Object.entries(plan.conditions ?? {}).map(([name, ir]) => [name, linked(ir)])),
  };
}

function linkTemplate(template: Template, linked: (ir: Ir) => Linked): LinkedTemplate {
  return template.map((part) => (typeof part === "string" ? part : linked(part.expr)));
}
