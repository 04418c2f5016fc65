import type { EventName } from "../schema/events.ts";
import type { ActionCode, RegexEngine, Vocabulary } from "../schema/ports.ts";
import { EvaluationError } from "../schema/ports.ts";
import { createLinker, type Linked } from "./link.ts";
import type { Ir, Plan, PlanAction, PlanPolicy, PlanRule, Template } from "./plan.ts";
import { toolMatcher } from "./tool-matcher.ts";

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

/** A rule ready to run: every expression a closure, every action its code. */
export interface LinkedRule {
  readonly rule: PlanRule;
  readonly policy: PlanPolicy;
  readonly matchesTool: (tool: string | undefined) => boolean;
  readonly list: Linked | undefined;
  readonly when: Linked | undefined;
  readonly unless: Linked | undefined;
  readonly exceptions: readonly LinkedException[];
  readonly guards: readonly LinkedAction[];
  readonly transforms: readonly LinkedAction[];
  readonly deliveries: readonly LinkedAction[];
  readonly reason: LinkedTemplate;
  readonly guidance: LinkedTemplate;
}

/** A plan ready to run, with its rules by event in judging order. */
export interface LinkedPlan {
  readonly plan: Plan;
  readonly vocabulary: Vocabulary;
  readonly byEvent: ReadonlyMap<EventName, readonly LinkedRule[]>;
}

/**
 * Plan JSON → closures through the Vocabulary port. A plan that names an action this engine lacks cannot be used:
 * the error value says which; nothing is left out in silence.
 */
export function linkPlan(plan: Plan, vocabulary: Vocabulary, regex: RegexEngine): LinkedPlan | EvaluationError {
  const { link: linked } = createLinker(vocabulary, regex, (name) =>
    Object.hasOwn(plan.conditions, name) ? plan.conditions[name] : undefined,
  );
  const byEvent = new Map<EventName, LinkedRule[]>();
  for (const rule of plan.rules) {
    const policy = plan.policies[rule.policy];
    if (!policy) return new EvaluationError("HW502", `rule \`${rule.id}\` belongs to no policy of the plan`);
    const made = linkRule(rule, policy, vocabulary, linked);
    if (made instanceof EvaluationError) return made;
    for (const event of rule.events) byEvent.set(event, [...(byEvent.get(event) ?? []), made]);
  }
  return { plan, vocabulary, byEvent };
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
    guards: actions.filter((a) => a.code.kind === "guard"),
    transforms: actions.filter((a) => a.code.kind === "transform"),
    deliveries: actions.filter((a) => a.code.kind === "deliver"),
    reason: linkTemplate(rule.reason ?? [], linked),
    guidance: linkTemplate(rule.guidance ?? [], linked),
  };
}

function linkTemplate(template: Template, linked: (ir: Ir) => Linked): LinkedTemplate {
  return template.map((part) => (typeof part === "string" ? part : linked(part.expr)));
}
