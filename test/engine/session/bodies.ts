import type { PlanBudget, PlanSequence } from "../../../engine/plan.ts";
import type { SessionRules } from "../../../engine/session/session.ts";
import type { AuditBody, RecordedState } from "../../../schema/generated.ts";
import type { JudgedEvent } from "../../../schema/judged-event.ts";

/** Bodies of audit records and events, as far as sessions look at them. */

/** The body of a record; a call of `bash` that was let through unless said otherwise. */
export function body(state: Partial<RecordedState> = {}, rest: Partial<AuditBody> = {}): AuditBody {
  return {
    v: 1,
    event: "tool_call",
    id: "e",
    time: "2026-11-21T20:00:00.000Z",
    host: "",
    session: "s",
    agent: "main",
    tool: "bash",
    event_digest: "",
    outcome: "allow",
    answered: "default",
    matched: [],
    would: [],
    transforms: [],
    errors: [],
    state: { at: 0, ...state },
    observations: {},
    policy_digest: "",
    engine: "",
    tables: {},
    ...rest,
  };
}

/** The record of a human's answer. */
export function answerBody(
  of: string,
  answer: "allow" | "deny" | "timeout" = "allow",
  rest: { readonly key?: string; readonly remember?: "never" | "session"; readonly cleared?: string[] } = {},
): AuditBody {
  const { key = `key of ${of}`, remember = "session", cleared } = rest;
  return body(cleared ? { cleared } : {}, {
    kind: "approval",
    event: "approval",
    approval: { of, answer, by: "user", key, remember },
  });
}

/** An event that is judged: a call of `bash` in the session `s`. */
export function judged(session: Partial<JudgedEvent["session"]> = {}, rest: Partial<JudgedEvent> = {}): JudgedEvent {
  return {
    event: "tool_call",
    id: "now",
    time: 0,
    host: "",
    call_id: undefined,
    tool: { name: "bash", host_name: "bash", server: undefined },
    args: {},
    args_raw: {},
    environment: {} as JudgedEvent["environment"],
    session: { id: "s", labels: [], turn: 0, ...session },
    agent: { id: "main", depth: 0, type: "" },
    definition: undefined,
    result: undefined,
    messages: undefined,
    prompt: undefined,
    system_prompt: undefined,
    input: undefined,
    command: undefined,
    exclude_from_context: false,
    fields: {},
    ...rest,
  };
}

/** Windows of rules, by rule. */
export function rulesOf(
  sequences: Readonly<Record<string, PlanSequence>>,
  budgets: Readonly<Record<string, PlanBudget>> = {},
): SessionRules {
  return { sequences: new Map(Object.entries(sequences)), budgets: new Map(Object.entries(budgets)) };
}

/** A sequence of this many items that any call is. */
export function sequenceOf(items: number, rest: Partial<PlanSequence> = {}): PlanSequence {
  return { items: Array.from({ length: items }, () => ({ events: ["tool_call"], tools: [], needs: false })), ...rest };
}
