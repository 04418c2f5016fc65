import { normalise } from "../../engine/normalise.ts";
import type { Fallback, Plan, PlanAction, PlanRule } from "../../engine/plan.ts";
import { facts } from "../../facts/facts.ts";
import { hermeticFiles } from "../../facts/paths/files.ts";
import { functions } from "../../rules/vocabulary.ts";
import { eventKind, isCallEvent } from "../../schema/events.ts";
import type { JudgedEvent } from "../../schema/judged-event.ts";
import { limits } from "../../schema/limits.ts";
import { EvaluationError, type FileSystem, type RegexEngine, type Value } from "../../schema/ports.ts";
import { askingRules, keysOf, parameterOf, questionOf } from "./asking.ts";
import { carriedWorlds, furtherWorlds } from "./carried.ts";
import { type Answer, combined, type Hit } from "./combine.ts";
import { entryAt } from "./data.ts";
import { History } from "./history.ts";
import type { World } from "./interpret.ts";
import {
  amountOf,
  bucketOf,
  elementName,
  type Judged,
  judgeConditions,
  judgeRule,
  matchesTool,
  matchingElements,
  withShadow,
  worst,
} from "./judge.ts";
import { quotes } from "./quotes.ts";
import { modified, Settings } from "./transforms.ts";

/** The part of a decision that the reference answers for. Errors are `rule code`, each once. */
export interface Verdict {
  readonly outcome: Fallback;
  readonly answered: string;
  readonly rule: string | undefined;
  readonly matched: readonly string[];
  readonly would: readonly string[];
  readonly errors: readonly string[];
  /** Labels that the session has afterwards, in order. */
  readonly labels: readonly string[];
}

const guardActions: readonly string[] = ["allow", "ask", "block"];
const markActions: readonly string[] = ["label", "notify"];

/**
 * Decides event after event, naively, from the language page and the semantics page, for plans with guards, `modify` by
 * constants, `label`, `notify` and `inject`, sequences, budgets and approvals. Nothing of the engine takes part but what reads the
 * wire event; leaf functions and facts are shared.
 */
export class ReferenceEngine {
  readonly #plan: Plan;
  readonly #regex: RegexEngine;
  readonly #sessions = new Map<string, History>();

  constructor(plan: Plan, regex: RegexEngine) {
    this.#plan = plan;
    this.#regex = regex;
  }

  decide(wire: unknown): Verdict {
    const read = normalise(wire);
    if ("code" in read) return malformed(read.event, read.code, this.#labelsOf(wire));
    const history = this.#history(read.event.session.id);
    return new Dispatch(this.#plan, this.#regex, history, read.views, hermeticFiles(read.files)).verdict();
  }

  /** A human's answer to the question about an event. */
  answer(session: string, of: string, answer: "allow" | "deny" | "timeout"): boolean {
    return this.#history(session).answer(of, answer);
  }

  #history(session: string): History {
    const known = this.#sessions.get(session) ?? new History(this.#plan);
    this.#sessions.set(session, known);
    return known;
  }

  #labelsOf(wire: unknown): readonly string[] {
    const session = (wire as { session?: { id?: unknown } } | null)?.session?.id;
    return this.#history(typeof session === "string" ? session : "").labels;
  }
}

function malformed(event: JudgedEvent["event"], code: string, labels: readonly string[]): Verdict {
  const errors = [`- ${code}`];
  return { outcome: closedOutcome(event), answered: "error", rule: undefined, matched: [], would: [], errors, labels };
}

function closedOutcome(event: JudgedEvent["event"]): Fallback {
  return eventKind(event) === "decide" && event !== "stop" && event !== "subagent_stop" ? "block" : "allow";
}

/** One event on its way through the steps of semantics section 3. */
class Dispatch {
  readonly #plan: Plan;
  readonly #rules: readonly PlanRule[];
  readonly #history: History;
  readonly #readings: readonly World[];
  readonly #files: FileSystem;
  readonly #matched = new Set<string>();
  readonly #would = new Set<string>();
  readonly #errors = new Set<string>();
  readonly #taints: ReadonlySet<string>;
  /** The first error that closes the event. */
  #closed: { readonly rule: string | undefined } | undefined;

