import { approvalRecord, type HumanAnswer } from "./engine/approval.ts";
import { sha256 } from "./engine/canonical.ts";
import { decide } from "./engine/decide.ts";
import { closedOutcome, withholdable } from "./engine/failure.ts";
import type { StoredNeeds } from "./engine/index-stored.ts";
import type { Caller, DecidePorts, Judgement } from "./engine/judgement.ts";
import { KnownMessages } from "./engine/known-messages.ts";
import { type LinkedPlan, linkPlan } from "./engine/link-plan.ts";
import { ownData } from "./engine/plain-data.ts";
import type { Plan } from "./engine/plan.ts";
import { SessionState, sessionRules } from "./engine/session-state.ts";
import { facts } from "./facts/facts.ts";
import { hermeticFiles } from "./facts/paths/files.ts";
import { createRegexEngine } from "./facts/regex.ts";
import { createScanner } from "./facts/secrets/scan.ts";
import { createRecordMask, recordDetectors } from "./rules/actions/record-mask.ts";
import { createRedact } from "./rules/actions/redact.ts";
import { maskText } from "./rules/actions/redact-tokens.ts";
import { type NamedSecrets, namedSecrets, noSecrets } from "./rules/actions/redact-values.ts";
import { actions } from "./rules/actions/registry.ts";
import { liftOf } from "./rules/lift.ts";
import { trees, unseenIn } from "./rules/trees.ts";
import { functions } from "./rules/vocabulary.ts";
import { canonicalEvent } from "./schema/events.ts";
import type { AuditBody, AuditSeal, Decision, DecisionError } from "./schema/generated.ts";
import {
  type AuditStore,
  type Clock,
  EvaluationError,
  type FileSystem,
  type ProgramAnswer,
  type ProgramRequest,
  type Programs,
  type RegexEngine,
  type SecretValues,
  type Vocabulary,
} from "./schema/ports.ts";
import { engineVersion } from "./schema/version.ts";

export { canonicalJson, digest } from "./engine/canonical.ts";
export { type FoundAnswers, findAnswers } from "./engine/found-answer.ts";
export { requiredLiterals } from "./engine/index-literals.ts";
export { type StoredNeeds, storedNeeds } from "./engine/index-stored.ts";
export type { Caller } from "./engine/judgement.ts";
export { isCopyOf, KnownMessages } from "./engine/known-messages.ts";
export type { LinkedPlan } from "./engine/link-plan.ts";
export { messageCopy, plainCopy } from "./engine/plain-copy.ts";
export { type ProgramVerdict, readAnswer } from "./engine/program-answer.ts";
export { createRegexEngine } from "./facts/regex.ts";

/** Versions of the fact tables that this engine uses; a stored plan is valid while they are the same. */
export const tableVersions: Readonly<Record<string, string>> = facts.versions;

/** Options of an engine. Everything has a hermetic default. */
export interface EngineOptions {
  /** File system in which paths are resolved; by default only the files that an event lists in `environment.files`. */
  readonly files?: FileSystem;
  /** Destination of audit records; none by default. */
  readonly store?: AuditStore;
  /** The adapter that delivers events, and the host's version if known; used in records only. */
  readonly caller?: Caller;
  /** For the latency in audit seals only. */
  readonly clock?: Clock;
  readonly regex?: RegexEngine;
  /** Runs the programs of `run` actions, for `judge`; without it an event that needs one is answered closed. */
  readonly programs?: Programs;
  /**
   * The install key: a secret text that stays the same for one installation. With the session id it keys redaction
   * tokens and the boundary of injected text; without it tokens name the kind of secret alone.
   */
  readonly sessionKey?: string;
  /**
   * Reads the values that rules name (`redact: { values: … }`) when the engine is made. Without it there are none, and the record
   * names the values that were not searched for.
   */
  readonly secretValues?: SecretValues;
  /** False judges every rule that names an event, not only those that the index selects; for comparison in tests. */
  readonly index?: boolean;
  /**
   * State of the sessions, if it is stored elsewhere (`store/session-store.ts`); made with `sessionRules` of the plan. Empty by
   * default.
   */
  readonly state?: SessionState;
  /**
   * Linked plans to reuse, for a process that makes an engine for each event with the same `regex`. Not used for a plan that
   * names secret values, because these are read when the engine is made.
   */
  readonly links?: WeakMap<Plan, LinkedPlan>;
  /**
   * True for an engine that judges one event, or that a host waits for: it links only the parts of the plan that it evaluates.
   * Its decisions are the same.
   */
  readonly once?: boolean;
  /** Needs of the plan's rules, as this version of the engine derived them earlier (`storedNeeds`). */
  readonly needs?: StoredNeeds;
  /** An engine whose sessions continue in this one, after a human let them use another plan. */
  readonly continues?: Engine;
}

