import type { CheckedRule, Example } from "../../compiler/compile.ts";
import type { Plan, PlanRule } from "../../engine/plan.ts";
import { createEngine } from "../../runtime.ts";
import type { Decision } from "../../schema/generated.ts";
import { AloneJudge, type OwnAnswer } from "../alone-judge.ts";
import { type ExampleJudge, eventInSession, exampleEvents, judgedPart, type WireExample } from "../examples.ts";
import { exampleVariations, looksOf } from "./example-variations.ts";
import { type Looks, type Variation, type VariationName, variationNames, weaker } from "./variation.ts";

/**
 * Result of one variation of an example. `holds`; `weaker`: the rule only asks where the example is blocked; `through`: the
 * rule does nothing; `ignored`: the rule does nothing because it may not apply and says `unsure: ignore`; `unjudged`.
 */
export type State = "holds" | "weaker" | "through" | "ignored" | "unjudged";

/** One example in one variation. Without a variation, the example cannot be written that way, which is no success. */
export interface Row {
  readonly rule: CheckedRule;
  readonly example: Example;
  readonly name: VariationName;
  readonly variation?: Variation;
  readonly state: State | "not applicable";
}

/** Strength of a rule's answer to an event: 3 blocks, 2 asks, 1 does something else, 0 nothing. */
interface Answer {
  readonly strength: number;
  /** True if the rule may apply, and did nothing about that. */
  readonly isIgnored: boolean;
}

/** Judges the `match` examples of rules that block or ask, each in every possible variation. Pure; never throws. */
export class ThoroughJudge {
  readonly #plan: Plan;
  readonly #rules: ReadonlyMap<string, PlanRule>;
  readonly #alone: AloneJudge;
  #whole: ExampleJudge | undefined;
  #sessions = 0;

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#rules = new Map(plan.rules.map((rule) => [rule.id, rule]));
    this.#alone = new AloneJudge(plan);
  }

  /** Returns every variation of every example of a rule; none for a rule that is switched off, or neither blocks nor asks. */
  rows(rule: CheckedRule): Row[] {
    const planned = this.#rules.get(rule.id);
    if (!planned?.actions.some(({ action }) => action === "block" || action === "ask")) return [];
    const looks = looksOf(planned, this.#plan);
    const alone = this.#alone.answersOf(rule.id);
    return rule.examples.match.flatMap((example) => this.#rowsOf(rule, example, looks, alone));
  }

  /** Returns the rows of one example. `check` itself reports an example that does not hold as written, or has no event. */
  #rowsOf(rule: CheckedRule, example: Example, looks: Looks, alone: Alone): Row[] {
    const judge = (event: WireExample): Answer | undefined => this.#judge(rule.id, example, event, alone);
    for (const event of exampleEvents(judgedPart(example), rule.events)) {
      const base = judge(event);
      if (!base || base.strength < 2) continue;
      const made = exampleVariations(event, looks);
      const rows = made.map((variation): Row => {
        const state = stateOf(variation.name, base, judge(variation.event));
        const isCaught = state === "through" && this.#isNotUnderstood(example, variation.event);
        return { rule, example, name: variation.name, variation, state: isCaught ? "holds" : state };
      });
      const missing = variationNames.filter((name) => made.every((one) => one.name !== name));
      return [...rows, ...missing.map((name): Row => ({ rule, example, name, state: "not applicable" }))];
    }
    return [];
  }

  #judge(id: string, example: Example, event: WireExample, alone: Alone): Answer | undefined {
    const own = Array.isArray(example.value) ? undefined : alone?.(this.#ownEvent(event));
    if (own) return answerOf(own);
    const decision = this.#decide(example, event);
    if (!decision || decision.errors.some(({ rule }) => rule === undefined || rule === id)) return undefined;
    const matched = [...decision.matched, ...decision.would].filter(({ rule }) => rule === id);
    return answerOf(matched.map(({ outcome, done }) => ({ outcome, done: done !== false })));
  }

  /** True if the policy's `unknown` answers: the call is not understood, and rules on its effects come later. */
  #isNotUnderstood(example: Example, event: WireExample): boolean {
    const decision = this.#decide(example, event);
    return decision?.answered === "unknown" && decision.outcome !== "allow";
  }

  #decide(example: Example, event: WireExample): Decision | undefined {
    this.#whole ??= createEngine(this.#plan);
    const judged = eventInSession(example, event, this.#session(), this.#whole);
    return "event" in judged ? this.#whole.decide(judged.event).decision : undefined;
  }

  #ownEvent(event: WireExample): WireExample {
    return event["session"] === undefined ? { ...event, session: { id: this.#session() } } : event;
  }

  #session(): string {
    return `thorough ${this.#sessions++}`;
  }
}

type Alone = ((event: unknown) => readonly OwnAnswer[] | undefined) | undefined;

function answerOf(own: readonly OwnAnswer[]): Answer | undefined {
  const done = own.filter((one) => one.done);
  if (done.some(({ outcome }) => outcome === "error")) return undefined;
  const strengths = done.map(({ outcome }) => (outcome === "block" ? 3 : outcome === "ask" ? 2 : 1));
  return { strength: Math.max(0, ...strengths), isIgnored: own.length > done.length };
}

function stateOf(name: VariationName, base: Answer, answer: Answer | undefined): State {
  if (!answer) return "unjudged";
  if (answer.strength >= (weaker.has(name) ? 2 : base.strength)) return "holds";
  if (answer.strength >= 2) return "weaker";
  return answer.isIgnored ? "ignored" : "through";
}
