import { metered } from "../facts/meter.ts";
import type { Decision, DecisionError } from "../schema/generated.ts";
import { limits } from "../schema/limits.ts";
import { EvaluationError, type FileSystem, type Pseudonym } from "../schema/ports.ts";
import type { Candidates } from "./candidates.ts";
import { conclude, maskingOf } from "./conclude.ts";
import { type Dispatched, dispatch } from "./dispatch.ts";
import type { View } from "./evaluate-rule.ts";
import { askedFacts, EventTrees } from "./event-trees.ts";
import { closedOutcome, withholdable } from "./failure.ts";
import { Findings } from "./findings.ts";
import type { DecidePorts, Judgement } from "./judgement.ts";
import type { LinkedPlan } from "./link-plan.ts";
import { type Malformed, normalise } from "./normalise.ts";
import { malformedRecord } from "./record.ts";
import { boundaryOf, pseudonymOf } from "./session-key.ts";
import { StateChange } from "./state-change.ts";
import type { TransformPorts } from "./transform.ts";

/** Judges one wire event with a linked plan. Total for any input. */
export function decide(plan: LinkedPlan, wire: unknown, ports: DecidePorts): Judgement {
  const normalised = normalise(wire, ports.messages);
  if ("code" in normalised) return refuse(plan, wire, normalised, ports);
  const { event } = normalised;
  const session = ports.sessionOf(event);
  const files = ports.filesOf(normalised.files);
  const pseudonym = pseudonymOf(ports.sessionKey, event.session.id);
  const readings = normalised.views.length;
  const trees = new EventTrees(ports.trees);
  const portsOf = (change: StateChange): EventPorts =>
    new EventPorts(plan, event.id, { files, trees }, pseudonym, change, ports, readings);
  const change = new StateChange(session);
  const transformPorts = portsOf(change);
  const views = normalised.views.map(
    (view): View => ({
      event: view,
      facts: transformPorts.factsOf(view),
      files,
      regex: ports.regex,
      session,
      seen: undefined,
    }),
  );
  const first = views[0] as View;
  return metered(
    limits.eventWork,
    () => conclude(plan, first, dispatch(plan, views, transformPorts), change, transformPorts, ports),
    // Out of work: no finding so far counts, not even labels and budgets, and the event gets its closed outcome.
    () => {
      const unchanged = new StateChange(session);
      return conclude(
        { ...plan, candidates: () => nobody },
        first,
        overworked(first),
        unchanged,
        portsOf(unchanged),
        ports,
      );
    },
  );
}

/** Candidates of an event that takes too much work: no rules at all. */
const nobody: Candidates = {
  enforced: [],
  monitored: [],
  items: [],
  transforms: [],
  programs: [],
  deliveries: [],
  marks: [],
  budgets: [],
  guards: () => [],
  watching: () => [],
  marking: () => [],
};

const tooMuchWork = new EvaluationError(
  "HW516",
  "judging the event takes more work than one event may; do it in smaller parts",
);

function overworked(view: View): Dispatched {
  const findings = new Findings();
  findings.fail(tooMuchWork);
  return { view, told: view, combined: { outcome: "allow", answered: "none", cited: undefined }, hits: [], findings };
}

/** Ports that transforms and texts of one event use. Its functions are passed on detached from the object. */
class EventPorts implements TransformPorts {
  readonly factsOf: TransformPorts["factsOf"];
  readonly mask: TransformPorts["mask"];
  readonly once: TransformPorts["once"];
  readonly answers: TransformPorts["answers"];
  readonly trees: EventTrees;
  readonly pseudonym: Pseudonym;
  readonly #id: string;
  #boundary: string | undefined;

  /** Number of views whose facts were requested. */
  #asked = 0;

  /** `readings` are the views that the event has from the start. */
  constructor(
    plan: LinkedPlan,
    id: string,
    { files, trees }: { readonly files: FileSystem; readonly trees: EventTrees },
    pseudonym: Pseudonym,
    change: StateChange,
    ports: DecidePorts,
    readings: number,
  ) {
    const { declared } = plan.plan;
    this.factsOf = (revision) => {
      const facts = ports.factsOf(revision, files, shareOf(this.#asked++, readings), declared);
      return askedFacts(plan, revision, facts, files, trees);
    };
    this.trees = trees;
    this.mask = (text) => plan.vocabulary.mask(text, pseudonym);
    this.once = (rule, scope) => change.once(rule, scope);
    this.answers = ports.answers;
    this.pseudonym = pseudonym;
    this.#id = id;
  }

  /** Made at first use, because most events get no delivery. */
  get boundary(): string {
    this.#boundary ??= boundaryOf(this.#id, this.pseudonym);
    return this.#boundary;
  }
}

/** Smallest share of a view, however many there are. Facts are requested for few revisions of a rewritten event. */
const leastShare = 1 / 16;

/**
 * Returns the share of the work of facts that the `n`th view may take. Readings of a call share equally. Each revision is made
 * from the previous one, and later ones may take less. The share depends only on these numbers; the index decides whether facts
 * are requested at all.
 */
function shareOf(n: number, readings: number): number {
  return n < readings ? 1 / readings : Math.max(leastShare, 1 / 2 ** (n - readings + 1));
}

function refuse(plan: LinkedPlan, wire: unknown, malformed: Malformed, ports: DecidePorts): Judgement {
  const error: DecisionError = { code: malformed.code, message: malformed.message };
  const closed = closedOutcome(malformed.event, withholdable(wire), error);
  const decision: Decision = {
    id: malformed.id,
    outcome: closed.outcome,
    answered: "error",
    reason: closed.reason,
    matched: [],
    would: [],
    changes: closed.changes,
    errors: [error],
    policy_digest: plan.plan.digest,
  };
  const masking = maskingOf(plan, () => undefined, ports);
  return {
    decision,
    body: malformedRecord(malformed, decision, plan, ports, masking),
    requests: [],
    background: [],
    unseen: false,
  };
}