/** A decision with the body of its audit record, and the seal if the record was written. */
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
  /**
   * Judges one wire event (`event.schema.json`) at once. Never throws: a fault gives the event's closed outcome, and so does a
   * program whose answer is needed but missing in `answers`.
   */
  decide(event: unknown, answers?: ReadonlyMap<string, ProgramAnswer>): Verdict;
  /** Judges one wire event and runs the programs that it needs. Never rejects. */
  judge(event: unknown): Promise<Verdict>;
  /**
   * Takes a human's answer to a question of this engine's sessions, and records it. Only adapters and tests may call
   * this: an answer never comes from a payload. False when there is no such question.
   */
  answer(answer: HumanAnswer): boolean;
  /** Labels that a session has now. */
  labels(session: string): readonly string[];
  /** This engine, with its sessions, for an adapter that was given it: `caller` counts where the engine was made without one. */
  through?(caller: Caller): Engine;
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

const notAPlan = "plan cannot be used: this is none; give the `plan` of what `compile` returned";

/** True for a plan, judged by its shape, because plans also come as JSON. A promise or a whole result of `compile` is no plan. */
function isPlan(given: object): given is Plan {
  const { policies, rules } = given as Partial<Record<keyof Plan, unknown>>;
  return Array.isArray(policies) && Array.isArray(rules);
}

const nothing: Verdict = { decision: allowed, body: undefined, seal: undefined };

const noPolicy: Engine = {
  active: false,
  plan: undefined,
  decide: () => nothing,
  judge: () => Promise.resolve(nothing),
  answer: () => false,
  labels: () => [],
};

/**
 * Makes an engine for a plan. Without policies (`[]`) it is the shared no-op. An invalid plan, for example after a failed
 * compilation, or a plan that cannot be linked gives an engine that answers every event closed (HW508).
 */
export function createEngine(plan: Plan | readonly [] | undefined, options: EngineOptions = {}): Engine {
  if (!plan) return closedEngine(undefined, { code: "HW508", message: noPlan });
  if (Array.isArray(plan) && plan.length === 0) return noPolicy;
  if (!isPlan(plan)) return closedEngine(undefined, { code: "HW508", message: notAPlan });
  if (plan.policies.length === 0) return noPolicy;
  const regex = options.regex ?? createRegexEngine();
  const named = plan.rules.flatMap(({ actions: list }) => list.filter(({ action }) => action === "redact"));
  const secrets = namedSecrets(
    named.map(({ parameters }) => parameters),
    options.secretValues,
  );
  if (secrets instanceof EvaluationError)
    return closedEngine(plan, { code: "HW508", message: `plan cannot be used: ${secrets.message}` });
  const links = secrets === noSecrets ? options.links : undefined;
  const linked =
    links?.get(plan) ??
    linkPlan(plan, vocabularyFor(regex, secrets), regex, {
      index: options.index !== false,
      late: options.once === true,
      ...(options.needs?.rules.length === plan.rules.length && { needs: options.needs }),
    });
  if (linked instanceof EvaluationError)
    return closedEngine(plan, { code: "HW508", message: `plan cannot be used: ${linked.message}` });
  links?.set(plan, linked);
  return new PlanEngine(linked, regex, options);
}

/**
 * Returns the code of every function and action, with masking by all detectors, as linking a plan needs it. Values that the
 * plan's rules name are redacted and masked too.
 */
export function vocabularyFor(regex: RegexEngine, secrets: NamedSecrets = noSecrets): Vocabulary {
  const scanner = createScanner(regex, recordDetectors, { known: secrets.all });
  const usable = scanner.kind === "scanner" ? scanner : undefined;
  const mask: Vocabulary["mask"] = (text, pseudonym = () => undefined) =>
    usable ? maskText(usable, text, pseudonym) : "(withheld)";
  return {
    functions,
    // Loaded at first use, because most events contain nothing that is partly known.
    lift: (id) => liftOf(id),
    get trees() {
      return trees;
    },
    unseen: (id, args, context) => unseenIn(id, args, context),
    actions: new Map([...actions, ["redact", createRedact(secrets, sha256)]]),
    mask,
    recordMask: (redactions) => createRecordMask({ regex, secrets, redactions, shared: usable, digestOf: sha256 }),
  };
}

/** Makes an engine that refuses everything with a reason, for plans and installations that cannot be used. */
export function closedEngine(plan: Plan | undefined, error: DecisionError): Engine {
  const decide = (event: unknown): Verdict => ({
    decision: closedDecision(event, plan, error),
    body: undefined,
    seal: undefined,
  });
  return {
    active: true,
    plan,
    decide,
    judge: (event) => Promise.resolve(decide(event)),
    answer: () => false,
    labels: () => [],
  };
}

