import { eventKind } from "../schema/events.ts";
import type { AuditBody, Decision } from "../schema/generated.ts";
import type { WeakerForm } from "../schema/hosts/row.ts";
import { type AskedAction, enforceable, type HostName, hostRow } from "../schema/hosts.ts";
import type { JudgedEvent } from "../schema/judged-event.ts";
import type { Delivery } from "../schema/ports.ts";

/** Degree to which a decision reached the model or the call. */
type Delivered = "full" | "weaker" | "no";

const worstFirst: readonly Delivered[] = ["no", "weaker", "full"];

/**
 * Tells how much of a decision the host can carry out, by the table of hosts and the event at hand: a record that says
 * "rewritten" where the host passes on the raw text would be untrue. Undefined for a host that is not in the table, and
 * where nothing was asked of it.
 */
export function hostDelivery(
  event: JudgedEvent,
  decision: Decision,
  transforms: readonly { readonly action: string }[],
  deliveries: readonly Delivery[],
): AuditBody["on_host"] {
  // Most decisions ask nothing of the host, and then the table of hosts need not be read.
  const wanted = wantedOf(event, decision, transforms, deliveries);
  if (wanted.length === 0 || hostRow(event.host) === undefined) return undefined;
  const parts = wanted.map((action) => ({ action, ...deliveryOf(event, decision, action) }));
  const delivered = worstFirst.find((level) => parts.some((part) => part.delivered === level)) ?? "full";
  const short = parts.flatMap(({ action, delivered: level, why }) =>
    level === "full" ? [] : [{ action, delivered: level, ...(why !== undefined && { why }) }],
  );
  return { delivered, ...(short.length > 0 && { short }) };
}

/** Lists the actions that a decision asks of its host. */
function wantedOf(
  event: JudgedEvent,
  { outcome, changes }: Decision,
  transforms: readonly { readonly action: string }[],
  deliveries: readonly Delivery[],
): readonly AskedAction[] {
  const wanted = new Set<AskedAction>();
  if (outcome !== "allow" && eventKind(event.event) === "decide") wanted.add(outcome);
  if (outcome === "block") return [...wanted];
  // A program that rewrites sets arguments as `modify` does.
  for (const { action } of transforms) wanted.add(action === "run" ? "modify" : (action as AskedAction));
  const isWithheld = changes.content !== undefined || changes.structured !== undefined;
  if (isWithheld && transforms.length === 0 && !deliveries.some(({ as }) => as === "append")) wanted.add("redact");
  for (const { as } of deliveries)
    wanted.add(as === "append" ? "inject_append" : as === "system" ? "inject_system" : "inject_message");
  return [...wanted];
}

function deliveryOf(
  event: JudgedEvent,
  { outcome }: Decision,
  action: AskedAction,
): { readonly delivered: Delivered; readonly why?: string } {
  const found = enforceable(event.host as HostName, event.event, action);
  if (found.level === "full") return { delivered: "full" };
  if (found.level === "none") return { delivered: "no", why: found.reason };
  const delivered = ofForm(found.form, event, outcome);
  return delivered === "full" ? { delivered } : { delivered, why: found.reason };
}

/** Returns the delivery of a weaker form; some forms apply fully or not at all, depending on the event. */
function ofForm(form: WeakerForm, { result, tool }: JudgedEvent, outcome: Decision["outcome"]): Delivered {
  switch (form) {
    case "not_failures":
      return result?.is_error === true ? "no" : "full";
    case "mcp_only":
      return tool?.name.startsWith("mcp__") ? "full" : "no";
    case "when_blocked":
      return outcome === "block" ? "full" : "no";
    default:
      return "weaker";
  }
}
