import { metered } from "../facts/meter.ts";
import type { Changes, Decision, Question } from "../schema/generated.ts";
import { limits } from "../schema/limits.ts";
import type { Delivery, ProgramRequest, Pseudonym } from "../schema/ports.ts";
import type { Approval } from "../schema/session.ts";
import { briefRecord } from "./brief-record.ts";
import type { Combined } from "./combine.ts";
import { collectDeliveries, type Delivered, joinDeliveries, labelForeign } from "./deliver.ts";
import type { Dispatched } from "./dispatch.ts";
import type { View } from "./evaluate-rule.ts";
import { type Closed, closedOutcome } from "./failure.ts";
import type { Matched } from "./findings.ts";
import type { DecidePorts, Judgement } from "./judgement.ts";
import type { LinkedPlan } from "./link-plan.ts";
import { type Left, mark, progress } from "./marks.ts";
import { changesBetween } from "./payload.ts";
import { backgroundPrograms } from "./programs.ts";
import { approvalKey, denialKey, type QuestionKeys, questionOf, recordedQuestion } from "./question.ts";
import { recordOf } from "./record.ts";
import type { Masking } from "./recorded-view.ts";
import { renderText, shownUnknown, withUnsureNote } from "./render-text.ts";
import { valueDigestOf } from "./session-key.ts";
import type { StateChange } from "./state-change.ts";
import type { TransformPorts } from "./transform.ts";

const nothingDelivered: Delivered = { deliveries: [], would: [], errors: [], held: [] };

/** Answer after approvals: the combined answer, and the approval, denial or question keys that the decision reports. */
interface Answer {
  readonly combined: Combined;
  readonly approved?: string;
  readonly denied?: string;
  readonly keys?: QuestionKeys;
}

/**
 * Concludes one dispatch (semantics section 3, steps 5 to 7): approvals, closed outcome, deliveries, marks, and the
 * decision with the body of its record.
 */
export function conclude(
  plan: LinkedPlan,
  original: View,
  found: Dispatched,
  change: StateChange,
  transformPorts: TransformPorts,
  ports: DecidePorts,
): Judgement {
  const { event } = original;
  const { findings, view } = found;
  const candidates = plan.candidates(event);
  for (const { rule } of findings.requests)
    findings.failWith({ code: "HW513", message: "the answer of a program is needed, and nobody ran it", rule });
  const answer = answered(plan, found);
  const wasBlocked = answer.combined.outcome === "block" || closes(event.event, found);
  const left = mark(plan, candidates, original, view, found.told, wasBlocked, findings, transformPorts, change);
  const closed = closedBy(original, found, answer.combined);
  const outcome = closed ? closed.outcome : answer.combined.outcome;
  const blocked = outcome === "block";
  progress(candidates, original, view, findings, change);
  const told = blocked ? nothingDelivered : collectDeliveries(candidates.deliveries, found.told, transformPorts);
  const all =
    findings.contexts.length === 0 ? told : { ...told, deliveries: [...told.deliveries, ...findings.contexts] };
  const delivered = labelForeign(all, view.session, change);
  const changes = changesOf(original, found, closed, delivered, blocked, change, transformPorts);
  const texts = textsOf(found, answer, closed, transformPorts);
  const question =
    outcome === "ask" && answer.keys !== undefined
      ? questionOf(view, answer.keys, found.hits, texts.reason ?? "", {
          mask: transformPorts.mask,
          also: alsoOf(found),
          showsCall: ports.caller?.shows_call !== true,
        })
      : undefined;
  const decision = decisionOf(plan, original, found, {
    mask: transformPorts.mask,
    answer,
    closed,
    outcome,
    texts,
    question,
    changes,
    left,
    delivered,
  });
  const state = change.recorded(event, question && recordedQuestion(question));
  const background: ProgramRequest[] = blocked ? [] : backgroundPrograms(candidates.programs, found.told);
  const body = (ports.brief ? briefRecord : recordOf)(
    {
      event,
      found,
      deliveries: delivered.deliveries,
      background,
      decision,
      state,
      left,
      trees: transformPorts.trees.observed,
    },
    plan,
    ports,
    maskingOf(plan, transformPorts.pseudonym, ports),
    transformPorts.mask,
  );
  return { decision, body, requests: findings.requests, background, unseen: transformPorts.trees.unseen };
}

