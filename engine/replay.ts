import type { AuditBody, Decision } from "../schema/generated.ts";
import type { JudgedEvent } from "../schema/judged-event.ts";
import type { ProgramAnswer } from "../schema/ports.ts";
import { canonicalJson, digest } from "./canonical.ts";
import { decide } from "./decide.ts";
import type { DecidePorts } from "./judgement.ts";
import type { LinkedPlan } from "./link-plan.ts";
import { normalise } from "./normalise.ts";
import type { Plan } from "./plan.ts";
import { SessionState, sessionRules } from "./session-state.ts";

/** One record of a trail, with the wire event and the decision where they were kept beside it. */
export interface ReplayStep {
  readonly body: AuditBody;
  /** Needed where the body has no `view` that holds the event whole: a policy that keeps digests, several readings, `files`. */
  readonly wire?: unknown;
  readonly decision?: Decision;
}

/** What one record came to when it was judged again. */
export type Replayed =
  /** The same decision and the same body, byte for byte. */
  | { readonly kind: "same" }
  /** An answer of a human or a note: nothing to judge, its change of state was taken in. */
  | { readonly kind: "folded" }
  /** `field` is the dotted name of the first difference, what a reader looks at first coming first. */
  | { readonly kind: "different"; readonly field: string; readonly recorded: unknown; readonly replayed: unknown }
  /** The record does not say enough; its change of state was taken in. */
  | { readonly kind: "unknown"; readonly why: string };

/** What replaying needs from outside: the ports of deciding, but for the session and the answers of programs. */
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

/** The state of all sessions as their records tell it, in append order. */
export function stateOf(plan: Plan, bodies: Iterable<AuditBody>): SessionState {
  const state = new SessionState(sessionRules(plan));
  for (const body of bodies) state.fold(body);
  return state;
}

function judgeAgain(plan: LinkedPlan, step: ReplayStep, state: SessionState, ports: ReplayPorts): Replayed {
  const { body } = step;
  if (body.kind === "approval" || body.kind === "note") return { kind: "folded" };
  const wire = step.wire === undefined ? wireOf(body) : { event: step.wire };
  if (typeof wire === "string") return { kind: "unknown", why: wire };
  const { decision, body: again } = decide(plan, wire.event, {
    ...ports,
    sessionOf: (event) => state.view(event),
    answers: answersOf(body),
  });
  const found = firstDifference(body, again, "");
  if (found) return { kind: "different", ...found };
  const other = step.decision && firstDifference(step.decision, decision, "decision");
  return other ? { kind: "different", ...other } : { kind: "same" };
}

/** The wire event that a body's view stands for, or why it stands for none. */
function wireOf(body: AuditBody): { readonly event: unknown } | string {
  if (body.view === undefined) return "the record keeps a digest of the event, not the event";
  const event = asWire(body.view as JudgedEvent);
  const again = normalise(event);
  if ("code" in again) return `the recorded event does not fit its schema: ${again.message}`;
  if (digest(again.event) !== body.event_digest) return "the record does not hold the event whole";
  return { event };
}

/** A judged event in the form of the wire. Readings that disagree and the files of a hermetic event are not in it. */
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

/** Any digest but the definition's own says that it changed. */
function pinned({ changed }: { readonly changed: boolean }): string {
  return changed ? "a" : "b";
}

function defined(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function answersOf({ observations }: AuditBody): ReadonlyMap<string, ProgramAnswer> {
  const given = Object.hasOwn(observations, "programs") ? observations["programs"] : undefined;
  return new Map(Object.entries((given ?? {}) as Record<string, ProgramAnswer>));
}

/** What a reader wants to know first when two records differ. */
const first = ["event_digest", "outcome", "answered", "rule", "reason", "errors", "matched", "would"];

interface Difference {
  readonly field: string;
  readonly recorded: unknown;
  readonly replayed: unknown;
}

/** The first place where two values differ as canonical JSON; descends two levels into objects, so that it has a name. */
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
