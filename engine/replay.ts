import type { AuditBody, Decision } from "../schema/generated.ts";
import type { JudgedEvent } from "../schema/judged-event.ts";
import type { ProgramAnswer } from "../schema/ports.ts";
import { approvalRecord, type HumanAnswer } from "./approval.ts";
import { canonicalJson } from "./canonical.ts";
import { decide } from "./decide.ts";
import { eventDigest } from "./event-digest.ts";
import { hasPartialTrees, treesOf } from "./event-trees.ts";
import type { Caller, DecidePorts, Judgement } from "./judgement.ts";
import { KnownMessages } from "./known-messages.ts";
import type { LinkedPlan } from "./link-plan.ts";
import { normalise } from "./normalise.ts";
import type { Plan } from "./plan.ts";
import { answersOf, hasPartialAnswers } from "./program-record.ts";
import { joinEvent, SessionState, sessionRules } from "./session-state.ts";

/** One record of a trail, with the wire event and the decision where they were kept beside it. */
export interface ReplayStep {
  readonly body: AuditBody;
  /** Needed where the body has no `view` that holds the event whole: a policy that keeps digests, several readings, `files`. */
  readonly wire?: unknown;
  readonly decision?: Decision;
}

/** Result of judging one record again. */
export type Replayed =
  /** The same decision and the same body, byte for byte. */
  | { readonly kind: "same" }
  /** A human's answer or a note: nothing to judge; its change of state was applied. */
  | { readonly kind: "folded" }
  /** `field` is the dotted name of the first difference, in the order in which a reader wants to know of them. */
  | { readonly kind: "different"; readonly field: string; readonly recorded: unknown; readonly replayed: unknown }
  /** The record has too little data; its change of state was applied. */
  | { readonly kind: "unknown"; readonly why: string };

/** Ports for replaying: those of deciding, except the session and the answers of programs. */
export type ReplayPorts = Omit<DecidePorts, "sessionOf" | "answers">;

/**
 * Judges the records of a trail again, in append order, with the same plan, and compares (semantics section 5: same plan,
 * event, state and observations give the same bytes). State comes from the records alone, as they were written, so that
 * one difference does not become many. Answers of programs are those on record; no program is run.
 */
export function* replay(plan: LinkedPlan, steps: Iterable<ReplayStep>, ports: ReplayPorts): Generator<Replayed> {
  const state = new SessionState(sessionRules(plan.plan));
  for (const step of steps) {
    yield judgeAgain(plan, step, state, ports);
    state.fold(step.body);
  }
}

/** Folds the records of all sessions, in append order, to their state. */
export function stateOf(plan: Plan, bodies: Iterable<AuditBody>): SessionState {
  const state = new SessionState(sessionRules(plan));
  for (const body of bodies) state.fold(body);
  return state;
}

/**
 * Judges recorded events with another plan than the recorded one. The state is the fold of the bodies that *this* plan gives, not
 * of the recorded ones, because labels, sequences, budgets and questions come from rules. Data that does not come from rules is
 * taken from the record: the parent of a session, executed calls, human answers, and program answers. A human's answer counts if
 * this plan asked about the same event too; an answer to any other question is dropped.
 */
export class Rejudging {
  readonly #plan: LinkedPlan;
  readonly #ports: ReplayPorts;
  readonly #state: SessionState;
  readonly #messages = new KnownMessages();

  /** `plan` keeps events whole (`keepingEvents`), so that its records have the digests of the events as they are. */
  constructor(plan: LinkedPlan, ports: ReplayPorts) {
    this.#plan = plan;
    this.#ports = ports;
    this.#state = new SessionState(sessionRules(plan.plan));
  }

