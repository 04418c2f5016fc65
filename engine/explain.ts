import type { EventName } from "../schema/events.ts";
import type { FactSet } from "../schema/facts.ts";
import type { JudgedEvent } from "../schema/judged-event.ts";
import { limits } from "../schema/limits.ts";
import { EvaluationError, type FileSystem, type RegexEngine, type Value } from "../schema/ports.ts";
import type { SessionView } from "../schema/session.ts";
import { evaluateRule, type View } from "./evaluate-rule.ts";
import { type ExplainedNode, type ExplainedValue, explainNode, type NodePorts, shown } from "./explain-node.ts";
import { createLinker, type Frame } from "./link.ts";
import type { LinkedPlan, LinkedRule } from "./link-plan.ts";
import { type Malformed, normalise } from "./normalise.ts";
import type { Ir, PlanException } from "./plan.ts";

/** What explaining needs from outside; the same ports as deciding. */
export interface ExplainPorts {
  factsOf(event: JudgedEvent, files: FileSystem): FactSet;
  filesOf(listed: Readonly<Record<string, unknown>> | undefined): FileSystem;
  sessionOf(event: JudgedEvent): SessionView;
  readonly regex: RegexEngine;
}

/** Everything that led to a decision about one event as it came in, before any rule rewrote it. */
export interface Explanation {
  readonly event: JudgedEvent;
  readonly facts: FactSet;
  /** Readings of the call, when keys of one argument disagree; more than one is unusual. */
  readonly readings: number;
  /** Every rule of the plan, in judging order. */
  readonly rules: readonly ExplainedRule[];
}

/** Why a rule was not even asked: it is for other events, other tools, or needs facts that this call has not. */
export type NotAsked = "event" | "tool" | "facts";

/** One rule of the plan and what it said of the event. */
export interface ExplainedRule {
  readonly id: string;
  /** Index into the plan's policies, whose file spans point into. */
  readonly policy: number;
  readonly title: string;
  readonly mode: "enforce" | "monitor";
  readonly actions: readonly string[];
  readonly notAsked: NotAsked | undefined;
  readonly result: "match" | "no" | "error";
  readonly error: string | undefined;
  /** One attempt, or one for each element of `each`. */
  readonly attempts: readonly Attempt[];
  /** Elements beyond those shown. */
  readonly more: number;
}

/** The conditions of a rule for one element (or for the call, without `each`). */
export interface Attempt {
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
  const views = normalised.views.map(
    (event): View => ({
      event,
      facts: ports.factsOf(event, files),
      files,
      regex: ports.regex,
      session: ports.sessionOf(event),
    }),
  );
  const linkedById = new Map(plan.rules.map((linked) => [linked.rule, linked] as const));
  const rules = plan.plan.rules.flatMap((rule) => {
    const linked = linkedById.get(rule);
    return linked ? [explainRule(plan, linked, views)] : [];
  });
  const first = views[0] as View;
  return { event: first.event, facts: first.facts, readings: views.length, rules };
}

/** Shows the first reading that matches, else the first one. */
function explainRule(plan: LinkedPlan, linked: LinkedRule, views: readonly View[]): ExplainedRule {
  const { rule } = linked;
  const head = {
    id: rule.id,
    policy: rule.policy,
    title: rule.title,
    mode: rule.mode,
    actions: rule.actions.map((action) => action.action),
  };
  const view = views.find((v) => evaluateRule(linked, v).kind === "match") ?? (views[0] as View);
  const notAsked = reasonNotAsked(linked, view);
  if (notAsked) return { ...head, notAsked, result: "no", error: undefined, attempts: [], more: 0 };
  const result = evaluateRule(linked, view);
  const { attempts, more } = attemptsOf(plan, linked, view);
  const error = result.kind === "error" ? `${result.error.code}: ${result.error.message}` : undefined;
  return { ...head, notAsked, result: result.kind, error, attempts, more };
}

function reasonNotAsked(linked: LinkedRule, view: View): NotAsked | undefined {
  if (!(linked.rule.events as readonly EventName[]).includes(view.event.event)) return "event";
  if (!linked.matchesTool(view.event.tool?.name)) return "tool";
  return linked.rule.needs && view.facts.understanding === "unknown" ? "facts" : undefined;
}

function attemptsOf(plan: LinkedPlan, linked: LinkedRule, view: View): { attempts: Attempt[]; more: number } {
  const { each } = linked.rule;
  const frame: Frame = { ...view, slots: [], steps: limits.steps };
  const { conditions } = plan.plan;
  const named = (name: string): Ir | undefined => (Object.hasOwn(conditions, name) ? conditions[name] : undefined);
  const ports: NodePorts = {
    linker: createLinker(plan.vocabulary, view.regex, named),
    conditions,
    left: { nodes: 2_000 },
  };
  if (!each || !linked.list) return { attempts: [attempt(linked, frame, ports, undefined)], more: 0 };
  const list = linked.list(frame);
  if (list instanceof EvaluationError || !Array.isArray(list)) return { attempts: [], more: 0 };
  const name = each.list.k === "root" ? each.list.name : each.name;
  const elements = list.slice(0, shownElements).map((value: Value, i) => {
    const slots = [...frame.slots];
    slots[each.slot] = value;
    return attempt(linked, { ...frame, slots }, ports, { name: `${name}[${i}]`, value: shown(value) });
  });
  return { attempts: elements, more: list.length - elements.length };
}

function attempt(linked: LinkedRule, frame: Frame, ports: NodePorts, element: Attempt["element"]): Attempt {
  const node = (ir: Ir | undefined): ExplainedNode | undefined => ir && explainNode(ir, frame, ports);
  const { when, unless, exceptions } = linked.rule;
  const waivers = exceptions.map((e: PlanException) => ({
    reason: e.reason,
    expired: e.expires !== undefined && frame.event.time >= e.expires,
    when: node(e.when),
  }));
  return { element, when: node(when), unless: node(unless), exceptions: waivers };
}
