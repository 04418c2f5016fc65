import type { Changes, DecisionError } from "../schema/generated.ts";
import { injectedLabel } from "../schema/labels.ts";
import { limits } from "../schema/limits.ts";
import { noteLines } from "../schema/notes.ts";
import { type Delivery, EvaluationError } from "../schema/ports.ts";
import type { SessionView } from "../schema/session.ts";
import { evaluateRule, type View } from "./evaluate-rule.ts";
import type { Matched } from "./findings.ts";
import { quotesEvent } from "./foreign-text.ts";
import type { LinkedRule } from "./link-plan.ts";
import { payloadOf } from "./payload.ts";
import { shadowOf } from "./shadow.ts";
import { stanceOf } from "./stance.ts";
import type { StateChange } from "./state-change.ts";
import { actionContext, type TransformPorts } from "./transform.ts";

/** Result of collecting the deliveries of one event. */
export interface Delivered {
  readonly deliveries: readonly Delivery[];
  readonly would: readonly LinkedRule[];
  readonly errors: readonly DecisionError[];
  /** Matches whose text is held back, since it is not sure that the rule applies. */
  readonly held: readonly Matched[];
}

/** Collects injected texts in judging order. An error in one is recorded and changes nothing else. */
export function collectDeliveries(rules: readonly LinkedRule[], view: View, ports: TransformPorts): Delivered {
  const deliveries: Delivery[] = [];
  const would: LinkedRule[] = [];
  const errors: DecisionError[] = [];
  const held: Matched[] = [];
  for (const linked of rules) {
    if (linked.deliveries.length === 0) continue;
    const result = evaluateRule(linked, linked.rule.mode === "monitor" ? shadowOf(view) : view);
    if (result.kind === "error")
      errors.push({ code: result.error.code, message: result.error.message, rule: linked.rule.id });
    if (result.kind !== "match") continue;
    const { unsure, element } = result;
    if (stanceOf(linked.rule, unsure, "other") === "nothing") {
      held.push({ linked, outcome: "inject", element, unsure, done: false });
      continue;
    }
    if (linked.rule.mode === "monitor") {
      would.push(linked);
      continue;
    }
    for (const action of linked.deliveries) {
      const made = action.code.deliver?.(
        payloadOf(view.event),
        action.plan.parameters,
        actionContext(linked, action, result.frame, ports),
      );
      if (made)
        deliveries.push(quotesEvent(action.plan.templates?.["content"] ?? []) ? { ...made, foreign: "event" } : made);
    }
  }
  return { deliveries, would, errors, held };
}

/**
 * Labels the session `injected` where an event delivers text that is not the policy's own, and returns the deliveries.
 * Where the session can take no more labels, such text is left out, with an error.
 */
export function labelForeign(delivered: Delivered, session: SessionView, change: StateChange): Delivered {
  const foreign = delivered.deliveries.filter((delivery) => delivery.foreign !== undefined);
  if (foreign.length === 0) return delivered;
  if (new Set([...session.labels, ...change.labels, injectedLabel]).size <= limits.labels) {
    change.label([injectedLabel]);
    return delivered;
  }
  const { code, message } = new EvaluationError("HW504", `the session would have more than ${limits.labels} labels`);
  const errors = foreign.map(({ rule }) => ({ code, message, rule }));
  return {
    ...delivered,
    deliveries: delivered.deliveries.filter((delivery) => delivery.foreign === undefined),
    errors: [...delivered.errors, ...errors],
  };
}

/**
 * Joins several deliveries into one marked block each for message, appended and system text, in rule order (semantics section 2).
 * The boundary is keyed per event, so that content cannot forge it; it only marks the block. Text that is not the policy's own is
 * labelled. The start of the block says if a text quotes the event; the quoted values are escaped and in quotes. A program's
 * output is wrapped as a whole.
 */
export function joinDeliveries(
  view: View,
  deliveries: readonly Delivery[],
  ports: Pick<TransformPorts, "boundary">,
  changes: Changes,
): Changes {
  if (deliveries.length === 0) return { ...changes };
  const { boundary } = ports;
  const block = (as: Delivery["as"]): string | undefined => {
    const own = deliveries.filter((d) => d.as === as);
    if (own.length === 0) return undefined;
    const quotes = own.some((d) => d.foreign === "event") ? noteLines.quoting : "";
    const parts = own.map((d) => (d.foreign === "program" ? programText(d.content, boundary) : d.content));
    const { opens, ends } = noteLines.policy;
    return `${opens}${boundary}${quotes}]\n${parts.join("\n\n")}\n${ends}${boundary}]`;
  };
  const joined: Changes = { ...changes };
  const system = block("system");
  if (system !== undefined && view.event.event === "before_agent_start")
    joined.system_prompt = `${changes.system_prompt ?? view.event.system_prompt ?? ""}\n\n${system}`.trim();
  const append = block("append");
  if (append !== undefined && view.event.result)
    joined.content = [...(changes.content ?? view.event.result.content), { type: "text", text: append }] as NonNullable<
      Changes["content"]
    >;
  const message = block("message");
  const first = deliveries.find((d) => d.as === "message");
  if (message !== undefined && first) {
    joined.message = {
      custom_type: first.custom_type,
      content: message,
      display: deliveries.some((d) => d.as === "message" && d.display),
    };
  }
  return joined;
}

/** Wraps a program's output in lines that label it as such. */
function programText(content: string, boundary: string): string {
  const { opens, ends } = noteLines.program;
  return `${opens}${boundary}${noteLines.data}]\n${content}\n${ends}${boundary}]`;
}
