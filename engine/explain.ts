import type { Declarations } from "../schema/declarations.ts";
import type { EventName } from "../schema/events.ts";
import type { Effects, FactSet } from "../schema/facts.ts";
import type { JudgedEvent } from "../schema/judged-event.ts";
import { limits } from "../schema/limits.ts";
import { EvaluationError, type FileSystem, type RegexEngine, type Value } from "../schema/ports.ts";
import type { SessionView } from "../schema/session.ts";
import { bucketOf, evaluateRule, frameOf, isOnlyPossible, spendingOf, type View } from "./evaluate-rule.ts";
import { askedFacts, EventTrees } from "./event-trees.ts";
import { type UncoveredText, uncoveredText } from "./explain-cover.ts";
import { declaredPart, type ExplainedDeclaration } from "./explain-declared.ts";
import { type Hide, hidden, hideSecrets } from "./explain-mask.ts";
import { type ExplainedNode, type ExplainedValue, explainNode, failed, type NodePorts, shown } from "./explain-node.ts";
import { Findings } from "./findings.ts";
import { createGradedLinker } from "./graded-link.ts";
import { gradedOf } from "./graded-rule.ts";
import { createLinker, type Frame } from "./link.ts";
import type { LinkedPlan, LinkedRule } from "./link-plan.ts";
import { type Malformed, normalise } from "./normalise.ts";
import type { Ir, PlanException } from "./plan.ts";
import { carriedViews, furtherViews } from "./round.ts";
import type { UnsureMatch } from "./stance.ts";

/** Ports for explaining; the same ones as for deciding. */
export interface ExplainPorts {
  factsOf(event: JudgedEvent, files: FileSystem, share?: number, declared?: Declarations): FactSet;
  filesOf(listed: Readonly<Record<string, unknown>> | undefined): FileSystem;
  sessionOf(event: JudgedEvent): SessionView;
  readonly regex: RegexEngine;
}

/** Everything that led to a decision about one original event, before any rule rewrote it. All secrets in it are hidden. */
export interface Explanation {
  readonly event: JudgedEvent;
  readonly facts: FactSet;
  /** Readings of the call, when keys of one argument disagree; more than one is unusual. */
  readonly readings: number;
  /** Every rule of the plan, in judging order. */
  readonly rules: readonly ExplainedRule[];
  /** Programs and tools of the call that policies declare. */
  readonly declared?: readonly ExplainedDeclaration[];
  /** Effects that are possible besides, by what the policies of a project declare. They are judged as well. */
  readonly further?: Effects;
  /** Set where matching `allow` rules do not cover the whole call: the rest, and what to do about it. */
  readonly uncovered?: UncoveredText;
}

/** Why a rule was not even asked: it is for other events, other tools, or needs facts that this call has not. */
export type NotAsked = "event" | "tool" | "facts";

/** One rule of the plan and its result for the event. */
export interface ExplainedRule {
  readonly id: string;
  /** Index into the plan's policies, whose file spans point into. */
  readonly policy: number;
  readonly title: string;
  readonly mode: "enforce" | "monitor";
  readonly actions: readonly string[];
  /** Its events, and its canonical tools or globs (empty: any). */
  readonly events: readonly EventName[];
  readonly tools: readonly string[];
  readonly notAsked: NotAsked | undefined;
  /** True where the plan's index knew without its conditions that it cannot match. */
  readonly leftOut: boolean;
  /** True if all items of its sequence have happened in time; undefined without a sequence. */
  readonly sequence: boolean | undefined;
  /** Its budget: the amount that the event takes and the amount left before; undefined without a budget, or if nothing is taken. */
  readonly budget: { readonly limit: number; readonly left: number; readonly takes: number } | undefined;
  readonly result: "match" | "no" | "error";
  readonly error: string | undefined;
  /** Set if it is unsure whether the rule matches: the grade of the match, and the unknown parts. */
  readonly unsure?: { readonly grade: UnsureMatch["grade"]; readonly unknown: readonly string[] };
  /** Name of the list of `each`. */
  readonly list: string | undefined;
  /** One attempt, or one for each element of `each`. */
  readonly attempts: readonly Attempt[];
  /** Elements beyond those shown. */
  readonly more: number;
}