/** Returns the masking of a session's records. */
export function maskingOf(plan: LinkedPlan, pseudonym: Pseudonym, { sessionKey }: DecidePorts): Masking {
  const mask: Masking["mask"] = {
    mask: (value, json, name, bare) =>
      metered(
        limits.recordWork,
        () => plan.mask.mask(value, json, name, bare),
        () => undefined,
      ),
  };
  return { mask, pseudonym, valueDigest: valueDigestOf(sessionKey) };
}

/** Applies remembered answers: an approval answers the question about the same call, a denial blocks the call. */
function answered(plan: LinkedPlan, found: Dispatched): Answer {
  const { combined, view, hits } = found;
  if (combined.outcome !== "ask") return { combined };
  const key = approvalKey(view, combined, hits, plan.plan);
  const denial = denialKey(view, combined, hits, plan.plan);
  const known = (denial === undefined ? undefined : denialOf(view, denial)) ?? view.session.approval(key);
  if (!known) return { combined, keys: { key, ...(denial !== undefined && { denial }) } };
  if (known.answer === "allow") return { combined: { ...combined, outcome: "allow" }, approved: key };
  return { combined: { ...combined, outcome: "block" }, denied: known.by };
}

/** Returns the remembered answer under a denial key; undefined if there is none, or it is `allow`. */
function denialOf({ session }: View, key: string): Approval | undefined {
  const known = session.approval(key);
  return known?.answer === "allow" ? undefined : known;
}

function closes(event: View["event"]["event"], { findings, view }: Dispatched): boolean {
  return findings.failed !== undefined && closedOutcome(event, view.event, findings.failed).outcome === "block";
}

function closedBy(original: View, { findings }: Dispatched, combined: Combined): Closed | undefined {
  const { event } = original;
  return findings.failed && combined.outcome !== "block"
    ? closedOutcome(event.event, event, findings.failed)
    : undefined;
}

function changesOf(
  { event }: View,
  found: Dispatched,
  closed: Closed | undefined,
  delivered: Delivered,
  blocked: boolean,
  change: StateChange,
  ports: TransformPorts,
): Changes {
  const given = change.labels;
  const isSame = blocked || (!closed && found.view.event === event);
  if (isSame && given.length === 0 && delivered.deliveries.length === 0) return {};
  const labels = given.length > 0 ? { labels: [...given] } : {};
  // A blocked event changes nothing, except that a program's text still reaches the model.
  if (blocked) return { ...joinDeliveries(found.view, delivered.deliveries, ports, {}), ...labels };
  const revised = changesBetween(event, found.view.event);
  const joined = joinDeliveries(found.view, delivered.deliveries, ports, { ...revised, ...closed?.changes });
  return { ...joined, ...labels };
}

/** Parts of a decision. */
interface Parts {
  readonly mask: (text: string) => string;
  readonly answer: Answer;
  readonly closed: Closed | undefined;
  readonly outcome: Decision["outcome"];
  readonly texts: { readonly reason?: string; readonly guidance?: string };
  readonly question: Question | undefined;
  readonly changes: Changes;
  readonly left: Left;
  readonly delivered: Delivered;
}

function decisionOf(plan: LinkedPlan, { event }: View, found: Dispatched, parts: Parts): Decision {
  const { answer, closed } = parts;
  const cited = closed ? found.findings.failed?.rule : answer.combined.cited?.linked.rule.id;
  const doubts = doubtsOf(found);
  if (isPlain(parts, found, cited, doubts))
    return {
      id: event.id,
      outcome: parts.outcome,
      answered: answer.combined.answered,
      matched: [],
      would: [],
      changes: parts.changes,
      errors: [],
      policy_digest: plan.plan.digest,
    };
  return fullDecision(plan, event.id, found, parts, cited, doubts);
}

