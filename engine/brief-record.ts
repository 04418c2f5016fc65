import type { AuditBody } from "../schema/generated.ts";
import { eventDigest } from "./event-digest.ts";
import type { DecidePorts } from "./judgement.ts";
import type { LinkedPlan } from "./link-plan.ts";
import { type RecordParts, textsOf } from "./record.ts";
import { maskedTexts } from "./recorded-texts.ts";
import type { Masking } from "./recorded-view.ts";

/**
 * Returns the parts of a decision's record (`recordOf`) that a session and a comparison of answers read. It serves callers
 * that keep no record, such as a replay through another policy. The lists and observations of a full record are empty
 * here; the digest of the event is present only if `ports.brief` asks for it.
 */
export function briefRecord(
  parts: RecordParts,
  { plan }: LinkedPlan,
  ports: DecidePorts,
  masking: Masking,
  mask: (text: string) => string,
): AuditBody {
  const { event, found, deliveries, decision, state } = parts;
  const body: AuditBody = {
    v: 1,
    event: event.event,
    id: event.id,
    time: "",
    host: event.host,
    session: event.session.id,
    agent: event.agent.id,
    event_digest: ports.brief === "digest" ? eventDigest(event) : "",
    outcome: decision.outcome,
    answered: decision.answered,
    matched: [],
    would: [],
    errors: [],
    transforms: found.findings.applied.map((a) => ({ ...a })),
    state,
    observations: {},
    policy_digest: plan.digest,
    engine: ports.engine,
    tables: {},
  };
  // The reason is masked together with the other texts, since secrets found in them may be quoted in it.
  if (decision.reason !== undefined) {
    const { reason } = maskedTexts(textsOf(parts, plan, mask), masking);
    if (reason !== undefined) body.reason = reason;
  }
  if (event.tool) body.tool = event.tool.name;
  if (event.call_id !== undefined) body.call_id = event.call_id;
  if (decision.rule !== undefined) body.rule = decision.rule;
  if (deliveries.length > 0) body.delivered = deliveries.map(({ rule }) => ({ rule, digest: "" }));
  return body;
}
