import { decide } from "./engine/decide.ts";
import { closedOutcome, withholdable } from "./engine/failure.ts";
import { type LinkedPlan, linkPlan } from "./engine/link-plan.ts";
import type { Plan } from "./engine/plan.ts";
import { SessionState } from "./engine/session-state.ts";
import { facts } from "./facts/facts.ts";
import { hermeticFiles } from "./facts/paths/files.ts";
import { createRegexEngine } from "./facts/regex.ts";
import { createScanner } from "./facts/secrets/scan.ts";
import { actions } from "./rules/actions/registry.ts";
import { functions } from "./rules/vocabulary.ts";
import { canonicalEvent } from "./schema/events.ts";
import type { AuditBody, AuditSeal, Decision, DecisionError } from "./schema/generated.ts";
import {
  type AuditStore,
  type Clock,
  EvaluationError,
  type FileSystem,
  type RegexEngine,
  type Vocabulary,
} from "./schema/ports.ts";
import { engineVersion } from "./schema/version.ts";

export { canonicalJson, digest } from "./engine/canonical.ts";

/** What an engine may be given. Everything has a hermetic default. */
export interface EngineOptions {
  /** The files that paths are resolved in; by default only those that an event carries in `environment.files`. */
  readonly files?: FileSystem;
  /** Where audit records go; none by default. */
  readonly store?: AuditStore;
  /** For the latency in audit seals only. */
  readonly clock?: Clock;
  readonly regex?: RegexEngine;
  /** Keys the per-event boundary of injected text. */
  readonly sessionKey?: string;
}

/** A decision with the body of its audit record, and the seal when it was written. */
export interface Verdict {
  readonly decision: Decision;
  readonly body: AuditBody | undefined;
  readonly seal: AuditSeal | undefined;
}

/** A loaded policy set. `decide` is total and synchronous. */
export interface Engine {
  /** False for the shared engine without a policy, `createEngine([])`: it allows everything at no cost and records nothing. */
  readonly active: boolean;
  readonly plan: Plan | undefined;
  /** Judges one wire event (`event.schema.json`). Never throws: a fault is the event's closed outcome. */
  decide(event: unknown): Verdict;
}

const allowed: Decision = {
  id: "",
  outcome: "allow",
  answered: "none",
  matched: [],
  would: [],
  changes: {},
  errors: [],
  policy_digest: "",
};

const noPlan = "plan cannot be used: there is none, since the policies did not compile; see their diagnostics";

const noPolicy: Engine = {
  active: false,
  plan: undefined,
  decide: () => ({ decision: allowed, body: undefined, seal: undefined }),
};

/**
 * An engine for a plan. Without policies (`[]`) it is the shared no-op. What should have been a plan and is none, as
 * when policies did not compile, gives an engine that answers every event closed (HW508); so does a plan that cannot
 * be linked.
 */
export function createEngine(plan: Plan | readonly [] | undefined, options: EngineOptions = {}): Engine {
  if (!plan) return closedEngine(undefined, { code: "HW508", message: noPlan });
  if (!("policies" in plan) || plan.policies.length === 0) return noPolicy;
  const regex = options.regex ?? createRegexEngine();
  const linked = linkPlan(plan, vocabularyFor(regex), regex);
  if (linked instanceof EvaluationError)
    return closedEngine(plan, { code: "HW508", message: `plan cannot be used: ${linked.message}` });
  return new PlanEngine(linked, regex, options);
}

/** Code of every function and action, with masking by all detectors: what linking a plan needs. */
export function vocabularyFor(regex: RegexEngine): Vocabulary {
  const scanner = createScanner(regex, ["secrets/*"]);
  return { functions, actions, mask: (text) => ("redact" in scanner ? scanner.redact(text) : "(withheld)") };
}

/** An engine that refuses everything and says why; for plans and installations that cannot be used. */
export function closedEngine(plan: Plan | undefined, error: DecisionError): Engine {
  return {
    active: true,
    plan,
    decide: (event) => ({ decision: closedDecision(event, plan, error), body: undefined, seal: undefined }),
  };
}

function closedDecision(event: unknown, plan: Plan | undefined, error: DecisionError): Decision {
  const given = (typeof event === "object" && event !== null ? event : {}) as { event?: unknown; id?: unknown };
  const name = (typeof given.event === "string" ? canonicalEvent(given.event) : undefined) ?? "tool_call";
  const closed = closedOutcome(name, withholdable(event), error);
  const id = typeof given.id === "string" ? given.id : "";
  const { outcome, reason, changes } = closed;
  return {
    id,
    outcome,
    answered: "error",
    reason,
    matched: [],
    would: [],
    changes,
    errors: [error],
    policy_digest: plan?.digest ?? "",
  };
}

class PlanEngine implements Engine {
  readonly active = true;
  readonly plan: Plan;
  readonly #linked: LinkedPlan;
  readonly #options: EngineOptions;
  readonly #regex: RegexEngine;
  readonly #state = new SessionState();

  constructor(linked: LinkedPlan, regex: RegexEngine, options: EngineOptions) {
    this.plan = linked.plan;
    this.#linked = linked;
    this.#regex = regex;
    this.#options = options;
  }

  decide(event: unknown): Verdict {
    const { clock, files, sessionKey } = this.#options;
    const started = clock?.now() ?? 0;
    try {
      const { decision, body } = decide(this.#linked, event, {
        factsOf: (revision, world) => facts.of(revision, world),
        filesOf: (listed) => files ?? hermeticFiles(listed),
        regex: this.#regex,
        tables: facts.versions,
        engine: engineVersion,
        sessionKey: sessionKey ?? "",
        state: this.#state,
      });
      return this.#record(event, decision, body, Math.round(((clock?.now() ?? 0) - started) * 1000));
    } catch (fault) {
      // Nothing below throws by design; should it, the event is closed and the record says so.
      const message = `internal error: ${fault instanceof Error ? fault.message : String(fault)}`;
      return {
        decision: closedDecision(event, this.plan, { code: "HW506", message }),
        body: undefined,
        seal: undefined,
      };
    }
  }

  /** Writes the record before the answer is given. Where the audit is required, an answer that cannot be recorded is closed. */
  #record(event: unknown, decision: Decision, body: AuditBody, latencyUs: number): Verdict {
    const { store } = this.#options;
    if (!store) return { decision, body, seal: undefined };
    try {
      return { decision, body, seal: store.append(body, latencyUs) };
    } catch (fault) {
      const error = {
        code: "HW509",
        message: `audit trail cannot be written: ${fault instanceof Error ? fault.message : String(fault)}`,
      };
      const required = this.plan.policies.some((p) => p.audit.mode === "required");
      if (required) return { decision: closedDecision(event, this.plan, error), body, seal: undefined };
      return { decision: { ...decision, errors: [...decision.errors, error] }, body, seal: undefined };
    }
  }
}