/** The conditions of a rule for one element (or for the call, without `each`). */
export interface Attempt {
  /** False for an element that is only possible: no `unless` and no exception is for it. */
  readonly certain: boolean;
  readonly element: { readonly name: string; readonly value: ExplainedValue } | undefined;
  readonly when: ExplainedNode | undefined;
  readonly unless: ExplainedNode | undefined;
  readonly exceptions: readonly {
    readonly reason: string;
    readonly expired: boolean;
    readonly when: ExplainedNode | undefined;
  }[];
}

/** Elements of `each` that are shown for one rule. */
const shownElements = 20;

/** Explains one wire event against a linked plan, or says why it does not fit. Pure and total, as deciding is. */
export function explain(plan: LinkedPlan, wire: unknown, ports: ExplainPorts): Explanation | Malformed {
  const normalised = normalise(wire);
  if ("code" in normalised) return normalised;
  const files = ports.filesOf(normalised.files);
  const trees = new EventTrees();
  const factsOf = (event: JudgedEvent): FactSet =>
    askedFacts(plan, event, ports.factsOf(event, files, 1, plan.plan.declared), files, trees);
  const views = normalised.views.map(
    (event): View => ({
      event,
      facts: factsOf(event),
      files,
      regex: ports.regex,
      session: ports.sessionOf(event),
    }),
  );
  views.push(...carriedViews(views, new Findings(), { factsOf }));
  const readings = views.length;
  views.push(...furtherViews(views));
  const first = views[0] as View;
  const hide = hideSecrets(plan, views.length === 1 ? first.event : views.map(({ event }) => event));
  const rules = plan.rules.map((linked) => explainRule(plan, linked, views, hide));
  const uncovered = uncoveredText(plan.rules, views, hide);
  const own = declaredPart(views, plan.plan.declared);
  return {
    event: hidden(first.event, hide),
    facts: hiddenFacts(first.facts, hide),
    readings,
    rules,
    ...(own.declared && { declared: own.declared }),
    ...(own.further && { further: hidden(own.further, hide) }),
    ...(uncovered && { uncovered }),
  };
}

/** Returns facts with secrets hidden. Facts are computed when read, so each is read by name. */
function hiddenFacts({ understanding, doubts, shell, effects, secrets, text }: FactSet, hide: Hide): FactSet {
  return {
    understanding,
    doubts: hidden(doubts, hide),
    shell: hidden(shell, hide),
    effects: hidden(effects, hide),
    secrets,
    text,
  };
}

/** Shows the first reading that matches, else the first one. */
function explainRule(plan: LinkedPlan, linked: LinkedRule, views: readonly View[], hide: Hide): ExplainedRule {
  const { rule } = linked;
  const view = views.find((v) => evaluateRule(linked, v).kind === "match") ?? (views[0] as View);
  const notAsked = reasonNotAsked(linked, view);
  const head = {
    id: rule.id,
    policy: rule.policy,
    title: rule.title,
    mode: rule.mode,
    actions: rule.actions.map((action) => action.action),
    events: rule.events,
    tools: rule.tools,
    notAsked,
    list: rule.each && listName(rule.each),
  };
  const none = { leftOut: false, sequence: undefined, budget: undefined, error: undefined, attempts: [], more: 0 };
  if (notAsked) return { ...head, ...none, result: "no" };
  const result = evaluateRule(linked, view);
  const { attempts, more } = attemptsOf(plan, linked, view, hide);
  return {
    ...head,
    leftOut: isLeftOut(plan, linked, view),
    sequence: rule.sequence && view.session.sequenceHolds(rule.id),
    budget: budgetOf(linked, view),
    result: result.kind,
    error: result.kind === "error" ? failed(result.error, hide).error : undefined,
    ...(result.kind === "match" && result.unsure && { unsure: shownUnsure(result.unsure, hide) }),
    attempts,
    more,
  };
}