  constructor(plan: Plan, regex: RegexEngine, history: History, views: readonly JudgedEvent[], files: FileSystem) {
    this.#plan = plan;
    this.#history = history;
    this.#files = files;
    const session = history.view(views[0] as JudgedEvent);
    const { conditions } = plan;
    this.#readings = views.map((event) => ({
      ...{ event, facts: facts.of(event, files, 1, plan.declared), files, regex },
      ...{ session, functions, conditions },
    }));
    this.#rules = plan.rules.filter((rule) => rule.events.includes((views[0] as JudgedEvent).event));
    const declared = plan.policies.flatMap(({ labels }) => Object.entries(labels ?? {}));
    this.#taints = new Set(declared.filter(([, kind]) => kind === "taint").map(([name]) => name));
  }

  verdict(): Verdict {
    const [original, ...others] = this.#readings as [World, ...World[]];
    const enforced = this.#rules.filter(({ mode }) => mode === "enforce");
    const monitored = this.#rules.filter(({ mode }) => mode === "monitor");
    const final = this.#settle(enforced, original);
    const carried = carriedWorlds([final, ...others], this.#files, this.#plan.declared, () =>
      this.#close(undefined, "HW504"),
    );
    const further = furtherWorlds([final, ...others, ...carried]);
    const readings = [final, ...others, ...carried, ...further];
    const hits = readings.flatMap((world, i) => this.#guards(enforced, world, i));
    if (others.length > 0 && final.event.args !== original.event.args) this.#close(undefined, "HW505");
    if (monitored.length > 0) this.#shadow(monitored, [final, ...others, ...further]);
    for (const world of carried) if (this.#settle(enforced, world) !== world) this.#close(undefined, "HW505");
    for (const world of monitored.length > 0 ? carried : []) this.#shadow(monitored, [world]);
    const readFacts = readings.map((world) => world.facts);
    const first = combined(this.#plan, hits, readFacts, isCallEvent(original.event.event));
    const { answer, key, denial } = this.#approved(first, final, hits);
    const added = this.#marks(original, final, answer);
    const closed = this.#closed !== undefined && answer.outcome !== "block" ? this.#closed : undefined;
    const shown: Answer = closed
      ? { outcome: closedOutcome(original.event.event), answered: "error", rule: closed.rule }
      : answer;
    const steps = this.#steps(original, final);
    const spent = this.#spent(enforced, final);
    if (shown.outcome !== "block") added.labels.push(...this.#delivered(final));
    const trusted = hits.filter(({ rule }) => !this.#isUntrusted(rule));
    const asks = shown.outcome === "ask" && key !== undefined;
    const question = asks ? questionOf(key, trusted, denial) : undefined;
    this.#history.add({ event: original.event, outcome: shown.outcome, ...added, steps, spent, question });
    const { outcome, answered, rule } = shown;
    const lists = { matched: [...this.#matched], would: [...this.#would], errors: [...this.#errors] };
    return { outcome, answered, rule, ...lists, labels: this.#history.labels };
  }

  #isUntrusted(rule: PlanRule): boolean {
    return this.#plan.policies[rule.policy]?.untrusted === true;
  }

  /** The world with the labels that rules of a project gave which nobody trusts, for those rules. */
  #seenBy(rule: PlanRule, world: World): World {
    if (!this.#isUntrusted(rule)) return world;
    const labels = [...new Set([...world.session.labels, ...world.session.projectLabels])];
    return { ...world, session: { ...world.session, labels } };
  }

  #close(rule: string | undefined, code: string): void {
    this.#errors.add(`${rule ?? "-"} ${code}`);
    this.#closed ??= { rule };
  }

  #note(rule: PlanRule, what: string): void {
    (rule.mode === "monitor" ? this.#would : this.#matched).add(`${rule.id} ${what}`);
  }

  /** Changes in judging order, round after round, until a round changes nothing; three rounds may change something. */
  #settle(rules: readonly PlanRule[], start: World): World {
    const changing = rules.filter(({ actions }) => actions.some(({ action }) => action === "modify"));
    const settings = new Settings();
    let world = start;
    for (let round = 0; round <= limits.transformRounds; round++) {
      const before = world;
      for (const rule of changing) world = this.#change(rule, world, settings);
      if (world === before) return world;
    }
    if (changing.some(({ mode }) => mode === "enforce")) this.#close(undefined, "HW505");
    return world;
  }

  #change(rule: PlanRule, start: World, settings: Settings): World {
    const result = judgeRule(rule, this.#seenBy(rule, start));
    if (result.kind === "error") {
      if (rule.mode === "monitor") this.#note(rule, "error");
      else this.#close(rule.id, result.error.code);
    }
    if (result.kind !== "match") return start;
    let world = start;
    for (const action of rule.actions.filter((one) => one.action === "modify")) {
      const event = modified(world.event, action);
      const failed = event instanceof EvaluationError;
      if (failed && rule.mode === "monitor") this.#note(rule, "error");
      else if (failed) this.#close(rule.id, event.code);
      if (failed || event === world.event) continue;
      if (rule.mode === "monitor") this.#note(rule, "modify");
      else {
        if (settings.note(rule, world.event, event)) this.#close(rule.id, "HW514");
        this.#note(rule, `modify${elementName(rule, result.element)}`);
      }
      world = { ...world, event, facts: facts.of(event, this.#files, 1, this.#plan.declared) };
    }
    return world;
  }

  #guards(rules: readonly PlanRule[], world: World, reading: number): readonly Hit[] {
    return rules.flatMap((rule) => {
      const actions = rule.actions.filter(({ action }) => guardActions.includes(action));
      const result: Judged = actions.length > 0 ? judgeRule(rule, this.#seenBy(rule, world)) : { kind: "no" };
      return actions.flatMap((action) => this.#guard(rule, action, result, world, reading));
    });
  }

  #guard(rule: PlanRule, action: PlanAction, result: Judged, world: World, reading: number): readonly Hit[] {
    const outcome = action.action as Fallback;
    if (result.kind === "no") return [];
    if (result.kind === "error") {
      if (rule.mode === "monitor") this.#note(rule, "error");
      else if (outcome === "allow") this.#errors.add(`${rule.id} ${result.error.code}`);
      else if (result.error.code === "HW503" && isCallEvent(world.event.event))
        return [this.#outOfSteps(rule, outcome, reading)];
      else this.#close(rule.id, result.error.code);
      return [];
    }
    this.#note(rule, `${outcome}${elementName(rule, result.element)}`);
    if (outcome !== "allow") return [{ rule, outcome, reading }];
    return this.#allow(rule, world, reading);
  }

  /** Nobody knows whether a rule holds that ran out of steps: it asks, unless its author said `unsure: match`. */
  #outOfSteps(rule: PlanRule, wanted: Fallback, reading: number): Hit {
    const outcome = rule.unsure === "match" ? wanted : "ask";
    this.#errors.add(`${rule.id} HW503`);
    this.#note(rule, outcome);
    return { rule, outcome, reading };
  }

  /** An `allow` says nothing of an unknown call, nor of an opaque one unless it says so. */
  #allow(rule: PlanRule, world: World, reading: number): readonly Hit[] {
    const opaque = rule.actions.some(
      ({ action, parameters }) => action === "allow" && parameterOf(parameters, "opaque"),
    );
    const { understanding } = world.facts;
    if (understanding === "unknown" || (understanding === "opaque" && !opaque)) return [];
    const elements = matchingElements(rule, world);
    if (elements instanceof EvaluationError) this.#errors.add(`${rule.id} ${elements.code}`);
    if (elements instanceof EvaluationError) return [];
    return [{ rule, outcome: "allow", reading, allows: rule.each ? elements : "all", opaque }];
  }

  /** Rules in monitor mode on a copy of the event, with the labels that such rules gave. */
  #shadow(rules: readonly PlanRule[], readings: readonly World[]): void {
    const [first, ...others] = readings.map(withShadow) as [World, ...World[]];
    const settled = this.#settle(rules, first);
    for (const world of [settled, ...others]) this.#guards(rules, world, 0);
  }

  #approved(
    answer: Answer,
    { event, facts: found, session }: World,
    hits: readonly Hit[],
  ): { answer: Answer; key?: string; denial?: string } {
    if (answer.outcome !== "ask") return { answer };
    const { cwd, branch } = event.environment;
    const what = [event.event, event.tool?.name, event.args ?? event.command ?? event.input?.text ?? event.fields];
    const does = [found.understanding, found.effects ?? null, cwd, branch ?? null];
    const call = [...what.map((part) => part ?? null), ...does, [...session.labels].sort()];
    const { key, denial } = keysOf(call, answer, askingRules(hits), (rule) => !this.#isUntrusted(rule));
    const isDenied = denial !== undefined && (session.approval(denial)?.answer ?? "allow") !== "allow";
    const known = isDenied ? "deny" : session.approval(key)?.answer;
    if (!known) return { answer, key, ...(denial !== undefined && { denial }) };
    return { answer: { ...answer, outcome: known === "allow" ? "allow" : "block" }, key };
  }

  /** Labels and notices, judged on the original and on the final payload; of a blocked event only what says so. */
  #marks(
    original: World,
    final: World,
    answer: Answer,
  ): { labels: string[]; shadow: string[]; project: string[]; paths: { path: string; labels: readonly string[] }[] } {
    const closes = this.#closed !== undefined && closedOutcome(original.event.event) === "block";
    const blocked = answer.outcome === "block" || closes;
    const added = {
      labels: [] as string[],
      shadow: [] as string[],
      project: [] as string[],
      paths: [] as { path: string; labels: readonly string[] }[],
    };
    const ordered = (["enforce", "monitor"] as const).flatMap((mode) =>
      this.#rules.filter((rule) => rule.mode === mode),
    );
    for (const rule of ordered) {
      for (const action of rule.actions.filter((one) => markActions.includes(one.action))) {
        const both = action.action !== "notify" && final.event !== original.event;
        const seen = (both ? [final, original] : [final])
          .map((world) => this.#seenBy(rule, world))
          .map((world) => (rule.mode === "monitor" ? withShadow(world) : world));
        const [result, world] = worst(seen.map((one) => [judgeRule(rule, one), one] as const));
        if (result.kind === "no" || (blocked && !parameterOf(action.parameters, "when_blocked"))) continue;
        if (result.kind === "error") this.#failMark(rule, action, result.error);
        else this.#mark(rule, action, result, world, added);
      }
    }
    return added;
  }

  #failMark(rule: PlanRule, action: PlanAction, error: EvaluationError): void {
    const given = parameterOf(action.parameters, "add");
    const taints = Array.isArray(given) && given.some((label) => this.#taints.has(String(label)));
    if (action.action === "label" && taints && rule.mode === "enforce") this.#close(rule.id, error.code);
    else this.#errors.add(`${rule.id} ${error.code}`);
  }

  #mark(
    rule: PlanRule,
    action: PlanAction,
    result: Judged & { kind: "match" },
    world: World,
    added: {
      labels: string[];
      shadow: string[];
      project: string[];
      paths: { path: string; labels: readonly string[] }[];
    },
  ): void {
    this.#note(rule, `${action.action}${elementName(rule, result.element)}`);
    if (action.action !== "label") return;
    const labels = parameterOf(action.parameters, "add") as readonly string[];
    const onPath = parameterOf(action.parameters, "on") === "path";
    if (rule.mode === "monitor") {
      if (!onPath) added.shadow.push(...labels);
    } else if (this.#isUntrusted(rule)) added.project.push(...labels);
    else if (!onPath) added.labels.push(...labels.filter((label) => !world.session.labels.includes(label)));
    else for (const path of pathsOf(rule, result, world)) added.paths.push({ path, labels });
  }

  /** Texts for the model; one that is not the policy's own in all its parts labels the session. */
  #delivered(final: World): readonly string[] {
    const labels: string[] = [];
    for (const rule of this.#rules) {
      const actions = rule.actions.filter(({ action }) => action === "inject");
      const monitored = rule.mode === "monitor";
      const result: Judged =
        actions.length > 0 ? judgeRule(rule, monitored ? withShadow(final) : final) : { kind: "no" };
      if (result.kind === "error") this.#errors.add(`${rule.id} ${result.error.code}`);
      if (result.kind !== "match") continue;
      this.#note(rule, "inject");
      if (!monitored && actions.some(quotes)) labels.push("injected");
    }
    return labels;
  }

  /** Items of every rule's sequence that this event is; what cannot be judged counts as one. */
  #steps(original: World, final: World): readonly { rule: string; items: readonly number[] }[] {
    const worlds = final.event === original.event ? [final] : [final, original];
    return this.#plan.rules.flatMap((rule) => {
      const items = (rule.sequence?.items ?? []).flatMap((item, i) => {
        if (!item.events.includes(original.event.event)) return [];
        const results = worlds.map((world): Judged => {
          const isUnknown = item.needs && world.facts.understanding === "unknown";
          if (!isUnknown || !matchesTool(item.tools, world.event.tool?.name))
            return judgeConditions(item, this.#seenBy(rule, world));
          return { kind: "error", error: new EvaluationError("HW502", "unknown") };
        });
        const [result] = worst(results.map((one) => [one, final] as const));
        if (result.kind === "error") this.#errors.add(`${rule.id} ${result.error.code}`);
        return result.kind === "no" ? [] : [i];
      });
      return items.length > 0 ? [{ rule: rule.id, items }] : [];
    });
  }

  #spent(enforced: readonly PlanRule[], final: World): readonly { rule: string; bucket: string; amount: number }[] {
    return enforced.flatMap((rule) => {
      if (!rule.budget || (rule.sequence && !final.session.sequenceHolds(rule.id))) return [];
      const steps = { left: limits.steps };
      const match = judgeConditions(rule, this.#seenBy(rule, final), steps);
      const amount = match.kind === "match" ? amountOf(rule, match.bound, final, steps) : 0;
      return typeof amount === "number" && amount > 0 ? [{ rule: rule.id, bucket: bucketOf(rule, final), amount }] : [];
    });
  }
}

/** The file of the element that matched; every file that is written where the element has none. */
function pathsOf(rule: PlanRule, { bound }: { readonly bound: ReadonlyMap<number, Value> }, world: World): string[] {
  const own = entryAt(entryAt(rule.each && bound.get(rule.each.slot), "path"), "real");
  if (typeof own === "string") return [own];
  return (world.facts.effects?.writes ?? []).map(({ path }) => path.real);
}
