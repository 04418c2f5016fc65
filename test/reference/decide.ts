import { normalise } from "../../engine/normalise.ts";
import type { Fallback, Plan, PlanRule, Scope } from "../../engine/plan.ts";
import { SessionState } from "../../engine/session-state.ts";
import { facts } from "../../facts/facts.ts";
import { hermeticFiles } from "../../facts/paths/files.ts";
import { functions } from "../../rules/vocabulary.ts";
import { eventKind } from "../../schema/events.ts";
import { limits } from "../../schema/limits.ts";
import { EvaluationError, type RegexEngine, type Value } from "../../schema/ports.ts";
import { entryAt } from "./data.ts";
import { type Bound, type Budget, interpret, type World } from "./interpret.ts";

/** The part of a decision that the reference answers for. Errors are `rule code`, each once. */
export interface Verdict {
  readonly outcome: Fallback;
  readonly answered: string;
  readonly rule: string | undefined;
  readonly matched: readonly string[];
  readonly would: readonly string[];
  readonly errors: readonly string[];
}

/** What one rule says of one reading of an event. */
export type Judged =
  | { readonly kind: "no" }
  | { readonly kind: "match"; readonly element: number | undefined }
  | { readonly kind: "error"; readonly error: EvaluationError };

const no: Judged = { kind: "no" };
const strictness: readonly Fallback[] = ["allow", "ask", "block"];
const scopes: readonly Scope[] = ["builtin", "managed", "user", "project"];
const strictest = (answers: readonly Fallback[]): Fallback =>
  answers.reduce((a, b) => (strictness.indexOf(b) > strictness.indexOf(a) ? b : a), "allow");

/**
 * The decision of a plan that has guards only, worked out naively from the language page and semantics section 3.
 * Nothing of the engine takes part but what reads the wire event; leaf functions and facts are shared.
 */
export function referenceDecision(plan: Plan, wire: unknown, regex: RegexEngine): Verdict {
  const read = normalise(wire);
  if ("code" in read) return malformed(read.event, read.code);
  const files = hermeticFiles(read.files);
  const worlds = read.views.map(
    (event): World => ({
      event,
      facts: facts.of(event, files),
      files,
      regex,
      session: new SessionState().view(event),
      functions,
      conditions: plan.conditions,
    }),
  );
  return combined(plan, worlds, new Tally(plan, worlds));
}

function malformed(event: World["event"]["event"], code: string): Verdict {
  const outcome = eventKind(event) === "decide" && !event.endsWith("stop") ? "block" : "allow";
  return { outcome, answered: "error", rule: undefined, matched: [], would: [], errors: [`- ${code}`] };
}

/** A guard that answered, in judging order. */
interface Hit {
  readonly rule: PlanRule;
  readonly outcome: Fallback;
}

/** Everything that the guards of a plan said of all readings of one event. */
class Tally {
  readonly hits: Hit[] = [];
  readonly matched = new Set<string>();
  readonly would = new Set<string>();
  readonly errors = new Set<string>();
  /** The first rule whose error closes the event. */
  closedBy: string | undefined;

  constructor(plan: Plan, worlds: readonly World[]) {
    for (const world of worlds)
      for (const rule of plan.rules) if (rule.events.includes(world.event.event)) this.#judge(rule, world);
  }

  #judge(rule: PlanRule, world: World): void {
    const result = judgeRule(rule, world, { left: limits.steps });
    if (result.kind === "no") return;
    for (const { action } of rule.actions) {
      if (!(strictness as readonly string[]).includes(action)) continue;
      if (result.kind === "match") this.#match(rule, action as Fallback, result.element);
      else if (rule.mode === "monitor") this.would.add(`${rule.id} error`);
      else {
        this.errors.add(`${rule.id} ${result.error.code}`);
        if (action !== "allow") this.closedBy ??= rule.id;
      }
    }
  }

  #match(rule: PlanRule, outcome: Fallback, element: number | undefined): void {
    const list = rule.each?.list;
    const name = list?.k === "root" ? list.name : rule.each?.name;
    const text = `${rule.id} ${outcome}${element === undefined ? "" : ` ${name}[${element}]`}`;
    if (rule.mode === "monitor") this.would.add(text);
    else {
      this.matched.add(text);
      this.hits.push({ rule, outcome });
    }
  }
}

