import type { Decision, DecisionError } from "../schema/generated.ts";
import type { FileSystem, Pseudonym } from "../schema/ports.ts";
import { conclude, maskingOf } from "./conclude.ts";
import { dispatch } from "./dispatch.ts";
import type { View } from "./evaluate-rule.ts";
import { closedOutcome, withholdable } from "./failure.ts";
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
  const change = new StateChange(session);
  const files = ports.filesOf(normalised.files);
  const pseudonym = pseudonymOf(ports.sessionKey, event.session.id);
  const transformPorts = new EventPorts(plan, event.id, files, pseudonym, change, ports);
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
  const found = dispatch(plan, views, transformPorts);
  return conclude(plan, views[0] as View, found, change, transformPorts, ports);
}

/** What transforms and texts of one event need of the outside. Its functions are handed on by themselves. */
class EventPorts implements TransformPorts {
  readonly factsOf: TransformPorts["factsOf"];
  readonly mask: TransformPorts["mask"];
  readonly once: TransformPorts["once"];
  readonly answers: TransformPorts["answers"];
  readonly pseudonym: Pseudonym;
  readonly #id: string;
  #boundary: string | undefined;

  constructor(
    plan: LinkedPlan,
    id: string,
    files: FileSystem,
    pseudonym: Pseudonym,
    change: StateChange,
    ports: DecidePorts,
  ) {
    this.factsOf = (revision) => ports.factsOf(revision, files);
    this.mask = (text) => plan.vocabulary.mask(text, pseudonym);
    this.once = (rule, scope) => change.once(rule, scope);
    this.answers = ports.answers;
    this.pseudonym = pseudonym;
    this.#id = id;
  }

  /** Most events are told nothing, so the boundary is made when first asked for. */
  get boundary(): string {
    this.#boundary ??= boundaryOf(this.#id, this.pseudonym);
    return this.#boundary;
  }
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
  return { decision, body: malformedRecord(malformed, decision, plan, ports, masking), requests: [], background: [] };
}
