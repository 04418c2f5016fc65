import { dispatch } from "../engine/dispatch.ts";
import type { View } from "../engine/evaluate-rule.ts";
import { askedFacts, EventTrees } from "../engine/event-trees.ts";
import { type LinkedPlan, linkPlan } from "../engine/link-plan.ts";
import { normalise } from "../engine/normalise.ts";
import type { Plan, PlanRule } from "../engine/plan.ts";
import { boundaryOf, pseudonymOf } from "../engine/session-key.ts";
import { SessionState, sessionRules } from "../engine/session-state.ts";
import { facts } from "../facts/facts.ts";
import { hermeticFiles } from "../facts/paths/files.ts";
import { createRegexEngine } from "../facts/regex.ts";
import { noSecrets } from "../rules/actions/redact-values.ts";
import { actions } from "../rules/actions/registry.ts";
import { vocabularyFor } from "../runtime.ts";
import { EvaluationError, type Vocabulary } from "../schema/ports.ts";
import { sharedFacts } from "./shared-facts.ts";

/** The rule's answer to one event alone: undefined if only the whole plan can tell. */
export type AloneAnswer = boolean | undefined;

/** A rule's response to an event; `done` is false if it does nothing because it may not apply. */
export interface OwnAnswer {
  readonly outcome: string;
  readonly done: boolean;
}

/** File system of an event without files. */
const noFiles = hermeticFiles(undefined);

/**
 * Judges a rule without the rules that cannot change whether it matches. A guard or transform of an event that begins its
 * session sees the payload, which only transforms rewrite. Other guards, marks and deliveries come after it or beside it
 * (semantics section 3). So the rule is dispatched with the transforms of the plan alone. An example then costs the same in
 * a plan of ten rules and of a thousand. The whole plan decides everything else.
 */
export class AloneJudge {
  readonly #plan: Plan;
  readonly #transforms: ReadonlySet<PlanRule>;
  readonly #rules: ReadonlyMap<string, PlanRule>;
  readonly #state: SessionState;
  readonly #regex = createRegexEngine();
  readonly #vocabulary: Vocabulary;
  readonly #factsOf = sharedFacts((event, files) => facts.of(event, files, 1, this.#plan.declared), noFiles);
  #base: LinkedPlan | undefined;

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#rules = new Map(plan.rules.map((rule) => [rule.id, rule]));
    this.#transforms = new Set(plan.rules.filter((rule) => kindsOf(rule).includes("transform")));
    this.#state = new SessionState(sessionRules(plan));
    this.#vocabulary = vocabularyFor(this.#regex, noSecrets);
  }

  /** Returns a judge of one rule; undefined for a rule that depends on more than its events. */
  of(id: string): ((event: unknown) => AloneAnswer) | undefined {
    const answers = this.answersOf(id);
    return answers && ((event) => isMatch(answers(event)));
  }

  /** Like `of`, with all responses of the rule; the judge returns undefined for an event that needs the whole plan. */
  answersOf(id: string): ((event: unknown) => readonly OwnAnswer[] | undefined) | undefined {
    const rule = this.#rules.get(id);
    // If most rules rewrite the payload, there is nothing to leave out.
    if (!rule || !standsAlone(rule) || this.#transforms.size * 2 > this.#plan.rules.length) return undefined;
    const linked = this.#linkedWith(rule);
    return linked && ((event) => this.#answers(linked, id, event));
  }

  #linkedWith(rule: PlanRule): LinkedPlan | undefined {
    this.#base ??= this.#link([...this.#transforms], undefined);
    if (!this.#base || this.#transforms.has(rule)) return this.#base;
    return this.#link(inJudgingOrder([...this.#transforms, rule], this.#plan), this.#base);
  }

  #link(rules: readonly PlanRule[], reuse: LinkedPlan | undefined): LinkedPlan | undefined {
    const options = { index: "none", ...(reuse && { reuse }) } as const;
    const linked = linkPlan({ ...this.#plan, rules }, this.#vocabulary, this.#regex, options);
    return linked instanceof EvaluationError ? undefined : linked;
  }

  #answers(plan: LinkedPlan, id: string, wire: unknown): readonly OwnAnswer[] | undefined {
    const normalised = normalise(wire);
    if ("code" in normalised) return undefined;
    const { event } = normalised;
    const files = normalised.files === undefined ? noFiles : hermeticFiles(normalised.files);
    const pseudonym = pseudonymOf("", event.session.id);
    const session = this.#state.view(event);
    const trees = new EventTrees();
    const ports = {
      factsOf: (revision: View["event"]) => askedFacts(plan, revision, this.#factsOf(revision, files), files, trees),
      trees,
      mask: (text: string) => plan.vocabulary.mask(text, pseudonym),
      pseudonym,
      once: () => true,
      answers: new Map(),
      get boundary() {
        return boundaryOf(event.id, pseudonym);
      },
    };
    const views = normalised.views.map(
      (view): View => ({ event: view, facts: ports.factsOf(view), files, regex: this.#regex, session }),
    );
    const { matched, would, errors } = dispatch(plan, views, ports).findings;
    if (errors.length > 0) return undefined;
    const own = [...matched, ...would].filter(({ linked }) => linked.rule.id === id);
    return own.map(({ outcome, done }) => ({ outcome, done }));
  }
}

function isMatch(own: readonly OwnAnswer[] | undefined): AloneAnswer {
  const done = own?.filter((one) => one.done);
  return done?.some(({ outcome }) => outcome === "error") ? undefined : done && done.length > 0;
}

/** True for a rule that only guards and rewrites, whatever happened before: it needs no other rule's answer. */
function standsAlone(rule: PlanRule): boolean {
  const kinds = kindsOf(rule);
  return !rule.sequence && !rule.budget && kinds.every((kind) => kind === "guard" || kind === "transform");
}

function kindsOf({ actions: list }: PlanRule): (string | undefined)[] {
  return list.map(({ action }) => actions.get(action)?.kind);
}

function inJudgingOrder(rules: readonly PlanRule[], { rules: all }: Plan): readonly PlanRule[] {
  if (rules.length === 1) return rules;
  const wanted = new Set(rules);
  return all.filter((rule) => wanted.has(rule));
}