/** One rule on one reading: the tool, what it needs, then every element by itself (language section 2). */
export function judgeRule(rule: PlanRule, world: World, budget: Budget): Judged {
  if (!matchesTool(rule.tools, world.event.tool?.name)) return no;
  if (rule.needs && world.facts.understanding === "unknown") return no;
  if (!rule.each) return judgeElement(rule, world, undefined, undefined, budget);
  const list = interpret(rule.each.list, world, new Map(), budget);
  if (list instanceof EvaluationError) return { kind: "error", error: list };
  if (!Array.isArray(list)) return { kind: "error", error: new EvaluationError("HW502", "`each` needs a list") };
  let failed: Judged = no;
  for (const [i, element] of (list as readonly Value[]).entries()) {
    const result = judgeElement(rule, world, element, i, budget);
    if (result.kind === "match") return result;
    if (result.kind === "error" && failed.kind === "no") failed = result;
  }
  return failed;
}

function judgeElement(
  rule: PlanRule,
  world: World,
  element: Value | undefined,
  index: number | undefined,
  budget: Budget,
): Judged {
  const bound: Bound = element === undefined || !rule.each ? new Map() : new Map([[rule.each.slot, element]]);
  const holds = rule.when ? interpret(rule.when, world, bound, budget) : true;
  if (holds instanceof EvaluationError) return { kind: "error", error: holds };
  if (holds !== true) return no;
  // What is only possible is waived by nothing: `unless` and exceptions see only certain elements.
  const waivable = entryAt(element, "certain") !== false;
  return waivable && isWaived(rule, world, bound, budget) ? no : { kind: "match", element: index };
}

function isWaived(rule: PlanRule, world: World, bound: Bound, budget: Budget): boolean {
  if (rule.unless && interpret(rule.unless, world, bound, budget) === true) return true;
  return rule.exceptions.some(({ when, expires }) => {
    if (expires !== undefined && world.event.time >= expires) return false;
    return when === undefined || interpret(when, world, bound, budget) === true;
  });
}

/** Canonical names and globs; none at all is any tool, or none. */
function matchesTool(patterns: readonly string[], tool: string | undefined): boolean {
  if (patterns.length === 0) return true;
  if (tool === undefined) return false;
  return patterns.some((pattern) => {
    const parts = pattern
      .replace(/[.+^${}()|[\]\\]/g, "\\$&")
      .replaceAll("*", ".*")
      .replaceAll("?", ".");
    return new RegExp(`^${parts}$`, "s").test(tool);
  });
}

/** Block over ask over allow; defaults and `unknown` of scopes that got no answer from themselves or from above. */
function combined(plan: Plan, worlds: readonly World[], tally: Tally): Verdict {
  const { event } = (worlds[0] as World).event;
  const isCall = event === "tool_call" || event === "user_bash";
  const given = strictest(tally.hits.map((hit) => hit.outcome));
  const cited = tally.hits.find((hit) => hit.outcome === given)?.rule.id;
  const unknown = worlds.some((world) => world.facts.understanding === "unknown");
  const fallbacks = isCall ? fallbacksOf(plan, tally, unknown) : { default: "allow", unknown: "allow" };
  const fallback = strictest([fallbacks.default as Fallback, fallbacks.unknown as Fallback]);
  let answer: Pick<Verdict, "outcome" | "answered" | "rule"> = { outcome: given, answered: "rule", rule: cited };
  if (cited === undefined || strictest([given, fallback]) !== given) {
    const isDefault = fallbacks.unknown !== fallback || fallback === "allow";
    const answered = isCall ? (isDefault ? "default" : "unknown") : "none";
    answer = { outcome: fallback, answered, rule: undefined };
  }
  if (tally.closedBy !== undefined && answer.outcome !== "block") {
    const outcome = event === "stop" || event === "subagent_stop" ? "allow" : "block";
    answer = { outcome, answered: "error", rule: tally.closedBy };
  }
  return { ...answer, matched: [...tally.matched], would: [...tally.would], errors: [...tally.errors] };
}

/** The strictest default and `unknown` among the scopes that nobody answered for. An `allow` never answers an unknown call. */
function fallbacksOf(plan: Plan, { hits }: Tally, isUnknown: boolean): { default: Fallback; unknown: Fallback } {
  const open = (wanted: (hit: Hit) => boolean): readonly Plan["policies"][number][] => {
    const answered = hits.filter(wanted).map((hit) => scopes.indexOf(plan.policies[hit.rule.policy]?.scope ?? "user"));
    return plan.policies.filter(
      (policy) => policy.mode === "enforce" && !answered.some((scope) => scope <= scopes.indexOf(policy.scope)),
    );
  };
  return {
    default: strictest(open(() => true).map((policy) => policy.default)),
    unknown: isUnknown ? strictest(open((hit) => hit.outcome !== "allow").map((policy) => policy.unknown)) : "allow",
  };
}
