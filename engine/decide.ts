import { createHmac } from "node:crypto";
import type { FactSet } from "../schema/facts.ts";
import type { AuditBody, Changes, Decision, DecisionError } from "../schema/generated.ts";
import type { JudgedEvent } from "../schema/judged-event.ts";
import type { FileSystem, RegexEngine } from "../schema/ports.ts";
import { collectDeliveries, type Delivered, joinDeliveries } from "./deliver.ts";
import { type Dispatched, dispatch } from "./dispatch.ts";
import type { View } from "./evaluate-rule.ts";
import { closedOutcome, withholdable } from "./failure.ts";
import type { Matched } from "./findings.ts";
import type { LinkedPlan } from "./link-plan.ts";
import { type Malformed, type Normalised, normalise } from "./normalise.ts";
import { changesBetween } from "./payload.ts";
import { malformedRecord, recordOf } from "./record.ts";
import { renderText } from "./render-text.ts";
import type { SessionState } from "./session-state.ts";
import type { TransformPorts } from "./transform.ts";

/** What deciding needs from outside. Nothing here can see a clock. */
export interface DecidePorts {
  factsOf(event: JudgedEvent, files: FileSystem): FactSet;
  /** The files an event's paths are resolved in: the live ones of an adapter, or those the event itself carries. */
  filesOf(listed: Readonly<Record<string, unknown>> | undefined): FileSystem;
  readonly regex: RegexEngine;
  readonly tables: Readonly<Record<string, string>>;
  readonly engine: string;
  readonly sessionKey: string;
  readonly state: SessionState;
}

/** A decision and the body of its audit record: same plan, event, state and observations give the same bytes. */
export interface Judgement {
  readonly decision: Decision;
  readonly body: AuditBody;
}

/** Judges one wire event with a linked plan. Total for any input. */
export function decide(plan: LinkedPlan, wire: unknown, ports: DecidePorts): Judgement {
  const normalised = normalise(wire);
  if ("code" in normalised) return refuse(plan, wire, normalised, ports);
  const { event } = normalised;
  const scope = ports.state.enter(event);
  const files = ports.filesOf(normalised.files);
  let boundary: string | undefined;
  const transformPorts: TransformPorts = {
    factsOf: (revision) => ports.factsOf(revision, files),
    mask: plan.vocabulary.mask,
    once: scope.once,
    // Most events are told nothing, so the boundary is made when first asked for.
    get boundary() {
      boundary ??= createHmac("sha256", ports.sessionKey).update(event.id).digest("hex").slice(0, 16);
      return boundary;
    },
  };
  const views = normalised.views.map(
    (view): View => ({ event: view, facts: transformPorts.factsOf(view), files, regex: ports.regex }),
  );
  const found = dispatch(plan, views, transformPorts);
  return conclude(plan, normalised, found, transformPorts, ports);
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
  return { decision, body: malformedRecord(malformed, decision, ports) };
}

function conclude(
  plan: LinkedPlan,
  normalised: Normalised,
  found: Dispatched,
  transformPorts: TransformPorts,
  ports: DecidePorts,
): Judgement {
  const { event } = normalised;
  const { combined } = found;
  const { failed } = found.findings;
  const closed = failed && combined.outcome !== "block" ? closedOutcome(event.event, event, failed) : undefined;
  const outcome = closed ? closed.outcome : combined.outcome;
  const rules = plan.byEvent.get(event.event) ?? [];
  const delivered = outcome === "block" ? nothingDelivered : collectDeliveries(rules, found.view, transformPorts);
  const revised = changesBetween(event, found.view.event);
  const changes: Changes = closed
    ? { ...revised, ...closed.changes }
    : joinDeliveries(found.view, delivered.deliveries, transformPorts, revised);
  const doubts =
    found.view.facts.understanding === "unknown" && combined.answered === "unknown"
      ? found.view.facts.doubts.map((d) => d.reason)
      : [];
  const cited = closed ? failed?.rule : combined.cited?.linked.rule.id;
  const decision: Decision = {
    id: event.id,
    outcome,
    answered: closed ? "error" : combined.answered,
    ...(cited !== undefined && { rule: cited }),
    ...texts(found, closed?.reason, doubts, transformPorts),
    matched: [...found.findings.matched, ...delivered.deliveries.map((d) => ({ rule: d.rule, outcome: "inject" }))].map(
      asMatched,
    ),
    would: [
      ...found.findings.would,
      ...delivered.would.map((linked) => ({ linked, outcome: "inject", element: undefined })),
    ].map(asMatched),
    changes: outcome === "block" ? {} : changes,
    errors: [...found.findings.errors, ...delivered.errors],
    ...(doubts.length > 0 && { doubts }),
    policy_digest: plan.plan.digest,
  };
  return { decision, body: recordOf(event, found, delivered.deliveries, decision, plan.plan, ports) };
}

const nothingDelivered: Delivered = { deliveries: [], would: [], errors: [] };

function asMatched(m: Matched | { readonly rule: string; readonly outcome: string }): Decision["matched"][number] {
  if ("rule" in m) return { rule: m.rule, outcome: m.outcome };
  return { rule: m.linked.rule.id, outcome: m.outcome, ...(m.element !== undefined && { element: m.element }) };
}

/** Reason and guidance of a decision that is not a plain allow. */
function texts(
  found: Dispatched,
  closedReason: string | undefined,
  doubts: readonly string[],
  ports: TransformPorts,
): { reason?: string; guidance?: string } {
  const { combined } = found;
  if (closedReason !== undefined) return { reason: closedReason };
  if (combined.outcome === "allow") return {};
  const { cited } = combined;
  if (!cited) {
    const why =
      combined.answered === "unknown"
        ? `the call could not be understood: ${doubts.join("; ") || "no reason known"}`
        : "no rule answered this call";
    return { reason: `${why}; the policy answers ${combined.outcome}` };
  }
  const reason =
    renderText(cited.linked.reason, cited.frame, ports.mask) || cited.linked.rule.title || cited.linked.rule.id;
  const guidance = renderText(cited.linked.guidance, cited.frame, ports.mask);
  return guidance === "" ? { reason } : { reason, guidance };
}