/** Builds a decision that has more than an outcome. */
function fullDecision(
  plan: LinkedPlan,
  id: string,
  { findings }: Dispatched,
  parts: Parts,
  cited: string | undefined,
  doubts: readonly string[],
): Decision {
  const { answer, closed, delivered, left, mask, texts } = parts;
  const matched = (m: Matched): Decision["matched"][number] => asMatched(m, mask);
  const injected = (d: Delivery): Decision["matched"][number] => ({ rule: d.rule, outcome: "inject" });
  return {
    id,
    outcome: parts.outcome,
    answered: closed ? "error" : answer.combined.answered,
    ...(cited !== undefined && { rule: cited }),
    ...texts,
    ...(parts.question && { ask: parts.question }),
    ...(answer.approved !== undefined && { approved: answer.approved }),
    matched: [
      ...[...findings.matched, ...delivered.held.filter(isEnforced)].map(matched),
      ...delivered.deliveries.filter((d) => !findings.contexts.includes(d)).map(injected),
    ],
    would: [
      ...[...findings.would, ...delivered.held.filter((m) => !isEnforced(m))].map(matched),
      ...delivered.would.map((linked) => ({ rule: linked.rule.id, outcome: "inject" })),
    ],
    changes: parts.changes,
    ...(left.notices.length > 0 && { notices: left.notices }),
    errors: [...findings.errors, ...delivered.errors],
    ...(doubts.length > 0 && { doubts: [...doubts] }),
    policy_digest: plan.plan.digest,
  };
}

/** True for the usual decision: no rule or program said anything, nothing is delivered, and nothing went wrong. */
function isPlain(
  { answer, closed, delivered, left, question, texts }: Parts,
  { findings }: Dispatched,
  cited: string | undefined,
  doubts: readonly string[],
): boolean {
  const { matched, would, errors } = findings;
  const { deliveries } = delivered;
  return (
    !closed &&
    !question &&
    cited === undefined &&
    texts.reason === undefined &&
    texts.guidance === undefined &&
    answer.approved === undefined &&
    matched.length + would.length + errors.length + doubts.length + left.notices.length === 0 &&
    deliveries.length + delivered.would.length + delivered.errors.length + delivered.held.length === 0
  );
}

function doubtsOf({ combined, view }: Dispatched): readonly string[] {
  return view.facts.understanding === "unknown" && combined.answered === "unknown"
    ? view.facts.doubts.map((doubt) => doubt.reason)
    : [];
}

function isEnforced({ linked }: Matched): boolean {
  return linked.rule.mode !== "monitor";
}

function asMatched(
  { linked, outcome, element, unsure, done }: Matched,
  mask: (text: string) => string,
): Decision["matched"][number] {
  return {
    rule: linked.rule.id,
    outcome,
    ...(element !== undefined && { element }),
    ...(unsure && { grade: unsure.grade, unknown: unsure.unknown.map((text) => shownUnknown(text, mask)) }),
    ...(!done && { done: false as const }),
  };
}

/** Returns the reason for an answer that no rule gave. */
function withoutRule(found: Dispatched, answered: Combined["answered"], outcome: Combined["outcome"]): string {
  const why =
    answered === "unknown"
      ? `the call could not be understood: ${doubtsOf(found).join("; ") || "no reason known"}`
      : "no rule answered this call";
  const whose = found.combined.untrusted ? "a policy of this project, which nobody has trusted," : "the policy";
  return `${why}; ${whose} answers ${outcome}`;
}

/** Returns the prompt of a policy of a stronger scope that asks beside the asking rules; undefined where none does. */
function alsoOf(found: Dispatched): string | undefined {
  const { also } = found.combined;
  return also && withoutRule(found, also, "ask");
}

/** Reason and guidance of a decision that is not a plain allow. */
function textsOf(
  found: Dispatched,
  answer: Answer,
  closed: Closed | undefined,
  ports: TransformPorts,
): { reason?: string; guidance?: string } {
  const { combined } = answer;
  if (closed) return { reason: closed.reason };
  if (combined.outcome === "allow") return {};
  const { cited } = combined;
  if (!cited) return { reason: withoutRule(found, combined.answered, combined.outcome) };
  const own = cited.reason === undefined ? undefined : ports.mask(cited.reason);
  const reason =
    own || renderText(cited.linked.reason, cited.frame, ports.mask) || cited.linked.rule.title || cited.linked.rule.id;
  if (answer.denied !== undefined) return { reason: `${answer.denied} has denied this call before: ${reason}` };
  const said = withUnsureNote(reason, cited.unsure, ports.mask);
  const guidance = renderText(cited.linked.guidance, cited.frame, ports.mask);
  return guidance === "" ? { reason: said } : { reason: said, guidance };
}
