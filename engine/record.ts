import type { FactSet } from "../schema/facts.ts";
import type {
  AuditBody,
  Decision,
  RecordedPolicy,
  RecordedScript,
  RecordedState,
  RecordedTree,
} from "../schema/generated.ts";
import type { JudgedEvent } from "../schema/judged-event.ts";
import { limits } from "../schema/limits.ts";
import type { Delivery, ProgramRequest } from "../schema/ports.ts";
import { digest, keepConstant, sha256 } from "./canonical.ts";
import type { Dispatched } from "./dispatch.ts";
import { hostDelivery } from "./host-delivery.ts";
import type { DecidePorts } from "./judgement.ts";
import type { LinkedPlan } from "./link-plan.ts";
import type { Left } from "./marks.ts";
import type { Malformed } from "./normalise.ts";
import type { Plan } from "./plan.ts";
import { recordedProgram } from "./program-record.ts";
import { recordedEffects } from "./recorded-effects.ts";
import { maskedTexts, type RecordTexts } from "./recorded-texts.ts";
import { keepOf, type Masking, type RecordedEvent, recordedEvent } from "./recorded-view.ts";

/** Parts of the record of one decision. */
export interface RecordParts {
  /** The event as it came, before anything was rewritten. */
  readonly event: JudgedEvent;
  readonly found: Dispatched;
  readonly deliveries: readonly Delivery[];
  readonly background: readonly ProgramRequest[];
  readonly decision: Decision;
  readonly state: RecordedState;
  readonly left: Left;
  /** Answers of the disk about folders of the call. */
  readonly trees: RecordedTree[] | undefined;
}

/**
 * Returns the body of the audit record of one decision: the decision, and everything on which it depends. The policies select the
 * recorded form of the event (`recordedEvent`); every text in it is masked and bounded. Source: semantics section 5; threats
 * section 3.2, item 1.
 */
export function recordOf(
  parts: RecordParts,
  { plan }: LinkedPlan,
  ports: DecidePorts,
  masking: Masking,
  mask: (text: string) => string,
): AuditBody {
  const { event, found, deliveries, decision, state } = parts;
  const texts = maskedTexts(textsOf(parts, plan, mask), masking);
  const { background, notices, recorded } = texts;
  const shown = recordedEvent(event, keepOf(plan), masking);
  // Every field by name: a record is made for each event, and spreads cost more than the rest of it.
  const body: AuditBody = {
    v: 1,
    event: event.event,
    id: event.id,
    time: new Date(event.time).toISOString(),
    host: event.host,
    session: event.session.id,
    agent: event.agent.id,
    event_digest: shown.event_digest,
    outcome: decision.outcome,
    answered: decision.answered,
    matched: decision.matched,
    would: decision.would,
    errors: texts.errors,
    transforms: found.findings.applied.map((a) => ({ ...a })),
    state,
    observations: observationsOf(texts, ports),
    policy_digest: plan.digest,
    policies: policiesOf(plan.policies),
    engine: ports.engine,
    tables: constantTables(ports.tables),
  };
  addTexts(body, texts);
  addShown(body, shown);
  if (ports.caller) Object.assign(body, callerOf(ports));
  if (event.tool) body.tool = event.tool.name;
  if (event.call_id !== undefined) body.call_id = event.call_id;
  if (decision.rule !== undefined) body.rule = decision.rule;
  if (isCall(event)) body.understanding = found.view.facts.understanding;
  if (event.event === "tool_result") Object.assign(body, outcomeOfCall(event, found));
  if (deliveries.length > 0) body.delivered = deliveries.map((d) => ({ rule: d.rule, digest: digest(d.content) }));
  const onHost = hostDelivery(event, decision, found.findings.applied, deliveries);
  if (onHost) body.on_host = onHost;
  if (background.length > 0) body.background = [...background];
  if (notices.length > 0) body.notices = [...notices];
  if (Object.keys(recorded).length > 0) body.recorded = recorded;
  if (decision.approved !== undefined) body.approved = decision.approved;
  return body;
}

function addTexts(body: AuditBody, texts: RecordTexts): void {
  if (texts.reason !== undefined) body.reason = texts.reason;
  if (texts.doubts) body.doubts = texts.doubts;
  if (texts.effects) body.effects = texts.effects;
  if (texts.more_effects !== undefined) body.more_effects = texts.more_effects;
  if (texts.labels_in) body.labels_in = texts.labels_in;
  if (texts.labels_out) body.labels_out = texts.labels_out;
}

function addShown(body: AuditBody, { view, view_masked, masked }: RecordedEvent): void {
  if (view !== undefined) body.view = view as NonNullable<AuditBody["view"]>;
  if (view_masked) body.view_masked = view_masked;
  if (masked) body.masked = masked;
}

function observationsOf(
  { programs, observed, scripts, trees }: RecordTexts,
  ports: DecidePorts,
): AuditBody["observations"] {
  return {
    regex: regexOf(ports),
    ...(Object.keys(programs).length > 0 && { programs }),
    ...(trees && { trees: [...trees] }),
    ...(scripts && { scripts: [...scripts] }),
    ...(observed.length > 0 && { ignored: [...observed] }),
  };
}

function isCall({ tool, event }: JudgedEvent): boolean {
  return tool !== undefined && event !== "tool_result";
}

