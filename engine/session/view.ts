import type { JudgedEvent } from "../../schema/judged-event.ts";
import type { SessionView } from "../../schema/session.ts";
import { shortName } from "./bounds.ts";
import { leftIn } from "./budget.ts";
import { labelsOfPath } from "./paths.ts";
import { holds } from "./sequence.ts";
import type { SessionData, SessionRules } from "./session.ts";

/** Returns the session as the event sees it, including the event's own turn and labels (marks of a test). */
export function viewOf(session: SessionData, event: JudgedEvent, rules: SessionRules): SessionView {
  const now = Math.max(session.time, event.time);
  const turn = Math.max(session.turn, event.session.turn);
  const newTurn = turn !== session.turn || event.event === "before_agent_start";
  const { labels } = event.session;
  return {
    turn,
    labels: labels.length === 0 ? session.labels : [...new Set([...session.labels, ...labels])],
    shadowLabels: session.shadowLabels,
    projectLabels: session.projectLabels,
    calls: session.calls,
    asked: session.asked,
    now,
    sequenceHolds: (rule) => {
      const sequence = rules.sequences.get(rule);
      return sequence !== undefined && holds(session.chains.get(rule), sequence, { call: session.count, time: now });
    },
    budgetLeft: (rule, bucket) => {
      const budget = rules.budgets.get(rule);
      return budget ? leftIn(session.spending, rule, bucket, budget, now) : 0;
    },
    delivered: ({ rule, scope }) =>
      scope === "turn" ? !newTurn && session.onceInTurn.includes(rule) : session.onceInSession.includes(rule),
    approval: (key) => session.approvals.get(key),
    digestOfCall: (id) => {
      const short = shortName(id);
      return session.calls.findLast((call) => call.id === short)?.digest;
    },
    pathLabels: (path) => labelsOfPath(session.paths, path),
  };
}
