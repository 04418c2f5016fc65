import type { AuditBody, AuditRecord } from "../../schema/generated.ts";

/** Version of the schema of exported events: its required attributes are tested against the specification. */
export const ocsfVersion = "1.3.0";

/** One event of the Open Cybersecurity Schema Framework, as plain JSON. */
export type OcsfEvent = Readonly<Record<string, unknown>>;

interface Class {
  readonly uid: number;
  readonly name: string;
  readonly category: number;
  readonly categoryName: string;
  readonly activity: number;
  readonly activityName: string;
}

/** Class of events in which something was stopped or put to a human. */
const finding: Class = {
  uid: 2004,
  name: "Detection Finding",
  category: 2,
  categoryName: "Findings",
  activity: 1,
  activityName: "Create",
};

/** Class of all other events: acts of an agent, and incidents of the engine. No verb of the schema says what a tool does. */
const activity: Class = {
  uid: 6003,
  name: "API Activity",
  category: 6,
  categoryName: "Application Activity",
  activity: 99,
  activityName: "Other",
};

/**
 * Returns a record as an OCSF event (threats page section 3.1). A decision that blocks or asks is a Detection Finding
 * (2004), anything else an API Activity (6003), both with the profile `security_control`. Fields without an attribute in the
 * schema, including digests and seal, go under `unmapped`.
 */
export function ocsfEvent(record: AuditRecord): OcsfEvent {
  const { body, seal } = record;
  const isDecision = body.kind === undefined || body.kind === "decision";
  const isFinding = isDecision && body.outcome !== "allow";
  const kind = isFinding ? finding : activity;
  return {
    activity_id: kind.activity,
    activity_name: isFinding ? kind.activityName : body.event,
    category_uid: kind.category,
    category_name: kind.categoryName,
    class_uid: kind.uid,
    class_name: kind.name,
    type_uid: kind.uid * 100 + kind.activity,
    type_name: `${kind.name}: ${kind.activityName}`,
    time: Date.parse(seal.written),
    message: body.reason ?? body.note ?? `${body.event}: ${body.outcome}`,
    ...severityOf(body, isFinding),
    ...controlOf(body, isDecision),
    metadata: metadataOf(record),
    ...(isFinding ? findingOf(record) : activityOf(body)),
    unmapped: unmappedOf(record),
  };
}

function metadataOf({ body, seal }: AuditRecord): OcsfEvent {
  return {
    version: ocsfVersion,
    profiles: ["security_control"],
    product: { name: "hookwarden", vendor_name: "hookwarden", version: body.engine },
    uid: seal.hash,
    sequence: seal.seq,
    log_name: "audit",
    logged_time: Date.parse(seal.written),
    ...(body.session !== "" && { correlation_uid: body.session }),
  };
}

function severityOf({ outcome, answered }: AuditBody, isFinding: boolean): OcsfEvent {
  if (!isFinding) return { severity_id: 1, severity: "Informational" };
  if (answered === "error") return { severity_id: 4, severity: "High" };
  return outcome === "block" ? { severity_id: 3, severity: "Medium" } : { severity_id: 2, severity: "Low" };
}

/**
 * Returns the action of the control. If a call was asked about, only the record of the human's answer tells whether it ran,
 * so its action is unknown here.
 */
function controlOf({ outcome, approval, transforms }: AuditBody, isDecision: boolean): OcsfEvent {
  if (approval) {
    return approval.answer === "allow"
      ? { action_id: 1, action: "Allowed", disposition_id: 8, disposition: "Approved" }
      : { action_id: 2, action: "Denied", disposition_id: 25, disposition: "Rejected" };
  }
  if (!isDecision) return { action_id: 0, action: "Unknown", disposition_id: 17, disposition: "Logged" };
  if (outcome === "block") return { action_id: 2, action: "Denied", disposition_id: 2, disposition: "Blocked" };
  if (outcome === "ask") return { action_id: 0, action: "Unknown", disposition_id: 99, disposition: "Asked" };
  return transforms.length > 0
    ? { action_id: 1, action: "Allowed", disposition_id: 11, disposition: "Corrected" }
    : { action_id: 1, action: "Allowed", disposition_id: 1, disposition: "Allowed" };
}

function findingOf({ body, seal }: AuditRecord): OcsfEvent {
  const { rule, reason, answered } = body;
  return {
    status_id: 1,
    status: "New",
    finding_info: {
      uid: seal.hash,
      title: reason ?? `${body.event} answered with ${body.outcome}`,
      analytic: { type_id: 1, type: "Rule", uid: rule ?? `(${answered})`, name: rule ?? `(${answered})` },
      created_time: Date.parse(seal.written),
    },
    ...(body.tool !== undefined && {
      resources: [{ type: "tool", name: body.tool, ...(body.call_id !== undefined && { uid: body.call_id }) }],
    }),
    evidences: [{ actor: actorOf(body), api: apiOf(body), src_endpoint: endpointOf(body) }],
  };
}

function activityOf(body: AuditBody): OcsfEvent {
  return { actor: actorOf(body), api: apiOf(body), src_endpoint: endpointOf(body) };
}

/** Returns the agent's host; records of the engine's own have none. */
function hostOf({ host }: AuditBody): string {
  return host === "" ? "hookwarden" : host;
}

function actorOf(body: AuditBody): OcsfEvent {
  return {
    app_name: hostOf(body),
    ...(body.agent !== "" && { app_uid: body.agent }),
    ...(body.session !== "" && { session: { uid: body.session } }),
  };
}

function apiOf({ event, tool, call_id }: AuditBody): OcsfEvent {
  return {
    operation: tool ?? event,
    service: { name: event },
    ...(call_id !== undefined && { request: { uid: call_id } }),
  };
}

function endpointOf(body: AuditBody): OcsfEvent {
  return { svc_name: hostOf(body) };
}

/** Fields of a body that have an attribute of their own. */
const mapped: ReadonlySet<string> = new Set([
  "host",
  "session",
  "agent",
  "tool",
  "call_id",
  "reason",
  "note",
  "engine",
]);

function unmappedOf({ body, seal }: AuditRecord): OcsfEvent {
  return { ...Object.fromEntries(Object.entries(body).filter(([name]) => !mapped.has(name))), seal };
}
