import type { Judgement } from "../../engine/judgement.ts";
import { type LinkedPlan, linkPlan } from "../../engine/link-plan.ts";
import type { Plan } from "../../engine/plan.ts";
import { keepingEvents, Rejudging, type ReplayPorts } from "../../engine/replay.ts";
import { facts } from "../../facts/facts.ts";
import { hermeticFiles } from "../../facts/paths/files.ts";
import { createRegexEngine } from "../../facts/regex.ts";
import { namedSecrets } from "../../rules/actions/redact-values.ts";
import { vocabularyFor } from "../../runtime.ts";
import { EvaluationError, type RecordMask } from "../../schema/ports.ts";
import { engineVersion } from "../../schema/version.ts";
import { type Answer, answerOf, changeBetween, noPolicy } from "./change.ts";
import { knownFacts } from "./known-facts.ts";
import { fieldsOf, textOf } from "./record-lines.ts";
import { type Example, type ReplayReport, ReplayTally, reportOf, type TallyState } from "./report.ts";
import type { Step } from "./step.ts";

/** The policy that judges events, and the one to compare with; the record if not given. */
export interface ReplayPlans {
  readonly plan: Plan;
  readonly against?: Plan;
}

/**
 * Judges recorded events by a policy and reports the changes (semantics page section 6). It compares with another policy or
 * with the recorded decisions; without any, with no policy at all. Each policy sees the sessions as they would have been
 * under itself (`Rejudging`). Files and programs of this machine play no part: an event's data resolves paths, and programs'
 * answers are the recorded ones. Returns an error value if a plan cannot be linked.
 */
export async function replayThrough(
  { plan, against }: ReplayPlans,
  steps: AsyncIterable<Step>,
): Promise<ReplayReport | EvaluationError> {
  const share = await replayShare({ plan, ...(against && { against }) }, steps, () => true);
  return share instanceof EvaluationError ? share : (reportOf([share.tally]) as ReplayReport);
}

/** Result of one share of the steps. */
export interface ReplayShare {
  readonly tally: TallyState;
  /** Number of all steps, including those of other shares. */
  readonly steps: number;
}

/** Like `replayThrough`, for the steps of one share; all shares together give the whole. */
export async function replayShare(
  { plan, against }: ReplayPlans,
  steps: AsyncIterable<Step>,
  isOwn: (step: Step) => boolean,
): Promise<ReplayShare | EvaluationError> {
  const linked = linkForReplay(plan);
  if (linked instanceof EvaluationError) return linked;
  const other = against && linkForReplay(against);
  if (other instanceof EvaluationError) return other;
  const run = new ReplayRun(linked, other);
  let count = 0;
  for await (const step of steps) {
    run.tally.at = count++;
    if (isOwn(step)) run.take(step);
  }
  return { tally: run.tally.state, steps: count };
}

const regex = createRegexEngine();

const noFiles = hermeticFiles(undefined);

/** Returns all inputs that are not in a plan. No session key: tokens of secrets give the kind alone, and are not compared. */
const portsOfRun = (): ReplayPorts => ({
  factsOf: knownFacts((event, files, declared) => facts.of(event, files, 1, declared), noFiles),
  filesOf: (listed) => (listed === undefined ? noFiles : hermeticFiles(listed)),
  regex,
  tables: facts.versions,
  engine: engineVersion,
  sessionKey: "",
});

function linkForReplay(plan: Plan): LinkedPlan | EvaluationError {
  const redacts = plan.rules.flatMap(({ actions }) => actions.filter(({ action }) => action === "redact"));
  const secrets = namedSecrets(redacts.map(({ parameters }) => parameters));
  if (secrets instanceof EvaluationError) return secrets;
  const linked = linkPlan(keepingEvents(plan), vocabularyFor(regex, secrets), regex);
  return linked instanceof EvaluationError ? linked : { ...linked, mask: maskingReasons(linked.mask) };
}

/** Masks reasons only, since they are the only compared quotations; without a reason there is nothing to mask. */
function maskingReasons(mask: RecordMask): RecordMask {
  return {
    mask: (value, json, pseudonym) =>
      fieldsOf(value)?.["reason"] === undefined ? { value, found: [] } : mask.mask(value, json, pseudonym),
  };
}