/** Lists the scripts that were read by their digests: a record keeps no text of theirs, because it may hold secrets. */
function scriptsOf({ scripts }: FactSet): RecordedScript[] | undefined {
  return scripts?.map(({ path, text }) => ({ path, digest: sha256(text), length: text.length }));
}

/** Returns all parts of a record that are or may quote foreign text. */
export function textsOf(parts: RecordParts, plan: Plan, mask: (text: string) => string): RecordTexts {
  const { event, found, decision, left, background, state, trees } = parts;
  const { view, findings } = found;
  const before = view.session.labels;
  const after = state.labels ? labelsAfter(before, state.labels) : before;
  const listed = isCall(event) ? recordedEffects(view.facts.effects) : undefined;
  // Absent texts are named too: objects of one layout are read in half the time.
  return {
    background: background.map(({ rule, command }) => ({ rule, command: [...command] })),
    errors: decision.errors,
    notices: left.notices,
    observed: [...(event.ignored ?? [])],
    programs: findings.programs.size === 0 ? {} : programsOf(findings.programs, plan, mask),
    recorded: left.recorded,
    trees,
    scripts: isCall(event) ? scriptsOf(view.facts) : undefined,
    doubts: isCall(event) ? view.facts.doubts.map((d) => d.reason) : undefined,
    effects: listed?.effects,
    more_effects: listed?.more_effects,
    labels_in: before.length > 0 ? [...before] : undefined,
    labels_out: after.length > before.length ? [...after] : undefined,
    reason: decision.reason,
  };
}

function labelsAfter(before: readonly string[], added: readonly string[]): string[] {
  return [...new Set([...before, ...added])].slice(0, Math.max(before.length, limits.labels));
}

function programsOf(
  programs: RecordParts["found"]["findings"]["programs"],
  plan: Plan,
  mask: (text: string) => string,
): RecordTexts["programs"] {
  const keep = keepOf(plan);
  const asked = [...programs].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(asked.map(([key, one]) => [key, recordedProgram(one, keep, mask)]));
}

/** Returns the outcome of a call as its result reports it, after the fact (threats section 3.2, item 4). */
function outcomeOfCall(
  { event, result, call_id, fields }: JudgedEvent,
  { view }: Dispatched,
): Pick<AuditBody, "failed" | "call_digest" | "duration_ms"> {
  if (event !== "tool_result") return {};
  const call = call_id === undefined ? undefined : view.session.digestOfCall(call_id);
  const took = Object.hasOwn(fields, "duration_ms") ? fields["duration_ms"] : undefined;
  return {
    failed: result?.is_error === true,
    ...(call !== undefined && { call_digest: call }),
    ...(typeof took === "number" && Number.isSafeInteger(took) && took >= 0 && { duration_ms: took }),
  };
}

function callerOf({ caller }: Pick<DecidePorts, "caller">): Pick<AuditBody, "adapter" | "host_version"> {
  return {
    ...(caller?.adapter !== undefined && { adapter: caller.adapter }),
    ...(caller?.host_version !== undefined && { host_version: caller.host_version }),
  };
}

/** Parts that all records of a plan share, by the plan's list of policies or tables; frozen, since records share them. */
const listedPolicies = new WeakMap<object, RecordedPolicy[]>();
const listedTables = new WeakMap<object, Record<string, string>>();

/** Returns the origin of a plan: each policy with its scope and the digest of its file. */
function policiesOf(policies: Plan["policies"]): RecordedPolicy[] {
  const known = listedPolicies.get(policies);
  if (known) return known;
  const made = policies.map(({ id, scope, source }) => Object.freeze({ policy: id, scope, source }));
  keepConstant(Object.freeze(made));
  listedPolicies.set(policies, made);
  return made;
}

function constantTables(tables: Readonly<Record<string, string>>): Record<string, string> {
  const known = listedTables.get(tables);
  if (known) return known;
  const made = Object.freeze({ ...tables });
  keepConstant(made);
  listedTables.set(tables, made);
  return made;
}

function regexOf({ regex }: DecidePorts): string {
  return `${regex.name}@${regex.version}`;
}

/** Returns the body of the record of a malformed payload: only its digest and the closed answer. */
export function malformedRecord(
  malformed: Malformed,
  decision: Decision,
  { plan }: LinkedPlan,
  ports: DecidePorts,
  masking: Masking,
): AuditBody {
  const texts = { ...nothing, reason: decision.reason ?? "", errors: decision.errors };
  const { reason, errors } = maskedTexts(texts, masking);
  return {
    v: 1,
    event: malformed.event,
    id: malformed.id,
    time: new Date(0).toISOString(),
    host: "",
    ...callerOf(ports),
    session: "",
    agent: "",
    event_digest: digest({ malformed: errors.map(({ message }) => message).join() }),
    ...verdict(decision),
    ...(reason !== undefined && { reason }),
    errors,
    transforms: [],
    observations: { regex: regexOf(ports) },
    policy_digest: decision.policy_digest,
    policies: policiesOf(plan.policies),
    engine: ports.engine,
    tables: constantTables(ports.tables),
  };
}

const nothing: RecordTexts = { errors: [], notices: [], recorded: {}, background: [], programs: {}, observed: [] };

type VerdictFields = Pick<AuditBody, "outcome" | "answered" | "matched" | "would" | "rule">;

function verdict({ outcome, answered, matched, would, rule }: Decision): VerdictFields {
  return { outcome, answered, matched, would, ...(rule !== undefined && { rule }) };
}