  /**
   * Judges one wire event, with a record that is brief (`briefRecord`). Answers of programs are those of `recorded`, no program
   * is run. `requests` of the judgement are then programs without a recorded answer: it is closed, and does not show what would
   * have happened. If the wire event came from the view of `recorded` and proves to be another event, a text that says so is
   * returned instead of a judgement.
   */
  judge(wire: unknown, recorded?: AuditBody): Judgement | string {
    const judgement = decide(this.#plan, wire, {
      ...this.#ports,
      sessionOf: (event) => this.#state.view(event),
      answers: recorded ? answersOf(recorded) : noAnswers,
      ...(recorded && { trees: treesOf(recorded) }),
      messages: this.#messages,
      brief: recorded ? "digest" : "no digest",
    });
    if (recorded && judgement.body.event_digest !== recorded.event_digest) {
      this.pass(recorded);
      return notWhole;
    }
    this.#state.fold(judgement.body);
    return judgement;
  }

  /** Takes a human's answer; false when this plan did not ask. */
  answer(given: HumanAnswer): boolean {
    const session = given.session ?? this.#state.asking(given.of);
    const data = session === undefined ? undefined : this.#state.data(session);
    const body = approvalRecord(session ?? "", given, data, this.#plan.plan.digest, this.#ports.tables);
    if (body) this.#state.fold(body);
    return body !== undefined;
  }

  /**
   * Takes in a record whose event cannot be judged, or a note: that there was such a call, when, and from which session
   * this one began. What other rules made of it is left out. Labels that joined from a sub-agent come from its own events.
   * False for a human's answer to a question that this plan did not ask.
   */
  pass(body: AuditBody): boolean {
    const { state, approval } = body;
    if (body.kind === "approval" && approval) {
      const { of, answer, by } = approval;
      return this.answer({ session: body.session, of, answer, by, ...(state && { time: state.at }) });
    }
    if (state && !(body.kind === "note" && body.event === joinEvent)) {
      const { at, turn, parent } = state;
      this.#state.fold({
        ...body,
        state: { at, ...(turn !== undefined && { turn }), ...(parent !== undefined && { parent }) },
      });
    }
    return true;
  }
}

/** Returns the plan with records of whole events: it decides the same, without work for masking records that are not kept. */
export function keepingEvents(plan: Plan): Plan {
  return { ...plan, policies: plan.policies.map((p) => ({ ...p, audit: { ...p.audit, keep: "events" } })) };
}

const notWhole = "the record does not hold the event whole";

const noAnswers: ReadonlyMap<string, ProgramAnswer> = new Map();

function judgeAgain(plan: LinkedPlan, step: ReplayStep, state: SessionState, ports: ReplayPorts): Replayed {
  const { body } = step;
  if (body.kind === "approval" || body.kind === "note") return { kind: "folded" };
  const wire = step.wire === undefined ? wireOf(body) : { event: step.wire };
  if (typeof wire === "string") return { kind: "unknown", why: wire };
  if (hasPartialAnswers(body)) return { kind: "unknown", why: "the answer of a program is masked or cut" };
  if (hasPartialTrees(body)) return { kind: "unknown", why: "what the disk said of a folder is masked or cut" };
  const { decision, body: again } = decide(plan, wire.event, {
    ...ports,
    sessionOf: (event) => state.view(event),
    answers: answersOf(body),
    trees: treesOf(body),
    caller: callerOf(body),
  });
  if (hasOtherScripts(body, again))
    return { kind: "unknown", why: "a script that the call runs is gone, or another now" };
  const found = firstDifference(body, again, "");
  if (found) return { kind: "different", ...found };
  const other = step.decision && firstDifference(step.decision, decision, "decision");
  return other ? { kind: "different", ...other } : { kind: "same" };
}

/** True where scripts that were read have changed on this disk: records do not keep their text. */
function hasOtherScripts(before: AuditBody, { observations }: AuditBody): boolean {
  const known = before.observations.scripts ?? [];
  return canonicalJson(known) !== canonicalJson(observations.scripts ?? []);
}

/** Returns the caller of an event: an observation of the adapter, taken from the record. */
function callerOf({ adapter, host_version }: AuditBody): Caller {
  return { ...(adapter !== undefined && { adapter }), ...(host_version !== undefined && { host_version }) };
}

