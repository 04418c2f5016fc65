import { approvalRecord, type HumanAnswer } from "../../engine/approval.ts";
import { decide } from "../../engine/decide.ts";
import type { Judgement } from "../../engine/judgement.ts";
import { type LinkedPlan, type LinkOptions, linkPlan } from "../../engine/link-plan.ts";
import type { Plan } from "../../engine/plan.ts";
import { SessionState, sessionRules } from "../../engine/session-state.ts";
import { facts } from "../../facts/facts.ts";
import { hermeticFiles } from "../../facts/paths/files.ts";
import { createRegexEngine } from "../../facts/regex.ts";
import { namedSecrets } from "../../rules/actions/redact-values.ts";
import { vocabularyFor } from "../../runtime.ts";
import type { Declarations } from "../../schema/declarations.ts";
import type { FactSet } from "../../schema/facts.ts";
import type { Decision } from "../../schema/generated.ts";
import type { JudgedEvent } from "../../schema/judged-event.ts";
import { EvaluationError, type FileSystem, type ProgramAnswer, type RegexEngine } from "../../schema/ports.ts";
import { engineVersion } from "../../schema/version.ts";
import type { ExampleJudge } from "../examples.ts";

/** Returns the answer of a rule's program in a test; undefined if there is none. */
export type Answering = (rule: string) => ProgramAnswer | undefined;

/** A decision, and the rules whose programs were called on the way, including background ones. */
export interface CaseDecision {
  readonly decision: Decision;
  readonly programs: readonly string[];
}

/** Data that all engines of one suite share, so that a plan with one other rule costs one other rule. */
export class Bench {
  readonly regex: RegexEngine = createRegexEngine();
  readonly #files = new Map<string, FileSystem>();
  readonly #keys = new WeakMap<FileSystem, string>();
  readonly #facts = new Map<string, FactSet>();

  /** Links a plan. `reuse` is one that differs from it in few rules. */
  link(plan: Plan, options: LinkOptions = {}): LinkedPlan | EvaluationError {
    const redactions = plan.rules.flatMap(({ actions }) => actions.filter(({ action }) => action === "redact"));
    if (options.reuse) return linkPlan(plan, options.reuse.vocabulary, this.regex, options);
    const secrets = namedSecrets(
      redactions.map(({ parameters }) => parameters),
      undefined,
    );
    return secrets instanceof EvaluationError
      ? secrets
      : linkPlan(plan, vocabularyFor(this.regex, secrets), this.regex, options);
  }

  /** Returns the files that an event lists; the same value for the same list. */
  filesOf(listed: Readonly<Record<string, unknown>> | undefined): FileSystem {
    const key = JSON.stringify(listed ?? null);
    const known = this.#files.get(key);
    if (known) return known;
    const files = hermeticFiles(listed);
    keep(this.#files, key, files);
    this.#keys.set(files, key);
    return files;
  }

  /** Returns the facts of a revision. They depend only on it and the files, so they are computed once for all plans. */
  factsOf(event: JudgedEvent, files: FileSystem, declared?: Declarations): FactSet {
    const own = declared ? JSON.stringify(declared) : "";
    const key = `${this.#keys.get(files) ?? ""}\n${JSON.stringify(event)}${own}`;
    const known = this.#facts.get(key);
    if (known) return known;
    const made = facts.of(event, files, 1, declared);
    keep(this.#facts, key, made);
    return made;
  }
}

/** Maximum values kept of one kind; a suite has fewer events than that. */
const mostKept = 5_000;

function keep<T>(map: Map<string, T>, key: string, value: T): void {
  if (map.size >= mostKept) map.clear();
  map.set(key, value);
}

// As many rounds as the runtime has.
const programRounds = 8;

/**
 * The engine that judges a case: it has its own sessions, and answers programs from data. It decides by the engine's own
 * `decide`, as the runtime does; it records nothing and runs nothing.
 */
export class CaseEngine implements ExampleJudge {
  readonly #linked: LinkedPlan;
  readonly #bench: Bench;
  readonly #state: SessionState;

  readonly #matched: ((rule: string) => void) | undefined;

  /** `matched` is called with every rule that matched. */
  constructor(linked: LinkedPlan, bench: Bench, matched?: (rule: string) => void) {
    this.#linked = linked;
    this.#bench = bench;
    this.#matched = matched;
    this.#state = new SessionState(sessionRules(linked.plan));
  }

  decide(event: unknown, programs: Answering = () => undefined): CaseDecision {
    const asked = new Set<string>();
    const answers = new Map<string, ProgramAnswer>();
    let judgement = this.#judgement(event, answers);
    for (let round = 0; round < programRounds && judgement.requests.length > 0; round++) {
      const before = answers.size;
      for (const { key, rule } of judgement.requests) {
        asked.add(rule);
        const answer = programs(rule);
        if (answer) answers.set(key, answer);
      }
      if (answers.size === before) break;
      judgement = this.#judgement(event, answers);
    }
    this.#state.fold(judgement.body);
    const { decision, background } = judgement;
    for (const { rule, outcome } of [...decision.matched, ...decision.would])
      if (outcome !== "error") this.#matched?.(rule);
    for (const { rule } of background) asked.add(rule);
    return { decision, programs: [...asked] };
  }

  answer(answer: HumanAnswer): boolean {
    const session = answer.session ?? this.#state.asking(answer.of);
    const data = session === undefined ? undefined : this.#state.data(session);
    const body = approvalRecord(session ?? "", answer, data, this.#linked.plan.digest, facts.versions);
    if (!body) return false;
    this.#state.fold(body);
    return true;
  }

  /** Returns the present labels of a session. */
  labels(session: string): readonly string[] {
    return this.#state.labels(session);
  }

  #judgement(event: unknown, answers: ReadonlyMap<string, ProgramAnswer>): Judgement {
    return decide(this.#linked, event, {
      factsOf: (revision, files, _share, declared) => this.#bench.factsOf(revision, files, declared),
      filesOf: (listed) => this.#bench.filesOf(listed),
      sessionOf: (judged) => this.#state.view(judged),
      regex: this.#bench.regex,
      tables: facts.versions,
      engine: engineVersion,
      sessionKey: "",
      answers,
    });
  }
}