function closedDecision(event: unknown, plan: Plan | undefined, error: DecisionError): Decision {
  const named = ownData(event, "event");
  const given = ownData(event, "id");
  const name = (typeof named === "string" ? canonicalEvent(named) : undefined) ?? "tool_call";
  const closed = closedOutcome(name, withholdable(event), error);
  const id = typeof given === "string" ? given : "";
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

const noAnswers: ReadonlyMap<string, ProgramAnswer> = new Map();

// Most rounds of programs for one event; after a program rewrites the event, the others see it again.
const programRounds = 8;

class PlanEngine implements Engine {
  readonly active = true;
  readonly plan: Plan;
  readonly #linked: LinkedPlan;
  readonly #options: EngineOptions;
  readonly #regex: RegexEngine;
  readonly #state: SessionState;
  readonly #ports: DecidePorts;

  constructor(linked: LinkedPlan, regex: RegexEngine, options: EngineOptions) {
    this.plan = linked.plan;
    this.#linked = linked;
    this.#regex = regex;
    this.#options = options;
    this.#state = options.state ?? new SessionState(sessionRules(linked.plan));
    if (options.continues instanceof PlanEngine) this.#state.adopt(options.continues.#state);
    this.#ports = this.#portsOf(options);
  }

  labels(session: string): readonly string[] {
    return this.#state.labels(session);
  }

  through(caller: Caller): Engine {
    const { continues: _, ...options } = this.#options;
    if (options.caller) return this;
    return new PlanEngine(this.#linked, this.#regex, { ...options, state: this.#state, caller });
  }

  decide(event: unknown, answers: ReadonlyMap<string, ProgramAnswer> = noAnswers): Verdict {
    const started = this.#now();
    try {
      return this.#finish(event, this.#judgement(event, answers), started);
    } catch (fault) {
      return this.#broken(event, fault);
    }
  }

  async judge(event: unknown): Promise<Verdict> {
    const started = this.#now();
    try {
      const answers = new Map<string, ProgramAnswer>();
      let judgement = this.#judgement(event, answers);
      for (let round = 0; judgement.requests.length > 0 && round < programRounds; round++) {
        const found = await Promise.all(judgement.requests.map(async (r) => [r.key, await this.#run(r)] as const));
        for (const [key, answer] of found) answers.set(key, answer);
        judgement = this.#judgement(event, answers);
      }
      return this.#finish(event, judgement, started);
    } catch (fault) {
      return this.#broken(event, fault);
    }
  }

  answer(answer: HumanAnswer): boolean {
    const session = answer.session ?? this.#state.asking(answer.of);
    const data = session === undefined ? undefined : this.#state.data(session);
    const body = approvalRecord(session ?? "", answer, data, this.plan.digest, facts.versions);
    if (!body) return false;
    try {
      this.#options.store?.append(body, 0);
    } catch {
      // An approval that cannot be recorded does not count.
      return false;
    }
    this.#state.fold(body);
    return true;
  }

  #now(): number {
    return this.#options.clock?.now() ?? 0;
  }

  #judgement(event: unknown, answers: ReadonlyMap<string, ProgramAnswer>): Judgement {
    return decide(this.#linked, event, answers === noAnswers ? this.#ports : { ...this.#ports, answers });
  }

  /** Returns the ports for judging; apart from answers of programs they are the same for every event. */
  #portsOf({ files, sessionKey, caller }: EngineOptions): DecidePorts {
    return {
      factsOf: (revision, world, share, declared) => facts.of(revision, world, share, declared),
      filesOf: (listed) => files ?? hermeticFiles(listed),
      sessionOf: (judged) => this.#state.view(judged),
      messages: new KnownMessages(),
      regex: this.#regex,
      tables: facts.versions,
      engine: engineVersion,
      sessionKey: sessionKey ?? "",
      ...(caller && { caller }),
      answers: noAnswers,
    };
  }

  async #run(request: ProgramRequest): Promise<ProgramAnswer> {
    const { programs } = this.#options;
    const refused = (why: string): ProgramAnswer => ({
      exit_code: null,
      stdout: "",
      stderr: "",
      timed_out: false,
      refused: why,
    });
    if (!programs) return refused("this host runs no programs");
    try {
      return await programs.run(request);
    } catch (fault) {
      return refused(fault instanceof Error ? fault.message : String(fault));
    }
  }

  #finish(event: unknown, { decision, body, background }: Judgement, started: number): Verdict {
    const verdict = this.#record(event, decision, body, Math.round((this.#now() - started) * 1000));
    // The required record could not be written, so the answer was closed: the event's changes did not happen.
    if (verdict.decision.answered === "error" && decision.answered !== "error") return verdict;
    this.#state.fold(body);
    for (const request of background) void this.#run(request);
    return verdict;
  }

  /** Answers an unexpected exception: the event is closed, and the answer says so. By design nothing below throws. */
  #broken(event: unknown, fault: unknown): Verdict {
    const message = `internal error: ${fault instanceof Error ? fault.message : String(fault)}`;
    return { decision: closedDecision(event, this.plan, { code: "HW506", message }), body: undefined, seal: undefined };
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
