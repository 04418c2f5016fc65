import type { AuditBody, Decision, RecordedState } from "../schema/generated.ts";
import type { JudgedEvent } from "../schema/judged-event.ts";
import type { Delivery } from "../schema/ports.ts";
import { digest } from "./canonical.ts";
import type { Dispatched } from "./dispatch.ts";
import type { Left } from "./marks.ts";
import type { Malformed } from "./normalise.ts";
import type { Plan } from "./plan.ts";

interface RecordPorts {
  readonly engine: string;
  readonly tables: Readonly<Record<string, string>>;
  readonly regex: { readonly name: string; readonly version: string };
}

/** Body of the audit record of one decision. Digests only, unless the policy keeps events (semantics section 5). */
export function recordOf(
  event: JudgedEvent,
  found: Dispatched,
  deliveries: readonly Delivery[],
  decision: Decision,
  state: RecordedState,
  left: Left,
  plan: Plan,
  ports: RecordPorts,
): AuditBody {
  const { facts } = found.view;
  const keep = plan.policies.length > 0 && plan.policies.every((p) => p.audit.keep === "events");
  const isCall = event.tool !== undefined && event.event !== "tool_result";
  return {
    v: 1,
    event: event.event,
    id: event.id,
    time: new Date(event.time).toISOString(),
    host: event.host,
    session: event.session.id,
    agent: event.agent.id,
    ...(event.tool && { tool: event.tool.name }),
    ...(event.call_id !== undefined && { call_id: event.call_id }),
    event_digest: digest(event),
    ...(keep && { view: event }),
    ...verdict(decision),
    ...(isCall && { understanding: facts.understanding, doubts: facts.doubts.map((d) => d.reason) }),
    transforms: found.findings.applied.map((a) => ({ ...a })),
    ...(deliveries.length > 0 && { delivered: deliveries.map((d) => ({ rule: d.rule, digest: digest(d.content) })) }),
    ...(left.notices.length > 0 && { notices: left.notices }),
    ...(Object.keys(left.recorded).length > 0 && { recorded: left.recorded }),
    ...(decision.approved !== undefined && { approved: decision.approved }),
    state,
    observations: { ...observationsOf(found, ports), ...(event.ignored && { ignored: event.ignored }) },
    policy_digest: plan.digest,
    engine: ports.engine,
    tables: { ...ports.tables },
  };
}

/** Answers of ports that the decision rests on; a replay uses them again. */
function observationsOf({ findings }: Dispatched, { regex }: RecordPorts): AuditBody["observations"] {
  const { answers } = findings;
  return {
    regex: `${regex.name}@${regex.version}`,
    ...(answers.size > 0 && { programs: Object.fromEntries([...answers].sort(([a], [b]) => (a < b ? -1 : 1))) }),
  };
}

/** Body of the record of a payload that did not fit: all that is known is its digest and the closed answer. */
export function malformedRecord(malformed: Malformed, decision: Decision, ports: RecordPorts): AuditBody {
  return {
    v: 1,
    event: malformed.event,
    id: malformed.id,
    time: new Date(0).toISOString(),
    host: "",
    session: "",
    agent: "",
    event_digest: digest({ malformed: malformed.message }),
    ...verdict(decision),
    transforms: [],
    observations: { regex: `${ports.regex.name}@${ports.regex.version}` },
    policy_digest: decision.policy_digest,
    engine: ports.engine,
    tables: { ...ports.tables },
  };
}

type VerdictFields = Pick<AuditBody, "outcome" | "answered" | "matched" | "would" | "errors" | "rule" | "reason">;

function verdict(decision: Decision): VerdictFields {
  const { outcome, answered, matched, would, errors, rule, reason } = decision;
  return {
    outcome,
    answered,
    matched,
    would,
    errors,
    ...(rule !== undefined && { rule }),
    ...(reason !== undefined && { reason }),
  };
}