/** Maximum UTF-16 units of an example's event text. */
const shown = 160;

class ReplayRun {
  readonly tally = new ReplayTally();
  readonly #now: Rejudging;
  readonly #before: Rejudging | undefined;
  readonly #mask: (text: string) => string;
  /** Sessions with an event that could not be judged. */
  readonly #short = new Set<string>();

  constructor(plan: LinkedPlan, against: LinkedPlan | undefined) {
    const ports = portsOfRun();
    this.#now = new Rejudging(plan, ports);
    this.#before = against && new Rejudging(against, ports);
    this.#mask = (text) => plan.vocabulary.mask(text);
  }

  take(step: Step): void {
    switch (step.kind) {
      case "event":
        return this.#judge(step);
      case "unknown":
        return this.tally.unknown(step.why, step.place);
      case "past":
        return this.#pass(step);
      case "answer": {
        this.#before?.answer(step.answer);
        if (!this.#now.answer(step.answer)) this.tally.unasked++;
        this.tally.passed++;
        return;
      }
      case "passed":
        this.tally.passed++;
    }
  }

  #pass({ body, why, place }: Step & { readonly kind: "past" }): void {
    this.#before?.pass(body);
    const taken = this.#now.pass(body);
    if (why === undefined) {
      this.tally.passed++;
      if (!taken) this.tally.unasked++;
      return;
    }
    this.tally.leftOut(why, place);
    this.#short.add(body.session);
  }

  #judge(step: Step & { readonly kind: "event" }): void {
    const { wire, recorded, session } = step;
    const now = this.#now.judge(wire, recorded);
    const before = this.#before?.judge(wire, recorded);
    if (typeof now === "string") return this.#leave(step, now);
    if (typeof before === "string") return this.#leave(step, before);
    const why = unusable(now) ?? (before && unusable(before));
    if (why !== undefined) return this.#leave(step, why);
    this.tally.judged++;
    this.tally.sessions.add(session);
    if (this.#short.has(session)) this.tally.incomplete++;
    const old = before ? answerOf(before.body) : recorded ? answerOf(recorded) : noPolicy;
    if (!before && !recorded) this.tally.unguarded++;
    const answer = answerOf(now.body);
    const change = changeBetween(old, answer);
    if (change) this.tally.change(change, () => this.#example(step, now, old, answer));
  }

  #leave({ session, place }: Step & { readonly kind: "event" }, why: string): void {
    this.tally.leftOut(why, place);
    this.#short.add(session);
  }

  #example(
    { wire, session, place }: Step & { readonly kind: "event" },
    { body }: Judgement,
    before: Answer,
    after: Answer,
  ): Example {
    const about = this.#mask(aboutOf(wire));
    return {
      ...place,
      session,
      event: body.event,
      ...(body.tool !== undefined && { tool: body.tool }),
      about: about.length > shown ? `${about.slice(0, shown)}…` : about,
      before: said(before),
      after: said(after),
    };
  }
}

function said({ rewrites: _rewrites, ...rest }: Answer): Example["before"] {
  return rest;
}

/** Returns why a judgement is no evidence of a change; undefined if it is valid. */
function unusable({ decision, requests, unseen }: Judgement): string | undefined {
  const misfit = decision.errors.find(({ code }) => code === "HW501" || code === "HW504");
  if (misfit) return `the event does not fit its schema (${misfit.code})`;
  const isOpen = [...decision.matched, ...decision.would].some(({ grade }) => grade === "open");
  if (unseen && isOpen) return "what lies in a folder that the call takes whole is not on record";
  const [request] = requests;
  return request && `the answer of the program of \`${request.rule}\` is not on record, or not whole`;
}

/** Arguments that best describe a call. */
const telling = ["command", "cmd", "path", "file_path", "url", "pattern", "query", "code", "prompt"];

function aboutOf(wire: unknown): string {
  const event = fieldsOf(wire);
  const args = fieldsOf(event?.["args"]);
  for (const name of telling) {
    const text = textOf(args, name) ?? textOf(event, name);
    if (text !== undefined) return text;
  }
  return textOf(event, "text") ?? Object.values(args ?? {}).find((one): one is string => typeof one === "string") ?? "";
}