/** Rebuilds the wire event from a body's view, or returns why that is not possible. */
function wireOf(body: AuditBody): { readonly event: unknown } | string {
  const wire = viewAsWire(body);
  if (typeof wire === "string") return wire;
  const again = normalise(wire.event);
  if ("code" in again) return `the recorded event does not fit its schema: ${again.message}`;
  return eventDigest(again.event) === body.event_digest ? wire : notWhole;
}

/**
 * Returns a body's view as a wire event, or why there is none: a masked or cut view cannot be restored. Its digest shows, after a
 * new judgement, whether it is the judged event.
 */
export function viewAsWire(body: AuditBody): { readonly event: unknown } | string {
  if (body.view_masked) return "the view of the event is masked or cut";
  if (body.view === undefined) return "the record keeps a digest of the event, not the event";
  if (!isView(body.view)) return "the recorded view is not an event";
  return { event: asWire(body.view) };
}

/** True if a view has the parts that `asWire` looks into; whether it is an event, its schema and digest say. */
function isView(view: unknown): view is JudgedEvent {
  if (!isObject(view) || !isObject(view["session"]) || !isObject(view["agent"]) || !isObject(view["fields"]))
    return false;
  const optional = [view["input"], view["definition"], view["tool"]];
  const time = view["time"];
  return (
    optional.every((part) => part === undefined || isObject(part)) &&
    typeof time === "number" &&
    Math.abs(time) <= 8_640_000_000_000_000
  );
}

/** A judged event in the form of the wire. It lacks disagreeing readings and the files of a hermetic event. */
function asWire(view: JudgedEvent): Record<string, unknown> {
  const { input, definition, session, agent, tool, event } = view;
  const isCommand = event === "user_bash";
  return {
    ...view.fields,
    event,
    id: view.id,
    time: new Date(view.time).toISOString(),
    host: view.host,
    environment: view.environment,
    labels: session.labels,
    session: {
      id: session.id,
      turn: session.turn,
      ...(session.parent !== undefined && { parent: session.parent }),
      agent,
    },
    exclude_from_context: view.exclude_from_context,
    ...(definition && { definition: { digest: "b", ...(definition.pinned && { pinned_digest: pinned(definition) }) } }),
    ...(input && { text: input.text, source: input.source, images: input.images }),
    ...defined({
      call_id: view.call_id,
      tool: isCommand ? undefined : tool?.host_name,
      args: isCommand ? undefined : view.args_raw,
      result: view.result,
      messages: view.messages,
      prompt: view.prompt,
      system_prompt: view.system_prompt,
      command: view.command,
      code: view.code,
      ignored: view.ignored,
    }),
  };
}

/** Returns a pinned digest; any digest but the definition's own means that it changed. */
function pinned({ changed }: { readonly changed: boolean }): string {
  return changed ? "a" : "b";
}

function defined(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Fields that are compared first, since a reader wants to know their differences first. */
const first = ["event_digest", "outcome", "answered", "rule", "reason", "errors", "matched", "would"];

interface Difference {
  readonly field: string;
  readonly recorded: unknown;
  readonly replayed: unknown;
}

/** Returns the first difference of two values as canonical JSON; descends two levels into objects, to give it a name. */
function firstDifference(recorded: unknown, replayed: unknown, at: string, depth = 0): Difference | undefined {
  if (canonicalJson(recorded ?? null) === canonicalJson(replayed ?? null)) return undefined;
  if (depth >= 2 || !isObject(recorded) || !isObject(replayed)) return { field: at, recorded, replayed };
  const keys = [...new Set([...first, ...Object.keys(recorded), ...Object.keys(replayed)])];
  for (const key of keys) {
    const one = Object.hasOwn(recorded, key) ? recorded[key] : undefined;
    const other = Object.hasOwn(replayed, key) ? replayed[key] : undefined;
    const found = firstDifference(one, other, at === "" ? key : `${at}.${key}`, depth + 1);
    if (found) return found;
  }
  // Only the presence of a key whose value is null differs.
  return { field: at, recorded, replayed };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