function shownUnsure({ grade, unknown }: UnsureMatch, hide: Hide): NonNullable<ExplainedRule["unsure"]> {
  return { grade, unknown: unknown.map((text) => hide(text)) };
}

function isLeftOut(plan: LinkedPlan, linked: LinkedRule, view: View): boolean {
  if (linked.guards.length === 0) return false;
  const { guards, watching } = plan.candidates(view.event);
  return !(linked.rule.mode === "monitor" ? watching : guards)(view).includes(linked);
}

/** Returns the budget as the event finds it: its limit, what is left, and what the event takes. */
function budgetOf(linked: LinkedRule, view: View): ExplainedRule["budget"] {
  const { budget } = linked.rule;
  if (!budget) return undefined;
  const takes = spendingOf(linked, frameOf(view));
  const left = view.session.budgetLeft(linked.rule.id, bucketOf(linked, view));
  return takes instanceof EvaluationError ? undefined : { limit: budget.limit, left, takes };
}

function reasonNotAsked(linked: LinkedRule, view: View): NotAsked | undefined {
  if (!(linked.rule.events as readonly EventName[]).includes(view.event.event)) return "event";
  if (!linked.matchesTool(view.event.tool?.name)) return "tool";
  return linked.rule.needs && view.facts.understanding === "unknown" ? "facts" : undefined;
}

function listName({ list, name }: { readonly list: Ir; readonly name: string }): string {
  return list.k === "root" ? list.name : name;
}

function attemptsOf(
  plan: LinkedPlan,
  linked: LinkedRule,
  view: View,
  hide: Hide,
): { attempts: Attempt[]; more: number } {
  const { each } = linked.rule;
  const frame: Frame = { ...view, slots: [], steps: limits.steps };
  const { conditions } = plan.plan;
  const named = (name: string): Ir | undefined => (Object.hasOwn(conditions, name) ? conditions[name] : undefined);
  const ports: NodePorts = {
    linker: (gradedOf(linked, view.facts) ? createGradedLinker : createLinker)(plan.vocabulary, view.regex, named),
    conditions,
    hide,
    left: { nodes: 2_000 },
  };
  if (!each || !linked.list) return { attempts: [attempt(linked, frame, ports, undefined, frame)], more: 0 };
  const list = linked.list(frame);
  if (list instanceof EvaluationError || !Array.isArray(list)) return { attempts: [], more: 0 };
  const elements = list.slice(0, shownElements).map((value: Value, i) => {
    const slots = [...frame.slots];
    slots[each.slot] = value;
    const element = { name: `${listName(each)}[${i}]`, value: shown(value, hide) };
    const own = { ...frame, slots };
    return attempt(linked, own, ports, element, isOnlyPossible(value) ? undefined : own);
  });
  return { attempts: elements, more: list.length - elements.length };
}

/** `waiving` is what `unless` and exceptions see, undefined where none may waive. */
function attempt(
  linked: LinkedRule,
  frame: Frame,
  ports: NodePorts,
  element: Attempt["element"],
  waiving: Frame | undefined,
): Attempt {
  const node = (ir: Ir | undefined, seen: Frame): ExplainedNode | undefined => ir && explainNode(ir, seen, ports);
  const waiver = (ir: Ir | undefined): ExplainedNode | undefined => node(ir, waiving ?? frame);
  const { when, unless, exceptions } = linked.rule;
  const waivers = exceptions.map((e: PlanException) => ({
    reason: e.reason,
    expired: e.expires !== undefined && frame.event.time >= e.expires,
    when: waiver(e.when),
  }));
  return {
    certain: waiving !== undefined,
    element,
    when: node(when, frame),
    unless: waiver(unless),
    exceptions: waivers,
  };
}
