import type { EventName } from "../schema/events.ts";
import type { ActionCode, RegexEngine, Vocabulary } from "../schema/ports.ts";
import { EvaluationError } from "../schema/ports.ts";
import { toolMatcher } from "../schema/tool-matcher.ts";
import { createLinker, type Linked } from "./link.ts";
import type { Ir, Plan, PlanAction, PlanItem, PlanPolicy, PlanRule, Template } from "./plan.ts";

/** A text template as constant parts and closures. */
export type LinkedTemplate = readonly (string | Linked)[];

/** An action with its code; templates and conditions are closures, by the names of their parameters. */
export interface LinkedAction {
  readonly plan: PlanAction;
  readonly code: ActionCode;
  readonly templates: ReadonlyMap<string, LinkedTemplate>;
  readonly conditions: ReadonlyMap<string, Linked>;
}

/** An exception with its condition as a closure; `expires` in milliseconds since the epoch, exclusive. */
export interface LinkedException {
  readonly when: Linked | undefined;
  readonly expires: number | undefined;
  readonly reason: string;
}

/** Conditions ready to run: those of a rule, or of an item of a sequence. */
export interface LinkedCondition {
  readonly rule: Pick<PlanRule, "needs" | "each" | "captures">;
  readonly matchesTool: (tool: string | undefined) => boolean;
  readonly list: Linked | undefined;
  readonly when: Linked | undefined;
  readonly unless: Linked | undefined;
  readonly exceptions: readonly LinkedException[];
}

/** An item of a rule's sequence, by its index. */
export interface LinkedItem extends LinkedCondition {
  readonly owner: LinkedRule;
  readonly index: number;
}

/** A rule ready to run: every expression a closure, every action its code. */
export interface LinkedRule extends LinkedCondition {
  readonly rule: PlanRule;
  readonly policy: PlanPolicy;
  /** What a match takes from the rule's budget. */
  readonly spends: Linked | undefined;
  readonly guards: readonly LinkedAction[];
  readonly transforms: readonly LinkedAction[];
  readonly programs: readonly LinkedAction[];
  readonly deliveries: readonly LinkedAction[];
  readonly marks: readonly LinkedAction[];
  readonly reason: LinkedTemplate;
  readonly guidance: LinkedTemplate;
}

/** What may apply to one event, in judging order. */
export interface Candidates {
  readonly enforced: readonly LinkedRule[];
  /** Rules in monitor mode: they judge a shadow and change nothing. */
  readonly monitored: readonly LinkedRule[];
  /** Items of sequences that the event may be. */
  readonly items: readonly LinkedItem[];
}

/** A plan ready to run, with its rules by event in judging order. */
export interface LinkedPlan {
  readonly plan: Plan;
  readonly vocabulary: Vocabulary;
  readonly byEvent: ReadonlyMap<EventName, Candidates>;
  /** Declared labels that only an approval takes away. */
  readonly taints: ReadonlySet<string>;
}

/** What applies to an event that no rule names. */
export const noCandidates: Candidates = { enforced: [], monitored: [], items: [] };

/**
 * Plan JSON → closures through the Vocabulary port. A plan that names an action this engine lacks cannot be used:
 * the error value says which; nothing is left out in silence.
 */
export function linkPlan(plan: Plan, vocabulary: Vocabulary, regex: RegexEngine): LinkedPlan | EvaluationError {
  const { link: linked } = createLinker(vocabulary, regex, (name) =>
    Object.hasOwn(plan.conditions, name) ? plan.conditions[name] : undefined,
  );
  const rules: LinkedRule[] = [];
  const items: { readonly events: readonly EventName[]; readonly item: LinkedItem }[] = [];
  for (const rule of plan.rules) {
    const policy = plan.policies[rule.policy];
    if (!policy) return new EvaluationError("HW502", `rule \`${rule.id}\` belongs to no policy of the plan`);
    const made = linkRule(rule, policy, vocabulary, linked);
    if (made instanceof EvaluationError) return made;
    rules.push(made);
    for (const [index, item] of (rule.sequence?.items ?? []).entries())
      items.push({ events: item.events, item: linkItem(item, made, index, linked) });
  }
  const byEvent = new Map<EventName, Candidates>();
  for (const event of new Set([...plan.rules.flatMap((rule) => rule.events), ...items.flatMap((i) => i.events)])) {
    const named = rules.filter(({ rule }) => rule.events.includes(event));
    byEvent.set(event, {
      enforced: named.filter(({ rule }) => rule.mode === "enforce"),
      monitored: named.filter(({ rule }) => rule.mode === "monitor"),
      items: items.filter(({ events }) => events.includes(event)).map(({ item }) => item),
    });
  }
  return { plan, vocabulary, byEvent, taints: taintsOf(plan) };
}

function taintsOf(plan: Plan): ReadonlySet<string> {
  const declared = plan.policies.flatMap(({ labels }) => Object.entries(labels ?? {}));
  return new Set(declared.filter(([, kind]) => kind === "taint").map(([name]) => name));
}

function linkItem(item: PlanItem, owner: LinkedRule, index: number, linked: (ir: Ir) => Linked): LinkedItem {
  return {
    owner,
    index,
    rule: { needs: item.needs },
    matchesTool: toolMatcher(item.tools),
    list: undefined,
    when: item.when && linked(item.when),
    unless: undefined,
    exceptions: [],
  };
}

function linkRule(
  rule: PlanRule,
  policy: PlanPolicy,
  vocabulary: Vocabulary,
  linked: (ir: Ir) => Linked,
): LinkedRule | EvaluationError {
  const actions: LinkedAction[] = [];
  for (const action of rule.actions) {
    const code = vocabulary.actions.get(action.action);
    if (!code)
      return new EvaluationError(
        "HW502",
        `action \`${action.action}\` of rule \`${rule.id}\` is not known to this engine`,
      );
    actions.push({
      plan: action,
      code,
      templates: new Map(Object.entries(action.templates ?? {}).map(([name, t]) => [name, linkTemplate(t, linked)])),
      conditions: new Map(Object.entries(action.conditions ?? {}).map(([name, ir]) => [name, linked(ir)])),
    });
  }
  return {
    rule,
    policy,
    matchesTool: toolMatcher(rule.tools),
    list: rule.each && linked(rule.each.list),
    when: rule.when && linked(rule.when),
    unless: rule.unless && linked(rule.unless),
    exceptions: rule.exceptions.map((e) => ({ when: e.when && linked(e.when), expires: e.expires, reason: e.reason })),
    spends: rule.budget?.of && linked(rule.budget.of),
    guards: actions.filter((a) => a.code.kind === "guard"),
    transforms: actions.filter((a) => a.code.kind === "transform"),
    programs: actions.filter((a) => a.code.kind === "program"),
    deliveries: actions.filter((a) => a.code.kind === "deliver"),
    marks: actions.filter((a) => a.code.kind === "mark"),
    reason: linkTemplate(rule.reason ?? [], linked),
    guidance: linkTemplate(rule.guidance ?? [], linked),
  };
}

function linkTemplate(template: Template, linked: (ir: Ir) => Linked): LinkedTemplate {
  return template.map((part) => (typeof part === "string" ? part : linked(part.expr)));
}
